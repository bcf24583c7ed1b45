//! Launches overlap, so kernels wait for each other: in the code that nvcc makes, too, nothing is read or written before.

use crate::harness::{all_cases, scheme};
use glushkov::algebra::Precision;
use glushkov::emit::{CUDA_EXACT_FLAGS, EmitOptions, Target, emit, write_project};
use glushkov::toolchain::Nvcc;
use glushkov::toolchain::testing::{in_campaign, nvcc_or_skip, two_at_a_time};
use std::path::Path;

/// What PTX calls waiting for the launch before.
const WAIT: &str = "griddepcontrol.wait";

/// The PTX of a program for a device.
fn ptx(nvcc: &Nvcc, name: &str, dir: &Path, arch: &str) -> String {
    let mut command = nvcc.command();
    command.args(["-std=c++17", "-O3", "-ptx", "-o", "program.ptx"]);
    command
        .arg(format!("-arch={arch}"))
        .args(CUDA_EXACT_FLAGS)
        .arg(format!("{name}.cu"))
        .current_dir(dir);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}");
    std::fs::read_to_string(dir.join("program.ptx")).unwrap()
}

/// The bodies of kernels.
fn kernels(ptx: &str) -> Vec<&str> {
    let entries = ptx.split(".entry ").skip(1);
    let ended = entries.map(|text| text.split("\n}").next().unwrap_or(text));
    ended.collect()
}

/// Whether a line of PTX reaches memory that others see.
fn reaches(line: &str) -> bool {
    let operation = line.trim_start();
    let operation = match operation.strip_prefix('@') {
        Some(guarded) => guarded
            .split_once(' ')
            .map_or("", |(_, rest)| rest.trim_start()),
        None => operation,
    };
    let shared = ["ld.", "st.", "atom.", "red."];
    shared.iter().any(|s| operation.starts_with(s)) && !operation.starts_with("ld.param")
}

#[test]
fn kernels_wait_before_they_reach_memory() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overlapping");
    let cases = all_cases("cuda").into_iter();
    let launching = cases.filter(|case| case.text.contains("RunKernel"));
    let step = if in_campaign() { 2 } else { 12 };
    let cases: Vec<_> = launching.step_by(step).collect();
    assert!(!cases.is_empty());
    two_at_a_time(&cases, |_, case| {
        let scheme = scheme(&case.name, &case.text, Precision::F32);
        let options = EmitOptions {
            checked: false,
            profile: false,
            derivation: None,
        };
        let project = emit(&scheme, Target::Cuda, &options).unwrap();
        let dir = root.join(&case.name);
        write_project(&project, &dir, true).unwrap();
        let code = ptx(&nvcc, &project.name, &dir, "sm_90");
        let bodies = kernels(&code);
        assert!(!bodies.is_empty(), "{}", case.name);
        for body in bodies {
            let wait = body.lines().position(|line| line.contains(WAIT));
            let first = body.lines().position(reaches);
            let name = body.split('(').next();
            assert!(wait.is_some(), "{}: {name:?} does not wait", case.name);
            assert!(
                first.is_none_or(|first| Some(first) > wait),
                "{}: {name:?} is early",
                case.name
            );
        }
        // Older devices know no such wait, and launches do not overlap there.
        assert!(!ptx(&nvcc, &project.name, &dir, "sm_80").contains(WAIT));
    });
}
