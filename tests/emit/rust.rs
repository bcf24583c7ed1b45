//! Emitted crates against the reference machine, bit for bit.

use crate::harness::{Case, all_cases, on_machine, scheme, written};
use glushkov::algebra::Precision;
use glushkov::data::{Array, Values, write_npy};
use glushkov::emit::{EmitOptions, Target, emit};
use glushkov::toolchain::cargo;
use glushkov::toolchain::testing::{in_share, level_of_optimization};
use std::path::{Path, PathBuf};
use std::process::Command;

const PRECISIONS: [(Precision, &str); 2] = [(Precision::F32, "f32"), (Precision::F64, "f64")];

/// The manifest of a crate as a member of one workspace with one profile, under a name of its own.
fn manifest(text: &str, name: &str, member: &str) -> String {
    assert!(!text.contains("[workspace]") && text.contains("overflow-checks = true"));
    let package = &text[..text.find("[profile.release]").unwrap()];
    let package = package.replace(
        &format!("name = \"{name}\""),
        &format!("name = \"{member}\""),
    );
    format!(
        "{package}\n[lib]\nname = \"{name}\"\n[[bin]]\nname = \"{member}\"\npath = \"src/main.rs\"\n"
    )
}

/// Writes a file unless it holds the text already, so that cargo builds what changed only.
fn write_new(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Emits the cases as members of one workspace and builds them together.
fn build(cases: &[Case], root: &Path) -> Vec<(usize, Precision, PathBuf)> {
    let mut members = Vec::new();
    let mut built = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        for (k, (precision, suffix)) in PRECISIONS.into_iter().enumerate() {
            // A program takes seconds to build: outside of campaigns one a case.
            if !in_share(number + k, PRECISIONS.len()) {
                continue;
            }
            let scheme = scheme(&case.name, &case.text, precision);
            let project = emit(&scheme, Target::Rust, &EmitOptions::default())
                .unwrap_or_else(|e| panic!("{}: {e:?}", case.name));
            let member = format!("{}_{suffix}", case.name);
            let dir = root.join(&member);
            for (path, text) in &project.files {
                let text = match path.as_str() {
                    "Cargo.lock" => continue,
                    "Cargo.toml" => manifest(text, &project.name, &member),
                    _ => text.clone(),
                };
                write_new(&dir.join(path), &text);
            }
            members.push(format!("\"{member}\""));
            built.push((number, precision, root.join("target/release").join(&member)));
        }
    }
    let manifest = format!(
        "[workspace]\nresolver = \"2\"\nmembers = [{}]\n[profile.release]\noverflow-checks = true\nopt-level = {}\n",
        members.join(", "),
        level_of_optimization()
    );
    write_new(&root.join("Cargo.toml"), &manifest);
    let output = Command::new(cargo().unwrap().path)
        .args([
            "build",
            "--release",
            "--offline",
            "--quiet",
            "--all-features",
        ])
        .env("RUSTFLAGS", "-D warnings")
        .env("CARGO_TARGET_DIR", root.join("target"))
        .current_dir(root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    built
}

#[test]
fn emitted_crates_do_what_the_machine_does() {
    let all: Vec<Case> = all_cases("rust");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-rust");
    std::fs::create_dir_all(&root).unwrap();
    let mut wrong = Vec::new();
    let mut programs = Vec::new();
    for (number, precision, program) in build(&all, &root) {
        let case = &all[number];
        let scheme = scheme(&case.name, &case.text, precision);
        for run in &case.runs {
            let folder = tempfile::tempdir().unwrap();
            let (input, output) = (folder.path().join("in"), folder.path().join("out"));
            std::fs::create_dir(&input).unwrap();
            let wanted = on_machine(&scheme, run, &input);
            let place = format!("{} {precision:?} {:?}", case.name, run.set);
            assert_eq!(wanted.is_err(), run.fails, "{place}: {wanted:?}");
            let mut command = Command::new(&program);
            command.arg("--in").arg(&input).arg("--out").arg(&output);
            for (name, value) in &run.set {
                command.arg("--set").arg(format!("{name}={value}"));
            }
            let done = command.output().unwrap();
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            match wanted {
                Err(why) => {
                    // A size that is none is wrong input; all else is an error of the algorithm.
                    if !matches!(done.status.code(), Some(1 | 2)) {
                        wrong.push(format!(
                            "{place}: wanted `{why}`, got {:?} {said}",
                            done.status
                        ));
                    }
                    assert!(said.starts_with("error: "), "{place}: {said}");
                }
                Ok(_) if !done.status.success() => {
                    wrong.push(format!("{place}: {:?} {said}", done.status));
                }
                Ok(wanted) => {
                    let line: serde_json::Value = serde_json::from_slice(&done.stdout)
                        .unwrap_or_else(|e| panic!("{place}: {e}"));
                    assert!(line["seconds"]["body"].is_number(), "{line}");
                    let found = written(&scheme, &wanted, &output);
                    if found != wanted {
                        wrong.push(format!("{place}:\n wanted {wanted:x?}\n found  {found:x?}"));
                    }
                }
            }
        }
        programs.push(program);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let is_leapfrog = |program: &Path| program.to_string_lossy().contains("leapfrog_f");
    let program = programs.iter().find(|p| is_leapfrog(p));
    wrong_use(program.expect("leapfrog is built"));
}

fn array(folder: &Path, name: &str, shape: &[usize]) {
    let count = shape.iter().product::<usize>();
    let array = Array::new(shape.to_vec(), Values::F64(vec![0.5; count])).unwrap();
    write_npy(&folder.join(format!("{name}.npy")), &array).unwrap();
}

/// Wrong use and wrong input end with code 2 and a message; sizes come from files.
fn wrong_use(program: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path();
    let run = |args: &[&str]| {
        let output = Command::new(program)
            .arg("--in")
            .arg(input)
            .args(args)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, said)
    };
    let wrong = |args: &[&str], why: &str| {
        let (output, said) = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(why), "{args:?}: {said}");
    };
    wrong(&[], "m.npy");
    array(input, "m", &[3]);
    array(input, "r", &[3, 3]);
    array(input, "v", &[4, 3]);
    wrong(&[], "says that N is 3, but");
    array(input, "v", &[3, 3]);
    wrong(&["--set", "N=5"], "its shape is [3] where [5] is needed");
    wrong(&["--set", "N=-5"], "`m` has a size of -5");
    wrong(&["--set", "M=5"], "there is no such parameter");
    wrong(&["--set", "dt=x"], "`x` is not a number");
    wrong(&["--nonsense"], "is not understood");
    wrong(&["--out", "/proc/self/nowhere"], "cannot make the folder");
    // The size of the files is N.
    let (output, said) = run(&["--set", "STEPS=1"]);
    assert!(output.status.success(), "{said}");
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["parameters"]["N"], 3);
    assert_eq!(line["parameters"]["STEPS"], 1);
    assert_eq!(line["reports"].as_array().unwrap().len(), 2);
    array(input, "r", &[3, 2]);
    wrong(&[], "its shape is [3, 2] where [3, 3] is needed");
}
