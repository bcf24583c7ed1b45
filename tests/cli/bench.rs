//! Measurements: table, JSON, picture, and variants that do not agree.

use super::glushkov;
use serde_json::Value;

const SCHEME: &str = "SCHEME \"halves\" ====\nDATA\n  N : INTEGER := 5\n  K : INTEGER := 2\n  \
                      x : REAL [N] OUTPUT\n  WORK \"cells\" := N * K\nEND OF DATA\n  \
                      FOR (k FROM 1 TO K) LOOP\n    FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.5 * i \
                      END OF LOOP\n  END OF LOOP\nEND OF SCHEME \"halves\"\n";

#[test]
fn sizes_and_variants_give_a_table_json_and_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (json, plot) = (path("b.json"), path("b.svg"));
    let arguments = [
        "bench",
        "-",
        "--set",
        "N=8,16,32",
        "--set",
        "K=1,2",
        "--target",
        "interpreter,rust",
        "--runs",
        "6",
        "--json",
        &json,
        "--plot",
        &plot,
    ];
    let ran = glushkov(&arguments, SCHEME);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows: Vec<&str> = ran.out.lines().filter(|l| l.starts_with('|')).collect();
    assert_eq!(rows.len(), 2 + 12, "{}", ran.out);
    for word in ["N ", "K ", "median s", "cells/s", "times as fast", "OUTPUT"] {
        assert!(rows[0].contains(word), "{}", rows[0]);
    }
    assert!(ran.out.contains("96.9 % interval") && ran.out.contains("same bits"));
    let list: Value =
        serde_json::from_str(&std::fs::read_to_string(json).expect("a file")).expect("JSON");
    let list = list.as_array().expect("a list");
    assert_eq!(list.len(), 12);
    for (i, row) in list.iter().enumerate() {
        for key in [
            "scheme",
            "target",
            "strategy",
            "parameters",
            "device",
            "seconds",
            "work",
            "reports",
            "outputs",
            "compare",
            "samples",
            "median",
            "low",
            "high",
        ] {
            assert!(row.get(key).is_some(), "{key}: {row}");
        }
        let samples = row["samples"].as_array().expect("samples");
        assert_eq!(samples.len(), 6);
        let number = |key: &str| row[key].as_f64().expect("a number");
        assert!(number("low") <= number("median") && number("median") <= number("high"));
        assert_eq!(row["seconds"]["body"], row["median"]);
        assert_eq!(row["target"], ["interpreter", "rust"][i % 2]);
        assert_eq!(row["compare"].is_null(), i % 2 == 0);
    }
    assert_eq!(list[0]["parameters"], serde_json::json!({"N": 8, "K": 1}));
    assert_eq!(list[11]["parameters"], serde_json::json!({"N": 32, "K": 2}));
    let picture = std::fs::read_to_string(plot).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("rust, cpu, K = 2"));
    let files = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(files, 2, "nothing else is left");
}

#[test]
fn json_can_go_to_standard_output() {
    let arguments = [
        "bench",
        "-",
        "--target",
        "interpreter",
        "--runs",
        "1",
        "--warmup",
        "0",
        "--json",
        "-",
    ];
    let ran = glushkov(&arguments, SCHEME);
    let list: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (ran.code, list.as_array().map(Vec::len)),
        (Some(0), Some(1))
    );
}

#[test]
fn variants_that_differ_are_told_with_exit_code_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("wrong.rules");
    let text = "# Not true.\n#@rule(quarter) #@float(approximate)\nAssign($x, Times(0.5, $e)) -> \
                Assign($x, Times(0.25, $e));\nstrategy wrong = once(quarter);\n";
    std::fs::write(&rules, text).expect("a file");
    let json = folder.path().join("b.json");
    let all = |more: &[&str]| {
        let mut arguments = vec![
            "bench",
            "-",
            "--target",
            "interpreter",
            "--strategy",
            "sequential,wrong",
            "--untested",
            "--runs",
            "2",
            "--rules",
            rules.to_str().expect("UTF-8"),
            "--json",
            json.to_str().expect("UTF-8"),
        ];
        arguments.extend(more);
        glushkov(&arguments, SCHEME)
    };
    let ran = all(&[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("E0335") && ran.err.contains("x: norm_relative 5.000e-1"));
    assert!(ran.out.contains("DIFFERS by 5e-1"), "{}", ran.out);
    assert!(json.exists(), "the measurements are kept");
    assert_eq!(all(&["--no-compare"]).code, Some(0));
    assert_eq!(all(&["--tolerance", "0.6"]).code, Some(0));
}

