//! The command line with every kind of bad input: a clear message, the right exit code, nothing
//! half-written, never a panic.

mod answers;
mod bench;
mod bounds;
mod cases;
mod comparing;
mod ending;
mod equal;
mod explain;
mod explaining;
mod facts;
mod files;
mod formatting;
mod groups;
mod hostile;
mod idle;
mod inputs;
mod large;
mod launches;
mod new;
mod predicates;
mod programs;
mod replay;
#[path = "../reports/mod.rs"]
mod reports;
mod rewriting;
mod rules;
mod settings;
mod shell;
mod signals;
mod sources;
mod tested;
mod testing;
mod trust;
mod tune;
mod watching;
mod written;

use glushkov::toolchain::testing::building;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run of the tool gave.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
    took: Duration,
}

/// Runs the tool with a text as its standard input.
fn glushkov(arguments: &[&str], input: &str) -> Ran {
    ran(arguments, input, |_| {})
}

/// The same after a change of its surroundings.
fn ran(arguments: &[&str], input: &str, change: impl FnOnce(&mut Command)) -> Ran {
    let start = Instant::now();
    let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
    command.args(arguments).env_remove("RUST_BACKTRACE");
    change(&mut command);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // A tool that stops early leaves the rest unread, which is its right.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the tool ends");
    writer.join().expect("the writer ends");
    let ran = Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        took: start.elapsed(),
    };
    let what = arguments.join(" ");
    assert!(ran.code.is_some(), "{what}: ended by a signal\n{}", ran.err);
    assert!(
        !ran.err.contains("a bug of glushkov"),
        "{what}\n{}",
        ran.err
    );
    // The --json of bench names a file.
    let json = arguments.contains(&"--json") && arguments[0] != "bench";
    if json && !ran.out.is_empty() {
        let json: Result<serde_json::Value, _> = serde_json::from_str(&ran.out);
        assert!(json.is_ok(), "{what}: {json:?}\n{}", ran.out);
    }
    // What goes to a person is not measured in megabytes.
    assert!(ran.err.len() < 200_000, "{what}: {} bytes", ran.err.len());
    ran
}
