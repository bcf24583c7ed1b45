//! The cases on all targets.

use crate::case::{Case, Run, WAYS, cases};
use crate::cuda::Programs;
use crate::driver::driver;
use crate::harness::{Outcome, meant, on_machine, written};
use crate::{inputs, recorded, rust, stages};
use glushkov::algebra::{Precision, Type};
use glushkov::check::Scheme;
use glushkov::diagnostic::Diagnostic;
use glushkov::emit::support::{Response, Runner, response};
use glushkov::emit::{EmitOptions, Target, emit};
use glushkov::toolchain::cxx;
use glushkov::toolchain::testing::{in_share, nvcc_or_skip, openmp_or_skip, two_at_a_time};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Whether a target refuses a case: because of what the table says, or of where something stands.
fn refuses(case: &Case, target: Target) -> bool {
    let scheme = case.scheme_for(target.into(), Precision::F32);
    emit(&scheme, target, &EmitOptions::default()).is_err()
}

/// A program of a case, and how it is started.
pub struct Job<'a> {
    pub case: &'a Case,
    pub runner: Runner,
    pub precision: Precision,
    pub checked: bool,
    program: PathBuf,
    /// What stands before the arguments.
    first: Option<String>,
    /// The folder of the driver for tests.
    driver: Option<&'a Path>,
    /// Whether arrays are given where the device has them.
    lent: bool,
}

impl Job<'_> {
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.first);
        // More threads than one, whatever the machine has.
        command.env("GLUSHKOV_THREADS", "3");
        if self.lent {
            command.env("GLUSHKOV_TEST_LENT", "1");
        }
        if let Some(driver) = self.driver {
            command
                .env("LD_LIBRARY_PATH", driver)
                .env("GLUSHKOV_TEST_KERNELS", driver)
                .env("GLUSHKOV_TEST_CXX", cxx().unwrap().path);
        }
        command
    }
}

#[test]
fn every_cell_does_what_the_machine_does() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("targets");
    std::fs::create_dir_all(&root).unwrap();
    let all = cases();
    let wrong = Mutex::new(Vec::new());
    let runs = |job: &Job| {
        let found = runs(job);
        wrong.lock().unwrap().extend(found);
    };
    // The reference machine is asked once more by every target: here it is held to the table.
    for case in &all {
        wrong.lock().unwrap().extend(machine_keeps_the_table(case));
    }
    let on_cuda = |way: usize| -> Vec<&Case> {
        let all = all.iter().filter(|case| case.ways.contains(&WAYS[way]));
        all.filter(|case| !refuses(case, Target::Cuda)).collect()
    };
    let cuda = |way: usize| {
        let (precision, checked) = WAYS[way];
        let on_cuda = on_cuda(way);
        let program = Programs::of(Target::Cuda, &on_cuda, precision, checked)
            .compile_for_the_processor(&root.join(format!("cuda_{precision:?}")));
        for case in &on_cuda {
            for lent in [false, true] {
                runs(&Job {
                    case,
                    runner: Runner::Cuda,
                    precision,
                    checked,
                    program: program.clone(),
                    first: Some(case.name.clone()),
                    driver: None,
                    lent,
                });
            }
        }
    };
    let device = |way: usize| {
        let Some(nvcc) = nvcc_or_skip() else { return };
        // `tests/golden.rs` has nvcc compile programs of 32 bits, too.
        if !in_share(way + 1, 2) {
            return;
        }
        let (precision, checked) = WAYS[way];
        Programs::of(Target::Cuda, &on_cuda(way), precision, checked)
            .compile_for_a_device(&nvcc, &root.join(format!("nvcc_{precision:?}")));
    };
    let cores = |way: usize| {
        let (precision, checked) = WAYS[way];
        let emitted = |case: &&Case| !refuses(case, Target::Cpp);
        let here = |case: &&Case| case.ways.contains(&WAYS[way]) && emitted(case);
        let on_cores: Vec<&Case> = all.iter().filter(here).collect();
        let program = Programs::of(Target::Cpp, &on_cores, precision, checked)
            .compile_for_cores(&root.join(format!("cpp_{precision:?}")));
        for case in on_cores {
            runs(&Job {
                case,
                runner: Runner::Cpp,
                precision,
                checked,
                program: program.clone(),
                first: Some(case.name.clone()),
                driver: None,
                lent: false,
            });
        }
    };
    // Two at a time: compilers take seconds, most of them in one thread.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            if cxx().is_ok() {
                cuda(0);
                cuda(1);
            }
            if openmp_or_skip().is_some() {
                cores(0);
                cores(1);
            }
            device(1);
        });
        scope.spawn(|| {
            device(0);
            crates(&all, &root, &runs);
        });
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Builds and runs the programs in Rust.
fn crates(all: &[Case], root: &Path, runs: &(dyn Fn(&Job) + Sync)) {
    let built = rust::build(all, &root.join("crates"), &refuses);
    let driver = driver(root);
    two_at_a_time(&built, |_, one| {
        let runner = Runner::from(one.target);
        if runner == Runner::RustCuda && driver.is_none() {
            return;
        }
        runs(&Job {
            case: &all[one.case],
            runner,
            precision: one.precision,
            checked: one.checked,
            program: one.program.clone(),
            first: None,
            driver: driver.as_deref().filter(|_| runner == Runner::RustCuda),
            lent: false,
        });
    });
}

