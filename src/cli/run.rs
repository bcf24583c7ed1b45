//! `glushkov run`: derive, emit, build, run, report, compare.

use super::common::{Common, TargetName};
use super::derive::{derive_scheme, near_misses, summary};
use super::emit::default_strategy;
use super::inputs::{array, cells, inputs, parameter_values};
use super::load::load_checked;
use super::output::{Done, Output, Stop};
use super::report::{Outcome, comparison, print_outcome};
use crate::check::Scheme;
use crate::data::{Array, read_npy, write_npy};
use crate::diagnostic::Diagnostic;
use crate::emit::{CUDA_EXACT_FLAGS, EmitOptions, Target, emit};
use crate::machine::{Limits, Machine, Value, compile};
use crate::rewrite::FloatClass;
use crate::term::Symbol;
use crate::toolchain::{BuildOptions, Spinner, build, devices, expect_device, nvcc, run_program};
use serde_json::Value as Json;
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
    /// The strategy (rust: parallel; cuda, rust-cuda: gpu; interpreter: sequential, if not given)
    #[arg(long, value_name = "NAME")]
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
    #[arg(long, value_name = "X")]
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
    common: Common,
}

/// A program's run: times, reports and OUTPUT arrays.
struct Ran {
    json: Json,
    outputs: Vec<(String, Array)>,
    derive: f64,
    emit: f64,
    build: f64,
    run: f64,
    exact: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    if let Some(dir) = &args.built {
        return run_built(dir, args, output);
    }
    let file = args.file.as_deref().unwrap_or("-");
    let mut scheme = load_checked(file, &args.common, output)?;
    let target = match args.target {
        TargetName::Auto if devices().is_ok_and(|d| !d.is_empty()) && nvcc().is_ok() => {
            TargetName::Cuda
        }
        TargetName::Auto => TargetName::Rust,
        other => other,
    };
    let strategy = args.strategy.clone().unwrap_or_else(|| {
        match target {
            TargetName::Interpreter => "sequential",
            TargetName::Cuda => default_strategy(Target::Cuda),
            TargetName::RustCuda => default_strategy(Target::RustCuda),
            _ => default_strategy(Target::Rust),
        }
        .to_owned()
    });
    let given = args.common.parameters(&scheme)?;
    let given =
        super::inputs::with_sizes(&scheme, given, args.input.as_deref(), args.data.as_deref())?;
    let values = parameter_values(&scheme, &given);
    super::inputs::check_sizes(&scheme, &values, super::inputs::memory())?;
    let arrays = inputs(
        &scheme,
        &values,
        args.input.as_deref(),
        args.data.as_deref(),
        false,
    )?;
    let folder = tempfile::tempdir()
        .map_err(|e| Diagnostic::error("E0001", format!("no temporary folder can be made: {e}")))?;
    let inputs_folder = folder.path().join("in");
    let results = match &args.out {
        Some(out) => out.clone(),
        None => folder.path().join("out"),
    };
    make_folder(&inputs_folder)?;
    make_folder(&results)?;
    scheme.notes.clear();
    let compare = args.compare || args.input.is_none() && !args.no_compare;
    let job = Job {
        args,
        scheme: &scheme,
        values: &values,
        arrays: &arrays,
        inputs: &inputs_folder,
    };
    let ran = match target {
        TargetName::Interpreter => job.interpret(&strategy, &results, output)?,
        TargetName::Cuda => job.compiled(&strategy, Target::Cuda, &results, true, output)?,
        TargetName::RustCuda => {
            job.compiled(&strategy, Target::RustCuda, &results, true, output)?
        }
        _ => job.compiled(&strategy, Target::Rust, &results, true, output)?,
    };
    let is_reference = target == TargetName::Rust && strategy == "sequential";
    let mut compared = None;
    if compare && !is_reference {
        let other = folder.path().join("sequential");
        make_folder(&other)?;
        let reference = job.compiled("sequential", Target::Rust, &other, false, output)?;
        let same_bits = ran.exact && !matches!(target, TargetName::Cuda | TargetName::RustCuda);
        let tolerance = args.tolerance.unwrap_or(match scheme.precision {
            crate::algebra::Precision::F32 => 1e-4,
            crate::algebra::Precision::F64 => 1e-10,
        });
        compared = Some(comparison(
            &ran.outputs,
            &reference.outputs,
            same_bits,
            tolerance,
            &reference.json,
        )?);
    }
    let work = super::inputs::work(&scheme, &values);
    let outcome = Outcome {
        scheme: scheme.name.as_str(),
        target: target.name(),
        strategy: &strategy,
        parameters: &values,
        json: &ran.json,
        seconds: [ran.derive, ran.emit, ran.build, ran.run],
        work,
        outputs: ran.outputs.iter().map(|(n, _)| n.clone()).collect(),
        folder: args.out.as_deref(),
        compared: compared.as_ref(),
    };
    print_outcome(&outcome, args.json, output)?;
    match compared {
        Some(c) if !c.passed => Err(Stop::Code(1)),
        _ => Ok(()),
    }
}

