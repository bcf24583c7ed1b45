//! The schemes of the table are refused: with the kind, the accesses and the synchronizer that it
//! names, at the sizes that it names, and at no other.

use crate::table::{BUGS, SMALL};
use serde_json::Value as Json;
use std::process::Command;

fn tool(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn every_scheme_with_a_bug_is_refused_for_the_right_reason() {
    for bug in BUGS {
        for case in bug.refused {
            let mut last = Json::Null;
            for (n, kind) in SMALL.into_iter().zip(case.kinds) {
                let place = format!("{} at N = {n}", case.file);
                let done = tool(&["check", case.file, "--json", "--set", &format!("N={n}")]);
                let said: Json = serde_json::from_slice(&done.stdout).unwrap();
                let error = &said["machine"]["error"];
                match kind {
                    "ok" => assert_eq!(said["machine"]["ok"], true, "{place}: {said}"),
                    kind => assert_eq!(error["kind"], kind, "{place}: {said}"),
                }
                let code = if kind == "ok" { 0 } else { 1 };
                assert_eq!(done.status.code(), Some(code), "{place}");
                last = error.clone();
            }
            let text = |value: &Json, key: &str| value[key].as_str().unwrap_or("").to_owned();
            let found: Vec<(String, String)> = last["accesses"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|a| (text(a, "cell"), text(a, "thread")))
                .collect();
            let wanted = case
                .accesses
                .iter()
                .map(|(c, t)| (c.to_string(), t.to_string()));
            assert_eq!(found, wanted.collect::<Vec<_>>(), "{}", case.file);
            let missing = text(&last, "missing");
            match case.missing {
                Some(words) => assert!(missing.contains(words), "{}: {missing}", case.file),
                None => assert_eq!(missing, "", "{}", case.file),
            }
        }
    }
}

/// What is read while it is written is not a launch either: the rule says which iterations meet.
#[test]
fn no_rule_makes_a_launch_of_an_update_in_place() {
    for strategy in ["gpu", "paper"] {
        let file = "tests/derivation/refused/in_place.saa";
        let done = tool(&["derive", file, "--strategy", strategy]);
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(
            told.contains("iteration i = 2 reads and iteration i = 1 writes x[1]"),
            "{strategy}: {told}"
        );
        let derived = String::from_utf8_lossy(&done.stdout);
        let kernels = derived.matches("RunKernel").count();
        assert!(kernels <= 1, "{strategy}: {derived}");
    }
}

#[test]
fn every_bug_has_a_case_or_cannot_be_written() {
    for bug in BUGS {
        assert!(
            !bug.refused.is_empty() || bug.excluded.is_some(),
            "{}",
            bug.name
        );
        // A case that is never refused needs the reason why.
        let never = |kinds: &[&str; 6]| kinds.iter().all(|k| *k == "ok");
        let harmless = bug.refused.iter().all(|case| never(&case.kinds));
        assert!(!harmless || bug.excluded.is_some(), "{}", bug.name);
        for plant in bug.planted {
            assert!(plant.caught.contains(&true), "{}", plant.name);
        }
    }
}
