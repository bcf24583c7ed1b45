//! `glushkov emit`.

use super::common::{Common, TargetName, strategy_name};
use super::derive::rules_of;
use super::inputs::parameter_values;
use super::load::load_checked;
use super::made::{TakenUp, make};
use super::notes::near_misses;
use super::output::{Done, Output};
use super::tuned;
use crate::diagnostic::Diagnostic;
use crate::emit::{Target, WriteError, write_project};
use crate::trace;
use std::path::PathBuf;

/// Arguments of `emit`.
#[derive(clap::Args)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// What to emit
    #[arg(long, value_enum)]
    target: TargetName,
    /// The strategy, such as gpu-fast (rust: cpu; cuda, rust-cuda: gpu, if not given)
    #[arg(long, value_name = "NAME", value_parser = strategy_name)]
    strategy: Option<String>,
    /// The project's folder
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    out: PathBuf,
    /// Replace a project that was written before; files of others stay
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    tuned: tuned::Take,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let target = match args.target {
        TargetName::Rust => Target::Rust,
        TargetName::Cuda => Target::Cuda,
        TargetName::RustCuda => Target::RustCuda,
        other => {
            return Err(Diagnostic::error(
                "E0006",
                format!("nothing is emitted for the target {}", other.name()),
            )
            .hint("emit takes rust, cuda and rust-cuda")
            .into());
        }
    };
    let strategy = args.strategy.as_deref().unwrap_or(default_strategy(target));
    let mut scheme = load_checked(&args.file, &args.common, output)?;
    let base = rules_of(&args.common, output)?;
    let tuned = tuned::find(
        &args.tuned,
        &args.common,
        &scheme,
        strategy,
        args.target,
        &base,
        output,
    )?;
    let values = parameter_values(&scheme, &args.common.parameters(&scheme)?);
    super::inputs::replace_defaults(&mut scheme, &args.common)?;
    let taken = tuned.as_ref().map(|tuned| TakenUp {
        tuned,
        target: Some(target),
        values: &values,
    });
    let made = make(&scheme, strategy, &args.common, taken, &base)?;
    let emitted = made.emit(target, args.common.checked)?;
    let derivations: Vec<_> = made.variants.iter().map(|(_, d)| &d.derivation).collect();
    let trace = trace::trace(
        &emitted,
        scheme.name.as_str(),
        &derivations,
        &output.sources,
    );
    let mut project = emitted.project;
    project.files.push((trace::FILE.to_owned(), trace.text()));
    write_project(&project, &args.out, args.force).map_err(|error| match &error {
        WriteError::NotEmpty(_) => {
            Diagnostic::error("E0001", error.to_string()).hint("--force replaces it")
        }
        WriteError::NotOurs { .. } => Diagnostic::error("E0001", error.to_string())
            .hint("move it away, or name another folder with -o"),
        _ => Diagnostic::error("E0001", error.to_string()),
    })?;
    output.tell_all(&near_misses(&made.first().derivation));
    output.say(&format!(
        "{} files in {}",
        project.files.len(),
        args.out.display()
    ));
    Ok(())
}

/// The strategy that a target takes where none is given.
pub fn default_strategy(target: Target) -> &'static str {
    match target {
        Target::Rust => "cpu",
        Target::Cuda | Target::RustCuda => "gpu",
    }
}
