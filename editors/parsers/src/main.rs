//! Writes the parsers into the folders of their grammars, and libraries of them into a folder that is given:
//!
//! cargo run --manifest-path editors/parsers/Cargo.toml -- [DIR] [--abi 14]

use glushkov_parsers::{ABI, GRAMMARS, compile, editors, generate};
use std::path::PathBuf;
use std::process::ExitCode;

fn run() -> Result<(), String> {
    let mut folder = None;
    let mut abi = ABI;
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--abi" {
            let number = arguments.next().and_then(|n| n.to_str()?.parse().ok());
            abi =
                number.ok_or("--abi takes a number: 14 for editors that know no reserved words")?;
        } else if folder.is_none() && !argument.to_string_lossy().starts_with('-') {
            folder = Some(PathBuf::from(argument));
        } else {
            return Err(format!(
                "{} was not expected: [DIR] [--abi N]",
                argument.display()
            ));
        }
    }
    if let Some(folder) = &folder {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    for (name, place) in GRAMMARS {
        let grammar = editors().join(place);
        let source = grammar.join("src");
        let told = |e: std::io::Error| format!("{}: {e}", grammar.display());
        generate(&grammar, &source, abi).map_err(told)?;
        println!("{}", source.join("parser.c").display());
        if let Some(folder) = &folder {
            let library = folder.join(format!("{name}.so"));
            compile(&source, &library).map_err(told)?;
            println!("{}", library.display());
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
    }
}