fn make_folder(path: &Path) -> Done {
    std::fs::create_dir_all(path).map_err(|e| {
        Diagnostic::error("E0001", format!("{} cannot be made: {e}", path.display())).into()
    })
}

struct Job<'a> {
    args: &'a Args,
    scheme: &'a Scheme,
    values: &'a [(Symbol, Value)],
    arrays: &'a [(Symbol, Array)],
    inputs: &'a Path,
}

impl Job<'_> {
    /// Derives, emits, builds and runs a program.
    fn compiled(
        &self,
        strategy: &str,
        target: Target,
        results: &Path,
        told: bool,
        output: &mut Output,
    ) -> Result<Ran, Stop> {
        let start = Instant::now();
        let derived = derive_scheme(self.scheme, strategy, &self.args.common, output)?;
        let derive = start.elapsed().as_secs_f64();
        if told {
            output.tell_all(&near_misses(&derived.derivation.near_misses));
        }
        let start = Instant::now();
        let options = EmitOptions {
            checked: self.args.common.checked,
            derivation: Some(summary(&derived)),
        };
        let project = emit(&derived.scheme, target, &options)?;
        let emit_time = start.elapsed().as_secs_f64();
        if target == Target::RustCuda {
            // Known before anything is built for it.
            expect_device(target.name()).map_err(Diagnostic::from)?;
        }
        let start = Instant::now();
        let spinner = Spinner::start(&format!("building {} ({})", project.name, target.name()));
        let mut flags: Vec<String> = Vec::new();
        if target == Target::Cuda {
            // Without a word, nothing is contracted: exact rules keep their bits.
            if !self.args.flags.iter().any(|f| f.contains("fmad")) {
                flags.extend(CUDA_EXACT_FLAGS.iter().map(|&f| f.to_owned()));
            }
            flags.extend(self.args.flags.iter().cloned());
        }
        let build_options = BuildOptions {
            flags,
            ..BuildOptions::default()
        };
        let built = build(&project, &build_options, &mut |line| spinner.say(line))
            .map_err(Diagnostic::from)?;
        drop(spinner);
        if let Some(note) = &built.note {
            output.say(&format!("note: {note}"));
        }
        let build_time = start.elapsed().as_secs_f64();
        for (name, array) in self.arrays {
            write_npy(&self.inputs.join(format!("{name}.npy")), array).map_err(Diagnostic::from)?;
        }
        let start = Instant::now();
        let mut arguments = vec![
            "--in".to_owned(),
            self.inputs.display().to_string(),
            "--out".to_owned(),
            absolute(results),
        ];
        for (name, value) in self.values {
            arguments.push("--set".to_owned());
            arguments.push(format!("{name}={}", shown(*value)));
        }
        let spinner = Spinner::start(&format!("running {} ({})", project.name, target.name()));
        let program = run_program(&built.executable, &arguments, &built.dir, &mut |line| {
            spinner.say(line)
        })
        .map_err(|e| {
            let code = e.exit_code() as u8;
            Stop::Told(vec![Diagnostic::from(e)], code)
        })?;
        drop(spinner);
        let run = start.elapsed().as_secs_f64();
        let mut outputs = Vec::new();
        for (name, _) in self.scheme.data().filter(|(_, v)| v.is_output()) {
            let path = results.join(format!("{name}.npy"));
            outputs.push((
                name.as_str().to_owned(),
                read_npy(&path).map_err(Diagnostic::from)?,
            ));
        }
        Ok(Ran {
            json: program.json,
            outputs,
            derive,
            emit: emit_time,
            build: build_time,
            run,
            exact: derived.derivation.float() == FloatClass::Exact,
        })
    }

    /// Runs the derived scheme on the reference machine.
    fn interpret(&self, strategy: &str, results: &Path, output: &mut Output) -> Result<Ran, Stop> {
        let start = Instant::now();
        let derived = derive_scheme(self.scheme, strategy, &self.args.common, output)?;
        let derive = start.elapsed().as_secs_f64();
        let scheme = &derived.scheme;
        let Some(code) = compile(scheme) else {
            return Err(super::inputs::undefined(scheme));
        };
        let told = |e: crate::machine::MachineError| {
            let code = if e.kind == crate::machine::Kind::Data {
                2
            } else {
                1
            };
            Stop::Told(vec![e.diagnostic()], code)
        };
        let mut machine = Machine::new(scheme, &code, Limits::default());
        machine.start(self.values).map_err(told)?;
        for (name, array) in self.arrays {
            machine.set(*name, &cells(array));
        }
        let start = Instant::now();
        let spinner = Spinner::start("running on the reference machine");
        machine.run().map_err(told)?;
        drop(spinner);
        let run = start.elapsed().as_secs_f64();
        let mut outputs = Vec::new();
        for (name, variable) in scheme.data().filter(|(_, v)| v.is_output()) {
            let shape = machine.dims(name).unwrap_or_default().to_vec();
            let array = array(variable.ty, &shape, &machine.get(name).unwrap_or_default())?;
            write_npy(&results.join(format!("{name}.npy")), &array).map_err(Diagnostic::from)?;
            outputs.push((name.as_str().to_owned(), array));
        }
        let reports: Vec<Json> = machine
            .outcome()
            .reports
            .iter()
            .map(|(label, values)| serde_json::json!({"label": label.as_str(), "values": values}))
            .collect();
        let json = serde_json::json!({"seconds": {"body": run}, "reports": reports});
        let exact = derived.derivation.float() == FloatClass::Exact;
        Ok(Ran {
            json,
            outputs,
            derive,
            emit: 0.0,
            build: 0.0,
            run,
            exact,
        })
    }
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path)
        .unwrap_or_else(|_| path.to_path_buf())
        .display()
        .to_string()
}

/// A parameter's value as the emitted program reads it.
fn shown(value: Value) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Real(x) => format!("{x:?}"),
        Value::Bool(b) => b.to_string(),
    }
}

/// Runs the program of a built project.
fn run_built(dir: &Path, args: &Args, output: &mut Output) -> Done {
    let executable = super::built::executable(dir)?;
    let mut arguments = Vec::new();
    if let Some(input) = &args.input {
        arguments.extend(["--in".to_owned(), absolute(input)]);
    }
    if let Some(out) = &args.out {
        make_folder(out)?;
        arguments.extend(["--out".to_owned(), absolute(out)]);
    }
    for set in &args.common.set {
        arguments.extend(["--set".to_owned(), set.clone()]);
    }
    let program = run_program(&executable, &arguments, dir, &mut |_| {}).map_err(|e| {
        let code = e.exit_code() as u8;
        Stop::Told(vec![Diagnostic::from(e)], code)
    })?;
    output.print(&program.json.to_string())
}
