//! A library that CMake builds and installs, found by find_package and by pkg-config.

use crate::building::{CHAIN, emitted, expect_success};
use std::path::Path;
use std::process::Command;

const USER: &str = "cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C)
find_package(spring_chain 0.1 REQUIRED)
find_package(Threads REQUIRED)
add_executable(call call.c)
target_link_libraries(call PRIVATE spring_chain::spring_chain m)
add_executable(state state.c)
target_link_libraries(state PRIVATE spring_chain::spring_chain Threads::Threads)
";

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

fn cmake(arguments: &[&str], folder: &Path) {
    // The cargo of a test has variables that are its own affair.
    let mut command = Command::new("cmake");
    command.args(arguments).current_dir(folder);
    command.env_remove("CARGO_TARGET_DIR");
    expect_success(&mut command);
}

#[test]
fn others_find_an_installed_library() {
    if !is_there("cmake") {
        println!("skipped: no cmake");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    emitted(CHAIN, &root.join("chain"));
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calling");
    std::fs::create_dir(root.join("user")).unwrap();
    std::fs::write(root.join("user/CMakeLists.txt"), USER).unwrap();
    for source in ["call.c", "state.c"] {
        std::fs::copy(sources.join(source), root.join("user").join(source)).unwrap();
    }
    for shared in ["ON", "OFF"] {
        let (build, place) = (format!("build_{shared}"), format!("place_{shared}"));
        let kind = format!("-DBUILD_SHARED_LIBS={shared}");
        cmake(&["-S", "chain", "-B", &build, &kind], root);
        cmake(&["--build", &build], root);
        cmake(&["--install", &build, "--prefix", &place], root);
        // What was installed may be moved.
        let moved = root.join(format!("moved_{shared}"));
        std::fs::rename(root.join(&place), &moved).unwrap();
        let user = format!("user_{shared}");
        let prefix = format!("-DCMAKE_PREFIX_PATH={}", moved.display());
        cmake(&["-S", "user", "-B", &user, &prefix], root);
        cmake(&["--build", &user], root);
        for program in ["call", "state"] {
            let mut command = Command::new(root.join(&user).join(program));
            assert_eq!(expect_success(&mut command), "well\n");
        }
        if is_there("pkg-config") {
            by_pkg_config(root, &moved, shared == "OFF");
        }
    }
}

fn by_pkg_config(root: &Path, installed: &Path, is_static: bool) {
    let found = ["lib", "lib64"].map(|lib| installed.join(lib).join("pkgconfig"));
    let mut command = Command::new("pkg-config");
    command.args(["--cflags", "--libs", "spring_chain"]);
    command.args(is_static.then_some("--static"));
    command.env("PKG_CONFIG_PATH", std::env::join_paths(found).unwrap());
    let flags = expect_success(&mut command);
    let mut command = Command::new("cc");
    let program = root.join(format!("by_flags_{is_static}"));
    command
        .arg(root.join("user/call.c"))
        .arg("-o")
        .arg(&program);
    command.args(flags.split_whitespace()).arg("-lm");
    expect_success(&mut command);
    let libraries = ["lib", "lib64"].map(|lib| installed.join(lib));
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", std::env::join_paths(libraries).unwrap());
    assert_eq!(expect_success(&mut command), "well\n");
}
