//! Crates of the targets `rust` and `rust-cuda`, as members of one workspace.

use crate::case::Case;
use glushkov::algebra::Precision;
use glushkov::emit::{EmitOptions, Target, emit};
use glushkov::toolchain::testing::level_of_optimization;
use glushkov::toolchain::{Kind, Project, cargo};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate that is built.
pub struct Built {
    /// The number of its case.
    pub case: usize,
    pub target: Target,
    pub precision: Precision,
    pub checked: bool,
    pub program: PathBuf,
}

/// The manifest of a crate as a member of a workspace with one profile, under a name of its own.
fn manifest(text: &str, name: &str, member: &str) -> String {
    let package = &text[..text.find("[profile.release]").unwrap()];
    let package = package.replace("[workspace]\n", "").replace(
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

/// The files of a project, with the target's own name left out.
fn files_of(project: &Project) -> Vec<(String, String)> {
    let plain = |text: &str| text.replace("\\\"rust-cuda\\\"", "\\\"rust\\\"");
    let files = project.files.iter();
    files
        .map(|(path, text)| (path.clone(), plain(text)))
        .collect()
}

/// Builds the crates of the cases that a target does not refuse. A case that does nothing on a
/// device has the same crate for both targets, which is built once, and in one of the two ways: these differ
/// for it by the precision of REALs alone.
pub fn build(cases: &[Case], root: &Path, refused: &dyn Fn(&Case, Target) -> bool) -> Vec<Built> {
    let mut members = Vec::new();
    let mut built: Vec<Built> = Vec::new();
    let mut lock = None;
    // Those that are not optimized: one of two ways is enough to see what optimization brings to light.
    let mut plain = String::new();
    for (number, case) in cases.iter().enumerate() {
        for (way, &(precision, checked)) in case.ways.iter().enumerate() {
            let options = EmitOptions {
                checked,
                profile: false,
                derivation: None,
            };
            let emitted = |target: Target| {
                let project = emit(&case.scheme(precision), target, &options)
                    .unwrap_or_else(|e| panic!("{}: {e:?}", case.name));
                (target, project)
            };
            let targets = [Target::Rust, Target::RustCuda].into_iter();
            let projects: Vec<_> = targets
                .filter(|&target| !refused(case, target))
                .map(emitted)
                .collect();
            let alike = matches!(&projects[..], [(_, a), (_, b)] if files_of(a) == files_of(b));
            if alike && way != number % case.ways.len() {
                continue;
            }
            let mut program = None;
            for (target, project) in &projects {
                if program.is_none() || !alike {
                    let suffix = target.name().replace('-', "_");
                    let member = format!("{}_{suffix}", case.member(precision));
                    member_of(project, &member, root);
                    if project.kind == Kind::RustCuda && lock.is_none() {
                        lock = project.files.iter().find(|f| f.0 == "Cargo.lock").cloned();
                    }
                    members.push(format!("\"{member}\""));
                    if checked && !alike {
                        let _ =
                            writeln!(plain, "[profile.release.package.{member}]\nopt-level = 0");
                    }
                    program = Some(root.join("target/release").join(member));
                }
                built.push(Built {
                    case: number,
                    target: *target,
                    precision,
                    checked,
                    program: program.clone().expect("it has one now"),
                });
            }
        }
    }
    let manifest = format!(
        "[workspace]\nresolver = \"2\"\nmembers = [{}]\n[profile.release]\noverflow-checks = true\nopt-level = {}\n{plain}",
        members.join(", "),
        level_of_optimization()
    );
    write_new(&root.join("Cargo.toml"), &manifest);
    // The crates that kernels need are those that emitted projects lock; cargo adds the members.
    if let Some((_, lock)) = lock
        && !root.join("Cargo.lock").exists()
    {
        write_new(&root.join("Cargo.lock"), &lock);
    }
    let run = |arguments: &[&str]| {
        let output = Command::new(cargo().unwrap().path)
            .args(arguments)
            .env("RUSTFLAGS", "-D warnings")
            .env("CARGO_TARGET_DIR", root.join("target"))
            .current_dir(root)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    };
    let arguments = ["build", "--release", "--quiet"];
    let (done, said) = run(&[&arguments[..], &["--offline"]].concat());
    if !done {
        // cargo may have to get the crates first.
        assert!(said.contains("--offline"), "{said}");
        let (done, said) = run(&arguments);
        assert!(done, "{said}");
    }
    built
}

fn member_of(project: &Project, member: &str, root: &Path) {
    let dir = root.join(member);
    for (path, text) in &project.files {
        let text = match path.as_str() {
            "Cargo.lock" => continue,
            "Cargo.toml" => manifest(text, &project.name, member),
            _ => text.clone(),
        };
        write_new(&dir.join(path), &text);
    }
}
