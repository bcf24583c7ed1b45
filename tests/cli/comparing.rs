//! The comparison of a run: its bound, the smaller sizes beyond it, what is told of it and how quietly.

use super::glushkov;
use serde_json::Value as Json;

/// A scheme whose work grows with the square of N: a processor needs minutes for the largest N below. Its
/// iterations depend on each other, so that nothing makes it faster.
const LONG: &str = "SCHEME \"long\" ====\nDATA\n  N : INTEGER := 64\n  x : REAL [N] INPUT OUTPUT\n  \
    DEFAULT INPUT \"random\" (x := x)\n  CHECK (N := 8)\nEND OF DATA\n  TIMED (\n  \
    FOR (i FROM 1 TO N - 1) LOOP\n    FOR (j FROM 1 TO N - 1) LOOP\n      \
    x[j] := 0.5 * x[j] + 0.25 * x[j - 1] + 0.25\n    END OF LOOP\n  END OF LOOP )\n\
    END OF SCHEME \"long\"\n";

/// The same with an array that DATA holds, and a size that it decides.
fn decided() -> String {
    LONG.replace(
        "N : INTEGER := 64",
        "N : INTEGER := 4\n  R : INTEGER64 := 3000000000",
    )
    .replace("  CHECK (N := 8)\n", "  CHECK (R := 3000000000)\n")
    .replace(
        "x : REAL [N] INPUT OUTPUT\n  DEFAULT INPUT \"random\" (x := x)",
        "x : REAL [N] INPUT OUTPUT := [1, 2, 3, 4]",
    )
    .replace("i FROM 1 TO N - 1", "i FROM int64(1) TO R")
}

/// A scheme whose loop runs at once.
const DOUBLED: &str = "SCHEME \"doubled\" ====\nDATA\n  N : INTEGER := 64\n  x : REAL [N] INPUT\n  \
    y : REAL [N] OUTPUT\n  sum : REAL OUTPUT\n  DEFAULT INPUT \"random\"\nEND OF DATA\n  TIMED (\n  \
    FOR (i FROM 0 TO N - 1) LOOP y[i] := x[i] + x[i] END OF LOOP;\n  sum := 0;\n  \
    FOR (i FROM 0 TO N - 1) LOOP sum := sum + x[i] END OF LOOP )\nEND OF SCHEME \"doubled\"\n";

fn run(more: &[&str], text: &str) -> super::Ran {
    let base = ["run", "-", "--target", "rust", "--no-tuned"];
    glushkov(&[&base[..], more].concat(), text)
}

#[test]
fn beyond_the_bound_smaller_sizes_are_compared() {
    let ran = run(
        &["--set", "N=65536", "--compare-within", "0.4s", "--json"],
        LONG,
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Json = serde_json::from_str(&ran.out).expect("an object");
    let at = &json["compared_at"];
    let size = at["parameters"]["N"].as_i64().expect("a size");
    assert!((8..65536).contains(&size), "{json}");
    assert_eq!(json["compare"]["x"]["identical"], true);
    // The times of other sizes are not taken for those of this run.
    assert!(json["sequential_seconds"].is_null() && at["sequential_seconds"].is_f64());
    assert_eq!(
        at["why"],
        "at N = 65536 the sequential program takes over 0.4 s"
    );
    assert!(json["not_compared"].is_null());
}

#[test]
fn sizes_do_not_shrink_below_zero() {
    let text = LONG.replace(
        "N : INTEGER := 64",
        "N : INTEGER := 64\n  LOW : INTEGER := -8",
    );
    let settings = [
        "--set",
        "N=65536",
        "--set",
        "LOW=0",
        "--compare-within",
        "0.4s",
    ];
    let ran = run(&[&settings[..], &["--json"]].concat(), &text);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Json = serde_json::from_str(&ran.out).expect("an object");
    assert_eq!(json["compared_at"]["parameters"]["LOW"], 0, "{json}");
}

#[test]
fn a_comparison_that_was_asked_for_has_no_bound() {
    let asked = [
        &["--compare"][..],
        &["--compare-within", "none"],
        &["--compare-within", "500"],
    ];
    for more in asked {
        let ran = run(&[&["--set", "N=2048", "--json"], more].concat(), LONG);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let json: Json = serde_json::from_str(&ran.out).expect("an object");
        assert!(json["compared_at"].is_null() && json["sequential_seconds"].is_f64());
    }
    let ran = run(
        &["--set", "N=8192", "--compare", "--compare-within", "0.001"],
        LONG,
    );
    assert!(
        ran.out.contains("takes over 0.001 s") || ran.out.contains("not compared"),
        "{}",
        ran.out
    );
}

#[test]
fn sizes_that_arrays_decide_stay() {
    let more = ["--compare-within", "0.3", "--set", "R=300000000"];
    let ran = run(&more, &decided());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains(
            "  not compared: the sequential program takes over 0.3 s, and the INPUT arrays decide N"
        ),
        "{}",
        ran.out
    );
}

