//! A scheme with its sizes and inputs, and any number of runs of its programs.

use super::files::{absolute, make_folder, temporary};
use super::inputs::{Inputs, inputs};
use super::interpret::interpret;
use super::{Failure, Program, Session, Values};
use crate::check::Scheme;
use crate::data::{Array, read_npy, write_npy};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::term::Symbol;
use crate::toolchain::{Scratch, Standby, run_program, run_program_within};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Sizes and inputs of runs. All programs of a scheme read the same files, in a folder that is gone
/// with this value.
pub struct Job<'a> {
    /// The scheme as it was read.
    pub scheme: &'a Scheme,
    /// The values of all parameters.
    pub values: Values,
    pub(super) arrays: Vec<(Symbol, Array)>,
    folder: Scratch,
}

/// What a run gave.
pub struct Ran {
    /// The object that the program printed: `seconds`, `reports` and, on a device, `device`.
    pub json: Json,
    /// Seconds of the whole run, reading and writing included.
    pub seconds: f64,
}

impl Ran {
    /// Seconds of the timed part, where the program told them.
    pub(super) fn body(&self) -> Option<f64> {
        self.json["seconds"]["body"].as_f64()
    }

    /// Seconds of the timed part, by the device's clock where that is asked for and told.
    pub(super) fn timed(&self, by_device: bool) -> Result<f64, Failure> {
        let seconds = &self.json["seconds"];
        let device = seconds["device"].as_f64().filter(|_| by_device);
        device
            .or(seconds["body"].as_f64())
            .ok_or_else(|| Diagnostic::error("E1006", "the program reported no time").into())
    }
}

impl<'a> Job<'a> {
    /// Finds the inputs and writes them where the programs read them.
    ///
    /// # Errors
    ///
    /// Inputs that [`inputs`] refuses, and a temporary folder that cannot be written.
    pub fn new(scheme: &'a Scheme, values: Values, from: &Inputs) -> Result<Job<'a>, Failure> {
        let arrays = inputs(scheme, &values, from)?;
        let job = Job {
            scheme,
            values,
            arrays,
            folder: temporary()?,
        };
        make_folder(&job.inputs())?;
        for (name, array) in &job.arrays {
            write_npy(&job.inputs().join(format!("{name}.npy")), array)?;
        }
        Ok(job)
    }

    fn inputs(&self) -> PathBuf {
        self.folder.path().join("in")
    }

    /// A folder for results, gone with this value.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a program; `results` is the folder for its arrays and reports, which are not written
    /// where there is none. `what` is what the observer is told during the run.
    ///
    /// # Errors
    ///
    /// What the reference machine or the program finds, which is an answer, and a program that does
    /// not run.
    pub fn run(
        &self,
        program: &Program,
        results: Option<&Path>,
        what: &str,
        session: &mut Session,
    ) -> Result<Ran, Failure> {
        let ran = self.run_within(program, results, None, what, session)?;
        // Without a limit it is never stopped.
        ran.ok_or_else(|| Diagnostic::error("E1002", "the program was stopped").into())
    }

    /// The same; none where it takes longer than the limit, and was stopped. The reference machine, whose
    /// clock is its steps, then stops where [`check`](super::check) does.
    ///
    /// # Errors
    ///
    /// As those of [`Job::run`].
    pub fn run_within(
        &self,
        program: &Program,
        results: Option<&Path>,
        limit: Option<Duration>,
        what: &str,
        session: &mut Session,
    ) -> Result<Option<Ran>, Failure> {
        if let Some(results) = results {
            make_folder(results)?;
        }
        let Some(built) = &program.built else {
            let bounded = limit.is_some();
            return interpret(
                &program.derived.scheme,
                self,
                results,
                bounded,
                what,
                session,
            );
        };
        let start = Instant::now();
        let arguments = self.arguments(results);
        let ran = session.during(what, |line| {
            run_program_within(&built.executable, &arguments, &built.dir, limit, line)
        })?;
        Ok(ran.map(|ran| Ran {
            json: ran.json,
            seconds: start.elapsed().as_secs_f64(),
        }))
    }

    /// A run of a program that stands by; none where it takes longer than the limit.
    ///
    /// # Errors
    ///
    /// In words, as [`Standby::run`], and a folder that cannot be made.
    pub fn run_standing(
        &self,
        standby: &mut Standby,
        results: Option<&Path>,
        limit: Option<Duration>,
    ) -> Result<Option<Ran>, String> {
        if let Some(results) = results {
            make_folder(results).map_err(|failure| failure.said())?;
        }
        let start = Instant::now();
        let json = standby.run(&self.arguments(results), limit)?;
        Ok(json.map(|json| Ran {
            json,
            seconds: start.elapsed().as_secs_f64(),
        }))
    }

    /// The arguments of a run.
    fn arguments(&self, results: Option<&Path>) -> Vec<String> {
        let sets = self.values.iter();
        let sets = sets.map(|(name, value)| format!("{name}={}", shown(*value)));
        arguments(Some(&self.inputs()), results, sets)
    }

    /// The OUTPUT arrays that a run left in its folder.
    ///
    /// # Errors
    ///
    /// A file that is missing or cannot be read.
    pub fn outputs(&self, results: &Path) -> Result<Vec<(String, Array)>, Failure> {
        let read = |name: Symbol| {
            let array = read_npy(&results.join(format!("{name}.npy")))?;
            Ok((name.to_string(), array))
        };
        let outputs = self.scheme.data().filter(|(_, v)| v.is_output());
        outputs.map(|(name, _)| read(name)).collect()
    }
}

/// The arguments of an emitted program.
fn arguments(
    inputs: Option<&Path>,
    results: Option<&Path>,
    sets: impl Iterator<Item = String>,
) -> Vec<String> {
    let folders = [("--in", inputs), ("--out", results)].into_iter();
    let folders = folders.filter_map(|(name, path)| Some((name, absolute(path?))));
    let all = folders.chain(sets.map(|set| ("--set", set)));
    all.flat_map(|(name, value)| [name.to_owned(), value])
        .collect()
}

/// A parameter's value as the emitted program reads it.
fn shown(value: Value) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Real(x) => format!("{x:?}"),
        Value::Bool(b) => b.to_string(),
    }
}

/// Runs the program of a project that is built already; the object that it prints. `set` has
/// parameters, each `NAME=VALUE`.
///
/// # Errors
///
/// A folder without a program (E0009), and a program that does not run or ends with an error.
pub fn run_built(
    dir: &Path,
    inputs: Option<&Path>,
    results: Option<&Path>,
    set: &[String],
) -> Result<Json, Failure> {
    let executable = executable(dir)?;
    let arguments = arguments(inputs, results, set.iter().cloned());
    Ok(run_program(&executable, &arguments, dir, &mut |_| {})?.json)
}

/// The program of a built project: the newest executable file of its folder, its `build` folder, or
/// the release folder of cargo.
fn executable(dir: &Path) -> Result<PathBuf, Failure> {
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for folder in ["", "build", "target/release"] {
        let entries = std::fs::read_dir(dir.join(folder)).into_iter().flatten();
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_none()
                && let Ok(meta) = entry.metadata()
                && meta.is_file()
                && is_executable(&meta)
                && let Ok(time) = meta.modified()
            {
                found.push((time, path));
            }
        }
    }
    found.sort();
    found.pop().map(|(_, path)| path).ok_or_else(|| {
        let message = format!("there is no built program in {}", dir.display());
        Diagnostic::error("E0009", message)
            .hint("build it first: cargo build --release, or cmake -B build && cmake --build build")
            .into()
    })
}

#[cfg(unix)]
fn is_executable(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}
