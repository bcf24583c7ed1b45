//! A scheme with its sizes and inputs, and the programs that run it: derived, emitted and built
//! once, run as often as one likes.

use super::common::{Common, TargetName};
use super::derive::rules_of;
use super::emit::default_strategy;
use super::files::make_folder;
use super::interpret::interpret;
use super::made::{Made, make};
use super::notes::near_misses;
use super::output::{Done, Output, Stop};
use crate::check::Scheme;
use crate::data::{Array, read_npy, write_npy};
use crate::derive::Derived;
use crate::diagnostic::Diagnostic;
use crate::emit::{CUDA_EXACT_FLAGS, Target};
use crate::machine::Value;
use crate::rewrite::FloatClass;
use crate::term::Symbol;
use crate::toolchain::{self, BuildOptions, Built, Project, Spinner, build, devices, nvcc};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The target that `auto` means on this machine.
pub fn resolved(target: TargetName) -> TargetName {
    match target {
        TargetName::Auto if devices().is_ok_and(|d| !d.is_empty()) && nvcc().is_ok() => {
            TargetName::Cuda
        }
        TargetName::Auto => TargetName::Rust,
        other => other,
    }
}

/// What is emitted for a target; nothing for the reference machine.
pub fn emitted(target: TargetName) -> Option<Target> {
    match target {
        TargetName::Interpreter => None,
        TargetName::Cuda => Some(Target::Cuda),
        TargetName::RustCuda => Some(Target::RustCuda),
        TargetName::Auto | TargetName::Rust => Some(Target::Rust),
    }
}

/// The strategy that a target takes where none is given.
pub fn strategy_of(target: TargetName) -> &'static str {
    emitted(target).map_or("sequential", default_strategy)
}

/// Whether a target computes on a device, whose functions are not those of the host to the bit.
pub fn on_device(target: TargetName) -> bool {
    !matches!(emitted(target), None | Some(Target::Rust))
}

/// Refuses a target that this machine has no device for.
pub fn expect_device(target: TargetName) -> Done {
    if !on_device(target) {
        return Ok(());
    }
    Ok(toolchain::expect_device(target.name()).map_err(Diagnostic::from)?)
}

/// How programs are derived, emitted and built.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    pub common: &'a Common,
    /// Further flags for the compiler of a device.
    pub flags: &'a [String],
}

/// A program, ready to run.
pub struct Program {
    pub target: TargetName,
    /// The derived scheme, the first of several; the reference machine runs it.
    pub derived: Derived,
    /// Whether every rule used is exact.
    pub exact: bool,
    /// Seconds to derive, emit and build.
    pub seconds: [f64; 3],
    built: Option<Built>,
}

impl Making<'_> {
    /// Derives a scheme and, but for the reference machine, emits and builds its program. With
    /// `told`, what the rules would not do is told as notes.
    pub fn program(
        &self,
        scheme: &Scheme,
        target: TargetName,
        strategy: &str,
        told: bool,
        output: &mut Output,
    ) -> Result<Program, Stop> {
        let start = Instant::now();
        let base = rules_of(self.common, output)?;
        let made = make(scheme, strategy, self.common, None, &base)?;
        let derive = start.elapsed().as_secs_f64();
        self.of_made(made, target, derive, told, output)
    }

    /// The program of what was derived in so many seconds.
    pub fn of_made(
        &self,
        made: Made,
        target: TargetName,
        derive: f64,
        told: bool,
        output: &mut Output,
    ) -> Result<Program, Stop> {
        let exact = made.float() == FloatClass::Exact;
        let program = |made: Made, seconds, built| Program {
            target,
            exact,
            derived: made.into_first(),
            seconds,
            built,
        };
        let Some(emitted) = emitted(target) else {
            return Ok(program(made, [derive, 0.0, 0.0], None));
        };
        expect_device(target)?;
        if told {
            output.tell_all(&near_misses(&made.first().derivation));
        }
        let start = Instant::now();
        let project = made.emit(emitted, self.common.checked)?.project;
        let emit = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let built = self.built(&project, target, output)?;
        let build = start.elapsed().as_secs_f64();
        Ok(program(made, [derive, emit, build], Some(built)))
    }

    /// Builds a project for a target.
    fn built(
        &self,
        project: &Project,
        target: TargetName,
        output: &mut Output,
    ) -> Result<Built, Stop> {
        let spinner = Spinner::start(&format!("building {} ({})", project.name, target.name()));
        let options = BuildOptions {
            flags: self.compiler_flags(target),
            ..BuildOptions::default()
        };
        let built =
            build(project, &options, &mut |line| spinner.say(line)).map_err(Diagnostic::from)?;
        drop(spinner);
        if let Some(note) = &built.note {
            output.say(&format!("note: {note}"));
        }
        Ok(built)
    }

    /// The flags of the compiler of a target.
    pub fn compiler_flags(&self, target: TargetName) -> Vec<String> {
        let mut flags: Vec<String> = Vec::new();
        if emitted(target) == Some(Target::Cuda) {
            // Without a word, nothing is contracted: exact rules keep their bits.
            if !self.flags.iter().any(|f| f.contains("fmad")) {
                flags.extend(CUDA_EXACT_FLAGS.iter().map(|&f| f.to_owned()));
            }
            flags.extend(self.flags.iter().cloned());
        }
        flags
    }
}