/// What a runner does about the error of a run; none where it has a result.
fn expected(run: &Run, runner: Runner) -> Option<Response> {
    let (event, place) = run.event?;
    Some(response(event, runner, place))
}

/// Whether the reference machine has a result where the case says so, and else an error.
fn machine_keeps_the_table(case: &Case) -> Vec<String> {
    let mut wrong = Vec::new();
    for &(precision, _) in case.ways {
        let scheme = case.scheme(precision);
        if glushkov::machine::compile(&meant(&scheme)).is_none() {
            continue;
        }
        for run in &case.runs {
            let folder = tempfile::tempdir().unwrap();
            let found = on_machine(&scheme, &run.given, folder.path());
            let wanted = match expected(run, Runner::Interpreter) {
                None => found.is_ok(),
                Some(response) => {
                    assert!(matches!(response, Response::Error(_)));
                    found.is_err()
                }
            };
            if !wanted {
                let place = format!("{} {precision:?} {:?}", case.name, run.given.set);
                wrong.push(format!("{place} on the interpreter: {found:x?}"));
            }
        }
    }
    wrong
}

/// Runs a program in all of its case's ways; says where it does not do what it should.
fn runs(job: &Job) -> Vec<String> {
    let case = job.case;
    let scheme = case.written_for(job.runner, job.precision);
    let mut wrong = match case.name.as_str() {
        "inputs" => inputs::come_from_files_or_data(job),
        "recorded" if job.checked => stages::told(job),
        "recorded" => recorded::once_and_replayed(job),
        "recorded_loops" if !job.checked => recorded::loops(job),
        "rounds" if !job.checked => recorded::end_by_errors(job),
        _ => Vec::new(),
    };
    for run in &case.runs {
        let expected = expected(run, job.runner);
        let code = match expected {
            None => None,
            Some(Response::Error(code)) => Some(code),
            Some(Response::ErrorIfChecked) if job.checked => Some(1),
            Some(_) => continue,
        };
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        std::fs::create_dir(&input).unwrap();
        let wanted = on_machine(&scheme, &run.given, &input);
        let mut command = job.command();
        command.arg("--in").arg(&input).arg("--out").arg(&output);
        for (name, value) in &run.given.set {
            command.arg("--set").arg(format!("{name}={value}"));
        }
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let place = format!(
            "{} {:?} {:?} on {}{}",
            case.name,
            job.precision,
            run.given.set,
            job.runner.name(),
            ["", ", arrays on the device"][usize::from(job.lent)]
        );
        let found = match (code, wanted) {
            (Some(code), _) if done.status.code() != Some(i32::from(code)) => Err(format!(
                "wanted exit code {code}, got {:?}: {said}",
                done.status
            )),
            (Some(_), _) if !said.starts_with("error: ") || said.lines().count() != 1 => {
                Err(format!("it ends with `{said}`"))
            }
            (Some(_), _) => Ok(()),
            (None, Ok(_)) if !done.status.success() => Err(format!("{:?}: {said}", done.status)),
            (None, Ok(wanted)) => {
                prints_one_line(&done.stdout, job.runner);
                compare(case, &scheme, &wanted, &written(&scheme, &wanted, &output))
            }
            (None, Err(why)) => Err(format!("the machine has no result: {why}")),
        };
        wrong.extend(found.err().map(|why| format!("{place}: {why}")));
    }
    wrong
}

