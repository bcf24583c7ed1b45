//! The pieces of source that emitted programs carry (`templates/*/files.*`, `npy.*`, `cli.*`),
//! compiled as emitted programs compile them and held against `glushkov::data`.

use glushkov::toolchain::testing::nvcc_or_skip;
use glushkov::toolchain::{cxx, rustc};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

mod cli;
mod files;
mod npy;
mod odd;
#[path = "../reports/mod.rs"]
mod reports;

/// Both drivers, compiled once; warnings are errors.
fn drivers() -> &'static [PathBuf] {
    static BUILT: OnceLock<(TempDir, Vec<PathBuf>)> = OnceLock::new();
    let (_, drivers) = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let rust = folder.path().join("rust");
        let mut command = Command::new(rustc().unwrap().path);
        command.args([
            "--edition",
            "2021",
            "-D",
            "warnings",
            "-C",
            "overflow-checks=on",
            "-o",
        ]);
        command.arg(&rust).arg(root.join("tests/runtime/driver.rs"));
        succeeds(&mut command);
        let mut drivers = vec![rust];
        match cxx() {
            Ok(cxx) => {
                let cpp = folder.path().join("cpp");
                let mut command = Command::new(cxx.path);
                command.args([
                    "-std=c++17",
                    "-Wall",
                    "-Wextra",
                    "-Wconversion",
                    "-Werror",
                    "-I",
                ]);
                command.arg(root.join("templates/cuda")).arg("-o").arg(&cpp);
                command.arg(root.join("tests/runtime/driver.cpp"));
                succeeds(&mut command);
                drivers.push(cpp);
            }
            Err(why) if std::env::var_os("CI").is_some() => panic!("{why}"),
            Err(why) => println!("skipped for C++: {why}"),
        }
        (folder, drivers)
    });
    drivers
}

fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

fn run(driver: &Path, args: &[&str]) -> Output {
    Command::new(driver).args(args).output().unwrap()
}

#[test]
fn nvcc_has_nothing_to_say_about_them() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = nvcc.command();
    command.args(["-x", "cu", "-std=c++17", "-Werror", "all-warnings"]);
    command.args(["-Xcompiler", "-Wall,-Wextra,-Werror", "-I"]);
    command.arg(root.join("templates/cuda")).arg("-c");
    command.arg(root.join("tests/runtime/driver.cpp"));
    command.arg("-o").arg(folder.path().join("driver.o"));
    succeeds(&mut command);
}
