//! Emitted programs as processes: what they do where their output goes nowhere, where others built
//! them in another way, and where they are ended while they write.

use crate::harness::scheme;
use glushkov::algebra::Precision;
use glushkov::data::{Array, Values, read_npy, write_npy};
use glushkov::emit::{EmitOptions, Target, emit, write_project};
use glushkov::toolchain::testing::openmp_or_skip;
use glushkov::toolchain::{BuildOptions, Standby, build, cargo, cxx, run_program};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SCHEME: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 5\n  k : INTEGER [N] OUTPUT\n\
                      END OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP k[i] := i + N END OF LOOP;\n\
                      REPORT \"k\" (k[0])\nEND OF SCHEME \"s\"\n";

/// The scheme as a crate, with a program that calls its library.
fn crate_in(dir: &Path) {
    let scheme = scheme("s.saa", SCHEME, Precision::F32);
    let mut project = emit(&scheme, Target::Rust, &EmitOptions::default()).unwrap();
    let name = &project.name;
    let caller = format!(
        "fn main() {{\n    match {name}::Sizes::new(5) {{\n        Ok(_) => (),\n        \
         Err(e) => {{\n            println!(\"{{e:?}}\");\n            \
         std::process::exit(3);\n        }}\n    }}\n}}\n"
    );
    project.files.push(("src/bin/caller.rs".into(), caller));
    write_project(&project, dir, false).unwrap();
}

/// Builds the crate as its user might.
fn built(dir: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(cargo().unwrap().path);
    command.args(["build", "--release", "--offline", "--quiet"]);
    command.current_dir(dir).envs(variables.iter().copied());
    command.env("CARGO_TARGET_DIR", dir.join("target"));
    command.output().unwrap()
}

