//! `glushkov data`.

use super::output::{Done, Output};
use crate::data::{document, fixed_size, generate, write_npy};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::pipeline::files::Together;
use crate::pipeline::parse;
use std::path::PathBuf;

/// Arguments of `data`.
#[derive(clap::Args)]
#[command(after_help = "Without a name: the generators, their arrays and options.")]
pub struct Args {
    /// The generator, such as plummer
    name: Option<String>,
    /// The folder for the .npy files
    #[arg(short = 'o', long = "out", value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// How many (n) and the generator's options: --set n=1000
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let Some(name) = &args.name else {
        return output.print(&document());
    };
    let mut n = fixed_size(name).unwrap_or(1024);
    let mut options = Vec::new();
    for text in &args.set {
        let bad = || {
            Diagnostic::error("E0006", format!("--set {text} is not NAME=NUMBER"))
                .hint("for example --set n=1000")
        };
        let (key, value) = text.split_once('=').ok_or_else(bad)?;
        let value = match parse(value.trim()) {
            Some(Value::Int(i)) => i as f64,
            Some(Value::Real(x)) => x,
            _ => return Err(bad().into()),
        };
        if key.trim() == "n" {
            if value < 1.0 || value.fract() != 0.0 || value > 1e9 {
                return Err(Diagnostic::error(
                    "E0006",
                    format!("n = {value} is not a whole number from 1 to 1e9"),
                )
                .into());
            }
            n = value as usize;
        } else {
            options.push((key.trim().to_owned(), value));
        }
    }
    let arrays = generate(name, n, &options)?;
    let files = Together::for_folder(&args.out)?;
    for (array, values) in &arrays {
        let path = files.path().join(format!("{array}.npy"));
        write_npy(&path, values)?;
    }
    files.appear()?;
    let names: Vec<String> = arrays.iter().map(|(a, _)| format!("{a}.npy")).collect();
    output.say(&format!("{} in {}", names.join(", "), args.out.display()));
    Ok(())
}
