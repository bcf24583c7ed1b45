//! Texts of others that would steer a terminal, or hide something: titles, phrases, labels, names of
//! files and arguments. Whatever a command writes shows them.

use ::glushkov::term::is_hidden;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A colour, a title of the window, a bell, a C1 control, directions, and what shows nothing.
const EVIL: &str =
    "e\u{1b}[31mv\u{1b}]0;x\u{7}i\u{9b}2J\u{202e}l\u{ad}\u{200b}\u{feff}\u{2066}\u{e0041}\u{7f}";

fn scheme() -> String {
    format!(
        "# {EVIL}\nSCHEME \"t {EVIL}\" ====\nDATA\n  N : INTEGER := 8  # {EVIL}\n  \
         x : REAL [N] INPUT OUTPUT\n  WORK \"w {EVIL}\" := N\n  DEFAULT INPUT \"random\"\n  \
         CHECK (N := 4)\nEND OF DATA\n  \"Do {EVIL} (N)\";\n  REPORT \"r {EVIL}\" (x[0]);\n  \
         SAVE \"s {EVIL}\" (x)\nWHERE\n\"Do {EVIL} (n)\" ====\n  FOR (i FROM 0 TO n - 1) LOOP\n    \
         IF 'small {EVIL} (i)' THEN x[i] := x[i] + 1 END IF\n  END OF LOOP\n\
         'small {EVIL} (i)' ==== x[i] < 2\nEND OF SCHEME \"t {EVIL}\"\n"
    )
}

/// What a text holds that a terminal must not get.
fn hidden(text: &str) -> Vec<char> {
    let wanted = |&c: &char| is_hidden(c) && !matches!(c, '\n' | '\t');
    text.chars().filter(wanted).collect()
}

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the tool, and holds what it writes.
    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_glushkov"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("RUST_BACKTRACE")
            .output()
            .expect("the tool starts");
        let what = format!("{arguments:?}");
        let told = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
        for told in &told {
            assert_eq!(hidden(told), [], "{what}\n{told}");
        }
        assert!(!told[1].contains("bug of glushkov"), "{what}\n{}", told[1]);
        assert!(output.status.code().is_some(), "{what}");
        // JSON stays what it is.
        if arguments.contains(&"--json") && !told[0].is_empty() {
            let json: Result<serde_json::Value, _> = serde_json::from_str(&told[0]);
            assert!(json.is_ok(), "{what}: {json:?}\n{}", told[0]);
        }
        told.concat()
    }
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path().is_dir() {
            true => files(&entry.path(), into),
            false => into.push(entry.path()),
        }
    }
}