#[test]
fn bounds_are_times() {
    for value in ["0", "-1", "x", "", "inf", "NaN", "1e30", "10m"] {
        let bound = format!("--compare-within={value}");
        let ran = run(&[&bound], DOUBLED);
        assert_eq!(ran.code, Some(2), "{value}: {}", ran.err);
        assert!(ran.err.contains("seconds above 0"), "{value}: {}", ran.err);
    }
    let ran = run(&["--compare-within", "1", "--no-compare"], DOUBLED);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn the_report_begins_with_what_ran() {
    let ran = run(&["--precision", "f64"], DOUBLED);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let first = ran.out.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("doubled: f64, target rust") && first.ends_with(", strategy cpu"),
        "{first}"
    );
    // So short a run gives no advice.
    assert!(!ran.out.contains("--strategy sequential"), "{}", ran.out);
    assert!(ran.out.contains("  speed       "), "{}", ran.out);
    assert!(ran.out.contains("`--strategy cpu-fast`"), "{}", ran.out);
    let fast = run(&["--strategy", "cpu-fast"], DOUBLED);
    assert!(!fast.out.contains("usually faster"), "{}", fast.out);
}

#[test]
fn how_much_is_told_can_be_chosen() {
    let usual = run(&[], DOUBLED);
    let told: Vec<&str> = usual.err.lines().collect();
    assert_eq!(
        told[0],
        "note[N0331]: the loop over i at <stdin>:12 stays sequential: its sums are kept in order, since \
         another order rounds otherwise; --with split_reductions=1 allows another order"
    );
    assert!(told[1].ends_with(": --verbose"), "{}", usual.err);
    assert_eq!(told.len(), 2, "{}", usual.err);
    let quiet = run(&["-q"], DOUBLED);
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(0), ""));
    assert!(quiet.out.contains("  compared    "));
    let verbose = run(&["--verbose"], DOUBLED);
    assert!(verbose.err.contains("note[N0330]: `gathered_apart` wants"));
    assert!(!verbose.err.contains("--verbose") && !verbose.err.contains("N0331"));
    // Errors are told all the same.
    let wrong = run(&["-q", "--set", "M=1"], DOUBLED);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("E0006"), "{}", wrong.err);
    let both = run(&["-q", "-v"], DOUBLED);
    assert_eq!(both.code, Some(2));
}

/// Claims are kept, and what a loop needs to run at once is said in the words of its author.
#[test]
fn a_loop_that_stays_sequential_is_told_with_what_would_change_it() {
    for (place, strategy, said) in [
        (
            "places.saa:34",
            "cpu",
            "stays sequential: iterations over i may share a cell",
        ),
        ("places.saa:34", "gpu", "ASSUME independent (i)"),
        (
            "tables.saa:16",
            "cpu",
            "stays sequential: its sums are kept in order",
        ),
        ("tables.saa:16", "gpu", "--with split_reductions=1"),
    ] {
        let (file, _) = place.split_once(':').expect("a line");
        let path = format!("tests/unseen/{file}");
        let ran = glushkov(&["derive", &path, "--strategy", strategy], "");
        let about = format!("the loop over i at tests/unseen/{place}");
        let line = ran.err.lines().find(|line| line.contains(&about));
        let line = line.unwrap_or_else(|| panic!("{}", ran.err));
        assert!(line.contains(said), "{line}");
    }
    // A loop around loops that run at once is no news.
    let ran = glushkov(&["derive", "heat", "--strategy", "cpu"], "");
    assert!(!ran.err.contains("N0331"), "{}", ran.err);
}
