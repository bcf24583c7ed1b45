//! The driver for tests: a library that stands for libcuda and libnvrtc.

use glushkov::toolchain::cxx;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with the driver for tests under the names of libcuda and libnvrtc; none where no C++
/// compiler makes it.
pub fn driver(root: &Path) -> Option<PathBuf> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let folder = root.join("driver");
    std::fs::create_dir_all(&folder).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emit/driver.cpp");
    // The text that kernels are put after, as a literal of C++.
    let prelude = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emit/processor.hpp");
    let prelude = std::fs::read_to_string(prelude).unwrap();
    std::fs::write(
        folder.join("prelude.inc"),
        format!("R\"prelude({prelude})prelude\"\n"),
    )
    .unwrap();
    let library = folder.join("libcuda.so.1");
    let done = Command::new(cxx().ok()?.path)
        .args(["-std=c++17", "-O1", "-fPIC", "-shared", "-Wall", "-Werror"])
        .arg("-I")
        .arg(&folder)
        .arg("-o")
        .args([&library, &source])
        .arg("-ldl")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    std::fs::copy(&library, folder.join("libnvrtc.so.13")).unwrap();
    std::fs::create_dir_all(folder.join("cuda")).unwrap();
    std::fs::copy(&library, folder.join("cuda/libcuda.so.1")).unwrap();
    Some(folder)
}
