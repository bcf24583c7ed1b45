//! `glushkov bench`: the same scheme at several sizes, by several targets and strategies.

use super::ablate::without_each_rule;
use super::common::{Common, TargetName, strategy_name, tolerance_value};
use super::files::write_whole;
use super::inputs::{inputs, parameter_values, work};
use super::instructions::{Instructions, instructions};
use super::job::{Job, Making, Program, emitted, expect_device, on_device, resolved, strategy_of};
use super::load::load_checked;
use super::measured::{Measured, Variant, json_text, plot_text, table};
use super::output::{Done, Output, Stop};
use super::report::{Compared, comparison, tolerance};
use super::sizes::{Holder, check_sizes, with_sizes};
use super::sweep::{Sweep, sweep};
use crate::check::Scheme;
use crate::data::{Array, summary};
use crate::diagnostic::Diagnostic;
use crate::emit::Target;
use crate::machine::Value;
use crate::term::Symbol;
use crate::toolchain::nvcc;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov bench hermite --set N=1024,2048,4096 --target rust --strategy sequential,parallel\n          glushkov bench hermite --set N=1024,4096 --target rust,cuda --json b.json --plot b.svg\nTimes are those of the program's timed part. low and high are the ends of a distribution-free 95 % interval of the median; with fewer than six runs, the smallest and the largest time. One round runs every variant once, so that what disturbs the machine disturbs all alike. The first run's OUTPUT arrays are compared with the first variant's, as run --compare does: exit code 1 where they differ."
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
    /// Rounds that are measured
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// Rounds before them that are not
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    warmup: u32,
    /// A folder with NAME.npy for INPUT arrays
    #[arg(long = "in", value_name = "DIR")]
    input: Option<PathBuf>,
    /// A generator to take instead of the scheme's DEFAULT INPUT
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    data: Option<String>,
    /// Do not compare the OUTPUT arrays of the variants
    #[arg(long)]
    no_compare: bool,
    /// The largest norm_relative that passes (1e-4 for f32, 1e-10 for f64, if not given)
    #[arg(long, value_name = "X", value_parser = tolerance_value, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Write a list of objects as those of run --json; `-` for standard output, without the table
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw time and work per second against the swept size, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Also measure the strategy without each of the rules that it used, one at a time
    #[arg(long)]
    ablate: bool,
    /// Also count the instructions in the busiest loop of the compiled kernels
    #[arg(long)]
    instructions: bool,
    /// Whose time is taken
    #[arg(long, value_enum, default_value_t)]
    clock: Clock,
    /// Further flags for the compiler, such as --flag=-fmad=true
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    #[command(flatten)]
    common: Common,
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

impl Clock {
    /// The name as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Host => "host",
            Clock::Device => "device",
        }
    }
}

/// What takes part in a measurement.
pub struct Contestant {
    pub variant: Variant,
    /// Its program, or why there is none.
    pub program: Result<Program, String>,
    /// What its code has in its busiest loop, where that was asked for.
    pub instructions: Option<Instructions>,
}

