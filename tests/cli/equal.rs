//! `equal`: answers, traces, notes and exit codes.

use super::{Ran, glushkov};
use serde_json::Value;
use std::time::Duration;

/// Compares two schemes of a text.
fn compared(first: &str, second: &str, more: &[&str]) -> Ran {
    let text = |name: &str, body: &str| {
        let body = match body.starts_with("DATA") {
            true => body.to_owned(),
            false => format!("{body} "),
        };
        format!("SCHEME \"{name}\" ==== {body} END OF SCHEME \"{name}\"\n")
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("second.saa");
    std::fs::write(&file, text("two", second)).expect("a file");
    let mut arguments = vec!["equal", "-", file.to_str().expect("UTF-8")];
    arguments.extend(more);
    glushkov(&arguments, &text("one", first))
}

#[test]
fn equal_schemes_are_equal() {
    for (first, second) in [
        (
            "WHILE 'u' LOOP \"A\" END OF LOOP",
            "IF 'u' THEN \"A\"; WHILE 'u' LOOP \"A\" END OF LOOP END IF",
        ),
        // Phrases are expanded; arguments may have other names.
        (
            "\"Both (3)\" WHERE \"Both (n)\" ==== \"A (n)\"; \"B (n)\"",
            "\"Two (3)\" WHERE \"Two (k)\" ==== \"A (k)\"; \"B (k)\"",
        ),
        // Loops over numbers and LOCALs may have other names, and bodies other forms.
        (
            "DATA N : INTEGER := 4 x : REAL [N] OUTPUT END OF DATA FOR (i FROM 0 TO N - 1) LOOP \
             LOCAL t : REAL := i; IF t < 2 THEN x[i] := t ELSE x[i] := 0 END IF END OF LOOP",
            "DATA N : INTEGER := 4 x : REAL [N] OUTPUT END OF DATA FOR (j FROM 0 TO N - 1) LOOP \
             LOCAL s : REAL := j; IF NOT 2 > s THEN x[j] := 0 ELSE x[j] := s END IF END OF LOOP",
        ),
        ("WHILE TRUE LOOP \"A\" END OF LOOP", "\"B\"; UNDEFINED"),
        ("TIMED ( \"A\" ); \"B\"", "\"A\"; TIMED ( \"B\" )"),
        ("ЯКЩО 'u' ТО \"A\" ІНАКШЕ \"A\" КІНЕЦЬ ЯКЩО", "\"A\""),
    ] {
        let ran = compared(first, second, &[]);
        assert_eq!(ran.code, Some(0), "{first}\n{}\n{}", ran.out, ran.err);
        assert!(
            ran.out.starts_with("\"one\" and \"two\" are equal"),
            "{}",
            ran.out
        );
        assert!(
            ran.out
                .contains("failure and endless repetition count as one")
        );
        assert_eq!(ran.err, "");
        let json = compared(first, second, &["--json"]);
        let json: Value = serde_json::from_str(&json.out).expect("JSON");
        assert_eq!(
            (&json["equal"], &json["trace"]),
            (&Value::Bool(true), &Value::Null)
        );
    }
}

#[test]
fn different_schemes_are_told_apart() {
    let first = "\"Prepare\"; WHILE 'more' LOOP \"Step (i)\" END OF LOOP";
    let second = "\"Prepare\"; IF 'more' AND NOT 'tired' THEN \"Step (i)\" END IF";
    let ran = compared(first, second, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let wanted = "both do \"Prepare\";\n  then, where 'more' holds and 'tired' holds, \"one\" goes \
                  on with \"Step (i)\", and \"two\" stops\n";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    // Phrases may mean anything, so this no is final.
    assert_eq!(ran.err, "");
    let ran = compared(first, second, &["--json"]);
    assert_eq!(ran.code, Some(1));
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["equal"], false);
    let trace = &json["trace"];
    assert_eq!(trace["steps"][0]["action"], "\"Prepare\"");
    assert_eq!(trace["where"][1]["predicate"], "'tired'");
    assert_eq!(trace["where"][1]["holds"], true);
    assert_eq!(trace["first"]["does"], "goes on");
    assert_eq!(trace["second"]["does"], "stops");
    let ran = compared("FILTER 'u'; \"A\"", "\"A\"", &[]);
    assert!(
        ran.out
            .contains("where 'u' does not hold, \"one\" has no result"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("fails or never ends"), "{}", ran.out);
}

#[test]
fn a_no_that_rests_on_what_was_not_looked_at_says_so() {
    let data = "DATA x : INTEGER OUTPUT END OF DATA";
    let ran = compared(
        &format!("{data} x := 1; x := 2"),
        &format!("{data} x := 2"),
        &[],
    );
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("N0342") && ran.err.contains("`x := 1`"),
        "{}",
        ran.err
    );
    let ran = compared(
        &format!("{data} x := 1 + 1"),
        &format!("{data} x := 2"),
        &["--json"],
    );
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["notes"][0]["code"], "N0342");
}

