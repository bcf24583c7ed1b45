//! `glushkov tune`: a strategy's parameters, searched on the device at hand.

mod candidates;
mod grid;
mod journal;
mod measure;
mod resources;
mod table;

use super::common::{Common, TargetName, strategy_name, tolerance_value};
use super::derive::rules_of;
use super::files::{make_folder, temporary, write_whole};
use super::inputs::{inputs, parameter_values};
use super::job::{Making, Program, expect_device, resolved, strategy_of};
use super::load::load_checked;
use super::measured::shown;
use super::output::{Done, Output, Stop};
use super::sizes::{Holder, check_sizes, with_sizes};
use super::sweep::sweep;
use super::tuned::{place, setting_name, tuned_for};
use crate::check::Scheme;
use crate::data::{Measurement, Tuned, TunedFor, TunedRange, ranges};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::rewrite::{FloatClass, RuleBase};
use crate::term::Symbol;
use crate::toolchain;
use candidates::{Candidate, Search, candidates};
use grid::Axis;
use journal::Journal;
use measure::{Contest, Medians, choose};
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
    /// The strategy, such as gpu-fast (rust: cpu; cuda, rust-cuda: gpu, if not given)
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
    /// Begin anew, whatever an interrupted tuning has measured
    #[arg(long)]
    fresh: bool,
    /// Show what would be tried, with what is known of it before it runs, and measure nothing
    #[arg(long)]
    dry_run: bool,
    /// A folder with NAME.npy for INPUT arrays
    #[arg(long = "in", value_name = "DIR")]
    input: Option<PathBuf>,
    /// A generator to take instead of the scheme's DEFAULT INPUT
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    data: Option<String>,
    /// The largest norm_relative that passes (1e-4 for f32, 1e-10 for f64, if not given)
    #[arg(long, value_name = "X", value_parser = tolerance_value, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Further flags for the compiler, such as --flag=-fmad=true
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    #[command(flatten)]
    common: Common,
}

fn float_class(text: &str) -> Result<FloatClass, String> {
    FloatClass::from_name(text)
        .ok_or_else(|| "exact, reassociating, unordered or approximate".to_owned())
}

/// The sizes to tune at: the parameter that has several values, and the values of all parameters
/// for each, in ascending order.
struct Sizes {
    parameter: Option<String>,
    all: Vec<(i64, Vec<(Symbol, Value)>)>,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let mut scheme = load_checked(&args.file, &args.common, output)?;
    scheme.notes.clear();
    let target = resolved(args.target);
    if target == TargetName::Interpreter {
        let message = "the reference machine says what a scheme means, and is not tuned";
        return Err(Diagnostic::error("E0006", message)
            .hint("tune takes rust, cuda and rust-cuda")
            .into());
    }
    if !args.dry_run {
        expect_device(target)?;
    }
    let strategy = args.strategy.as_deref().unwrap_or(strategy_of(target));
    let sizes = sizes(args, &scheme)?;
    let base = rules_of(&args.common, output)?;
    let search = Search {
        scheme: &scheme,
        strategy,
        target,
        making: Making {
            common: &args.common,
            flags: &args.flags,
        },
        base: &base,
        float: args.float,
        most: args.candidates as usize,
    };
    let axes = axes(&base, strategy, &args.common)?;
    let (mut all, whole) = candidates(&search, &axes, output)?;
    if !whole {
        output.say(
            "note: not all of the grid is tried; what is tried differs least from the defaults",
        );
    }
    if args.dry_run {
        return output.print(&table::table(&all, &[], &[], &[]));
    }
    let of = tuned_for(&scheme, strategy, target).ok_or_else(|| {
        Diagnostic::error("E1001", "no device is found to tune for")
            .hint("glushkov doctor says what is found")
    })?;
    let path = match &args.out {
        Some(path) => path.clone(),
        None => place(&of).map_err(cannot_keep)?,
    };
    let journal = journal_path(&of, args).map_err(cannot_keep)?;
    let (mut journal, note) = Journal::open(&journal, &journal_key(&of, args), args.fresh)?;
    if let Some(note) = note {
        output.say(&format!("note: {note}"));
    }
    if journal.taken > 0 {
        output.say(&format!(
            "goes on with {} runs of an interrupted tuning",
            journal.taken
        ));
    }
    let mut programs: Vec<Option<Program>> = Vec::new();
    for candidate in &mut all {
        let made = candidate
            .made
            .take()
            .filter(|_| candidate.dropped.is_none());
        let program = made.map(|made| search.making.of_made(made, target, 0.0, false, output));
        programs.push(program.transpose()?);
    }
    let mut contest = Contest {
        scheme: &scheme,
        programs: &programs,
        candidates: &mut all,
        journal: &mut journal,
        runs: args.runs as usize,
        tolerance: super::report::tolerance(args.tolerance, &scheme),
    };
    let mut medians: Vec<Medians> = Vec::new();
    for (_, values) in &sizes.all {
        let (folder, data) = (args.input.as_deref(), args.data.as_deref());
        let arrays = inputs(&scheme, values, folder, data, false)?;
        let temporary = temporary()?;
        medians.push(contest.at(values, &arrays, temporary.path())?);
    }
    let chosen: Vec<Option<usize>> = medians.iter().map(|m| choose(m, &all)).collect();
    output.print(&report(&scheme, &sizes, &all, &medians, &chosen))?;
    let tuned = tuned(&scheme, of, &sizes, &all, &medians, &chosen)?;
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty())
        && args.out.is_none()
    {
        make_folder(folder)?;
    }
    write_whole(&path, &tuned.text(), true)?;
    let counts = (journal.added, journal.taken);
    journal.done();
    output.say(&format!(
        "{} runs, {} of them taken from before; kept in {}",
        counts.0 + counts.1,
        counts.1,
        path.display()
    ));
    Ok(())
}

