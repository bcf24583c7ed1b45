//! What `fmt` writes and leaves alone, and how the library is shown.

use std::process::Command;

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &std::path::Path {
        self.0.path()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glushkov"));
        command.args(arguments).current_dir(self.path());
        let ran = command.output().expect("the tool starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran {
            code: ran.status.code(),
            out: text(&ran.stdout),
            err: text(&ran.stderr),
        }
    }
}

/// What `fmt` writes, shows and refuses.
#[test]
fn texts_are_laid_out_or_left_alone() {
    let place = Place::new();
    let untidy = "SCHEME \"s\"====\nx:=1 # one\nEND OF SCHEME \"s\"";
    let tidy = "SCHEME \"s\" ====\n  x := 1 # one\nEND OF SCHEME \"s\"\n";
    let broken = "SCHEME \"s\" ==== x := ( END OF SCHEME";
    std::fs::create_dir(place.path().join("in")).unwrap();
    std::fs::write(place.path().join("in/a.saa"), untidy).unwrap();
    std::fs::write(place.path().join("in/b.saa"), broken).unwrap();
    std::fs::write(place.path().join("in/c.rules"), "f( $x )->$x;").unwrap();
    let read = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
    let shown = place.run(&["fmt", "--check", "in/a.saa"]);
    assert_eq!(shown.code, Some(1), "{}", shown.err);
    assert!(shown.out.contains("+  x := 1 # one"), "{}", shown.out);
    assert_eq!(read("in/a.saa"), untidy);
    let ran = place.run(&["fmt"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("error[E0104]"), "{}", ran.err);
    assert_eq!(read("in/a.saa"), tidy);
    assert_eq!(read("in/b.saa"), broken);
    assert_eq!(read("in/c.rules"), "f($x) -> $x;\n");
    assert_eq!(
        place
            .run(&["fmt", "--check", "in/a.saa", "in/c.rules"])
            .code,
        Some(0)
    );
    assert_eq!(place.run(&["fmt", "nothing.saa"]).code, Some(2));
    // The library is no file.
    assert_eq!(place.run(&["fmt", "hermite"]).code, Some(2));
    assert_eq!(super::glushkov(&["fmt", "--stdin"], untidy).out, tidy);
}

/// A scheme of the library is shown with its comments in the form it is written in.
#[test]
fn the_library_is_shown_as_it_is_written() {
    let written = std::fs::read_to_string("schemes/nbody/hermite.saa").unwrap();
    let place = Place::new();
    let shown = |arguments: &[&str]| place.run(arguments).out;
    assert_eq!(shown(&["show", "hermite"]), written);
    assert!(!shown(&["show", "hermite", "--lang", "uk"]).contains('#'));
    assert!(shown(&["show", "hermite_uk", "--lang", "uk"]).starts_with("# N тіл"));
    assert!(!shown(&["show", "hermite_uk"]).contains('#'));
}
