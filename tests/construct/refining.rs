//! Definitions put into schemes and taken out, for every phrase of the library.

use super::prompt::Ran;
use glushkov::algebra::Construct;
use glushkov::check::Scheme;
use glushkov::construct::{folded, refined};
use glushkov::derive::library::SCHEMES;
use glushkov::pipeline::{Options, Session, Source, load_declared};
use glushkov::syntax::print::phrase_as_written;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};
use std::process::Command;

/// The schemes of a text with the phrases that they define, as they are written.
fn phrases(name: &str, text: &str) -> Vec<(String, String)> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let mut found = Vec::new();
    for scheme in items {
        if terms.functor(scheme) != Some(Construct::Scheme.symbol()) {
            continue;
        }
        let title = terms.as_text(terms.arg(scheme, 0)).expect("a name");
        let all = terms
            .args(scheme)
            .get(3)
            .map_or(&[][..], |&w| terms.args(w));
        for &definition in all {
            let quote = match terms.functor(definition).and_then(Construct::of) {
                Some(Construct::Define) => '"',
                Some(Construct::DefineTest) => '\'',
                _ => continue,
            };
            let (phrase, formals) = (terms.arg(definition, 0), terms.arg(definition, 1));
            let phrase = phrase_as_written(&terms, phrase, formals);
            found.push((title.to_string(), format!("{quote}{phrase}{quote}")));
        }
    }
    found
}

fn checked(name: &str, text: &str, scheme: &str) -> Result<Scheme, String> {
    let options = Options {
        scheme: Some(scheme.to_owned()),
        ..Options::default()
    };
    let source = Source::Text { name, text };
    load_declared(source, &options, &mut Session::new()).map_err(|f| format!("{:?}", f.diagnostics))
}

