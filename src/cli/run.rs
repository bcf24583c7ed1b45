//! `glushkov run`: derive, emit, build, run, report, compare.

use super::common::{Common, TargetName, strategy_name, tolerance_value};
use super::derive::rules_of;
use super::files::{Together, temporary};
use super::inputs::{inputs, parameter_values};
use super::job::{Job, Making, absolute, emitted, on_device, resolved, run_program, strategy_of};
use super::load::load_checked;
use super::made::{TakenUp, make};
use super::output::{Done, Output, Stop};
use super::report::{Outcome, comparison, print_outcome, tolerance};
use super::tuned;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments of `run`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov run hermite --set N=8192 --set STEPS=5\nWithout --in, the scheme's DEFAULT INPUT is made, and the result is compared with the sequential scheme."
)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    #[arg(required_unless_present = "built")]
    file: Option<String>,
    /// What runs it; auto is cuda where a device and nvcc are found, else rust
    #[arg(long, value_enum, default_value_t)]
    target: TargetName,
    /// The strategy, such as gpu-fast (rust: cpu; cuda, rust-cuda: gpu; interpreter: sequential, if not given)
    #[arg(long, value_name = "NAME", value_parser = strategy_name)]
    strategy: Option<String>,
    /// A folder with NAME.npy for INPUT arrays
    #[arg(long = "in", value_name = "DIR")]
    input: Option<PathBuf>,
    /// A generator to take instead of the scheme's DEFAULT INPUT
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    data: Option<String>,
    /// The folder for OUTPUT arrays and reports.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compare with the sequential scheme (the default without --in)
    #[arg(long, conflicts_with = "no_compare")]
    compare: bool,
    /// Do not compare
    #[arg(long)]
    no_compare: bool,
    /// The largest norm_relative that passes (1e-4 for f32, 1e-10 for f64, if not given)
    #[arg(long, value_name = "X", value_parser = tolerance_value, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Further flags for the compiler, such as --flag=-fmad=true
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    /// Run a project that is built already, with --in, --out and --set passed on
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    built: Option<PathBuf>,
    #[command(flatten)]
    tuned: tuned::Take,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    if let Some(dir) = &args.built {
        return run_built(dir, args, output);
    }
    let file = args.file.as_deref().unwrap_or("-");
    let mut scheme = load_checked(file, &args.common, output)?;
    let target = resolved(args.target);
    let strategy = args
        .strategy
        .clone()
        .unwrap_or_else(|| strategy_of(target).to_owned());
    let given = args.common.parameters(&scheme)?;
    let given =
        super::sizes::with_sizes(&scheme, given, args.input.as_deref(), args.data.as_deref())?;
    let values = parameter_values(&scheme, &given);
    super::sizes::check_sizes(&scheme, &values, super::sizes::Holder::of(target))?;
    let arrays = inputs(
        &scheme,
        &values,
        args.input.as_deref(),
        args.data.as_deref(),
        false,
    )?;
    let folder = temporary()?;
    // What a run leaves appears when it has ended well, all of it at once.
    let files = args.out.as_deref().map(Together::for_folder).transpose()?;
    let results = match &files {
        Some(files) => files.path().to_path_buf(),
        None => folder.path().join("out"),
    };
    scheme.notes.clear();
    let job = Job::new(&scheme, &values, &arrays, folder.path().join("in"))?;
    let making = Making {
        common: &args.common,
        flags: &args.flags,
    };
    let start = Instant::now();
    let base = rules_of(&args.common, output)?;
    let tuned = tuned::find(
        &args.tuned,
        &args.common,
        &scheme,
        &strategy,
        target,
        &base,
        output,
    )?;
    let taken = tuned.as_ref().map(|tuned| TakenUp {
        tuned,
        target: emitted(target),
        values: &values,
    });
    let made = make(&scheme, &strategy, &args.common, taken, &base)?;
    let derive = start.elapsed().as_secs_f64();
    let program = making.of_made(made, target, derive, true, output)?;
    let message = |target: TargetName| format!("running {} ({})", scheme.name, target.name());
    let ran = job.run(&program, Some(&results), &message(target))?;
    let outputs = job.outputs(&results)?;
    if let Some(files) = files {
        files.appear()?;
    }
    let compare = args.compare || args.input.is_none() && !args.no_compare;
    let is_reference = target == TargetName::Rust && strategy == "sequential";
    let mut compared = None;
    if compare && !is_reference {
        let plain = Making {
            common: &args.common.without_settings(),
            flags: &args.flags,
        };
        let sequential = plain.program(&scheme, TargetName::Rust, "sequential", false, output)?;
        let other = folder.path().join("sequential");
        let reference = job.run(&sequential, Some(&other), &message(TargetName::Rust))?;
        compared = Some(comparison(
            &outputs,
            &job.outputs(&other)?,
            program.exact && !on_device(target),
            tolerance(args.tolerance, &scheme),
            &reference.json,
        )?);
    }
    let work = super::inputs::work(&scheme, &values);
    let [derive, emit, build] = program.seconds;
    let outcome = Outcome {
        scheme: scheme.name.as_str(),
        target: target.name(),
        strategy: &strategy,
        parameters: &values,
        json: &ran.json,
        seconds: [derive, emit, build, ran.seconds],
        work,
        outputs: outputs.iter().map(|(n, _)| n.clone()).collect(),
        folder: args.out.as_deref(),
        compared: compared.as_ref(),
    };
    print_outcome(&outcome, args.json, output)?;
    match compared {
        Some(c) if !c.passed => Err(Stop::Code(1)),
        _ => Ok(()),
    }
}

/// Runs the program of a built project.
fn run_built(dir: &Path, args: &Args, output: &mut Output) -> Done {
    let executable = super::built::executable(dir)?;
    let mut arguments = Vec::new();
    if let Some(input) = &args.input {
        arguments.extend(["--in".to_owned(), absolute(input)]);
    }
    let files = args.out.as_deref().map(Together::for_folder).transpose()?;
    if let Some(files) = &files {
        arguments.extend(["--out".to_owned(), absolute(files.path())]);
    }
    for set in &args.common.set {
        arguments.extend(["--set".to_owned(), set.clone()]);
    }
    let json = run_program(&executable, &arguments, dir, &mut |_| {})?;
    if let Some(files) = files {
        files.appear()?;
    }
    output.json(&json)
}
