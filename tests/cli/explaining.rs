//! Why the loops around a line of a scheme are as they are.

use super::glushkov;
use serde_json::Value;

const SCATTER: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 64\n  at : INTEGER [N]\n\
    \x20 y : REAL [N] OUTPUT\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP at[i] := N - 1 - i END OF LOOP;\n\
    \x20 FOR (j FROM 0 TO N - 1) LOOP\n    y[at[j]] := 2.0 * j\n  END OF LOOP\nEND OF SCHEME \"s\"\n";

fn explained(what: &str, more: &[&str]) -> String {
    let ran = glushkov(&[&["explain", what][..], more].concat(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

#[test]
fn a_sum_names_the_setting_that_would_change_it() {
    insta::assert_snapshot!(explained("hermite:67", &["--strategy", "parallel"]));
}

#[test]
fn a_line_of_a_phrase_has_the_loops_around_each_of_its_uses() {
    let told = explained("hermite:45", &["--strategy", "gpu"]);
    for line in [43, 25, 24, 31] {
        assert!(told.contains(&format!("hermite.saa:{line}\n")), "{told}");
    }
    assert!(
        told.contains("its iterations are threads of a launch"),
        "{told}"
    );
}

#[test]
fn a_claim_that_would_help_is_named_and_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.saa");
    std::fs::write(&path, SCATTER).expect("a file");
    let line = format!("{}:9", path.display());
    let told = explained(&line, &["--strategy", "parallel"]);
    assert!(told.contains("ASSUME independent (j)"), "{told}");
    let measured = [
        "--measure",
        "--target",
        "interpreter",
        "--runs",
        "1",
        "--json",
    ];
    let told = explained(
        &line,
        &[&["--strategy", "parallel"][..], &measured].concat(),
    );
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let gain = &told["gains"][0];
    assert_eq!(gain["flags"], "--assume \"independent (j)\"", "{told}");
    assert!(
        gain["ratio"].as_f64().is_some_and(|ratio| ratio > 0.0),
        "{told}"
    );
    assert_eq!(gain["results_differ"], false, "{told}");
}

#[test]
fn lines_without_loops_say_where_loops_begin() {
    let text = include_str!("../../schemes/nbody/hermite.saa");
    let lines = text.lines().count();
    let many = format!("has {lines} lines");
    for (line, said) in [
        ("3".to_owned(), "is in no loop"),
        ("0".to_owned(), &many),
        ((lines + 1).to_string(), &many),
    ] {
        let ran = glushkov(&["explain", &format!("hermite:{line}")], "");
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn a_line_is_sought_in_the_scheme_that_it_stands_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.saa");
    let second = SCATTER
        .replace("\"s\"", "\"t\"")
        .replace("(j FROM", "(k FROM")
        .replace("[j]", "[k]")
        .replace("* j", "* k");
    std::fs::write(&path, format!("{SCATTER}{second}")).expect("a file");
    let lines = SCATTER.lines().count();
    let told = explained(
        &format!("{}:{}", path.display(), lines + 9),
        &["--strategy", "cpu,cpu"],
    );
    assert!(told.contains("the loop over k"), "{told}");
    assert_eq!(told.matches("strategy cpu").count(), 1, "{told}");
}
