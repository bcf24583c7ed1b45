//! The prompt over a pipe: a scheme of the library from nothing, and the session that the docs show.

use glushkov::algebra::Construct;
use glushkov::pipeline::{Pick, Session, Source, equal, read};
use glushkov::term::{Id, Terms};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the prompt with choices.
pub fn prompt(arguments: &[&str], input: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glushkov"));
    command
        .args(["new", "--interactive", "--no-config"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the tool starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the tool ends");
    writer.join().expect("the writer ends");
    Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The parts of a scheme: its name, DATA and body, and its definitions in the order of their phrases.
fn parts(terms: &Terms, root: Id) -> Vec<Id> {
    let mut parts = terms.args(root)[..3].to_vec();
    let is_definition = |&&id: &&Id| {
        let construct = terms.functor(id).and_then(Construct::of);
        matches!(construct, Some(Construct::Define | Construct::DefineTest))
    };
    let all = terms.args(root).get(3).map_or(&[][..], |&w| terms.args(w));
    let mut definitions: Vec<Id> = all.iter().filter(is_definition).copied().collect();
    definitions.sort_by_key(|&d| terms.as_text(terms.arg(d, 0)).map(|t| t.as_str()));
    parts.extend(definitions);
    parts
}

#[test]
fn hermite_is_built_from_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hermite.saa");
    let file = file.to_str().expect("UTF-8");
    let choices = std::fs::read_to_string("tests/construct/hermite.choices").expect("the choices");
    let ran = prompt(
        &["N-body, fourth-order Hermite"],
        &format!("{choices}:save {file}\n"),
    );
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.err, ran.out);
    assert!(!ran.err.contains("error"), "{}\n{}", ran.err, ran.out);
    let mut session = Session::new();
    let pick = Pick::default();
    let built = read(Source::Path(file), pick, &mut session).expect("the scheme that was built");
    let own = read(Source::Path("hermite"), pick, &mut session).expect("that of the library");
    let (built_parts, own_parts) = (parts(&built.terms, built.root), parts(&own.terms, own.root));
    assert_eq!(built_parts.len(), own_parts.len());
    for (a, b) in built_parts.into_iter().zip(own_parts) {
        assert!(built.terms.equal_across(a, &own.terms, b), "{}", ran.out);
    }
    let equality = equal(
        [Source::Path(file), Source::Path("hermite")],
        [pick, pick],
        &mut session,
    );
    assert!(equality.expect("they are compared").is_equal());
}

#[test]
fn what_is_wrong_is_told_and_the_prompt_goes_on() {
    let input = "FLOAT ?\nx : REAL\n:go 99\n:nothing\n:go 2\nx := TRUE\nBARRIER\n77\n:save\nx := 1\n:redo\n:undo\n:redo\n";
    let ran = prompt(&["wrong"], input);
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.err, ran.out);
    for told in [
        "E0101",
        "E0363",
        "E0203",
        "E0210",
        "E0366",
        "not written",
        "open: …3",
    ] {
        assert!(ran.err.contains(told), "{told}\n{}", ran.err);
    }
    assert!(ran.out.contains("x := 1"), "{}", ran.out);
    assert!(!Path::new("wrong.saa").exists());
    let ran = prompt(&["wrong"], "");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for told in ["not written", "open: …1", "open: …2"] {
        assert!(ran.err.contains(told), "{told}\n{}", ran.err);
    }
    // Whoever leaves has not asked for it to be written.
    let ran = prompt(&["wrong"], ":quit\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let ran = prompt(&["a \"quoted\" name"], "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn a_file_is_replaced_only_if_it_was_written_here() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let file = folder.path().join("there.saa");
    std::fs::write(&file, "mine").expect("a file");
    let choices = ".\nEMPTY\n:save\n:save ";
    let other = folder.path().join("other.saaf");
    let other = other.to_str().expect("UTF-8");
    let input = format!("{choices}{other}\n:save {other}\n");
    let ran = prompt(&["there", "-o", out], &input);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("E0001"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "mine");
    let written = std::fs::read_to_string(other).expect("the formula");
    assert!(written.contains("\n  E\n"), "{written}");
}

#[test]
fn a_file_that_is_there_is_replaced_where_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let file = folder.path().join("there.saa");
    let path = file.to_str().expect("UTF-8");
    std::fs::write(&file, "mine").expect("a file");
    let begin = ".\nEMPTY\n";
    for refused in [
        format!("{begin}:save {path}\n:quit\n"),
        format!("{begin}:save\n:quit\n"),
    ] {
        let ran = prompt(&["there", "-o", out], &refused);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let hint = format!(":save {path} --force replaces it");
        assert!(ran.err.contains(&hint), "{}", ran.err);
        assert!(ran.err.contains("the scheme is not written"), "{}", ran.err);
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), "mine");
    }
    // An unfinished scheme is not written either.
    let ran = prompt(&["there", "-o", out], ":save\n:quit\n");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for save in [format!(":save {path} --force"), ":save --force".to_owned()] {
        std::fs::write(&file, "mine").expect("a file");
        let input = format!("{begin}:save\n{save}\n:quit\n");
        let ran = prompt(&["there", "-o", out], &input);
        assert_eq!(ran.code, Some(0), "{save}: {}", ran.err);
        let written = std::fs::read_to_string(&file).expect("a file");
        assert!(written.starts_with("SCHEME \"there\""), "{written}");
        let files = std::fs::read_dir(folder.path()).expect("the folder");
        assert_eq!(files.count(), 1, "{save}");
    }
}

/// The session in the docs is what the prompt says. `UPDATE=1` writes it anew.
#[test]
fn the_session_of_the_docs_is_as_it_is() {
    let page = std::fs::read_to_string("docs/constructor.md").expect("the page");
    let (before, rest) = page.split_once("```session\n").expect("a session");
    let (session, after) = rest.split_once("```\n").expect("its end");
    let input: String = session
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
        .map(|line| format!("{line}\n"))
        .collect();
    let ran = prompt(&["Sum"], &input);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err, "");
    if std::env::var_os("UPDATE").is_some() {
        let new = format!("{before}```session\n{}```\n{after}", ran.out);
        std::fs::write("docs/constructor.md", new).expect("the page is written");
        return;
    }
    assert_eq!(session, ran.out, "UPDATE=1 writes the session anew");
}
