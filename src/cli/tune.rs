//! `glushkov tune`: a strategy's parameters, searched on the device at hand.

use super::arguments::{
    CacheArguments, Common, InputArguments, TargetName, Within, source, strategy_name,
    tolerance_value, within,
};
use super::output::{Done, Output};
use crate::pipeline::{TUNED_WITHIN, Tune};
use crate::rewrite::FloatClass;
use std::path::PathBuf;

/// Arguments of `tune`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov tune hermite --target cuda --set N=1024,8192,65536\n          glushkov tune heat --target rust --strategy parallel --out heat.json && glushkov run heat --tuned heat.json\nTried are the default, both ends and the powers of two of each parameter's range, first what differs from the defaults in one parameter, then in two. What is found is kept for this scheme, strategy, target, precision and device, and run and emit take it up. A tuning that is interrupted goes on where it was when the command is given again."
)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// What runs it; auto is cuda where a device and nvcc are found, else rust
    #[arg(long, value_enum, default_value_t)]
    target: TargetName,
    /// The strategy, such as gpu-fast (rust, cpp: cpu; cuda, rust-cuda: gpu, if not given)
    #[arg(long, value_name = "NAME", value_parser = strategy_name)]
    strategy: Option<String>,
    /// Runs of the last ones left; the others run less often
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// The most programs that are tried
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    candidates: u32,
    /// What tried programs may do to floating-point results: exact, reassociating, unordered,
    /// approximate (what the strategy's defaults do, if not given)
    #[arg(long, value_name = "CLASS", value_parser = float_class)]
    float: Option<FloatClass>,
    /// The file to write, instead of the user's folder of tunings
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How long it may take, such as 300s, or none for any time (80s, if not given): then it ends with
    /// what is known, which is never slower than the defaults were
    #[arg(long, value_name = "SECONDS", value_parser = within)]
    within: Option<Within>,
    /// Begin anew, whatever an interrupted tuning has measured
    #[arg(long)]
    fresh: bool,
    /// Show what would be tried, with what is known of it before it runs, and measure nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    input: InputArguments,
    /// The largest norm_relative that passes (1e-4 for f32, 1e-10 for f64, if not given)
    #[arg(long, value_name = "X", value_parser = tolerance_value, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Further flags for the compiler, such as --flag=-fmad=true
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    cache: CacheArguments,
}

fn float_class(text: &str) -> Result<FloatClass, String> {
    FloatClass::from_name(text)
        .ok_or_else(|| "exact, reassociating, unordered or approximate".to_owned())
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    args.cache.apply();
    let tune = Tune {
        target: args.target.resolved(),
        strategy: args.strategy.clone(),
        options: args.common.with_flags(&args.flags),
        inputs: args.input.inputs(),
        runs: args.runs,
        candidates: args.candidates,
        float: args.float,
        tolerance: args.tolerance,
        out: args.out.clone(),
        within: args.within.map_or(Some(TUNED_WITHIN), |within| within.0),
        fresh: args.fresh,
        dry: args.dry_run,
    };
    if let Some(told) = tune.search_members(source(&args.file), &mut output.session)? {
        return output.print(&told);
    }
    let found = tune.search(source(&args.file), &mut output.session)?;
    output.print(&found.table)?;
    output.say(&found.seconds);
    if let Some(kept) = found.keep()? {
        output.say(&format!(
            "{} runs, {} of them taken from before; kept in {}",
            kept.runs,
            kept.before,
            kept.path.display()
        ));
    }
    Ok(())
}
