//! Files of all three forms on the command line.

use std::path::Path;
use std::process::{Command, Output};

fn glushkov(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the tool runs")
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    let done = glushkov(folder, arguments);
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {told}");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn every_form_is_a_scheme() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let derived = said(folder, &["derive", "leapfrog", "--strategy", "gpu"]);
    for (form, file) in [
        ("formula", "l.saaf"),
        ("graph", "l.saag"),
        ("text", "l.saa"),
    ] {
        let text = said(folder, &["show", "leapfrog", "--as", form]);
        std::fs::write(folder.join(file), text).expect("a file");
        let again = said(folder, &["derive", file, "--strategy", "gpu"]);
        assert_eq!(again, derived, "{form}");
        said(folder, &["equal", file, "leapfrog"]);
        said(folder, &["check", file]);
    }
    let typed = said(folder, &["show", "leapfrog", "--as", "formula", "--ascii"]);
    std::fs::write(folder.join("t.saaf"), typed).expect("a file");
    assert_eq!(
        said(folder, &["derive", "t.saaf", "--strategy", "gpu"]),
        derived
    );
    // A saved derivation of a formula is taken again.
    said(
        folder,
        &["derive", "l.saaf", "--strategy", "gpu", "--save", "d.json"],
    );
    said(folder, &["replay", "d.json"]);
}

#[test]
fn a_graph_is_equal_to_what_it_is_regularized_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let graph = "GRAPH \"g\" ====\nDATA\n  N : INTEGER := 4\n  x : INTEGER [N] OUTPUT\n  k : INTEGER\nEND OF DATA\n  \
                 1: k := 0 NEXT 2\n  2: IF k < N THEN 3 ELSE STOP\n  3: \"Set (k)\" NEXT 4\n  \
                 4: IF x[k] > 5 THEN STOP ELSE 5\n  5: k := k + 1 NEXT 6\n  6: IF k = 3 THEN 3 ELSE 2\n\
                 WHERE\n  \"Set (i)\" ====\n  1: x[i] := i NEXT STOP\nEND OF GRAPH \"g\"\n";
    std::fs::write(folder.join("g.saag"), graph).expect("a file");
    let scheme = said(folder, &["show", "g.saag"]);
    assert!(scheme.contains("way"), "{scheme}");
    std::fs::write(folder.join("s.saa"), &scheme).expect("a file");
    said(folder, &["equal", "g.saag", "s.saa"]);
    said(folder, &["equal", "s.saa", "g.saag"]);
    // It runs, too.
    said(folder, &["check", "g.saag"]);
    // Another order of the two ways out is another algorithm.
    let other = graph.replace("x[k] > 5 THEN STOP ELSE 5", "x[k] > 5 THEN 5 ELSE STOP");
    std::fs::write(folder.join("o.saag"), other).expect("a file");
    let done = glushkov(folder, &["equal", "o.saag", "s.saa"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stdout).contains("not equal"));
}

#[test]
fn pictures_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let svg = said(
        folder,
        &[
            "show", "hermite", "--as", "svg", "--lang", "uk", "--depth", "1",
        ],
    );
    assert!(svg.contains("швидкість") && svg.contains("⋯"), "{svg}");
    assert_eq!(
        svg,
        said(
            folder,
            &[
                "show", "hermite", "--as", "svg", "--lang", "uk", "--depth", "1"
            ]
        )
    );
    let svg = said(
        folder,
        &["show", "leapfrog", "--as", "svg", "--strategy", "gpu"],
    );
    assert!(svg.contains("RunKernel"), "{svg}");
    let dot = said(folder, &["show", "levels", "--as", "dot"]);
    assert!(
        dot.starts_with("digraph") && dot.contains("shape=diamond"),
        "{dot}"
    );
    let dependences = said(folder, &["show", "prefix_sum", "--as", "dependences"]);
    assert!(dependences.contains("marker-end"), "{dependences}");
}
