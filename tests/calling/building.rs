//! Libraries of a scheme, and programs of C and C++ that are linked with them.

use glushkov::pipeline::{Library, Options, Session, Source, Target, Tuning, emit, library, load};
use glushkov::term::with_deep_stack;
use glushkov::toolchain::cxx;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Every kind of argument that there is.
pub const CHAIN: &str = include_str!("chain.saa");

/// The library of a scheme.
pub fn built(text: &str, target: Target) -> Library {
    with_deep_stack(|| {
        let mut session = Session::new();
        let options = Options {
            // In C++ a subscript out of range is noticed if it is asked for.
            checked: target == Target::Cpp,
            ..Options::default()
        };
        let source = Source::Text { name: "text", text };
        let scheme = load(source, &options, &mut session).unwrap();
        library(
            &scheme,
            target,
            target.strategy(),
            &Tuning::Off,
            &options,
            &mut session,
        )
        .unwrap()
    })
}

/// Writes the project of a scheme for target rust.
pub fn emitted(text: &str, to: &Path) {
    with_deep_stack(|| {
        let source = Source::Text { name: "text", text };
        let (options, mut session) = (Options::default(), Session::new());
        let emission = emit(
            source,
            Target::Rust,
            None,
            &Tuning::Off,
            &options,
            &mut session,
        );
        emission.unwrap().write(to, false).unwrap();
    });
}

/// A program for the tests' folder of this name.
pub fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("calling");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// A program of the C compiler (`c`) or of the C++ compiler (`c++`), with all warnings as errors.
pub fn compiled(source: &str, language: &str, library: &Library) -> PathBuf {
    compiled_with(source, language, library, &[])
}

/// The same with further flags.
pub fn compiled_with(source: &str, language: &str, library: &Library, flags: &[&str]) -> PathBuf {
    let cxx = cxx().expect("nothing is tested without a compiler of C++");
    let (target, flagged) = (library.target.name(), flags.concat());
    let program = place(&format!("{source}.{language}.{target}{flagged}"));
    let standard = match language {
        "c" => "-std=c11",
        _ => "-std=c++17",
    };
    let mut command = Command::new(match language {
        "c" => Path::new("cc"),
        _ => cxx.path.as_path(),
    });
    command
        .args([
            "-x", language, standard, "-Wall", "-Wextra", "-Werror", "-I",
        ])
        .arg(library.header.parent().unwrap())
        .arg(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/calling")
                .join(source),
        )
        .args(flags)
        .args(["-x", "none", "-pthread", "-o"])
        .args([&program, &library.library])
        .arg(format!(
            "-Wl,-rpath,{}",
            library.library.parent().unwrap().display()
        ));
    expect_success(&mut command);
    program
}

/// Writes a file, with the folders that it is in.
pub fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// What a command printed, which must end well.
pub fn expect_success(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr)
    );
    assert!(status.success(), "{command:?}\n{said}");
    said
}
