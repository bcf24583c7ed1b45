//! What the strategies make of each scheme of the library: launches, copies, loops at once; and that
//! no copy can be left out.

use super::{CASES, Case, Ran, identical_outputs, run};
use std::fmt::Write;
use std::process::Command;

/// The derived scheme as text.
pub fn derived(name: &str, strategy: &str) -> String {
    derived_with(name, strategy, &[])
}

/// The derived scheme as text, with settings of the strategy.
pub fn derived_with(name: &str, strategy: &str, with: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glushkov"));
    command.args(["derive", name, "--strategy", strategy]);
    command.args(with.iter().flat_map(|setting| ["--with", setting]));
    let output = command.output().expect("the tool runs");
    assert!(output.status.success(), "{name} {strategy}");
    String::from_utf8(output.stdout).expect("text")
}

fn count(text: &str, what: &str) -> usize {
    text.lines()
        .filter(|line| line.trim_start().starts_with(what))
        .count()
}

fn copies_in(text: &str) -> usize {
    let is_copy = |line: &&str| line.contains("\"Copy (") && line.contains("to the device");
    text.lines().filter(is_copy).count()
}

fn copies_out(text: &str) -> usize {
    let is_copy = |line: &&str| line.contains("\"Copy (") && line.contains("from the device");
    text.lines().filter(is_copy).count()
}

/// Parallel loops of one text; launches, copies in, copies out and allocations of another.
pub fn counts(parallel: &str, gpu: &str) -> [usize; 5] {
    [
        count(parallel, "PARALLEL ("),
        count(gpu, "RunKernel ("),
        copies_in(gpu),
        copies_out(gpu),
        count(gpu, "\"Allocate memory for ("),
    ]
}

#[test]
fn launches_and_copies_are_counted() {
    let mut table = String::new();
    let columns = [
        "parallel loops",
        "launches",
        "copies in",
        "copies out",
        "allocations",
    ];
    writeln!(
        table,
        "{:<20}{}",
        "",
        columns.map(|c| format!("{c:>16}")).concat()
    )
    .expect("text");
    for Case { name, .. } in CASES {
        let (parallel, gpu) = (derived(name, "parallel"), derived(name, "gpu"));
        let counts = counts(&parallel, &gpu);
        writeln!(
            table,
            "{name:<20}{}",
            counts.map(|c| format!("{c:>16}")).concat()
        )
        .expect("text");
    }
    insta::assert_snapshot!(table);
}

/// The result of a scheme given as text, or the error that the reference machine finds.
fn outcome(text: &str, settings: &[&str]) -> Option<Ran> {
    let file = tempfile::Builder::new()
        .suffix(".saa")
        .tempfile()
        .expect("a temporary file");
    std::fs::write(file.path(), text).expect("a writable file");
    let path = file.path().display().to_string();
    super::try_run(&path, "interpreter", "sequential", "f32", settings).ok()
}

/// Without any one of the copies, the reference machine finds an error or another result, for few iterations or
/// for many.
#[test]
fn no_copy_can_be_left_out() {
    let mut needless = Vec::new();
    for Case { name, settings } in CASES {
        let settings = [&["N=31"], *settings].concat();
        let texts = [derived(name, "gpu"), derived_with(name, "gpu", &["few=2"])];
        let reference = run(name, "interpreter", "sequential", "f32", &settings);
        let same_without = |text: &str, number: usize| {
            let mut rest: Vec<&str> = text.lines().collect();
            rest[number] = "EMPTY;";
            outcome(&rest.join("\n"), &settings).is_some_and(|ran| {
                identical_outputs(&ran, &reference)
                    && ran.json["reports"] == reference.json["reports"]
            })
        };
        for (number, line) in texts[0].lines().enumerate() {
            if !line.contains("\"Copy (") {
                continue;
            }
            assert_eq!(texts[1].lines().nth(number), Some(line), "{name}");
            if texts.iter().all(|text| same_without(text, number)) {
                needless.push(format!("{name}, line {}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(needless.is_empty(), "{}", needless.join("\n"));
}