#[test]
fn schemes_over_different_data_are_not_equal() {
    let with = |data: &str| format!("DATA {data} END OF DATA x := x / 2");
    let base = "x : INTEGER OUTPUT n : INTEGER := 3 a : REAL [4] INPUT v : REAL [2] := [1, 2]";
    let default = "DEFAULT INPUT \"random\" (x := a, seed := 1)";
    let base = &format!("{base} {default}");
    let apart = |first: &str, second: &str, wanted: &str| {
        let ran = compared(&with(first), &with(second), &[]);
        assert_eq!(ran.code, Some(1), "{second}\n{}\n{}", ran.out, ran.err);
        assert!(ran.out.contains("not equal"), "{}", ran.out);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains(wanted), "{wanted}\n{told}");
        let json = compared(&with(first), &with(second), &["--json"]);
        assert_eq!(json.code, Some(1));
        let json: Value = serde_json::from_str(&json.out).expect("JSON");
        assert_eq!(json["equal"], false, "{second}");
    };
    for (was, now, wanted) in [
        (
            "n : INTEGER := 3",
            "n : INTEGER := 4",
            "the value of `n` is 3 in \"one\" and 4 in \"two\"",
        ),
        ("n : INTEGER := 3", "n : INTEGER64 := 3", "the type of `n`"),
        ("n : INTEGER := 3", "n : INTEGER", "`n` is a parameter"),
        ("n : INTEGER := 3", "", "only \"one\" has `n`"),
        (
            "x : INTEGER OUTPUT",
            "x : INTEGER OUTPUT w : REAL INPUT",
            "only \"two\" has `w`",
        ),
        (
            "x : INTEGER OUTPUT",
            "x : INTEGER OUTPUT k : INTEGER := 1",
            "only \"two\" has `k`",
        ),
        (
            "x : INTEGER OUTPUT",
            "x : INTEGER INPUT OUTPUT",
            "INPUT OUTPUT",
        ),
        ("x : INTEGER OUTPUT", "x : REAL OUTPUT", "the type of `x`"),
        (
            "a : REAL [4] INPUT",
            "a : REAL [5] INPUT",
            "the shape of `a` is [4]",
        ),
        (
            "a : REAL [4] INPUT",
            "a : REAL [2, 2] INPUT",
            "the shape of `a`",
        ),
        (
            "a : REAL [4] INPUT",
            "a : REAL32 [4] INPUT",
            "the type of `a` is REAL",
        ),
        ("a : REAL [4] INPUT", "a : REAL [4] OUTPUT", "`a` is INPUT"),
        (default, "", "DEFAULT INPUT"),
        (
            default,
            "DEFAULT INPUT \"random\" (x := a, seed := 2)",
            "DEFAULT INPUT",
        ),
        (
            default,
            "DEFAULT INPUT \"random\" (x := v, seed := 1)",
            "DEFAULT INPUT",
        ),
    ] {
        let other = base.replace(was, now);
        assert_ne!(&other, base);
        apart(base, &other, wanted);
    }
    // Values of an array that the actions name.
    let named = |data: &str| format!("DATA x : REAL OUTPUT {data} END OF DATA x := v[0]");
    for (first, second) in [
        ("v : REAL [2] := [1, 2]", "v : REAL [2] := [1, 3]"),
        ("v : REAL [2] := [1, 2]", "v : REAL [2] := [1]"),
        ("v : REAL [2] := [0, 2]", "v : REAL [2] := [-0.0, 2]"),
        ("v : REAL [2] := [1, 2]", "v : REAL [2]"),
    ] {
        let ran = compared(&named(first), &named(second), &[]);
        assert_eq!(ran.code, Some(1), "{second}\n{}\n{}", ran.out, ran.err);
    }
    // The same said in another way, and what no run shows.
    for (first, second) in [
        ("v : REAL [2] := [1, 2]", "v : REAL [1 + 1] := [2 - 1, 2.0]"),
        (
            "v : REAL [2] := [1, 2]",
            "v : REAL [2] := [1, 2] w : REAL [7]",
        ),
        (
            "v : REAL [2] := [1, 2]",
            "v : REAL [2] := [1, 2] WORK \"flops\" := 5",
        ),
    ] {
        let ran = compared(&named(first), &named(second), &[]);
        assert_eq!(ran.code, Some(0), "{second}\n{}\n{}", ran.out, ran.err);
    }
    let ran = compared(&named("v : REAL [2]"), &named("v : REAL [2] w : REAL"), &[]);
    assert!(
        ran.err.contains("N0341") && ran.err.contains("only \"two\" has `w`"),
        "{}",
        ran.err
    );
    // Half of an integer and half of a real are not the same.
    let ran = compared(&with("x : INTEGER OUTPUT"), &with("x : REAL OUTPUT"), &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.err.contains("the type of `x`"), "{}", ran.err);
}

