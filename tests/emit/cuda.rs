//! Emitted CUDA projects: nvcc has nothing to say about them, and schemes without kernels do what
//! the reference machine does. Programs with kernels run where there is a device.

use crate::harness::{Case, Outcome, all_cases, on_machine, scheme, written};
use glushkov::algebra::Precision;
use glushkov::emit::{CUDA_EXACT_FLAGS, EmitOptions, Target, emit, write_project};
use glushkov::toolchain::Nvcc;
use glushkov::toolchain::testing::{device_or_skip, in_campaign, nvcc_or_skip, two_at_a_time};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles one case; gives its program.
fn build(nvcc: &Nvcc, case: &Case, precision: Precision, checked: bool, dir: &Path) -> PathBuf {
    let scheme = scheme(&case.name, &case.text, precision);
    let options = EmitOptions {
        checked,
        profile: false,
        derivation: None,
    };
    let project =
        emit(&scheme, Target::Cuda, &options).unwrap_or_else(|e| panic!("{}: {e:?}", case.name));
    write_project(&project, dir, true).unwrap();
    let mut command = nvcc.command();
    command.args([
        "-std=c++17",
        "-O1",
        "-arch=sm_90",
        "-Werror",
        "all-warnings",
    ]);
    command
        .args(["-Xcompiler", "-Wall,-Werror"])
        .args(CUDA_EXACT_FLAGS);
    command.arg(format!("{}.cu", project.name)).arg("main.cpp");
    command.args(["-o", "program"]).current_dir(dir);
    let output = command.output().unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{}: {said}", case.name);
    dir.join("program")
}

#[test]
fn emitted_cuda_compiles_and_does_what_the_machine_does() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    let device = device_or_skip().is_some();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-cuda");
    std::fs::create_dir_all(&root).unwrap();
    let cases: Vec<Case> = all_cases("cuda");
    let mut builds: Vec<(usize, Precision, bool)> = (0..cases.len())
        .flat_map(|k| [(k, Precision::F32, false), (k, Precision::F64, true)])
        .collect();
    // `tests/targets` compiles all of the language in one text: here are programs as users build them.
    // An odd number, so that both ways are among them.
    let step = if in_campaign() { 3 } else { 9 };
    builds = builds.into_iter().step_by(step).collect();
    // Two at a time: nvcc takes seconds, most of them in one thread.
    two_at_a_time(&builds, |_, &(case, precision, checked)| {
        one(&nvcc, &cases[case], precision, checked, &root, device);
    });
}

fn one(nvcc: &Nvcc, case: &Case, precision: Precision, checked: bool, root: &Path, device: bool) {
    let dir = root.join(format!("{}_{precision:?}_{checked}", case.name));
    let program = build(nvcc, case, precision, checked, &dir);
    let scheme = scheme(&case.name, &case.text, precision);
    let needs_device = case.text.contains("RunKernel") || case.text.contains("on the device");
    for run in &case.runs {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        std::fs::create_dir(&input).unwrap();
        let wanted = on_machine(&scheme, run, &input);
        let place = format!("{} {precision:?} {:?}", case.name, run.set);
        if run.fails && !checked {
            continue;
        }
        let mut command = Command::new(&program);
        command.arg("--in").arg(&input).arg("--out").arg(&output);
        for (name, value) in &run.set {
            command.arg("--set").arg(format!("{name}={value}"));
        }
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        if needs_device && !device {
            assert_eq!(done.status.code(), Some(2), "{place}: {said}");
            assert!(said.contains("no CUDA device"), "{place}: {said}");
            continue;
        }
        match wanted {
            Err(why) => {
                let code = done.status.code();
                assert!(
                    matches!(code, Some(1 | 2)),
                    "{place}: wanted `{why}`, got {said}"
                );
            }
            Ok(wanted) => {
                assert!(done.status.success(), "{place}: {said}");
                let _: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
                let found: Outcome = written(&scheme, &wanted, &output);
                if !case.approximate {
                    assert_eq!(found, wanted, "{place}");
                }
            }
        }
    }
}
