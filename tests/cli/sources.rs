//! Where schemes come from and what runs leave: standard input, names of the library, USE, several
//! schemes in a file, SAVE, CHECK.

use super::glushkov;
use super::reports::Reports;
use ::glushkov::data::{Array, read_npy};
use std::path::Path;

fn scheme(name: &str, data: &str, body: &str) -> String {
    format!("SCHEME \"{name}\" ====\nDATA\n{data}\nEND OF DATA\n{body}\nEND OF SCHEME \"{name}\"\n")
}

#[test]
fn a_scheme_is_read_from_a_file_standard_input_or_the_library() {
    let file = "schemes/nbody/leapfrog.saa";
    let text = std::fs::read_to_string(file).expect("a scheme of the library");
    let shown = glushkov(&["show", file, "--as", "term"], "").out;
    assert!(shown.contains("Scheme("));
    assert_eq!(glushkov(&["show", "-", "--as", "term"], &text).out, shown);
    // Away from the checkout, names find what is embedded.
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["leapfrog", "leapfrog.saa", "nbody/leapfrog", file] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_glushkov"))
            .args(["show", name, "--as", "term"])
            .current_dir(folder.path())
            .output()
            .expect("the tool starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout), shown, "{name}");
    }
    // A file goes before a name.
    let mine = scheme("mine", "  x : REAL OUTPUT", "  x := 1");
    std::fs::write(folder.path().join("leapfrog"), &mine).expect("a file");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .args(["show", "leapfrog", "--as", "term"])
        .current_dir(folder.path())
        .output()
        .expect("the tool starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Scheme(\"mine\""));
}

