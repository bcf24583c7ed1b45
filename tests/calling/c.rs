//! Programs of C and C++.

use crate::building::{CHAIN, built, compiled, emitted, expect_success, place};
use glushkov::pipeline::Target;
use glushkov::toolchain::devices;
use glushkov::toolchain::testing::{nvcc_or_skip, openmp_or_skip};
use serde_json::json;
use std::path::Path;
use std::process::Command;

const GRAVITY: &str = include_str!("../../schemes/nbody/gravity.saa");

#[test]
fn c_and_cpp_call_a_library() {
    let library = built(CHAIN, Target::Rust);
    for language in ["c", "c++"] {
        for source in ["call.c", "state.c"] {
            let program = compiled(source, language, &library);
            assert_eq!(expect_success(&mut Command::new(program)), "well\n");
        }
    }
}

#[test]
fn c_and_cpp_call_a_library_in_cpp() {
    if openmp_or_skip().is_none() {
        return;
    }
    let (cpp, rust) = (built(CHAIN, Target::Cpp), built(CHAIN, Target::Rust));
    let header = |path| std::fs::read_to_string(path).unwrap();
    assert_eq!(header(&cpp.header), header(&rust.header));
    assert_eq!(cpp.interface["arguments"], rust.interface["arguments"]);
    for source in ["call.c", "state.c"] {
        let program = compiled(source, "c", &cpp);
        assert_eq!(expect_success(&mut Command::new(program)), "well\n");
    }
}

#[test]
fn a_library_says_what_it_takes() {
    let library = built(CHAIN, Target::Rust);
    let interface = &library.interface;
    assert_eq!(interface["abi"], 1);
    assert_eq!(interface["name"], "spring_chain");
    let arguments = interface["arguments"].as_array().unwrap();
    let argument = |key: &str| arguments.iter().find(|a| a["key"] == key).unwrap();
    assert_eq!(
        *argument("STEPS"),
        json!({
            "key": "STEPS", "name": "steps", "kind": "parameter", "type": "int32",
            "components": 1, "rank": 0, "role": "input", "default": 2,
        })
    );
    assert_eq!(argument("step")["default_of"], json!(["dt"]));
    assert_eq!(
        *argument("at"),
        json!({
            "key": "at", "name": "at", "kind": "array", "type": "float32", "components": 2,
            "rank": 1, "axes": ["N"], "role": "output",
        })
    );
    assert_eq!(argument("weights")["values_of"], json!([]));
    assert_eq!(argument("x")["role"], "both");
    assert_eq!(interface["series"][0]["label"], "x");
}

/// The scheme does nothing on a device, so that its functions run here. The
/// header is that of the other target.
#[test]
fn a_library_for_devices_is_built() {
    if nvcc_or_skip().is_none() {
        return;
    }
    let (cuda, rust) = (built(CHAIN, Target::Cuda), built(CHAIN, Target::Rust));
    let header = |path| std::fs::read_to_string(path).unwrap();
    let of_device = header(&cuda.header);
    let more = of_device.find("/* The same by the clock of the device");
    let state = of_device.find("/* A state keeps");
    let (more, state) = (more.expect("a clock"), state.expect("a state"));
    let without_clock = format!("{}{}", &of_device[..more], &of_device[state..]);
    assert_eq!(without_clock, header(&rust.header));
    for source in ["call.c", "state.c"] {
        let program = compiled(source, "c", &cuda);
        if devices().is_ok_and(|found| !found.is_empty()) {
            assert_eq!(expect_success(&mut Command::new(program)), "well\n");
        }
    }
    assert_eq!(cuda.interface["arguments"], rust.interface["arguments"]);
}

/// NVIDIA's libraries are looked for when a program runs.
#[test]
fn a_library_with_kernels_is_built_without_a_device() {
    let library = built(GRAVITY, Target::RustCuda);
    assert_eq!(library.interface["target"], "rust-cuda");
    let bytes = std::fs::read(&library.library).unwrap();
    let has = |name: &str| bytes.windows(name.len()).any(|w| w == name.as_bytes());
    assert!(has("gravity_of_n_bodies_with") && has("gravity_of_n_bodies_create"));
}

#[test]
fn fortran_calls_a_library() {
    if Command::new("gfortran").arg("--version").output().is_err() {
        println!("skipped: no gfortran");
        return;
    }
    let library = built(CHAIN, Target::Rust);
    let project = tempfile::tempdir().unwrap();
    emitted(CHAIN, &project.path().join("chain"));
    let (program, folder) = (place("state.f90.out"), library.library.parent().unwrap());
    let mut command = Command::new("gfortran");
    command
        .args(["-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg("-J")
        .arg(project.path())
        .arg(project.path().join("chain/spring_chain.f90"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calling/state.f90"))
        .arg(&library.library)
        .arg(format!("-Wl,-rpath,{}", folder.display()));
    expect_success(&mut command);
    assert_eq!(expect_success(&mut Command::new(program)).trim(), "well");
}