#[cfg(unix)]
#[test]
fn no_command_lets_hidden_characters_through() {
    let place = Place {
        folder: tempfile::tempdir().expect("a folder"),
    };
    // A name of a file holds no `/` and no NUL; all else is somebody's.
    let good = format!("good{EVIL}.saa");
    let broken = format!("broken{EVIL}.saa");
    let graph = format!("graph{EVIL}.saa");
    let rules = format!("r{EVIL}.rules");
    std::fs::write(place.path(&good), scheme()).expect("a file");
    let wrong = scheme().replace("x[i] + 1", &format!("y[i] + \"{EVIL}\" 'p {EVIL}' {EVIL}"));
    std::fs::write(place.path(&broken), wrong).expect("a file");
    let undefined = format!(
        "SCHEME \"g {EVIL}\" ==== \"A {EVIL}\"; IF 'u {EVIL}' THEN \"B {EVIL}\" END IF END OF SCHEME \"g {EVIL}\""
    );
    std::fs::write(place.path(&graph), undefined).expect("a file");
    let text =
        format!("# {EVIL}\n#@rule(evil)\nEvil(\"{EVIL}\") -> Fine(\"{EVIL}\");\n{EVIL} ->\n");
    std::fs::write(place.path(&rules), text).expect("a file");
    let at = |name: &str| format!("{name}{EVIL}");
    let missing = at("missing");

    for file in [&good, &broken, &graph, &missing] {
        place.run(&["check", file]);
        place.run(&["check", file, "--json"]);
        place.run(&["check", file, "--facts"]);
        for form in [
            "text",
            "formula",
            "graph",
            "latex",
            "svg",
            "dot",
            "dependences",
            "term",
        ] {
            place.run(&["show", file, "--as", form]);
        }
        place.run(&["derive", file, "--strategy", "cpu", "--trace"]);
        place.run(&["derive", file, "--strategy", "gpu", "--json"]);
        place.run(&["equal", file, &graph]);
        place.run(&["equal", file, &good, "--json"]);
        place.run(&["replay", file]);
        place.run(&["run", file, "--target", "interpreter"]);
        place.run(&[
            "run",
            file,
            "--target",
            "interpreter",
            "--json",
            "--no-compare",
        ]);
        place.run(&[
            "bench",
            file,
            "--target",
            "interpreter",
            "--runs",
            "1",
            "--set",
            "N=4,8",
        ]);
        place.run(&[
            "bench",
            file,
            "--target",
            "interpreter",
            "--runs",
            "1",
            "--json",
            "-",
        ]);
        place.run(&["tune", file, "--dry-run", "--target", "rust"]);
        place.run(&["rules", "lint", file]);
        place.run(&["explain", &format!("{file}:1")]);
    }
    // Arguments.
    for arguments in [
        vec!["run", &good, "--in", &missing],
        vec!["run", &good, "--out", &good, "--target", "interpreter"],
        vec!["run", &good, "--data", EVIL],
        vec!["run", &good, "--strategy", EVIL, "--target", "interpreter"],
        vec!["run", &good, "--target", EVIL],
        vec!["run", &good, "--set", EVIL],
        vec!["run", "--built", &missing],
        vec!["check", &good, "--scheme", EVIL],
        vec!["check", &good, "--assume", EVIL],
        vec!["check", &good, "--rules", &rules],
        vec!["derive", &good, "--with", EVIL],
        vec!["derive", &good, "--without", EVIL],
        vec!["explain", EVIL],
        vec!["data", EVIL],
        vec!["data", "random", "--set", EVIL],
        vec!["data", "random", "-o", &good],
        vec!["new", EVIL],
        vec!["rules", "explain", EVIL],
        vec!["rules", "list", "--rules", &rules],
        vec!["rules", "lint", &rules],
        vec!["rewrite", &rules, "--term", EVIL],
        vec!["emit", &good, "--target", "rust", "-o", &good],
        vec![EVIL],
    ] {
        place.run(&arguments);
    }
    // A file that is not an array, in a folder of inputs.
    let inputs = at("in");
    std::fs::create_dir(place.path(&inputs)).expect("a folder");
    let array = place.path(&inputs).join("x.npy");
    let header = format!("{{'descr': '{EVIL}', 'fortran_order': False, 'shape': (8,)}}");
    for text in [EVIL.as_bytes().to_vec(), {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes
    }] {
        std::fs::write(&array, text).expect("a file");
        let told = place.run(&["run", &good, "--in", &inputs]);
        assert!(told.contains("E0902"), "{told}");
    }
    // The title is there, for whoever looks.
    let told = place.run(&["run", &good, "--target", "interpreter", "--no-compare"]);
    assert!(
        told.contains("\\u{1b}[31m") && told.contains("\\u{ad}"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn emitted_programs_let_none_through() {
    let place = Place {
        folder: tempfile::tempdir().expect("a folder"),
    };
    std::fs::write(place.path("good.saa"), scheme()).expect("a file");
    for target in ["rust", "cpp", "cuda", "rust-cuda"] {
        place.run(&["emit", "good.saa", "--target", target, "-o", target]);
        let mut all = Vec::new();
        files(&place.path(target), &mut all);
        assert!(all.len() > 3, "{all:?}");
        for file in all {
            let text = std::fs::read_to_string(&file).expect("a text");
            assert_eq!(hidden(&text), [], "{}", file.display());
        }
    }
    // Built and run: its line of JSON, its help and its errors.
    let told = place.run(&["run", "good.saa", "--target", "rust", "--json"]);
    assert!(told.contains("\\u001b"), "{told}");
    let manifest = place.path("rust/Cargo.toml");
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--offline", "--manifest-path"])
        .arg(&manifest)
        .env_remove("CARGO_TARGET_DIR");
    let built = cargo.output().expect("cargo starts");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let mut all = Vec::new();
    files(&place.path("rust/target/debug"), &mut all);
    let program = all.into_iter().find(|f| {
        f.extension().is_none()
            && f.parent().is_some_and(|p| p.ends_with("debug"))
            && !f
                .file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with('.'))
    });
    let program = program.expect("a program");
    let missing = format!("missing{EVIL}");
    for arguments in [
        &["--help"][..],
        &["--in", &missing],
        &["--set", EVIL],
        &["--set", &format!("N={EVIL}")],
        &["--set", &format!("{EVIL}=1")],
        &[EVIL],
    ] {
        let output = Command::new(&program)
            .args(arguments)
            .output()
            .expect("it starts");
        for told in [&output.stdout, &output.stderr] {
            let told = String::from_utf8_lossy(told);
            assert_eq!(hidden(&told), [], "{arguments:?}\n{told}");
        }
        assert_eq!(
            output.status.code(),
            Some(if arguments[0] == "--help" { 0 } else { 2 })
        );
    }
}

/// What is printed with numbers for hidden characters is read back as it was.
#[test]
fn hidden_characters_are_read_back() {
    let text = scheme();
    let once = super::glushkov(&["show", "-", "--as", "text"], &text);
    assert_eq!(once.code, Some(0), "{}", once.err);
    assert!(once.out.contains("\\u{1b}[31m"), "{}", once.out);
    let again = super::glushkov(&["show", "-", "--as", "text"], &once.out);
    assert_eq!(once.out, again.out, "{}", again.err);
    let terms = [&text, &once.out].map(|t| super::glushkov(&["show", "-", "--as", "term"], t).out);
    assert_eq!(terms[0], terms[1]);
}

/// The spellings of the manual are read as it says.
#[test]
fn spellings_are_read_as_the_manual_has_them() {
    let term = |operator: &str| {
        let text = format!(
            "SCHEME \"s\" ==== DATA i : INTEGER x, y : REAL a : REAL [9] END OF DATA {operator}\nEND OF SCHEME \"s\""
        );
        let ran = super::glushkov(&["show", "-", "--as", "term"], &text);
        assert_eq!(ran.code, Some(0), "{operator}\n{}", ran.err);
        ran.out
    };
    for (written, read) in ::glushkov::algebra::SPELLINGS {
        assert_eq!(term(written), term(read), "{written}");
    }
}
