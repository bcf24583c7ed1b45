//! Emitted crates against the reference machine, bit for bit.

use crate::harness::{Case, cases, on_machine, scheme, written};
use glushkov::algebra::Precision;
use glushkov::emit::{EmitOptions, Target, emit, write_project};
use glushkov::toolchain::cargo;
use std::path::{Path, PathBuf};
use std::process::Command;

const PRECISIONS: [(Precision, &str); 2] = [(Precision::F32, "f32"), (Precision::F64, "f64")];

/// Emits the cases as members of one workspace and builds them together.
fn build(cases: &[Case], root: &Path) -> Vec<(usize, Precision, PathBuf)> {
    let mut members = Vec::new();
    let mut built = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        for (precision, suffix) in PRECISIONS {
            let scheme = scheme(&case.name, &case.text, precision);
            let project = emit(&scheme, Target::Rust, &EmitOptions::default())
                .unwrap_or_else(|e| panic!("{}: {e:?}", case.name));
            let member = format!("{}_{suffix}", case.name);
            let dir = root.join(&member);
            write_project(&project, &dir, true).unwrap();
            // One workspace and one profile for all, and names that differ.
            let manifest = dir.join("Cargo.toml");
            let text = std::fs::read_to_string(&manifest).unwrap();
            assert!(text.contains("[workspace]") && text.contains("overflow-checks = true"));
            let text = text.replace("[workspace]", "");
            let from = text.find("[profile.release]").unwrap();
            let text = text[..from].replace(
                &format!("name = \"{}\"", project.name),
                &format!(
                    "name = \"{member}\"\n[lib]\nname = \"{}\"\n[[bin]]\nname = \"{member}\"\npath = \"src/main.rs\"\n[package.metadata]\n",
                    project.name
                ),
            );
            // `[package]` keys stand after the sections that were put in: move them back.
            let (head, rest) = text.split_once("[lib]").unwrap();
            let (sections, keys) = rest.split_once("[package.metadata]\n").unwrap();
            std::fs::write(&manifest, format!("{head}{keys}\n[lib]{sections}")).unwrap();
            std::fs::remove_file(dir.join("Cargo.lock")).unwrap();
            members.push(format!("\"{member}\""));
            built.push((number, precision, root.join("target/release").join(&member)));
        }
    }
    let manifest = format!(
        "[workspace]\nresolver = \"2\"\nmembers = [{}]\n[profile.release]\noverflow-checks = true\n",
        members.join(", ")
    );
    std::fs::write(root.join("Cargo.toml"), manifest).unwrap();
    let output = Command::new(cargo().unwrap().path)
        .args(["build", "--release", "--offline", "--quiet"])
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
    let all: Vec<Case> = ["tests/emit/cases", "schemes/nbody"]
        .iter()
        .flat_map(|folder| cases(folder))
        .filter(|case| !case.not_for.contains(&"rust".to_owned()))
        .collect();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-rust");
    std::fs::create_dir_all(&root).unwrap();
    let mut wrong = Vec::new();
    for (number, precision, program) in build(&all, &root) {
        let case = &all[number];
        let scheme = scheme(&case.name, &case.text, precision);
        for run in &case.runs {
            let folder = tempfile::tempdir().unwrap();
            let (input, output) = (folder.path().join("in"), folder.path().join("out"));
            std::fs::create_dir(&input).unwrap();
            let mut run = run.clone();
            if case
                .path
                .starts_with(Path::new(env!("CARGO_MANIFEST_DIR")).join("schemes"))
            {
                run.set = vec![("N".into(), "7".into()), ("STEPS".into(), "2".into())];
            }
            let wanted = on_machine(&scheme, &run, &input);
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
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
