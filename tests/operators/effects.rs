//! What declarations say is enough for what is derived, and no more is taken from it.

use super::told;
use glushkov::pipeline::{Options, Session, Source, Target, derive, emit, load};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::term::with_deep_stack;
use std::path::PathBuf;

const DATA: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 8\n  x : REAL [N] INPUT OUTPUT\n  k : INTEGER [N] INPUT\n  \
    DEFAULT INPUT \"random\" (seed := 1)\nEND OF DATA\n";

/// A file of operators in a folder that lasts as long as what is returned first.
fn file(declarations: &str) -> (tempfile::TempDir, Options) {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("own.ops");
    std::fs::write(&path, declarations).expect("a file");
    let options = Options {
        operators: vec![path],
        ..Options::default()
    };
    (folder, options)
}

/// What strategy `gpu` makes of operators in a scheme, and whether every answer was shown.
fn derived(declarations: &str, body: &str) -> (String, bool) {
    let (_folder, options) = file(declarations);
    let text = format!("{DATA}{body}END OF SCHEME \"s\"\n");
    with_deep_stack(|| {
        let mut session = Session::new();
        let source = Source::Text {
            name: "s.saa",
            text: &text,
        };
        let scheme = match load(source, &options, &mut session) {
            Ok(scheme) => scheme,
            Err(failure) => panic!("{}", told(&failure, &session)),
        };
        let base = derive::rules(&options, &mut session).expect("the rules");
        let derived = derive::derive(&base, &scheme, "gpu", &options).expect("a derivation");
        let style = Style {
            notation: Notation::Text,
            language: Default::default(),
            comments: false,
        };
        let text = print(&derived.scheme.terms, derived.scheme.body, style);
        let trace = derive::trace(&derived.derivation);
        (text, !trace.contains("assumed"))
    })
}

const LOOP: &str = "  FOR (i FROM 0 TO N - 1) LOOP \"Clear (x) at (i) by (k)\" END OF LOOP\n";

fn clear(meaning: &str) -> String {
    format!(
        "\"Clear (x) at (i) by (k)\" ==== BASIC (x : REAL [n]; i : INTEGER; k : INTEGER [n])\n  READS k[i]\n  WRITES x[i]\n  \
         MEANS {meaning}\n  CODE cuda ``` $x[$i] = 0; ```\nEND OF BASIC\n"
    )
}

#[test]
fn what_may_be_written_may_as_well_stay() {
    let (text, shown) = derived(&clear("IF k[i] > 2 THEN x[i] := 0 END IF"), LOOP);
    assert!(text.contains("RunKernel"), "{text}");
    assert!(text.contains("\"Copy (x) to the device\""), "{text}");
    assert!(shown);
}

#[test]
fn a_meaning_shows_nothing_where_its_subscripts_change() {
    for meaning in [
        "FOR (i FROM 0 TO n - 1) LOOP x[i] := 0 END OF LOOP",
        "LOCAL i : INTEGER := 0; x[i] := 0",
    ] {
        let (text, shown) = derived(&clear(meaning), LOOP);
        assert!(text.contains("RunKernel") && !shown, "{meaning}: {text}");
    }
}

#[test]
fn a_condition_that_passes_an_array_has_it_on_the_host() {
    let declaration = "'(x) is to go on' ==== BASIC (x : REAL [n])\n  READS x[0]\n  MEANS x[0] < 20\n  \
        CODE cpp ``` return $x[0] < 20; ```\nEND OF BASIC\n";
    let body = "  WHILE '(x) is to go on' LOOP FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] + i + 1 END OF LOOP END OF LOOP\n";
    let (_folder, options) = file(declaration);
    let text = format!("{DATA}{body}END OF SCHEME \"s\"\n");
    let source = Source::Text {
        name: "s.saa",
        text: &text,
    };
    let project = with_deep_stack(|| {
        let mut session = Session::new();
        let (target, strategy) = (Target::Cuda, Some("gpu"));
        let emission = emit(
            source,
            target,
            strategy,
            &Default::default(),
            &options,
            &mut session,
        );
        let emission = emission.unwrap_or_else(|f| panic!("{}", told(&f, &session)));
        emission
            .project
            .files
            .into_iter()
            .find(|(path, _)| path.ends_with(".cu"))
    });
    let (_, code) = project.expect("a file");
    let from = code.find("while (").expect("a loop");
    let marks: Vec<usize> = code.match_indices(MARK).map(|(at, _)| at).collect();
    assert!(marks.iter().any(|&at| at < from), "{code}");
    assert!(marks.iter().any(|&at| at > from), "{code}");
}

/// What has an array of the caller's on the host.
const MARK: &str = "x_on_device.read_by_host()";