fn prints_one_line(said: &[u8], runner: Runner) {
    let line: serde_json::Value = serde_json::from_slice(said).unwrap();
    // A program that does nothing on a device may be that of target `rust`.
    let target = line["target"].as_str().unwrap();
    assert!(target == runner.name() || runner == Runner::RustCuda && target == "rust");
    assert!(line["seconds"]["body"].is_number(), "{line}");
}

/// Compares what a program left with what it should: to the last bit, or nearly.
fn compare(case: &Case, scheme: &Scheme, wanted: &Outcome, found: &Outcome) -> Result<(), String> {
    if wanted == found {
        return Ok(());
    }
    let differ = || Err(format!("\n wanted {wanted:x?}\n found  {found:x?}"));
    if !case.approximate || wanted.reports != found.reports || wanted.series != found.series {
        return differ();
    }
    for ((name, wanted), (_, found)) in wanted.arrays.iter().zip(&found.arrays) {
        let ty = scheme
            .variable(name.as_str().into())
            .unwrap()
            .ty
            .component();
        let near = |(&a, &b): (&u64, &u64)| match ty {
            Type::F32 => {
                let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                (a - b).abs() <= 4.0 * f32::EPSILON * a.abs()
            }
            Type::F64 => {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                (a - b).abs() <= 4.0 * f64::EPSILON * a.abs()
            }
            _ => a == b,
        };
        if wanted.len() != found.len() || !wanted.iter().zip(found).all(near) {
            return differ();
        }
    }
    Ok(())
}

#[test]
fn what_is_not_there_is_refused_in_words() {
    for case in cases() {
        let scheme = case.scheme(Precision::F32);
        for runner in Runner::ALL {
            let absent = case.absent(runner);
            let by_place = case.refused.as_ref().filter(|(_, by)| by.contains(&runner));
            let Some(target) = runner.target() else {
                let runs = glushkov::machine::compile(&meant(&scheme)).is_some();
                let lacks = case
                    .refused
                    .as_ref()
                    .is_some_and(|(code, _)| code == "E0501");
                assert_eq!(runs, absent.is_none() && !lacks, "{}", case.name);
                continue;
            };
            let told = match emit(&scheme, target, &EmitOptions::default()) {
                Ok(_) => Vec::new(),
                Err(told) => told,
            };
            let place = format!("{} for {}: {told:?}", case.name, runner.name());
            if absent.is_none() && by_place.is_none() {
                assert!(told.is_empty(), "{place}");
            }
            if let Some((construct, absence)) = absent {
                let text = glushkov::algebra::text_of(construct);
                let said = |d: &Diagnostic| {
                    let parts = [text.as_str(), runner.name(), absence.reason];
                    d.code == absence.code && parts.iter().all(|part| d.message.contains(part))
                };
                assert!(told.iter().any(said), "{place}");
            }
            if let Some((code, _)) = by_place {
                assert!(told.iter().any(|d| d.code == code), "{place}");
            }
            for told in &told {
                assert!(told.span.is_some() && told.hint.is_some(), "{place}");
            }
        }
    }
}