#[test]
fn schemes_are_found_as_elsewhere() {
    assert_eq!(glushkov(&["equal", "hermite", "hermite"], "").code, Some(0));
    // The same algorithm with keywords of another language.
    let ran = glushkov(&["equal", "hermite", "hermite_uk"], "");
    assert!(ran.code == Some(0) || ran.code == Some(1), "{}", ran.err);
    let both =
        "SCHEME \"p\" ==== \"A\" END OF SCHEME \"p\" SCHEME \"q\" ==== \"B\" END OF SCHEME \"q\"";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("both.saa");
    std::fs::write(&file, both).expect("a file");
    let file = file.to_str().expect("UTF-8");
    assert_eq!(glushkov(&["equal", file, file], "").code, Some(0));
    assert_eq!(
        glushkov(&["equal", file, file, "--scheme-b", "q"], "").code,
        Some(1)
    );
    let ran = glushkov(
        &["equal", "-", file, "--scheme-a", "q", "--scheme-b", "q"],
        both,
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for (arguments, code) in [
        (&["equal", "-", "-"][..], "E0006"),
        (&["equal", file, "nowhere"], "E0002"),
        (&["equal", file, file, "--scheme-a", "r"], "E0004"),
        (&["equal", file], "required"),
    ] {
        let ran = glushkov(arguments, both);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains(code), "{}", ran.err);
    }
    let ran = compared("x := ", "\"A\"", &[]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn large_and_deep_schemes_are_compared() {
    let deep = |last: &str| {
        format!(
            "{}\"{last}\"{}",
            "IF 'u' THEN \"A\"; WHILE 'v' LOOP ".repeat(10_000),
            " END OF LOOP END IF".repeat(10_000)
        )
    };
    let chain: String = (0..3000)
        .map(|i| format!("IF 'p{}' THEN \"A{i}\" END IF; ", i * 7 % 32))
        .collect();
    // Two predicates at once and one after the other, without an order that all choices share.
    let pairs = |open: &dyn Fn(usize, usize) -> String, close: &str| -> String {
        let one = |i: usize| {
            format!(
                "IF {} THEN \"A{i}\" {close}; ",
                open(i * 7 % 32, i * i % 31)
            )
        };
        (0..3000).map(one).collect()
    };
    let both = pairs(&|a, b| format!("'p{a}' AND 'p{b}'"), "END IF");
    let nested = pairs(&|a, b| format!("'p{b}' THEN IF 'p{a}'"), "END IF END IF");
    for (first, second, code) in [
        (both, nested, 0),
        (deep("B"), deep("B"), 0),
        (deep("B"), deep("C"), 1),
        (chain.clone(), format!("{chain} \"more\""), 1),
    ] {
        let ran = compared(&first, &second, &[]);
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        assert!(ran.took < Duration::from_secs(60), "{:?}", ran.took);
        assert!(ran.out.len() < 3_000_000);
    }
}

#[test]
fn false_laws_of_the_user_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.rules");
    let path = path.to_str().expect("UTF-8");
    let with = |rule: &str| {
        std::fs::write(path, format!("# Mine.\n#@rule(mine) #@law\n{rule}\n")).expect("a file");
        glushkov(&["rules", "explain", "mine", "--rules", path], "")
    };
    let ran = with("Then($A, $B) -> Then($B, $A);");
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    for wanted in [
        "E0343",
        "mine.rules:3",
        "goes on with $A",
        "goes on with $B",
    ] {
        assert!(ran.err.contains(wanted), "{wanted}\n{}", ran.err);
    }
    let ran = with("While($u, $A) -> If($u, $A, Empty);");
    let wanted = "where $u holds, both do $A; then, where $u holds, the left side goes on with $A, \
                  and the right side stops";
    assert!(
        ran.code == Some(2) && ran.err.contains(wanted),
        "{}",
        ran.err
    );
    // Laws are asked for wherever rules are read.
    let ran = glushkov(&["derive", "hermite", "--rules", path], "");
    assert!(
        ran.code == Some(2) && ran.err.contains("E0343"),
        "{}",
        ran.err
    );
    let ran = with("If($u, $A, $A) -> $A;");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("a law of the algebra, decided"),
        "{}",
        ran.out
    );
    let ran = with("Async($A, $B) -> Async($B, $A);");
    assert!(
        ran.code == Some(2) && ran.err.contains("#@law(tested)"),
        "{}",
        ran.err
    );
}

