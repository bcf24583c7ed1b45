//! `glushkov bench`: the same scheme at several sizes, by several targets and strategies.

use super::arguments::{
    CacheArguments, Common, InputArguments, TargetName, source, strategy_name, tolerance_value,
};
use super::output::{Done, Output};
use crate::diagnostic::Diagnostic;
use crate::pipeline::bench::{self, Bench, sweep};
use crate::pipeline::files::write_whole;
use crate::pipeline::{Class, Failure, Options};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov bench hermite --set N=1024,2048,4096 --target rust --strategy sequential,parallel\n          glushkov bench hermite --set N=1024,4096 --target rust,cuda --json b.json --plot b.svg\n          glushkov bench coulomb --set N=324..6144:*2 --pair rust:sequential,cuda:gpu-fast --csv b.csv\nTimes are those of the program's timed part. low and high are the ends of a distribution-free 95 % interval of the median; with fewer than six runs, the smallest and the largest time. One round runs every variant once, so that what disturbs the machine disturbs all alike. The first run's OUTPUT arrays are compared with the first variant's, as run --compare does: exit code 1 where they differ."
)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// What runs it, several side by side: rust,cuda (auto, if not given)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "TARGETS")]
    target: Vec<TargetName>,
    /// Strategies, several side by side; with several targets, each of them with each
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = strategy_name)]
    strategy: Vec<String>,
    /// Targets with a strategy each, in place of each target with each strategy: rust:sequential,cuda:gpu-fast
    #[arg(long, value_delimiter = ',', value_name = "TARGET:STRATEGY", value_parser = pair, conflicts_with_all = ["target", "strategy"])]
    pair: Vec<(TargetName, String)>,
    /// Rounds that are measured
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// Rounds before them that are not
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    warmup: u32,
    #[command(flatten)]
    input: InputArguments,
    /// Do not compare the OUTPUT arrays of the variants
    #[arg(long)]
    no_compare: bool,
    /// The largest norm_relative that passes (1e-4 for f32, 1e-10 for f64, if not given)
    #[arg(long, value_name = "X", value_parser = tolerance_value, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Write a list of objects as those of run --json; `-` for standard output, without the table
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the times as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw time and work per second against the swept size, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Also measure the strategy without each of the rules that it used, one at a time, or without rules and
    /// groups: --ablate=pairs_by_groups,approximate_root+approximate_power; @GROUP is each member of a group apart
    #[arg(long, value_name = "GROUPS", num_args = 0.., require_equals = true, value_delimiter = ',')]
    ablate: Option<Vec<String>>,
    /// Also count the instructions in the busiest loop of the compiled kernels
    #[arg(long)]
    instructions: bool,
    /// Whose time is taken
    #[arg(long, value_enum, default_value_t)]
    clock: Clock,
    /// Tell what the time on the device goes into, by kernels and copies; nothing is recorded then (target cuda)
    #[arg(long)]
    profile: bool,
    /// Further flags for the compiler, such as --flag=-fmad=true
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    cache: CacheArguments,
}

/// Whose time is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Clock {
    /// The host's, which every program has
    #[default]
    Host,
    /// The device's, of programs that tell it (those of target cuda), else the host's
    Device,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    args.cache.apply();
    let swept = sweep(&args.common.set)?.swept;
    if args.plot.is_some() && swept.is_empty() {
        return Err(
            Diagnostic::error("E0006", "--plot needs a size with several values")
                .hint("for example --set N=256,512,1024")
                .into(),
        );
    }
    for path in [&args.json, &args.csv, &args.plot].into_iter().flatten() {
        expect_folder(path)?;
    }
    let targets = match args.target.is_empty() {
        true => &[TargetName::Auto],
        false => args.target.as_slice(),
    };
    let bench = Bench {
        targets: targets.iter().map(|target| target.resolved()).collect(),
        strategies: args.strategy.clone(),
        options: Options {
            profile: args.profile,
            ..args.common.with_flags(&args.flags)
        },
        inputs: args.input.inputs(),
        runs: args.runs,
        warmup: args.warmup,
        compare: !args.no_compare,
        tolerance: args.tolerance,
        pairs: args
            .pair
            .iter()
            .map(|(t, s)| (t.resolved(), s.clone()))
            .collect(),
        ablate: args.ablate.is_some(),
        groups: args
            .ablate
            .iter()
            .flatten()
            .map(|group| rules_of(group))
            .collect(),
        instructions: args.instructions,
        clock: match args.clock {
            Clock::Host => bench::Clock::Host,
            Clock::Device => bench::Clock::Device,
        },
        plot: args.plot.is_some(),
    };
    let measured = bench.measure(source(&args.file), &mut output.session)?;
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    let printed = output.print(&match to_stdout {
        true => measured.json(),
        false => measured.table(),
    });
    // Whoever closed the pipe still gets the files.
    if let (Some(path), false) = (&args.json, to_stdout) {
        write_whole(path, &measured.json(), true)?;
    }
    if let Some(path) = &args.csv {
        write_whole(path, &measured.csv(), true)?;
    }
    if let Some(path) = &args.plot {
        write_whole(path, &measured.plot()?, true)?;
    }
    printed?;
    match measured.differences() {
        diagnostics if diagnostics.is_empty() => Ok(()),
        diagnostics => {
            let class = Class::No;
            Err(Failure { diagnostics, class }.into())
        }
    }
}

/// Reads `TARGET:STRATEGY`.
fn pair(text: &str) -> Result<(TargetName, String), String> {
    let (target, strategy) = text
        .split_once(':')
        .ok_or("a target and a strategy with a colon between, such as rust:sequential")?;
    let target = TargetName::from_str(target, true).map_err(|_| {
        let known = TargetName::value_variants()
            .iter()
            .filter_map(|t| t.to_possible_value());
        let known: Vec<String> = known.map(|t| t.get_name().to_owned()).collect();
        format!(
            "there is no target `{target}`: known are {}",
            known.join(", ")
        )
    })?;
    let Ok(strategy) = strategy_name(strategy);
    Ok((target, strategy))
}

/// The rules of a group, which have `+` between.
fn rules_of(group: &str) -> Vec<String> {
    group
        .split('+')
        .map(|rule| rule.trim().to_owned())
        .collect()
}

/// Refuses a file whose folder is not there, before anything is measured.
fn expect_folder(path: &Path) -> Done {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Diagnostic::error(
            "E0001",
            format!(
                "{} cannot be written: there is no folder {}",
                path.display(),
                folder.display()
            ),
        )
        .into()),
        _ => Ok(()),
    }
}
