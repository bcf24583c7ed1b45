//! `docs/library.md`: a page for each scheme, made from its opening comment and from what the
//! strategies make of it.

use super::{CASES, structure};
use glushkov::derive::library::SCHEMES;
use glushkov::toolchain::testing::building;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The comment that opens a scheme's file, as paragraphs.
fn comment(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with('#'));
    let lines: Vec<&str> = lines.map(|l| l.trim_start_matches('#').trim()).collect();
    lines.join("\n")
}

/// The lines of loops that a strategy leaves as they are, each with the rule's reason.
fn left(name: &str, text: &str, strategy: &str) -> Vec<String> {
    let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
    command.args(["derive", name, "--strategy", strategy, "--json"]);
    let output = command.output().expect("the tool runs");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    let mut seen = BTreeSet::new();
    let mut reasons = Vec::new();
    for note in json["notes"].as_array().expect("notes") {
        let message = note["message"].as_str().expect("a message");
        // What could be had on request is not left for a reason.
        if !note["hint"].is_null() {
            continue;
        }
        let from = note["span"][0].as_u64().expect("a place") as usize;
        let line = text[..from].matches('\n').count() + 1;
        let (_, reason) = message.split_once(": ").expect("a reason");
        if seen.insert((line, reason.to_owned())) {
            reasons.push((line, format!("line {line}: {reason}")));
        }
    }
    reasons.sort();
    reasons.into_iter().map(|(_, text)| text).collect()
}

fn page() -> String {
    let mut page = String::from(
        "# The library\n\n\
         `glushkov run NAME` runs a scheme, `glushkov show NAME` prints it. Each file is also an\n\
         example: how to write such an algorithm, with data, a default input and a check of the\n\
         result. What stays sequential is told with the two iterations that stand in its way.\n\n\
         This page is made from the schemes and their derivations;\n\
         `UPDATE=1 cargo test --test library page` writes it anew.\n",
    );
    for case in CASES {
        let (path, text) = SCHEMES
            .iter()
            .find(|(path, _)| path.ends_with(&format!("/{}.saa", case.name)))
            .expect("every case has a scheme");
        let (parallel, gpu) = (
            structure::derived(case.name, "parallel"),
            structure::derived(case.name, "gpu"),
        );
        let made = structure::counts(&parallel, &gpu);
        let _ = write!(page, "\n## `{}`\n\n[{path}](../{path})\n\n", case.name);
        let _ = writeln!(page, "{}\n", comment(text));
        let _ = writeln!(
            page,
            "Loops at once under `parallel`: {}. Launches in the text under `gpu`: {}; copies to the \
             device: {}, from it: {}.\n",
            made[0], made[1], made[2], made[3]
        );
        let reasons = left(case.name, text, "parallel");
        if !reasons.is_empty() {
            let _ = writeln!(page, "Left sequential by `parallel`:\n");
            for reason in reasons {
                let _ = writeln!(page, "- {reason}");
            }
        }
    }
    page
}

#[test]
fn the_page_is_fresh() {
    let (path, made) = ("docs/library.md", page());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &made).expect("the page is writable");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == made,
        "{path} is out of date: run UPDATE=1 cargo test --test library page"
    );
}
