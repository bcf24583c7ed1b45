//! Emitted crates with CUDA kernels: they build as they are locked, say so where there is no
//! device, and do what the reference machine does. Where there is no device either, they run on a
//! driver for tests, which runs kernels on the processor (`driver.cpp`).

use crate::driver::driver;
use crate::harness::{Case, all_cases, on_machine, scheme, written};
use glushkov::algebra::Precision;
use glushkov::emit::{CUDA_EXACT_FLAGS, EmitOptions, Target, emit};
use glushkov::toolchain::testing::{device_or_skip, in_share, nvcc_or_skip};
use glushkov::toolchain::{BuildOptions, Kind, Project, build, cxx};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Precisions, and whether subscripts and integers are checked on the device.
const WAYS: [(Precision, bool); 2] = [(Precision::F32, false), (Precision::F64, true)];

/// The cases that use the device: the others are those of target `rust`.
fn device_cases() -> Vec<Case> {
    let mut all = all_cases("rust-cuda");
    all.retain(|case| {
        let text = &case.text;
        text.contains("RunKernel") || text.contains("on the device")
    });
    assert!(all.len() >= 4);
    all
}

fn project(case: &Case, precision: Precision, checked: bool) -> Project {
    let scheme = scheme(&case.name, &case.text, precision);
    let options = EmitOptions {
        checked,
        profile: false,
        derivation: None,
    };
    emit(&scheme, Target::RustCuda, &options).unwrap_or_else(|e| panic!("{}: {e:?}", case.name))
}

fn kernels(project: &Project) -> &str {
    let mut files = project.files.iter();
    let found = files.find(|(path, _)| path == "src/kernels.cu");
    found.map(|(_, text)| text.as_str()).unwrap()
}

#[test]
fn kernels_compile_by_themselves() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    let folder = tempfile::tempdir().unwrap();
    for case in device_cases() {
        for (precision, checked) in WAYS {
            let project = project(&case, precision, checked);
            let text = kernels(&project);
            assert!(!text.contains("#include"), "{text}");
            std::fs::write(folder.path().join("kernels.cu"), text).unwrap();
            let mut command = nvcc.command();
            command
                .args(["-std=c++17", "-arch=sm_90", "--ptx", "-Werror"])
                .args(["all-warnings", "-o", "kernels.ptx", "kernels.cu"])
                .args(CUDA_EXACT_FLAGS)
                .current_dir(folder.path());
            let done = command.output().unwrap();
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{}: {said}", case.name);
        }
    }
}

/// The folder of a toolkit that has NVRTC, where there is one.
fn toolkit() -> Option<PathBuf> {
    let nvcc = nvcc_or_skip()?.tool.path.canonicalize().ok()?;
    let toolkit = nvcc.parent()?.parent()?.to_path_buf();
    let has_nvrtc = |lib: &str| {
        let files = toolkit.join(lib).read_dir().into_iter().flatten().flatten();
        let mut names = files.map(|file| file.file_name());
        names.any(|name| name.to_string_lossy().starts_with("libnvrtc.so"))
    };
    (has_nvrtc("lib64") || has_nvrtc("lib")).then_some(toolkit)
}

#[test]
fn emitted_crates_build_and_do_what_the_machine_does() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-rust-cuda");
    let driver = driver(&root);
    let device = device_or_skip().is_some();
    let options = BuildOptions {
        cache: Some(root.join("builds")),
        flags: ["--config", "build.rustflags=['-Dwarnings']"]
            .map(str::to_owned)
            .into(),
        ..BuildOptions::default()
    };
    let toolkit = toolkit();
    for (number, case) in device_cases().into_iter().enumerate() {
        for (k, (precision, checked)) in WAYS.into_iter().enumerate() {
            // A program takes seconds to build: outside of campaigns one a case.
            if !in_share(number + k, WAYS.len()) {
                continue;
            }
            let project = project(&case, precision, checked);
            assert_eq!(project.kind, Kind::RustCuda);
            let built = build(&project, &options, &mut |_| {})
                .unwrap_or_else(|e| panic!("{}: {e}", case.name));
            let program = |folder: Option<&Path>| {
                let mut command = Command::new(&built.executable);
                if let Some(folder) = folder {
                    command
                        .env("LD_LIBRARY_PATH", folder)
                        .env("GLUSHKOV_TEST_KERNELS", folder)
                        .env("GLUSHKOV_TEST_CXX", cxx().unwrap().path);
                }
                command
            };
            if !device {
                says_that_there_is_no_device(&case, precision, program(None));
            }
            if device {
                runs(&case, precision, checked, || program(None));
            }
            if let Some(driver) = &driver {
                says_that_there_is_no_device(&case, precision, {
                    let mut command = program(Some(driver));
                    command.env("GLUSHKOV_TEST_NO_DEVICE", "1");
                    command
                });
                runs(&case, precision, checked, || program(Some(driver)));
                if let Some(toolkit) = &toolkit {
                    nvrtc_takes_the_kernels(&case, precision, {
                        // Here libcuda is that of the tests, and NVRTC that of the toolkit.
                        let mut command = program(Some(&driver.join("cuda")));
                        command.env("CUDA_HOME", toolkit);
                        command
                    });
                }
            }
        }
    }
}

/// A message and exit code 2, and no panic.
fn says_that_there_is_no_device(case: &Case, precision: Precision, command: Command) {
    ends_with(case, precision, command, "error: there is no CUDA device");
}

/// NVRTC is found and compiles the kernels; the driver for tests cannot load what it makes.
fn nvrtc_takes_the_kernels(case: &Case, precision: Precision, command: Command) {
    ends_with(case, precision, command, "error: cannot load the kernels");
}

fn ends_with(case: &Case, precision: Precision, mut command: Command, error: &str) {
    let folder = tempfile::tempdir().unwrap();
    let scheme = scheme(&case.name, &case.text, precision);
    let _ = on_machine(&scheme, &case.runs[0], folder.path());
    command.arg("--in").arg(folder.path());
    for (name, value) in &case.runs[0].set {
        command.arg("--set").arg(format!("{name}={value}"));
    }
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2), "{}: {said}", case.name);
    assert!(said.starts_with(error), "{}: {said}", case.name);
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// Runs a program in all of a case's ways, and compares what it leaves with the reference machine.
fn runs(case: &Case, precision: Precision, checked: bool, program: impl Fn() -> Command) {
    let scheme = scheme(&case.name, &case.text, precision);
    for run in &case.runs {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        std::fs::create_dir(&input).unwrap();
        let wanted = on_machine(&scheme, run, &input);
        let place = format!("{} {precision:?} {:?}", case.name, run.set);
        if run.fails && !checked {
            continue;
        }
        let mut command = program();
        command.arg("--in").arg(&input).arg("--out").arg(&output);
        for (name, value) in &run.set {
            command.arg("--set").arg(format!("{name}={value}"));
        }
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        match wanted {
            Err(why) => {
                let code = done.status.code();
                assert_eq!(code, Some(1), "{place}: wanted `{why}`, got {said}");
                assert!(said.starts_with("error: "), "{place}: {said}");
            }
            Ok(wanted) => {
                assert!(done.status.success(), "{place}: {said}");
                let line: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
                assert_eq!(line["target"], "rust-cuda");
                assert!(line["seconds"]["body"].is_number(), "{line}");
                if !case.approximate {
                    assert_eq!(written(&scheme, &wanted, &output), wanted, "{place}");
                }
            }
        }
    }
}