/// Sizes and inputs of runs. All programs of a scheme read the same files.
pub struct Job<'a> {
    pub scheme: &'a Scheme,
    pub values: &'a [(Symbol, Value)],
    pub arrays: &'a [(Symbol, Array)],
    /// The folder of the input files.
    inputs: PathBuf,
}

/// What a run gave.
pub struct Ran {
    /// The object that the program printed: its times and reports.
    pub json: Json,
    /// Seconds of the whole run, reading and writing included.
    pub seconds: f64,
}

impl<'a> Job<'a> {
    /// Writes the inputs to a folder, which is made.
    pub fn new(
        scheme: &'a Scheme,
        values: &'a [(Symbol, Value)],
        arrays: &'a [(Symbol, Array)],
        inputs: PathBuf,
    ) -> Result<Job<'a>, Stop> {
        make_folder(&inputs)?;
        for (name, array) in arrays {
            write_npy(&inputs.join(format!("{name}.npy")), array).map_err(Diagnostic::from)?;
        }
        Ok(Job {
            scheme,
            values,
            arrays,
            inputs,
        })
    }

    /// Runs a program; `results` is the folder for its arrays and reports, which are not written
    /// where there is none.
    ///
    /// `message` is shown on a terminal meanwhile.
    pub fn run(
        &self,
        program: &Program,
        results: Option<&Path>,
        message: &str,
    ) -> Result<Ran, Stop> {
        if let Some(results) = results {
            make_folder(results)?;
        }
        let Some(built) = &program.built else {
            let scheme = &program.derived.scheme;
            return interpret(scheme, self.values, self.arrays, results, message);
        };
        let start = Instant::now();
        let mut arguments = vec!["--in".to_owned(), self.inputs.display().to_string()];
        if let Some(results) = results {
            arguments.extend(["--out".to_owned(), absolute(results)]);
        }
        for (name, value) in self.values {
            arguments.extend(["--set".to_owned(), format!("{name}={}", shown(*value))]);
        }
        let spinner = Spinner::start(message);
        let json = run_program(&built.executable, &arguments, &built.dir, &mut |line| {
            spinner.say(line)
        })?;
        drop(spinner);
        Ok(Ran {
            json,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// The OUTPUT arrays that a run left in its folder.
    pub fn outputs(&self, results: &Path) -> Result<Vec<(String, Array)>, Stop> {
        self.scheme
            .data()
            .filter(|(_, v)| v.is_output())
            .map(|(name, _)| {
                let array =
                    read_npy(&results.join(format!("{name}.npy"))).map_err(Diagnostic::from)?;
                Ok((name.as_str().to_owned(), array))
            })
            .collect()
    }
}

/// Runs an emitted program in a folder; what it answers with exit code 1 is exit code 1 here.
pub fn run_program(
    executable: &Path,
    arguments: &[String],
    folder: &Path,
    on_line: &mut dyn FnMut(&str),
) -> Result<Json, Stop> {
    match crate::toolchain::run_program(executable, arguments, folder, on_line) {
        Ok(program) => Ok(program.json),
        Err(error) => {
            let code = error.exit_code() as u8;
            Err(Stop::Told(vec![Diagnostic::from(error)], code))
        }
    }
}

/// A path that means the same from every folder: programs run in their own.
pub fn absolute(path: &Path) -> String {
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