fn program(dir: &Path, name: &str) -> PathBuf {
    dir.join("target/release").join(name)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_build_without_overflow_checks_says_so() {
    let folder = tempfile::tempdir().unwrap();
    crate_in(folder.path());
    let run = |name: &str| Command::new(program(folder.path(), name)).output().unwrap();
    let done = built(folder.path(), &[]);
    assert!(done.status.success(), "{}", said(&done));
    // That it was tried is not heard.
    for name in ["s_scheme", "caller"] {
        let done = run(name);
        assert!(done.status.success(), "{name}: {}", said(&done));
        assert_eq!(said(&done), "", "{name}");
    }
    for variables in [
        [("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "false")],
        [("RUSTFLAGS", "-C overflow-checks=off")],
    ] {
        let done = built(folder.path(), &variables);
        assert!(done.status.success(), "{}", said(&done));
        let done = run("s_scheme");
        assert_eq!(done.status.code(), Some(2), "{variables:?}");
        assert!(said(&done).contains("overflow checks"), "{}", said(&done));
        let done = run("caller");
        assert_eq!(done.status.code(), Some(3));
        assert!(String::from_utf8_lossy(&done.stdout).starts_with("Build("));
    }
    let done = built(folder.path(), &[("CARGO_PROFILE_RELEASE_PANIC", "abort")]);
    assert!(!done.status.success());
    assert!(said(&done).contains("set panic = "), "{}", said(&done));
    // Assertions of the standard library change nothing.
    let done = built(
        folder.path(),
        &[("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true")],
    );
    assert!(done.status.success(), "{}", said(&done));
    assert!(run("s_scheme").status.success());
}

/// Runs a program with its standard output going nowhere.
fn expect_refusals(program: &Path) {
    let output = |arguments: &[&str], out: Stdio| {
        let mut command = Command::new(program);
        command.args(arguments).stdout(out).stderr(Stdio::piped());
        command.spawn().unwrap().wait_with_output().unwrap()
    };
    for arguments in [&[][..], &["--help"]] {
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let done = output(arguments, full.into());
            assert_eq!(done.status.code(), Some(2), "{}", said(&done));
            assert!(said(&done).contains("cannot be written"), "{}", said(&done));
        }
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let done = output(&[], writer.into());
    // A program of C++ is ended by a signal, as is the custom of filters.
    if done.status.code().is_some() {
        assert_eq!(done.status.code(), Some(2), "{}", said(&done));
        assert!(said(&done).contains("cannot be written"), "{}", said(&done));
    }
}

/// Runs a program with a folder for what it leaves.
fn expect_all_or_nothing(program: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let run = || {
        let mut command = Command::new(program);
        command.arg("--out").arg(&out).output().unwrap()
    };
    let names = || {
        let mut names: Vec<String> = out
            .read_dir()
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    // Where one file cannot stand, the others do not appear either.
    std::fs::create_dir_all(out.join("k.npy")).unwrap();
    let done = run();
    assert_eq!(done.status.code(), Some(2), "{}", said(&done));
    assert_eq!(names(), ["k.npy"]);
    std::fs::remove_dir(out.join("k.npy")).unwrap();
    // What a process left that is no more; the number is beyond all processes.
    std::fs::create_dir(out.join(".partial-4194305999-1")).unwrap();
    std::fs::write(out.join(".partial-4194305999-1/k.npy"), "").unwrap();
    // What a living one is about to leave.
    let alive = format!(".partial-{}-1", std::process::id());
    std::fs::create_dir(out.join(&alive)).unwrap();
    let done = run();
    assert!(done.status.success(), "{}", said(&done));
    assert_eq!(names(), [alive.as_str(), "k.npy", "reports.csv"]);
}

#[cfg(target_os = "linux")]
#[test]
fn rust_programs_say_what_they_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    crate_in(folder.path());
    let done = built(folder.path(), &[]);
    assert!(done.status.success(), "{}", said(&done));
    expect_refusals(&program(folder.path(), "s_scheme"));
    expect_all_or_nothing(&program(folder.path(), "s_scheme"));
}

/// The program of a CUDA project without its kernels: a function that does nothing stands for them.
#[cfg(target_os = "linux")]
#[test]
fn cuda_programs_say_what_they_cannot_write() {
    let Ok(cxx) = cxx() else {
        println!("skipped: no compiler of C++");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let scheme = scheme("s.saa", SCHEME, Precision::F32);
    let project = emit(&scheme, Target::Cuda, &EmitOptions::default()).unwrap();
    write_project(&project, folder.path(), false).unwrap();
    let name = &project.name;
    let header = std::fs::read_to_string(folder.path().join(format!("{name}.h"))).unwrap();
    // Every declared function, with a body.
    let mut stub = format!("#include \"{name}.h\"\nextern \"C\" {{\n");
    for declaration in header.split_inclusive(';') {
        let start = declaration.rfind("*/").map_or(0, |at| at + 2);
        let text = declaration[start..].trim().trim_end_matches(';');
        if text.contains('(') && !text.contains("typedef") && text.contains(name.as_str()) {
            let text = text.rsplit("\n\n").next().unwrap_or(text);
            let body = match text.split('(').next().unwrap_or(text) {
                head if head.starts_with("const char") => "return \"\";",
                head if head.starts_with("void ") => "",
                _ => "return 0;",
            };
            stub.push_str(&format!("{text} {{ {body} }}\n"));
        }
    }
    stub.push_str("}\n");
    std::fs::write(folder.path().join("stub.cpp"), &stub).unwrap();
    let mut command = Command::new(cxx.path);
    command.args(["-std=c++17", "main.cpp", "stub.cpp", "-o", "program"]);
    let done = command.current_dir(folder.path()).output().unwrap();
    assert!(done.status.success(), "{stub}\n{}", said(&done));
    expect_refusals(&folder.path().join("program"));
    expect_all_or_nothing(&folder.path().join("program"));
}

#[test]
fn a_program_that_stands_by_runs_anew_for_each_line() {
    let text = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 3\n  x : INTEGER [N] INPUT OUTPUT\n\
                END OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP x[i] := 10 * x[i] + 1 / (3 - N) END OF LOOP;\n  \
                REPORT \"x\" (x[0])\nEND OF SCHEME \"s\"\n";
    let scheme = scheme("s.saa", text, Precision::F32);
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let input = |name: &str, values: Vec<i32>| {
        let dir = folder.path().join(name);
        std::fs::create_dir(&dir).unwrap();
        let shape = vec![values.len()];
        let array = Array::new(shape, Values::I32(values)).unwrap();
        write_npy(&dir.join("x.npy"), &array).unwrap();
    };
    input("two", vec![1, 2]);
    input("four", vec![3, 4, 5, 6]);
    input("three", vec![1, 2, 3]);
    let targets = [Some(Target::Rust), openmp_or_skip().map(|_| Target::Cpp)];
    for target in targets.into_iter().flatten() {
        let project = emit(&scheme, target, &EmitOptions::default()).unwrap();
        let built = build(&project, &BuildOptions::default(), &mut |_| {}).unwrap();
        let mut standby = Standby::start(&built.executable, &built.dir).unwrap();
        let mut run = |name: &str, out: &str| {
            let arguments = ["--in", &place(name), "--out", &place(out)].map(str::to_owned);
            standby.run(&arguments, None)
        };
        // The second run at the same values begins with them, and not with what the first one left.
        for (name, first) in [("two", 11), ("four", 29), ("two", 11)] {
            let out = format!("out of {name}");
            let json = run(name, &out).unwrap().unwrap();
            let reported = json["reports"][0]["values"][0].as_f64();
            assert_eq!(reported, Some(f64::from(first)), "{target:?}");
            let written = read_npy(&folder.path().join(&out).join("x.npy")).unwrap();
            let Values::I32(values) = written.values() else {
                panic!("{target:?}: {written:?}");
            };
            assert_eq!(values[0], first, "{target:?}");
        }
        // A run that fails ends the program as it ends one that runs once.
        assert!(run("three", "none").is_err(), "{target:?}");
        assert!(run("two", "none").is_err(), "{target:?}");
        let alone = ["--in".to_owned(), place("three")];
        let error = run_program(&built.executable, &alone, &built.dir, &mut |_| {}).unwrap_err();
        assert_eq!(error.exit_code(), 1, "{target:?}: {error}");
    }
}
