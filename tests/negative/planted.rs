//! The bugs of the table planted in emitted programs: the comparison that `run` makes catches them.

use crate::cuda::Programs;
use crate::harness::{case, scheme};
use crate::table::{BUGS, PROGRAMS, Plant, SIZES};
use glushkov::algebra::Precision;
use glushkov::data::{Array, Distance, generate, read_npy, tolerance, write_npy};
use glushkov::derive::{derive, rule_base};
use glushkov::emit::{CUDA_EXACT_FLAGS, EmitOptions, Target, emit};
use glushkov::rewrite::Setting;
use glushkov::term::Sources;
use glushkov::toolchain::testing::{building, device_or_skip, nvcc_or_skip};
use glushkov::toolchain::{BuildOptions, Project, build, cxx};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The orders in which the processor runs threads and blocks.
const ORDERS: [&str; 2] = ["forward", "backward"];

/// The emitted program of a scheme of the table.
fn emitted(program: &str) -> Project {
    let (_, file, _) = PROGRAMS.iter().find(|p| p.0 == program).unwrap();
    let case = case(Path::new(file));
    let written = scheme(&case.name, &case.text, Precision::F32);
    let base = rule_base(&mut Sources::default(), &[]).unwrap();
    let (strategy, with) = match program {
        // What has launches already stays as it is.
        _ if case.text.contains("RunKernel") => ("sequential", ""),
        "warps" => ("gpu_fast", "targets=8 warps=1 parts=2"),
        _ => ("gpu", "reports=0"),
    };
    let settings = with.split_whitespace().map(Setting::parse);
    let settings: Vec<Setting> = settings.collect::<Result<_, _>>().unwrap();
    let derived = derive(&written, &base, strategy, &settings, 10_000).unwrap();
    assert!(derived.failure.is_none(), "{file}");
    emit(&derived.scheme, Target::Cuda, &EmitOptions::default()).unwrap()
}

/// A program with a bug: the text of the bug stands exactly once in it.
fn with_bug(plant: &Plant) -> Project {
    let mut project = emitted(plant.program);
    let mut found = 0;
    for (path, text) in &mut project.files {
        if path.ends_with(".cu") {
            found += text.matches(plant.from).count();
            *text = text.replacen(plant.from, plant.to, 1);
        }
    }
    assert_eq!(found, 1, "{}: `{}`", plant.name, plant.from);
    project
}

fn plants() -> Vec<&'static Plant> {
    BUGS.iter().flat_map(|bug| bug.planted).collect()
}

/// A folder with the inputs of a program at a size, and one with the results of the sequential
/// scheme on one core.
struct Reference {
    input: PathBuf,
    results: PathBuf,
    set: Vec<String>,
}

fn reference(program: &str, n: i64, root: &Path, target: &str) -> Reference {
    let (_, _, file) = PROGRAMS.iter().find(|p| p.0 == program).unwrap();
    let place = root.join(format!("{program}_{n}"));
    let (input, results) = (place.join("in"), place.join("sequential"));
    std::fs::create_dir_all(&input).unwrap();
    let count = n as usize;
    let arrays: Vec<(String, Array)> = match program {
        "hermite" | "warps" => generate("plummer", count, &[]).unwrap(),
        _ => {
            // No two neighbours are alike.
            let values =
                |step: usize| (0..count).map(move |i| 0.5 + (i * step % 101) as f64 / 50.0);
            let array = |step| Array::from_f64(values(step).collect());
            vec![("x".into(), array(37)), ("q".into(), array(53))]
        }
    };
    for (name, mut array) in arrays {
        // Masses that are all alike would hide which body has which.
        if name == "m" {
            array = Array::from_f64(
                (0..count)
                    .map(|i| (0.5 + (i * 37 % 101) as f64) / n as f64)
                    .collect(),
            );
        }
        write_npy(&input.join(format!("{name}.npy")), &array).unwrap();
    }
    let mut set = vec![format!("N={n}")];
    if program == "hermite" {
        set.push("STEPS=1".into());
    }
    let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
    command.args([
        "run",
        file,
        "--target",
        target,
        "--strategy",
        "sequential",
        "--no-compare",
    ]);
    command.arg("--in").arg(&input).arg("--out").arg(&results);
    command.args(set.iter().flat_map(|s| ["--set", s]));
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{program} at {n}: {said}");
    Reference {
        input,
        results,
        set,
    }
}

/// What is wrong with a program's results, by the comparison that `run` makes; nothing if they agree.
fn wrong(mut program: Command, reference: &Reference) -> Option<String> {
    let out = tempfile::tempdir().unwrap();
    program
        .arg("--in")
        .arg(&reference.input)
        .arg("--out")
        .arg(out.path());
    program.args(reference.set.iter().flat_map(|s| ["--set", s]));
    let done = program.output().unwrap();
    if !done.status.success() {
        return Some(String::from_utf8_lossy(&done.stderr).trim().to_owned());
    }
    for entry in std::fs::read_dir(&reference.results).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "npy") {
            continue;
        }
        let name = path.file_name().unwrap();
        let ours = read_npy(&out.path().join(name)).unwrap();
        let found = Distance::of(&ours, &read_npy(&path).unwrap()).unwrap();
        if !found.agrees(false, tolerance(Precision::F32)) {
            let name = name.to_string_lossy();
            return Some(format!("{name} is {:.1e} away", found.norm_relative));
        }
    }
    None
}