/// The parameters to search: those with a range that `--with` does not fix.
fn axes(base: &RuleBase, strategy: &str, common: &Common) -> Result<Vec<Axis>, Stop> {
    let owner = Symbol::new(strategy);
    let settings = common.settings()?;
    let fixed = |tunable: &crate::rewrite::Tunable| {
        settings.iter().any(|s| {
            let of_owner = s
                .owner
                .map_or(tunable.owner == owner, |o| o == tunable.owner);
            of_owner && s.name == tunable.parameter.name
        })
    };
    let tunables = base.tunables(owner).into_iter().filter(|t| !fixed(t));
    let axes: Vec<Axis> = tunables
        .filter_map(|t| Axis::of(setting_name(owner, &t), &t.parameter))
        .collect();
    let known = base.strategies().iter().any(|s| s.name == owner) || base.rule(owner).is_some();
    if axes.is_empty() && known {
        let message = format!("strategy {strategy} has no parameter to tune");
        return Err(Diagnostic::error("E0908", message)
            .hint("`glushkov rules list` names the strategies with their parameters")
            .into());
    }
    Ok(axes)
}

/// The sizes of the command line.
fn sizes(args: &Args, scheme: &Scheme) -> Result<Sizes, Stop> {
    let sweep = sweep(&args.common.set)?;
    if sweep.swept.len() > 1 {
        let message = format!("{} have several values", sweep.swept.join(" and "));
        return Err(Diagnostic::error("E0006", message)
            .hint("tune takes one parameter with several values: limits are values of it")
            .into());
    }
    let parameter = sweep.swept.first().cloned();
    let mut all = Vec::new();
    for set in &sweep.combinations {
        let common = Common {
            set: set.clone(),
            ..args.common.clone()
        };
        let given = common.parameters(scheme)?;
        let given = with_sizes(scheme, given, args.input.as_deref(), args.data.as_deref())?;
        let values = parameter_values(scheme, &given);
        check_sizes(scheme, &values, Holder::Program)?;
        let of_name = |(n, _): &&(Symbol, Value)| Some(n.as_str()) == parameter.as_deref();
        let size = match values.iter().find(of_name) {
            Some((_, Value::Int(size))) => *size,
            None => 0,
            Some((name, _)) => {
                let message = format!("{name} has several values and is no integer");
                return Err(Diagnostic::error("E0006", message)
                    .hint("tune finds limits between sizes")
                    .into());
            }
        };
        all.push((size, values));
    }
    all.sort_by_key(|(size, _)| *size);
    all.dedup_by_key(|(size, _)| *size);
    Ok(Sizes { parameter, all })
}

fn cannot_keep(why: String) -> Stop {
    Diagnostic::error("E0001", format!("nothing can be kept: {why}"))
        .hint("--out FILE says where")
        .into()
}

/// What a journal is for: what a tuning is for, and what else times depend on.
fn journal_key(of: &TunedFor, args: &Args) -> String {
    let precision = format!("{:?}", of.precision);
    let mut parts = vec![
        &of.checked,
        &of.strategy,
        &of.target,
        &precision,
        &of.device,
    ];
    parts.extend(&args.flags);
    parts.extend(&args.data);
    let folder = args.input.as_ref().map(|f| f.display().to_string());
    parts.extend(&folder);
    toolchain::key(parts.into_iter().map(String::as_str))
}

/// Where the journal of a tuning is.
fn journal_path(of: &TunedFor, args: &Args) -> Result<PathBuf, String> {
    let name = format!("{}.jsonl", journal_key(of, args));
    Ok(toolchain::journals()?.join(name))
}

/// What is printed of a tuning.
fn report(
    scheme: &Scheme,
    sizes: &Sizes,
    all: &[Candidate],
    medians: &[Medians],
    chosen: &[Option<usize>],
) -> String {
    let name = |(size, values): &(i64, Vec<(Symbol, Value)>)| match &sizes.parameter {
        Some(parameter) => format!("{parameter} = {size}"),
        None => shown(values),
    };
    let names: Vec<String> = sizes.all.iter().map(name).collect();
    let rows: Vec<Vec<(usize, f64)>> = medians
        .iter()
        .map(|m| {
            m.iter()
                .enumerate()
                .filter_map(|(p, m)| Some((p, (*m)?)))
                .collect()
        })
        .collect();
    let about = format!("{}\nmedian seconds of the timed part", scheme.name);
    format!("{about}\n\n{}", table::table(all, &names, &rows, chosen))
}

/// What is kept of a tuning.
fn tuned(
    scheme: &Scheme,
    of: TunedFor,
    sizes: &Sizes,
    all: &[Candidate],
    medians: &[Medians],
    chosen: &[Option<usize>],
) -> Result<Tuned, Stop> {
    let mut best = Vec::new();
    for (((size, values), medians), chosen) in sizes.all.iter().zip(medians).zip(chosen) {
        let Some(p) = *chosen else {
            let message = format!("no program could be measured at {}", shown(values));
            return Err(Diagnostic::error("E0908", message)
                .hint("the table says what became of each")
                .into());
        };
        let default = all.iter().position(|c| c.default);
        let measured = Measurement {
            size: shown(values),
            seconds: medians[p].unwrap_or(f64::NAN),
            default_seconds: default.and_then(|d| medians[d]),
        };
        let range = TunedRange {
            up_to: None,
            with: all[p].with.clone(),
            float: all[p].float,
            measured: vec![measured],
        };
        best.push((*size, range));
    }
    let all = ranges(best);
    Ok(Tuned::new(
        scheme.name.to_string(),
        of,
        sizes.parameter.clone(),
        all,
    ))
}