/// A variant that gave no times.
pub struct Failure {
    pub variant: Variant,
    /// The values of the parameters; none where it is the same at all sizes.
    pub values: Vec<(Symbol, Value)>,
    pub why: String,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let sweep = sweep(&args.common.set)?;
    if args.plot.is_some() && sweep.swept.is_empty() {
        return Err(
            Diagnostic::error("E0006", "--plot needs a size with several values")
                .hint("for example --set N=256,512,1024")
                .into(),
        );
    }
    for path in [&args.json, &args.plot].into_iter().flatten() {
        expect_folder(path)?;
    }
    let mut scheme = load_checked(&args.file, &args.common, output)?;
    let sizes = sizes(args, &scheme, &sweep)?;
    if args.plot.is_some() {
        super::measured::expect_plottable(&sweep.swept[0], &sizes)?;
    }
    scheme.notes.clear();
    let variants = variants(args)?;
    let making = Making {
        common: &args.common,
        flags: &args.flags,
    };
    let mut all: Vec<Contestant> = Vec::new();
    for variant in variants {
        let program = making.program(&scheme, variant.target, &variant.strategy, false, output)?;
        let ablated = match args.ablate {
            true => without_each_rule(&scheme, &program, &variant, &making, output)?,
            false => Vec::new(),
        };
        all.push(Contestant {
            variant,
            program: Ok(program),
            instructions: None,
        });
        all.extend(ablated);
    }
    for contestant in all.iter_mut().filter(|_| args.instructions) {
        if let Ok(program) = &contestant.program {
            contestant.instructions = Some(instructions(program, &making)?);
        }
    }
    let mut failures: Vec<Failure> = Vec::new();
    for contestant in &all {
        if let Err(why) = &contestant.program {
            failures.push(Failure {
                variant: contestant.variant.clone(),
                values: Vec::new(),
                why: why.clone(),
            });
        }
    }
    let mut rows = Vec::new();
    for values in &sizes {
        rows.extend(measure(args, &scheme, values, &all, &mut failures)?);
    }
    let measured = Measured {
        scheme: &scheme,
        swept: &sweep.swept,
        runs: args.runs,
        rows: &rows,
        contestants: &all,
        failures: &failures,
        ablated: args.ablate,
    };
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    let printed = output.print(&match to_stdout {
        true => json_text(&measured),
        false => table(&measured),
    });
    // Whoever closed the pipe still gets the files.
    if let (Some(path), false) = (&args.json, to_stdout) {
        write_whole(path, &json_text(&measured), true)?;
    }
    if let Some(path) = &args.plot {
        write_whole(path, &plot_text(&measured)?, true)?;
    }
    printed?;
    let differing: Vec<Diagnostic> = rows.iter().filter_map(difference).collect();
    match differing.is_empty() {
        true => Ok(()),
        false => Err(Stop::Told(differing, 1)),
    }
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

/// The values of all parameters for each combination.
fn sizes(args: &Args, scheme: &Scheme, sweep: &Sweep) -> Result<Vec<Vec<(Symbol, Value)>>, Stop> {
    let mut all = Vec::new();
    for set in &sweep.combinations {
        let common = Common {
            set: set.clone(),
            ..args.common.clone()
        };
        let given = common.parameters(scheme)?;
        let given = with_sizes(scheme, given, args.input.as_deref(), args.data.as_deref())?;
        let values = parameter_values(scheme, &given);
        let targets = args.target.iter().map(|&target| Holder::of(target));
        for holder in targets.chain([Holder::Program]) {
            check_sizes(scheme, &values, holder)?;
        }
        all.push(values);
    }
    Ok(all)
}

/// What is compared: every target with every strategy, or with its own where none is given.
fn variants(args: &Args) -> Result<Vec<Variant>, Stop> {
    let targets = match args.target.is_empty() {
        true => vec![TargetName::Auto],
        false => args.target.clone(),
    };
    let mut variants: Vec<Variant> = Vec::new();
    for target in targets {
        let target = resolved(target);
        expect_device(target)?;
        if emitted(target) == Some(Target::Cuda) {
            nvcc().map_err(Diagnostic::from)?;
        }
        let strategies = match args.strategy.is_empty() {
            true => vec![strategy_of(target).to_owned()],
            false => args.strategy.clone(),
        };
        for strategy in strategies {
            let variant = Variant {
                target,
                strategy,
                without: None,
            };
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
    }
    if args.ablate && variants.len() > 1 {
        return Err(
            Diagnostic::error("E0006", "--ablate takes one target and one strategy")
                .hint("times are told beside that of the whole strategy")
                .into(),
        );
    }
    Ok(variants)
}

/// One variant at one size.
pub struct Row {
    pub variant: Variant,
    pub values: Vec<(Symbol, Value)>,
    /// Seconds of the timed part, in the order of the rounds.
    pub samples: Vec<f64>,
    /// Median and interval of the samples.
    pub body: crate::data::Summary,
    /// Seconds to derive, emit and build, and the median of whole runs.
    pub seconds: [f64; 4],
    pub work: Option<(String, f64)>,
    /// What the program printed at its first run.
    pub json: Json,
    /// The names of the OUTPUT arrays.
    pub outputs: Vec<String>,
    /// Whose time was taken.
    pub clock: Clock,
    /// The comparison with the first variant.
    pub compared: Option<Compared>,
    /// Times as fast as the first variant.
    pub ratio: f64,
}

/// Runs all variants at one size, round by round.
fn measure(
    args: &Args,
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    all: &[Contestant],
    failures: &mut Vec<Failure>,
) -> Result<Vec<Row>, Stop> {
    let (variants, programs): (Vec<&Variant>, Vec<&Program>) = all
        .iter()
        .filter_map(|c| Some((&c.variant, c.program.as_ref().ok()?)))
        .unzip();
    let (folder, data) = (args.input.as_deref(), args.data.as_deref());
    let arrays = inputs(scheme, values, folder, data, false)?;
    let temporary = super::files::temporary()?;
    let job = Job::new(scheme, values, &arrays, temporary.path().join("in"))?;
    let results = temporary.path().join("out");
    let count = programs.len();
    let mut samples = vec![Vec::new(); count];
    let mut wall = vec![Vec::new(); count];
    let mut first: Vec<Option<Json>> = vec![None; count];
    let mut compared: Vec<Option<Compared>> = (0..count).map(|_| None).collect();
    let mut reference: Vec<(String, Array)> = Vec::new();
    let compares = count > 1 && !args.no_compare;
    let mut failed: Vec<Option<String>> = vec![None; count];
    let mut clocks = vec![Clock::Host; count];
    for round in 0..args.warmup + args.runs {
        for k in 0..count {
            // Who runs after whom changes from round to round. The first round goes in order: its
            // arrays are compared with the first variant's.
            let v = (round as usize + k) % count;
            if failed[v].is_some() {
                continue;
            }
            let message = format!(
                "{}: {}, {}",
                super::measured::shown(values),
                variants[v].label(),
                match round.checked_sub(args.warmup) {
                    Some(n) => format!("run {} of {}", n + 1, args.runs),
                    None => "warming up".to_owned(),
                }
            );
            let keeps = round == 0 && compares;
            let ran = match job.run(programs[v], keeps.then_some(results.as_path()), &message) {
                // That a rule cannot be done without is an answer.
                Err(stop @ Stop::Told(..)) if variants[v].without.is_some() => {
                    failed[v] = Some(stop.said());
                    continue;
                }
                ran => ran?,
            };
            if keeps {
                let outputs = job.outputs(&results)?;
                if v == 0 {
                    reference = outputs;
                } else {
                    let bits = [programs[0], programs[v]];
                    let bits = bits.iter().all(|p| p.exact && !on_device(p.target));
                    let most = tolerance(args.tolerance, scheme);
                    let found = comparison(&outputs, &reference, bits, most, &Json::Null)?;
                    compared[v] = Some(found);
                }
            }
            if round >= args.warmup {
                let seconds = &ran.json["seconds"];
                let by_device = seconds["device"].as_f64();
                let by_device = by_device.filter(|_| args.clock == Clock::Device);
                let body = by_device.or(seconds["body"].as_f64()).ok_or_else(|| {
                    Diagnostic::error("E1006", "the program does not say how long it took")
                })?;
                if by_device.is_some() {
                    clocks[v] = Clock::Device;
                }
                samples[v].push(body);
                wall[v].push(ran.seconds);
            }
            first[v].get_or_insert(ran.json);
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for (v, (samples, compared)) in samples.into_iter().zip(compared).enumerate() {
        if let Some(why) = failed[v].take() {
            failures.push(Failure {
                variant: variants[v].clone(),
                values: values.to_vec(),
                why,
            });
            continue;
        }
        let body = summary(&samples)
            .ok_or_else(|| Diagnostic::error("E1006", "a time that the program told is none"))?;
        let whole = summary(&wall[v]).map_or(0.0, |s| s.median);
        let [derive, emit, build] = programs[v].seconds;
        let first_median = rows.first().map_or(body.median, |r| r.body.median);
        rows.push(Row {
            variant: variants[v].clone(),
            values: values.to_vec(),
            samples,
            body,
            seconds: [derive, emit, build, whole],
            work: work(scheme, values),
            json: first[v].take().unwrap_or(Json::Null),
            outputs: scheme
                .data()
                .filter(|(_, x)| x.is_output())
                .map(|(name, _)| name.to_string())
                .collect(),
            clock: clocks[v],
            compared,
            ratio: first_median / body.median,
        });
    }
    Ok(rows)
}

/// What is told of a variant that does not agree with the first.
fn difference(row: &Row) -> Option<Diagnostic> {
    // That results differ without a rule is told in the table, and is no error.
    let compared = row.compared.as_ref().filter(|c| !c.passed)?;
    if row.variant.without.is_some() {
        return None;
    }
    let arrays: Vec<String> = compared
        .arrays
        .iter()
        .filter(|a| !a.3)
        .map(|(name, _, norm, _)| format!("{name}: norm_relative {norm:.3e}"))
        .collect();
    let message = format!(
        "{} differs from the first variant at {}: {}",
        row.variant.label(),
        super::measured::shown(&row.values),
        arrays.join(", ")
    );
    Some(
        Diagnostic::error("E0335", message)
            .hint("--tolerance allows more; exact rules on the host are to give the same bits"),
    )
}
