//! `glushkov emit`.

use super::arguments::{Common, TargetName, TuningArguments, source, strategy_name};
use super::output::{Done, Output};
use crate::pipeline::{emit, nothing};
use std::path::PathBuf;

/// Arguments of `emit`.
#[derive(clap::Args)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// What to emit
    #[arg(long, value_enum)]
    target: TargetName,
    /// The strategy, such as gpu-fast (rust, cpp: cpu; cuda, rust-cuda: gpu, if not given)
    #[arg(long, value_name = "NAME", value_parser = strategy_name)]
    strategy: Option<String>,
    /// The project's folder
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    out: PathBuf,
    /// Replace a project that was written before; files of others stay
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    tuned: TuningArguments,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let target = match args.target {
        TargetName::Auto => return Err(nothing("auto").into()),
        other => other.resolved(),
    };
    let (source, strategy) = (source(&args.file), args.strategy.as_deref());
    let (options, tuning) = (args.common.options(), args.tuned.tuning());
    let emission = emit(
        source,
        target,
        strategy,
        &tuning,
        &options,
        &mut output.session,
    )?;
    emission.write(&args.out, args.force)?;
    output.tell_notes(&emission.notes);
    let (count, folder) = (emission.project.files.len(), args.out.display());
    output.say(&format!("{count} files in {folder}"));
    Ok(())
}