#[test]
fn planted_bugs_are_caught_by_the_comparison() {
    if cxx().is_err() {
        println!("skipped: no C++ compiler");
        return;
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("negative");
    let plants = plants();
    let own = PROGRAMS
        .iter()
        .map(|(name, ..)| (name.to_string(), emitted(name)));
    let planted = plants.iter().enumerate();
    let planted = planted.map(|(k, plant)| (format!("planted_{k}"), with_bug(plant)));
    let mut projects: Vec<(String, Project)> = own.chain(planted).collect();
    // Compilers take their time: two at once.
    let other = projects.split_off(projects.len() / 2);
    let names: Vec<String> = projects.iter().map(|(name, _)| name.clone()).collect();
    let made = std::thread::scope(|scope| {
        let compile = |projects: Vec<(String, Project)>, folder: &str| {
            let folder = root.join(folder);
            scope.spawn(move || Programs::of_projects(projects).compile_for_the_processor(&folder))
        };
        [compile(projects, "first"), compile(other, "other")].map(|made| made.join().unwrap())
    });
    let command = |name: &str, order: &str| {
        let half = usize::from(!names.iter().any(|n| n == name));
        let mut command = Command::new(&made[half]);
        command.arg(name).env("GLUSHKOV_TEST_ORDER", order);
        command
    };
    let folder = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    for (program, ..) in PROGRAMS {
        let references = SIZES.map(|n| reference(program, n, folder.path(), "rust"));
        for order in ORDERS {
            for (reference, n) in references.iter().zip(SIZES) {
                let found = wrong(command(program, order), reference);
                assert_eq!(found, None, "{program}, N = {n}, {order}");
            }
        }
        for (k, plant) in plants
            .iter()
            .enumerate()
            .filter(|(_, p)| p.program == program)
        {
            let name = format!("planted_{k}");
            let caught = [0, 1, 2, 3, 4, 5].map(|at| {
                let finds = |order: &&str| wrong(command(&name, order), &references[at]).is_some();
                ORDERS.iter().any(finds)
            });
            if caught != plant.caught {
                told.push(format!("{program}: {}: {caught:?}", plant.name));
            }
        }
    }
    assert!(
        told.is_empty(),
        "caught at other sizes:\n{}",
        told.join("\n")
    );
}

/// What compute-sanitizer finds in a program, by the first of its tools that finds something.
fn sanitized(executable: &Path, reference: &Reference) -> Option<&'static str> {
    let tools = ["memcheck", "synccheck", "racecheck", "initcheck"];
    tools.into_iter().find(|tool| {
        let mut command = Command::new("compute-sanitizer");
        command
            .args(["--tool", tool, "--error-exitcode", "9"])
            .arg(executable);
        let out = tempfile::tempdir().unwrap();
        command
            .arg("--in")
            .arg(&reference.input)
            .arg("--out")
            .arg(out.path());
        command.args(reference.set.iter().flat_map(|s| ["--set", s]));
        command
            .output()
            .is_ok_and(|done| done.status.code() == Some(9))
    })
}

/// The same on a device, where what a missing barrier or a read beyond the end does depends on the
/// hardware: more sizes, every run as often as `DEVICE` says, and compute-sanitizer for what shows
/// in no result.
#[test]
#[ignore = "it builds each program by nvcc and needs a device: DEVICE=3, --nocapture"]
fn planted_bugs_are_caught_on_a_device() {
    let (Some(_), Some(device)) = (nvcc_or_skip(), device_or_skip()) else {
        return;
    };
    let times = std::env::var("DEVICE")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    // The last one has more threads than a device holds at a time.
    let sizes: Vec<i64> = SIZES
        .into_iter()
        .chain([64 * 256 + 7, (1 << 20) + 7])
        .collect();
    println!("on {device:?}, each run {times} times");
    println!(
        "| bug | program | {} |",
        sizes
            .iter()
            .map(|n| format!("N = {n}"))
            .collect::<Vec<_>>()
            .join(" | ")
    );
    println!("|{}", "---|".repeat(sizes.len() + 2));
    let built = |project: &Project| {
        let options = BuildOptions {
            flags: CUDA_EXACT_FLAGS.iter().map(|&f| f.to_owned()).collect(),
            ..BuildOptions::default()
        };
        build(project, &options, &mut |_| {}).unwrap().executable
    };
    let folder = tempfile::tempdir().unwrap();
    let mut never = Vec::new();
    let mut disagree = Vec::new();
    for (program, ..) in PROGRAMS {
        // Forces between all pairs of so many bodies would take long on one core.
        let quadratic = matches!(program, "pairs" | "hermite" | "warps");
        let references: Vec<Reference> = sizes[..sizes.len() - usize::from(quadratic)]
            .iter()
            // A machine with a device need not have cargo.
            .map(|&n| reference(program, n, folder.path(), "cuda"))
            .collect();
        let row = |name: &str, project: &Project| {
            let executable = built(project);
            let caught: Vec<bool> = references
                .iter()
                .map(|r| (0..times).any(|_| wrong(Command::new(&executable), r).is_some()))
                .collect();
            let cells = caught.iter().map(|&c| if c { "caught" } else { "agrees" });
            println!(
                "| {name} | {program} | {} |",
                cells.collect::<Vec<_>>().join(" | ")
            );
            caught
        };
        if row("none", &emitted(program)).contains(&true) {
            disagree.push(program);
        }
        for plant in plants().into_iter().filter(|p| p.program == program) {
            let project = with_bug(plant);
            if row(plant.name, &project).contains(&true) {
                continue;
            }
            let found = SIZES.iter().zip(&references);
            let found = found
                .filter(|(n, _)| matches!(**n, 257 | 775))
                .find_map(|(_, r)| sanitized(&built(&project), r));
            match found {
                Some(tool) => println!("  compute-sanitizer finds it by {tool}"),
                None => never.push(plant.name),
            }
        }
    }
    assert!(
        disagree.is_empty(),
        "without a bug these disagree: {disagree:?}"
    );
    assert!(never.is_empty(), "never found: {never:?}");
}
