//! Seconds are those of what the device did: in every target the clock stops after the device.

use crate::cuda::Programs;
use crate::harness::{case, scheme};
use glushkov::algebra::Precision;
use glushkov::data::{Array, write_npy};
use glushkov::emit::{EmitOptions, Target, emit};
use glushkov::toolchain::{Project, cxx};
use std::path::Path;
use std::process::Command;

const SYNCHRONIZE: &str = "        Work::now().wait_for_last();\n        const std::chrono";

fn project(target: Target) -> Project {
    let case = case(Path::new("tests/negative/timed_launch.saa"));
    let scheme = scheme(&case.name, &case.text, Precision::F32);
    emit(&scheme, target, &EmitOptions::default()).unwrap()
}

fn file<'a>(project: &'a Project, name: &str) -> &'a str {
    let found = project.files.iter().find(|(path, _)| path.ends_with(name));
    found.map(|(_, text)| text.as_str()).unwrap()
}

/// Whether each of `marks` stands in the text after the one before it.
fn in_order(text: &str, marks: &[&str]) -> bool {
    let mut rest = text;
    marks.iter().all(|mark| match rest.split_once(mark) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// Whether a program of target `cuda` waits for the device on both sides of what it times.
fn waits_in_cuda(support: &str, program: &str) -> bool {
    let Some((_, timer)) = support.split_once("class Timer {") else {
        return false;
    };
    let (start, stop) = timer.split_once("~Timer() {").unwrap();
    let now = "std::chrono::steady_clock::now()";
    let waits = |what: &str| {
        let of_work = support.split_once(&format!("void {what}() {{"));
        of_work
            .is_some_and(|(_, of)| in_order(of, &["cudaStreamSynchronize(stream_)", "\n    }\n"]))
    };
    waits("wait")
        && waits("wait_for_last")
        && in_order(start, &["Work::now().wait();", now])
        && in_order(stop, &["Work::now().wait_for_last();", now, "timed_seconds() +="])
        // The launch stands in the timer's block, and there is no other clock.
        && in_order(program, &["const Timer timer;", " launch(", "\n    }\n", "synchronize()"])
        && support.matches("timed_seconds() +=").count() == 1
        && support.matches("steady_clock::now()").count() == 2
        && !program.contains("chrono")
}

/// Whether a crate waits, by the calls named, on both sides of what it times.
fn waits_in_rust(library: &str, launch: &str, wait: &[&str]) -> bool {
    let (clock, seconds) = (
        "let timer = Instant::now();",
        "reports.seconds += timer.elapsed()",
    );
    let marks = [wait, &[clock], &[launch], wait, &[seconds]].concat();
    // What waits stands right before the clock is read.
    let before = |mark: &str| {
        let (before, _) = library.split_once(mark).unwrap();
        let last = before.trim_end().lines().last().unwrap().trim();
        wait.is_empty() || last == wait[0]
    };
    in_order(library, &marks) && before(clock) && before(seconds)
}

#[test]
fn clocks_stop_after_the_device_in_every_target() {
    for target in [Target::Cuda, Target::RustCuda, Target::Rust] {
        let project = project(target);
        match target {
            Target::Cuda => {
                let (support, program) = (file(&project, "support.cuh"), file(&project, ".cu"));
                assert!(waits_in_cuda(support, program));
                // A clock that does not wait is noticed.
                let hasty = support.replacen(SYNCHRONIZE, "        const std::chrono", 1);
                assert_ne!(hasty, support);
                assert!(!waits_in_cuda(&hasty, program));
            }
            Target::RustCuda => {
                let (library, wait) = (file(&project, "src/lib.rs"), "device.synchronize();");
                let launch = "kernels.";
                assert!(waits_in_rust(library, launch, &[wait]), "{library}");
                let stop = "    device.synchronize();\n    reports.seconds";
                let hasty = library.replacen(stop, "    reports.seconds", 1);
                assert_ne!(hasty, library);
                assert!(!waits_in_rust(&hasty, launch, &[wait]));
            }
            // Kernels run on the host, and have ended when the call returns.
            Target::Rust | Target::Cpp => {
                let library = file(&project, "src/lib.rs");
                assert!(waits_in_rust(library, "kernel_2(", &[]), "{library}");
                assert!(!library.contains("spawn"), "{library}");
            }
        }
    }
}

/// The seconds that the program with a timed launch reports, by the host's clock and the device's.
fn seconds(name: &str, change: &dyn Fn(&str) -> String) -> [f64; 2] {
    let mut project = project(Target::Cuda);
    for (path, text) in &mut project.files {
        if path == "support.cuh" {
            *text = change(text);
        }
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("negative")
        .join(name);
    let program =
        Programs::of_projects(vec![("timed".to_owned(), project)]).compile_for_the_processor(&root);
    let input = tempfile::tempdir().unwrap();
    let x = Array::from_f64(vec![1.5; 2000]);
    write_npy(&input.path().join("x.npy"), &x).unwrap();
    let done = Command::new(program)
        .arg("timed")
        .arg("--in")
        .arg(input.path())
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let said: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    // The device gives no time where nobody noted when it ended.
    ["body", "device"].map(|clock| said["seconds"][clock].as_f64().unwrap_or(-1.0))
}

/// The processor runs a launch when somebody waits for it, no sooner: a clock that does not wait
/// sees nothing of it.
#[test]
fn a_clock_that_does_not_wait_sees_no_kernel() {
    if cxx().is_err() {
        return;
    }
    let [waits, by_device] = seconds("waits", &|text| text.to_owned());
    assert!(
        by_device <= 1.05 * waits && by_device > 0.5 * waits,
        "{waits} seconds by the host, {by_device} by the device"
    );
    let [hasty, _] = seconds("hasty", &|text| {
        text.replacen(SYNCHRONIZE, "        const std::chrono", 1)
    });
    assert!(
        waits > 10.0 * hasty,
        "{waits} seconds with the kernel, {hasty} without"
    );
}
