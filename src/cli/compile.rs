//! `glushkov::compile!`: a scheme → a module of the crate whose build script calls it.

use super::arguments::{Common, TargetName, TuningArguments, strategy_name};
use crate::diagnostic::{Diagnostic, render};
use crate::pipeline::files::write_whole;
use crate::pipeline::{Failure, Module, Session, Source, Target, module, nothing};
use crate::term::with_deep_stack;
use clap::Parser;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Makes a scheme a module of the crate whose build script calls this. In `build.rs`:
///
/// ```no_run
/// glushkov::compile!("src/gravity.saa", strategy = "cpu-fast");
/// ```
///
/// and in the crate:
///
/// ```ignore
/// mod gravity {
///     include!(concat!(env!("OUT_DIR"), "/gravity.rs"));
/// }
/// ```
///
/// Options are those of `glushkov emit`, with `_` for `-`; one that may be given several times is. The file in
/// `OUT_DIR` has the name of the scheme's, or that of the option `module`. Parameters that tuning found are
/// taken from the file that `tuned` names, and from nowhere else: what a build makes does not depend on
/// what was tuned on the machine. The script runs again when the scheme, a file that it uses or a rule file
/// of the options has changed. A scheme with errors ends the build with its diagnostics.
#[macro_export]
macro_rules! compile {
    ($file:expr $(, $option:ident = $value:expr)* $(,)?) => {
        $crate::cli::compile::or_end($crate::cli::compile::compile(
            $file,
            &[$((stringify!($option), ::std::string::ToString::to_string(&$value))),*],
        ))
    };
}

#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Args {
    file: String,
    /// The name of the file in `OUT_DIR`, without its `.rs`
    #[arg(long, value_name = "NAME")]
    module: Option<String>,
    #[arg(long, value_enum, default_value = "rust")]
    target: TargetName,
    #[arg(long, value_parser = strategy_name)]
    strategy: Option<String>,
    #[command(flatten)]
    tuned: TuningArguments,
    #[command(flatten)]
    common: Common,
}

/// The text of a failure, for people.
pub struct Refused(String);

/// Makes a scheme a module; gives where it is.
///
/// # Errors
///
/// Options that there are not, what ends [`module`], and a second module of one name.
pub fn compile(file: &str, options: &[(&str, String)]) -> Result<PathBuf, Refused> {
    let words = options.iter().filter_map(|(name, value)| {
        let name = name.replace('_', "-");
        match value.as_str() {
            "true" => Some(format!("--{name}")),
            "false" => None,
            _ => Some(format!("--{name}={value}")),
        }
    });
    let words = [file.to_owned()].into_iter().chain(words);
    let args = Args::try_parse_from(words).map_err(|e| Refused(e.render().to_string()))?;
    with_deep_stack(|| {
        let mut session = Session::new();
        let made = made(&args, &mut session);
        watch(&args, &session);
        made.map_err(|failure| {
            let told = failure.diagnostics.iter().filter(|d| d.is_error());
            let told = told.map(|d| render(d, &session.sources, false));
            Refused(told.collect::<Vec<_>>().join("\n"))
        })
    })
}

fn made(args: &Args, session: &mut Session) -> Result<PathBuf, Failure> {
    if args.target.resolved() != Target::Rust {
        return Err(nothing(args.target.resolved().name()));
    }
    let Some(folder) = std::env::var_os("OUT_DIR") else {
        let why = "there is no OUT_DIR, where the module would be written";
        let hint = "call compile! in build.rs, which cargo runs";
        return Err(Diagnostic::error("E0001", why).hint(hint).into());
    };
    let path = Path::new(&folder).join(format!("{}.rs", name(args)));
    static WRITTEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !written.insert(path.clone()) {
        let why = format!("{} was made by another compile!", path.display());
        let hint = "give one of them another name, by the option `module`";
        return Err(Diagnostic::error("E0006", why).hint(hint).into());
    }
    let options = args.common.options();
    let tuning = args.tuned.given();
    let source = Source::Path(&args.file);
    let strategy = args.strategy.as_deref();
    let Module { text, .. } = module(source, strategy, &tuning, &options, session)?;
    // What did not change is not compiled again.
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(path);
    }
    write_whole(&path, &text, true)?;
    Ok(path)
}

/// The name of a module: that which is given, or that of the scheme's file.
fn name(args: &Args) -> &str {
    let stem = Path::new(&args.file).file_stem().and_then(|s| s.to_str());
    args.module.as_deref().or(stem).unwrap_or("scheme")
}

/// Tells cargo what was read, the script itself among it.
fn watch(args: &Args, session: &Session) {
    let read = (0..session.sources.count()).filter_map(|k| session.sources.get(k));
    let read = read.map(|source| PathBuf::from(&source.name));
    let options = args.common.options();
    let files = options.rules.into_iter().chain(args.tuned.file());
    let own = ["build.rs", &args.file].map(PathBuf::from);
    let all: BTreeSet<PathBuf> = read.chain(files).chain(own).collect();
    for path in all.iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// Ends the build script where there is no module.
pub fn or_end(made: Result<PathBuf, Refused>) -> PathBuf {
    made.unwrap_or_else(|Refused(why)| {
        eprintln!("{why}");
        std::process::exit(1)
    })
}