#[test]
fn definitions_and_data_of_other_files_are_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    std::fs::create_dir(path("parts")).expect("a folder");
    let parts = "SCHEME \"parts\" ====\nDATA\n  N : INTEGER := 4\n  x : REAL [N] OUTPUT\nEND OF DATA\n  \
                 EMPTY\nWHERE\n  \"Fill with (v)\" ====\n    FOR (i FROM 0 TO N - 1) LOOP x[i] := v \
                 END OF LOOP\nEND OF SCHEME \"parts\"\n";
    std::fs::write(path("parts/fill.saa"), parts).expect("a file");
    let using = scheme("using", "  USE \"parts/fill.saa\"", "  \"Fill with (2.5)\"");
    std::fs::write(path("using.saa"), &using).expect("a file");
    let (file, out) = (path("using.saa"), path("out"));
    let arguments = ["run", &file, "--target", "interpreter", "--out", &out];
    let ran = glushkov(&arguments, "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let x = read_npy(&folder.path().join("out/x.npy")).expect("an array");
    assert_eq!(x.to_f64s(), [2.5; 4]);
    // The derivation carries what it used.
    let saved = path("d.json");
    let ran = glushkov(&["derive", &file, "--save", &saved], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    std::fs::remove_file(path("parts/fill.saa")).expect("it was there");
    let ran = glushkov(&["replay", &saved], "");
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let ran = glushkov(&["check", &file], "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("E0005"), "{}", ran.err);
    // From standard input there is no folder: only the library is used.
    let ran = glushkov(&["check", "-"], &using);
    assert!(
        ran.code == Some(2) && ran.err.contains("E0005"),
        "{}",
        ran.err
    );
    let library = scheme(
        "more",
        "  USE \"nbody/leapfrog.saa\"\n  q : REAL OUTPUT",
        "  q := N",
    );
    let ran = glushkov(
        &["run", "-", "--target", "interpreter", "--set", "N=8"],
        &library,
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("inside")).expect("a folder");
    let secret = scheme("secret", "  s : REAL := 1", "  EMPTY");
    std::fs::write(path("secret.saa"), secret).expect("a file");
    std::os::unix::fs::symlink(path("secret.saa"), path("inside/link.saa")).expect("a link");
    let using = scheme("using", "  USE \"link.saa\"\n  x : REAL OUTPUT", "  x := s");
    std::fs::write(path("inside/using.saa"), using).expect("a file");
    let file = path("inside/using.saa");
    let ran = glushkov(&["check", file.to_str().expect("UTF-8")], "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("E0005"), "{}", ran.err);
}

#[test]
fn one_scheme_of_several_is_picked_by_its_name() {
    let both = scheme("one", "  x : REAL OUTPUT", "  x := 1")
        + &scheme("друга схема", "  y : REAL OUTPUT", "  y := 2");
    let shown = |more: &[&str]| {
        let mut arguments = vec!["show", "-"];
        arguments.extend(more);
        glushkov(&arguments, &both)
    };
    assert!(shown(&[]).out.contains("x := 1"));
    assert!(shown(&["--scheme", "one"]).out.contains("x := 1"));
    let second = shown(&["--scheme", "друга схема"]).out;
    assert!(second.contains("y := 2") && !second.contains("x := 1"));
    let ran = shown(&["--scheme", "two"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(
        ran.err.contains("E0004") && ran.err.contains("друга схема"),
        "{}",
        ran.err
    );
    for command in ["check", "derive", "run"] {
        let mut arguments = vec![command, "-", "--scheme", "друга схема"];
        if command == "run" {
            arguments.extend(["--target", "interpreter"]);
        }
        assert_eq!(glushkov(&arguments, &both).code, Some(0), "{command}");
    }
}

const SERIES: &str = "SCHEME \"series\" ====\nDATA\n  N : INTEGER := 3\n  T : INTEGER := 4\n  \
                      x : REAL [N] OUTPUT\n  p : VECTOR [N, 2]\n  k : INTEGER64 [1]\nEND OF DATA\n  \
                      FOR (t FROM 0 TO T - 1) LOOP\n    k[0] := t;\n    FOR (i FROM 0 TO N - 1) LOOP\n      \
                      x[i] := t + 0.25 * i; p[i, 0] := vector(t, i, 0); p[i, 1] := vector(t, i, 1)\n    \
                      END OF LOOP;\n    SAVE \"x over time\" (x); SAVE \"шлях: p/q\" (p); SAVE \"k\" (k);\n    \
                      REPORT \"time, \\\"t\\\"\" (t, 0.1 * t)\n  END OF LOOP;\n  \
                      IF T > 99 THEN SAVE \"never\" (x) END IF\nEND OF SCHEME \"series\"\n";

fn series(folder: &Path) -> Vec<(&'static str, Array)> {
    ["x", "x over time", "шлях_ p_q", "k", "never"]
        .map(|name| {
            let path = folder.join(format!("{name}.npy"));
            (name, read_npy(&path).expect("a series"))
        })
        .into()
}

#[test]
fn series_and_reports_are_the_same_from_every_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut targets = vec!["interpreter", "rust"];
    if ::glushkov::toolchain::devices().is_ok() && ::glushkov::toolchain::nvcc().is_ok() {
        targets.push("cuda");
    }
    let mut all = Vec::new();
    for target in targets {
        let out = folder.path().join(target);
        let arguments = [
            "run",
            "-",
            "--target",
            target,
            "--out",
            out.to_str().expect("UTF-8"),
        ];
        let ran = glushkov(&arguments, SERIES);
        assert_eq!(ran.code, Some(0), "{target}\n{}", ran.err);
        let reports = Reports::read(&out.join("reports.csv")).expect("reports");
        all.push((target, series(&out), reports));
    }
    let (_, arrays, reports) = &all[0];
    let shape = |i: usize| arrays[i].1.shape();
    assert_eq!((shape(1), shape(2)), (&[4, 3][..], &[4, 3, 2, 3][..]));
    assert_eq!((shape(3), shape(4)), (&[4, 1][..], &[0, 3][..]));
    assert_eq!(arrays[1].1.to_f64s()[3..6], [1.0, 1.25, 1.5]);
    assert_eq!(reports.rows.len(), 4);
    assert_eq!(reports.rows[3].label, "time, \"t\"");
    for (target, others, rows) in &all[1..] {
        assert_eq!(others, arrays, "{target}");
        assert_eq!(rows, reports, "{target}");
    }
    // What cannot be run here is at least named in the emitted program.
    let out = folder.path().join("project");
    let arguments = [
        "emit",
        "-",
        "--target",
        "cuda",
        "-o",
        out.to_str().expect("UTF-8"),
    ];
    assert_eq!(glushkov(&arguments, SERIES).code, Some(0));
    let texts: String = std::fs::read_dir(&out)
        .expect("a project")
        .flatten()
        .filter_map(|e| std::fs::read_to_string(e.path()).ok())
        .collect();
    assert!(texts.contains("x over time.npy") && texts.contains("p_q.npy"));
}

#[test]
fn check_takes_the_sizes_of_check_where_the_defaults_take_too_long() {
    let with = |check: &str| {
        scheme(
            "large",
            &format!("  N : INTEGER := 100000000\n  x : REAL [N] OUTPUT\n{check}"),
            "  FOR (i FROM 0 TO N - 1) LOOP x[i] := 1 END OF LOOP",
        )
    };
    let ran = glushkov(&["check", "-"], &with("  CHECK (N := 11)"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("with N = 11"), "{}", ran.err);
    let ran = glushkov(&["check", "-"], &with(""));
    assert!(
        ran.code == Some(0) && ran.err.contains("with N = 7"),
        "{}",
        ran.err
    );
    // What is set is what is checked.
    let ran = glushkov(&["check", "-", "--set", "N=5"], &with("  CHECK (N := 11)"));
    assert!(
        ran.code == Some(0) && !ran.err.contains("with N"),
        "{}",
        ran.err
    );
    // An error that shows at the small size is found there.
    let wrong = with("  CHECK (N := 11)").replace("TO N - 1)", "TO N)");
    let ran = glushkov(&["check", "-"], &wrong);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("E0403"), "{}", ran.err);
}
