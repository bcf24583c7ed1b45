//! Errors as JSON: on standard output, where the answer would have been.

use super::{Ran, glushkov, ran};
use serde_json::Value;

/// For each command that answers by JSON, arguments with which there is nothing to answer.
const WRONG: &[(&str, &str)] = &[
    ("check", "no-such.saa --json"),
    ("derive", "no-such.saa --json"),
    ("equal", "no-such.saa heat --json"),
    ("run", "no-such.saa --json"),
    ("test", "no-such.saa --json"),
    ("bench", "no-such.saa --json -"),
    ("replay", "no-such.json --json"),
    ("rewrite", "no-such.rules --term f --json"),
    ("rules list", "--rules no-such.rules --json"),
    ("rules explain", "no-such-rule --json"),
    ("rules test", "no-such.rules --json"),
    ("rules lint", "no-such.rules --json"),
    ("explain", "E9999 --json"),
    ("config", "no-such-command --json"),
];

/// What may stand at the end of a command line.
fn candidates(words: &str) -> Vec<String> {
    let arguments: Vec<&str> = ["--", "glushkov"]
        .into_iter()
        .chain(words.split(' '))
        .collect();
    let ran = ran(&arguments, "", |tool| {
        tool.env("GLUSHKOV_COMPLETE", "fish");
    });
    let lines = ran.out.lines();
    lines
        .map(|line| line.split('\t').next().unwrap_or_default().to_owned())
        .collect()
}

/// All commands that take `--json`.
fn commands() -> Vec<String> {
    let is_name = |name: &String| !name.starts_with('-') && name != "help";
    let mut all: Vec<String> = candidates("").into_iter().filter(is_name).collect();
    let rules = candidates("rules ").into_iter().filter(is_name);
    all.extend(rules.map(|name| format!("rules {name}")));
    all.retain(|name| {
        candidates(&format!("{name} --js"))
            .iter()
            .any(|c| c == "--json")
    });
    all
}

/// That an answer is an object with a code, a message, a place and a hint.
fn expect_error(ran: &Ran, what: &str) -> Value {
    assert_eq!(ran.code, Some(2), "{what}: {}{}", ran.out, ran.err);
    assert_eq!(ran.err, "", "{what}");
    let answer: Value = serde_json::from_str(&ran.out).expect("one object");
    let error = answer["diagnostics"][0].clone();
    for key in [
        "code", "severity", "message", "file", "span", "line", "column", "hint",
    ] {
        assert!(error.get(key).is_some(), "{what}: no {key} in {answer}");
    }
    assert_eq!(error["severity"], "error", "{what}");
    error
}

#[test]
fn every_command_with_json_gives_its_errors_so() {
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    for command in &commands {
        let known = WRONG.iter().find(|(name, _)| name == command);
        let arguments = match known {
            Some((_, arguments)) => *arguments,
            // It has an answer for everything.
            None if command == "doctor" => continue,
            None => panic!("`{command}` takes --json, and no case has it fail"),
        };
        let words: Vec<&str> = command.split(' ').chain(arguments.split(' ')).collect();
        let error = expect_error(&glushkov(&words, ""), command);
        assert!(
            error["message"].as_str().is_some_and(|m| m.len() > 8),
            "{error}"
        );
    }
}

#[test]
fn a_wrong_command_line_is_told_by_json() {
    for command in commands() {
        // That of bench names a file.
        let json: &[&str] = match command.as_str() {
            "bench" => &["--json", "-"],
            _ => &["--json"],
        };
        let words = command.split(' ').chain(json.iter().copied());
        let words: Vec<&str> = words.chain(["--no-such-option"]).collect();
        let error = expect_error(&glushkov(&words, ""), &command);
        assert_eq!(error["code"], "E0006");
        let message = error["message"].as_str().expect("a text");
        assert!(message.contains("--no-such-option"), "{message}");
    }
}

#[test]
fn places_are_told_by_line_and_column() {
    let scheme = "SCHEME \"s\" ====\nDATA\n  k : INTEGER OUTPUT\nEND OF DATA\n  k := é\nEND OF SCHEME \"s\"\n";
    for arguments in [&["check", "-", "--json"][..], &["derive", "-", "--json"]] {
        let error = expect_error(&glushkov(arguments, scheme), "a name that is not declared");
        assert_eq!(
            (&error["line"], &error["column"]),
            (&5.into(), &8.into()),
            "{error}"
        );
        assert_eq!(error["file"], "<stdin>");
    }
}