#[test]
fn refining_and_folding_undo_each_other() {
    let mut tried = 0;
    for &(name, text) in SCHEMES {
        for (scheme, phrase) in phrases(name, text) {
            let mut sources = Sources::default();
            let file = sources.add(name, text);
            let out = folded(&sources, file, Some(&scheme), &phrase)
                .unwrap_or_else(|e| panic!("{name} {phrase}: {e:?}"));
            assert_ne!(out.made.text, text);
            let outline = sources.add(name, out.made.text.clone());
            let body = sources.add("body.saa", out.body.clone());
            let again = refined(&sources, outline, Some(&scheme), &phrase, body, false)
                .unwrap_or_else(|e| panic!("{name} {phrase}: {e:?}\n{}", out.body));
            let with = sources.add(name, again.text.clone());
            let back = folded(&sources, with, Some(&scheme), &phrase).expect("it is there");
            assert_eq!(back.made.text, out.made.text, "{name} {phrase}");
            // And with it in place of what was there.
            let in_place =
                refined(&sources, file, Some(&scheme), &phrase, body, true).expect("it is there");
            let [own, built, replaced] =
                [text, &again.text, &in_place.text].map(|text| checked(name, text, &scheme));
            let own = own.unwrap_or_else(|e| panic!("{name}: {e}"));
            for other in [built, replaced] {
                let other = other.unwrap_or_else(|e| panic!("{name} {phrase}: {e}"));
                let same = own.terms.equal_across(own.body, &other.terms, other.body);
                assert!(same, "{name} {phrase}");
            }
            // Without it, it is a basic operator.
            let outline = checked(name, &out.made.text, &scheme);
            let outline = outline.unwrap_or_else(|e| panic!("{name} {phrase}: {e}"));
            assert!(!outline.undefined.is_empty(), "{name} {phrase}");
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried} phrases");
}

pub fn glushkov(arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .arg("--no-config")
        .args(arguments)
        .output()
        .expect("the tool runs");
    Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

const TEXT: &str = r#"# Kept.
SCHEME "s" ====
DATA
  N : INTEGER := 4
  x : REAL [N] INPUT OUTPUT   # kept, too
  e : REAL OUTPUT
  DEFAULT INPUT "uniform" (m := x)
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP
    x[i] := 2 * x[i]; # twice
    LOCAL d : REAL := x[i];
    e := e + d
  END OF LOOP;
  "Finish (e)"
END OF SCHEME "s"
"#;

#[test]
fn files_are_refined_and_folded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (file, body, out) = (path("s.saa"), path("body.saa"), path("out.saa"));
    std::fs::write(&file, TEXT).expect("a file");
    std::fs::write(&body, "# The end.\nres := res + 1;   res := 2*res\n").expect("a file");
    let read = |file: &str| std::fs::read_to_string(file).expect("a file");
    // Printed, and nothing is written.
    let ran = glushkov(&["refine", &file, "Finish (res)", "--with", &body]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let block =
        "\nWHERE\n  # The end.\n  \"Finish (res)\" ====\n    res := res + 1; res := 2 * res\n";
    let wanted = TEXT.replace("\nEND OF SCHEME", &format!("{block}END OF SCHEME"));
    assert_eq!(ran.out, wanted);
    assert_eq!(read(&file), TEXT);
    let ran = glushkov(&["refine", &file, "Finish (res)", "--with", &body, "--write"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(read(&file), wanted);
    // It has a definition now.
    let ran = glushkov(&["refine", &file, "Finish (res)", "--with", &body]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("--replace"), "{}", ran.err);
    let ran = glushkov(&["fold", &file, "Finish (res)", "--to", &out, "--write"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(read(&file), TEXT);
    assert_eq!(read(&out), "# The end.\nres := res + 1; res := 2 * res\n");
    // What does not fit is refused, and nothing is written.
    std::fs::write(&body, "res := TRUE").expect("a file");
    for (phrase, told) in [
        ("Finish (res)", "E0203"),
        ("Finsh (res)", "did you mean \"Finish (e)\"?"),
        ("Finish (1)", "E0367"),
    ] {
        let ran = glushkov(&["refine", &file, phrase, "--with", &body, "--write"]);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    let ran = glushkov(&["fold", &file, "Finish (res)"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let ran = glushkov(&[
        "fold",
        "hermite",
        "Find the energy into (energy)",
        "--write",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("of the library"), "{}", ran.err);
    assert_eq!(read(&file), TEXT);
}

#[test]
fn lines_become_a_phrase_where_it_is_the_same_scheme() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.saa");
    let file = file.to_str().expect("UTF-8");
    std::fs::write(file, TEXT).expect("a file");
    let ran = glushkov(&["fold", file, "--lines", "10-12", "Add double of (i)"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let wanted = "LOOP\n    \"Add double of (i)\"\n  END OF LOOP;\n  \"Finish (e)\"\nWHERE\n  \"Add double of (i)\" ====\n    x[i] := 2 * x[i]; # twice\n    LOCAL d : REAL := x[i];\n    e := e + d\nEND";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    for (lines, phrase, told) in [
        // The variable of the loop is not known to the phrase.
        ("10-12", "Add double", "E0201"),
        // The LOCAL is needed afterwards.
        ("10-11", "Begin (i)", "E0201"),
        ("9-10", "Half of it (i)", "whole operators"),
        ("1-1", "Nothing (i)", "no operators"),
        ("10-12", "Finish (e)", "has \"Finish (e)\""),
        ("99-100", "Nothing (i)", "line 99"),
    ] {
        let ran = glushkov(&["fold", file, "--lines", lines, phrase]);
        assert_eq!(
            ran.code,
            Some(2),
            "{lines} {phrase}: {}\n{}",
            ran.err,
            ran.out
        );
        assert!(ran.err.contains(told), "{lines} {phrase}: {}", ran.err);
    }
    // A value that the lines change is copied for the phrase.
    let text = TEXT.replace("e := e + d", "e := e + e * d");
    std::fs::write(file, text).expect("a file");
    let ran = glushkov(&["fold", file, "--lines", "12-12", "Add (d)", "--write"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = glushkov(&["check", file]);
    assert!(ran.err.contains("N0220"), "{}", ran.err);
}

#[test]
fn errors_speak_of_the_scheme_that_would_be_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (file, body) = (path("s.saa"), path("body.saa"));
    std::fs::write(&file, TEXT).expect("a file");
    std::fs::write(&body, "# One.\nres := res + 1;\n  zz   := 1").expect("a file");
    let refine = ["refine", &file, "Finish (res)", "--with", &body];
    let fold = |lines: &'static str, phrase: &'static str| {
        glushkov(&["fold", &file, "--lines", lines, phrase])
    };
    for (ran, place) in [
        // Lines of the file of the definition, and of the scheme's own.
        (glushkov(&refine), format!("--> {body}:3:3")),
        (fold("12-12", "Add (i)"), format!("--> {file}:12:14")),
        (fold("10-11", "Begin (i)"), format!("--> {file}:12:14")),
    ] {
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        let told = "in the scheme that would be made: `";
        assert!(ran.err.contains(told), "{}", ran.err);
        assert!(ran.err.contains(&place), "{place}\n{}", ran.err);
    }
}

#[test]
fn phrases_are_shown_expanded_so_many_levels_deep() {
    let shown = |level: &str| {
        let ran = glushkov(&["show", "hermite", "--level", level]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    let outline = shown("0");
    assert!(outline.contains("\"Predict coordinates and velocity of body (i)\""));
    assert!(
        !outline.contains("WHERE") && !outline.contains("kinetic"),
        "{outline}"
    );
    let all = shown("all");
    assert!(!all.contains("\"Predict"), "{all}");
    assert!(
        all.contains("# Predict coordinates and velocity of body (i)"),
        "{all}"
    );
    assert_eq!(shown("1"), all);
    let ran = glushkov(&["show", "hermite", "--level", "deep"]);
    assert_eq!(ran.code, Some(2));
    // A formula, in another language.
    let ran = glushkov(&[
        "show", "hermite", "--level", "0", "--as", "formula", "--lang", "uk",
    ]);
    assert!(ran.out.contains("Передбачити"), "{}", ran.out);
}