#[test]
fn wrong_use_is_refused_before_anything_is_measured() {
    let cases: [(&[&str], &str); 9] = [
        (&["--set", "N=8,,9"], "E0006"),
        (&["--set", "M=8,9"], "E0006"),
        (&["--set", "N=8,x"], "E0006"),
        (&["--set", "N=8,-9"], "E0411"),
        (&["--plot", "b.svg"], "several values"),
        (&["--plot", "b.svg", "--set", "K=0,1"], "logarithmic"),
        (&["--json", "no/such/folder/b.json"], "E0001"),
        (&["--runs", "0"], "--runs"),
        (&["--strategy", "paralel"], "E0314"),
    ];
    for (more, told) in cases {
        let mut arguments = vec!["bench", "-", "--target", "interpreter"];
        arguments.extend(more);
        let ran = glushkov(&arguments, SCHEME);
        assert_eq!(ran.code, Some(2), "{more:?}\n{}", ran.err);
        assert!(ran.err.contains(told), "{more:?}\n{}", ran.err);
        assert!(!std::path::Path::new("b.svg").exists());
    }
    if ::glushkov::toolchain::devices().is_err() {
        let ran = glushkov(&["bench", "-", "--target", "rust,cuda"], SCHEME);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("E1001") && ran.err.contains("device"));
    }
}

/// A strategy that goes there and back again: without its second rule results differ, without its
/// first it cannot be followed.
const RULES: &str = "# Not true.\n#@rule(thirds) #@float(approximate)\nAssign($x, Times(0.5, $e)) -> \
                     Assign($x, Times(0.75, $e));\n\
                     # Needs what the first made.\n#@rule(back) #@float(exact)\n\
                     Assign($x, Times(0.75, $e)) -> Assign($x, Times(0.5, $e));\n\
                     strategy around = once(thirds); try(once(back));\n";

#[test]
fn a_strategy_is_measured_without_each_of_its_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("r.rules"), RULES).expect("a file");
    let json = path("b.json");
    let mut arguments = vec![
        "bench",
        "-",
        "--target",
        "interpreter",
        "--strategy",
        "around",
    ];
    let rules = path("r.rules");
    arguments.extend([
        "--runs",
        "2",
        "--ablate",
        "--untested",
        "--rules",
        &rules,
        "--json",
        &json,
    ]);
    let ran = glushkov(&arguments, SCHEME);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let row = |rule: &str| {
        let wanted = format!("| {rule} ");
        let mut rows = ran.out.lines().filter(|l| l.contains(&wanted));
        rows.next()
            .unwrap_or_else(|| panic!("{rule}: {}", ran.out))
            .to_owned()
    };
    assert!(ran.out.contains("time / whole") && row("nothing").contains(" 1.000 "));
    assert!(row("back").contains("DIFFERS by 5e-1"), "{}", ran.out);
    assert!(row("thirds").contains("the step `once(thirds)` could not be taken"));
    let list: Value =
        serde_json::from_str(&std::fs::read_to_string(json).expect("a file")).expect("JSON");
    let without: Vec<&Value> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|r| &r["without"])
        .collect();
    assert_eq!(without, [&Value::Null, &"back".into(), &"thirds".into()]);
    assert!(list[2]["fails"].is_string() && list[1]["clock"] == "host");
    // Groups of rules, one of which the strategy does not use, and one that nobody knows.
    let groups = "--ablate=back+thirds,unroll,bcak";
    let csv = path("b.csv");
    let arguments = [
        &[
            "bench",
            "-",
            "--pair",
            "interpreter:around",
            "--csv",
            &csv,
            groups,
            "--runs",
            "2",
        ][..],
        &["--untested", "--rules", &rules],
    ];
    let ran = glushkov(&arguments.concat(), SCHEME);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let row = |rule: &str| {
        ran.out
            .lines()
            .find(|l| l.contains(rule))
            .map(str::to_owned)
    };
    assert!(
        row("| back+thirds ").is_some_and(|r| r.contains("thirds")),
        "{}",
        ran.out
    );
    assert!(
        row("| unroll ").is_some_and(|r| r.contains("no effect")),
        "{}",
        ran.out
    );
    assert!(
        row("| bcak ").is_some_and(|r| r.contains("there is no rule")),
        "{}",
        ran.out
    );
    let lines = std::fs::read_to_string(csv).expect("a file");
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines[0].ends_with("target,strategy,without,median_s,low_s,high_s,work,work_per_s"));
    assert!(lines[1].contains("interpreter,around,,"), "{lines:?}");
    let width = lines[0].split(',').count();
    assert!(
        lines.iter().all(|l| l.split(',').count() == width),
        "{lines:?}"
    );
    // Two strategies have no common whole.
    let ran = glushkov(
        &["bench", "-", "--strategy", "gpu,parallel", "--ablate"],
        SCHEME,
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn rules_are_left_out_where_that_is_asked_for() {
    let derives = |more: &[&str]| {
        let arguments = [&["derive", "-", "--strategy", "parallel"][..], more].concat();
        glushkov(&arguments, SCHEME)
    };
    assert!(derives(&[]).out.contains("PARALLEL (i FROM"));
    let ran = derives(&["--without", "count_steps,parallel_loop"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.out.contains("PARALLEL"), "{}", ran.out);
    let ran = derives(&["--without", "paralel_loop"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("E0314"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_not_counted_is_said() {
    let mut arguments = vec!["bench", "-", "--target", "interpreter", "--runs", "1"];
    arguments.extend(["--instructions", "--clock", "device"]);
    let ran = glushkov(&arguments, SCHEME);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("not counted: it runs on a processor"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("by the host's clock"),
        "a program without another has no other"
    );
}
