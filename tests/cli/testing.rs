//! `glushkov test`: what comments expect, and what is seen; notes that no scheme of ours deserves.

use glushkov::analysis::doubts;
use glushkov::pipeline::{Options, Session, Source, load};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs `test` in a folder with one scheme.
fn tested(text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("s.saa"), text).expect("a file");
    let ran = Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .arg("test")
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the tool starts");
    let told = [ran.stdout, ran.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    (ran.status.code(), told.concat())
}

/// A scheme with comments before it.
fn scheme(comments: &str) -> String {
    format!(
        "{comments}\nSCHEME \"s\" ====\nDATA\n  N : INTEGER := 1000000\n  x : REAL [N] OUTPUT\n  k : INTEGER OUTPUT\n  \
         CHECK (N := 3)\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.1 * i END OF LOOP;\n  k := N;\n  \
         REPORT \"sum\" (x[0] + x[2], 7); REPORT \"sum\" (x[1] + x[2], 8)\nEND OF SCHEME \"s\"\n"
    )
}

#[test]
fn what_is_as_expected_passes() {
    let text = scheme(
        "# EXPECT x = [0, 0.1, 0.2]\n#   EXPECT k = 3\n# EXPECT REPORT \"sum\" (0.3, 8) WITHIN 1e-6\n# What is expected: nothing else.",
    );
    let (code, told) = tested(&text, &[]);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("s.saa") && told.contains("1 test passed"),
        "{told}"
    );
}

#[test]
fn what_is_not_as_expected_is_shown() {
    let text = scheme(
        "# EXPECT x = [0, 0.1, 0.25] WITHIN 1e-3\n# EXPECT x = [1]\n# EXPECT REPORT \"sum\" (0.3, 7)\n# EXPECT y = 1\n# EXPECT REPORT \"all\" (1)\n# EXPECT k = 3\n# EXPECT REFUSED E0203",
    );
    let (code, told) = tested(&text, &[]);
    assert_eq!(code, Some(1), "{told}");
    for said in [
        "FAILED",
        "line 1: EXPECT x = [0, 0.1, 0.25] WITHIN 1e-3",
        "x[2]: expected 0.25, seen 0.2",
        "expected 1 value, seen 3",
        "\"sum\", value 2: expected 7, seen 8",
        "`y` is no OUTPUT; these are x, k",
        "there is no report \"all\"; reports are \"sum\"",
        "expected E0203, and nothing is told of it",
        "1 of 1 test failed",
    ] {
        assert!(told.contains(said), "{said}\n{told}");
    }
    assert!(!told.contains("line 6"), "{told}");
    let (code, json) = tested(&text, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("an object");
    assert_eq!(code, Some(1));
    let expectations = json["tests"][0]["expectations"].as_array().expect("a list");
    let passed: Vec<bool> = expectations.iter().map(|e| e["passed"] == true).collect();
    assert_eq!(passed, [false, false, false, false, false, true, false]);
}

#[test]
fn refusals_are_expected_by_their_code() {
    let broken = "# EXPECT REFUSED E0104\nSCHEME \"s\" ==== x := ( END OF SCHEME \"s\"\n";
    assert_eq!(tested(broken, &[]).0, Some(0));
    let racy = "# EXPECT REFUSED E0403\nSCHEME \"s\" ====\nDATA\n  x : REAL [2] OUTPUT\nEND OF DATA\n  x[0] := 1; x[2] := 1\nEND OF SCHEME \"s\"\n";
    assert_eq!(tested(racy, &[]).0, Some(0));
    let (code, told) = tested(&racy.replace("E0403", "E0104"), &[]);
    assert_eq!(code, Some(1));
    assert!(told.contains("expected E0104, seen E0403"), "{told}");
}

#[test]
fn slips_in_expectations_are_not_passed_over() {
    for slip in [
        "# EXPET k = 3",
        "# EXPECTS k = 3",
        "# EXPECT k == 3",
        "# EXPECT k",
    ] {
        let (code, told) = tested(&scheme(slip), &[]);
        assert_eq!(code, Some(2), "{slip}: {told}");
        assert!(told.contains("error[E0416]"), "{told}");
    }
    let (code, told) = tested(&scheme("# Except for this, nothing."), &[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("no scheme says"), "{told}");
}

#[test]
fn built_programs_are_tested_too() {
    let (code, told) = tested(&scheme("# EXPECT x = [0, 0.1, 0.2]"), &["--target", "rust"]);
    assert_eq!(code, Some(0), "{told}");
}

fn schemes(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => schemes(&path, into),
            false if path.extension().is_some_and(|e| e == "saa") => into.push(path),
            false => {}
        }
    }
}

#[test]
fn no_scheme_of_ours_is_doubtful() {
    let mut paths = Vec::new();
    for folder in ["schemes", "tests/unseen"] {
        schemes(folder.as_ref(), &mut paths);
    }
    assert!(paths.len() > 40);
    for path in paths {
        let mut session = Session::new();
        let name = path.to_str().expect("UTF-8");
        let scheme = load(Source::Path(name), &Options::default(), &mut session)
            .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let told: Vec<String> = doubts(&scheme).into_iter().map(|d| d.message).collect();
        assert!(told.is_empty(), "{name}: {told:?}");
    }
}

#[test]
fn a_mark_of_the_encoding_hides_no_expectation() {
    let (code, told) = tested(&format!("\u{feff}{}", scheme("# EXPECT k = 4")), &[]);
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("line 1: EXPECT k = 4") && told.contains("expected 4, seen 3"),
        "{told}"
    );
}

#[test]
fn schemes_of_one_name_are_not_taken_for_each_other() {
    let twice = format!("{}{}", scheme("# EXPECT k = 3"), scheme("# EXPECT k = 4"));
    let (code, told) = tested(&twice, &[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("error[E0004]"), "{told}");
    let (code, json) = tested(&twice, &["--json"]);
    assert_eq!(code, Some(2));
    // One object and nothing else: what is told stands in it.
    let json: serde_json::Value = serde_json::from_str(&json).expect("an object");
    assert_eq!(json["diagnostics"][0]["code"], "E0004");
}
