//! `glushkov run`: derive, emit, build, run, report, compare.

use super::arguments::{
    CacheArguments, Common, InputArguments, TargetName, TuningArguments, Within, source,
    strategy_name, tolerance_value, within,
};
use super::members::{each_member, one_only};
use super::output::{Done, Output, Stop};
use crate::pipeline::files::Together;
use crate::pipeline::{Options, Patience, Run, Target, run_built};
use std::path::{Path, PathBuf};

/// Arguments of `run`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov run hermite --set N=8192 --set STEPS=5\nWithout --in, the scheme's DEFAULT INPUT is made, and the result is compared with the sequential scheme. Where the sequential program takes longer than --compare-within, both are run again and compared at smaller sizes."
)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    #[arg(required_unless_present = "built")]
    file: Option<String>,
    /// What runs it; auto is cuda where a device and nvcc are found, else rust
    #[arg(long, value_enum, default_value_t)]
    target: TargetName,
    /// The strategy, such as gpu-fast (rust, cpp: cpu; cuda, rust-cuda: gpu; interpreter: sequential, if not given)
    #[arg(long, value_name = "NAME", value_parser = strategy_name)]
    strategy: Option<String>,
    #[command(flatten)]
    input: InputArguments,
    /// The folder for OUTPUT arrays and reports.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compare with the sequential scheme, however long it takes (without --in, it is compared by default)
    #[arg(long, conflicts_with = "no_compare")]
    compare: bool,
    /// How long the sequential program may take before both are compared at smaller sizes: seconds, or none
    /// for any time (10s, a quarter of a second for the reference machine where cargo is missing; none with --compare)
    #[arg(long, value_name = "SECONDS", value_parser = within, conflicts_with = "no_compare")]
    compare_within: Option<Within>,
    /// Do not compare
    #[arg(long)]
    no_compare: bool,
    /// The largest norm_relative that passes (1e-4 for f32, 1e-10 for f64, if not given)
    #[arg(long, value_name = "X", value_parser = tolerance_value, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Tell what the time on the device goes into, by kernels and copies; nothing is recorded then (target cuda)
    #[arg(long)]
    profile: bool,
    /// Further flags for the compiler, such as --flag=-fmad=true
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    /// Run a project that is built already, with --in, --out and --set passed on
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    built: Option<PathBuf>,
    #[command(flatten)]
    tuned: TuningArguments,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    cache: CacheArguments,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    args.cache.apply();
    if let Some(dir) = &args.built {
        return built(dir, args, output);
    }
    one_only(&args.common, "--json", args.json)?;
    one_only(&args.common, "--out", args.out.is_some())?;
    let options = Options {
        profile: args.profile,
        ..args.common.with_flags(&args.flags)
    };
    let file = args.file.as_deref().unwrap_or("-");
    each_member(file, &options, output, |options, output| {
        run_one(file, args, options, output)
    })
}

fn run_one(file: &str, args: &Args, options: &Options, output: &mut Output) -> Done {
    let compare = args.compare || args.input.input.is_none() && !args.no_compare;
    let run = Run {
        target: args.target.resolved(),
        strategy: args.strategy.clone(),
        options: options.clone(),
        inputs: args.input.inputs(),
        out: args.out.clone(),
        tuning: args.tuned.tuning(),
        reference: compare.then_some(Target::Rust),
        within: match (args.compare_within, args.compare) {
            (Some(Within(Some(time))), _) => Patience::For(time),
            (Some(Within(None)), _) | (None, true) => Patience::Any,
            (None, false) => Patience::Usual,
        },
        tolerance: args.tolerance,
        without_notes: false,
    };
    let outcome = run.run(source(file), &mut output.session)?;
    match args.json {
        true => output.json(&outcome.json())?,
        false => output.print(&outcome.text())?,
    }
    output.tell_all(&outcome.notes());
    match outcome.compared {
        Some(compared) if !compared.passed => Err(Stop::Code(1)),
        _ => Ok(()),
    }
}

/// Runs the program of a built project.
fn built(dir: &Path, args: &Args, output: &mut Output) -> Done {
    let files = args.out.as_deref().map(Together::for_folder).transpose()?;
    let results = files.as_ref().map(Together::path);
    let json = run_built(dir, args.input.input.as_deref(), results, &args.common.set)?;
    if let Some(files) = files {
        files.appear()?;
    }
    output.json(&json)
}
