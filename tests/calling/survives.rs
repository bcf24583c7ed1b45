//! Calls that meet errors, callers who end them and too little memory: what leaks, what is read outside,
//! and what other calls get.

use crate::building::{built, compiled_with, emitted, expect_success, place};
use glushkov::pipeline::Target;
use glushkov::toolchain::cargo;
use std::process::Command;

const ROOM: &str = include_str!("room.saa");

/// Flags for finding leaks, accesses outside and undefined behaviour, where the compiler has what they need.
const SANITIZED: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-g",
];

fn sanitizers_or_skip() -> bool {
    let (source, program) = (place("nothing.c"), place("nothing"));
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let mut command = Command::new("cc");
    command.args(SANITIZED).arg(&source).arg("-o").arg(&program);
    let found = command.output().is_ok_and(|done| done.status.success())
        && Command::new(&program)
            .status()
            .is_ok_and(|status| status.success());
    if !found {
        println!("skipped: the C compiler has no sanitizers");
    }
    found
}

#[test]
fn a_library_survives_what_calls_meet() {
    let library = built(ROOM, Target::Rust);
    let program = compiled_with("survive.c", "c", &library, &[]);
    let mut command = Command::new(program);
    command.arg("limited").env("GLUSHKOV_THREADS", "4");
    assert_eq!(expect_success(&mut command), "well\n");
}

#[test]
fn nothing_leaks_and_nothing_outside_is_read() {
    if !sanitizers_or_skip() {
        return;
    }
    let library = built(ROOM, Target::Rust);
    let program = compiled_with("survive.c", "c", &library, SANITIZED);
    let mut command = Command::new(program);
    command.arg("sanitized").env("GLUSHKOV_THREADS", "4").env(
        "ASAN_OPTIONS",
        "detect_leaks=1:allocator_may_return_null=1:max_allocation_size_mb=1024",
    );
    // What it says of memory that was refused comes after that.
    let said = expect_success(&mut command);
    assert!(said.starts_with("well\n"), "{said}");
}

const BRANCHES: &str = "SCHEME \"Two branches\" ====
DATA
  a : INTEGER OUTPUT
  b : INTEGER OUTPUT
END OF DATA
  PARALLEL (
    a := 1; CONTROL POINT 'a is there'
  //
    WAIT 'a is there'; b := 2
  )
END OF SCHEME \"Two branches\"
";

/// Threads whose stacks are larger than memory are not started.
#[test]
fn a_branch_that_gets_no_thread_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    emitted(BRANCHES, &folder.path().join("two"));
    let mut command = Command::new(cargo().unwrap().path);
    command.args(["build", "--offline", "--quiet"]);
    command.env("CARGO_TARGET_DIR", folder.path().join("target"));
    expect_success(command.current_dir(folder.path().join("two")));
    let program = folder.path().join("target/debug/two_branches");
    expect_success(&mut Command::new(&program));
    let stack = (1u64 << 46).to_string();
    let done = Command::new(&program)
        .env("RUST_MIN_STACK", stack)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(
        said.contains("a thread for a branch cannot be started"),
        "{said}"
    );
    assert_eq!(done.status.code(), Some(2));
}