#[test]
fn only_variables_that_nobody_sees_are_done_away_with() {
    let local = "LOCAL w : INTEGER := 0; ";
    let unknown = "LOCAL z : INTEGER := 0; IF z = 0 THEN \"A\" END IF";
    for (first, second, equal) in [
        (
            format!("{local} IF w = 0 THEN \"A\" ELSE \"B\" END IF"),
            "\"A\"".to_owned(),
            true,
        ),
        (
            format!("{local} WHILE w = 0 LOOP \"A\"; IF 'u' THEN w := 1 END IF END OF LOOP"),
            "\"A\"; WHILE NOT 'u' LOOP \"A\" END OF LOOP".to_owned(),
            true,
        ),
        // Somebody sees it.
        (
            format!("{local} REPORT \"w\" (w); {unknown}"),
            format!("LOCAL w : INTEGER := 1; REPORT \"w\" (w); {unknown}"),
            false,
        ),
        // Out of its scope the name means something else.
        (
            format!("IF 'u' THEN {local} \"A\" END IF; IF w = 0 THEN \"B\" END IF"),
            "IF 'u' THEN \"A\" END IF; \"B\"".to_owned(),
            false,
        ),
        // A loop over numbers may do nothing.
        (
            format!(
                "{local} FOR (i FROM 1 TO N) LOOP w := 1; \"A\" END OF LOOP; IF w = 1 THEN \"B\" END IF"
            ),
            "FOR (i FROM 1 TO N) LOOP \"A\" END OF LOOP; \"B\"".to_owned(),
            false,
        ),
    ] {
        let ran = compared(&first, &second, &[]);
        let code = if equal { 0 } else { 1 };
        assert_eq!(
            ran.code,
            Some(code),
            "{first}\n{second}\n{}{}",
            ran.out,
            ran.err
        );
    }
}
