//! Basic operators that are declared: outlines that are derived from what their phrases read and write, declarations
//! that are wrong, code in emitted programs, and random operators in random loops.

mod effects;
mod random;
mod shown;
mod sound;

use glushkov::check::author_names;
use glushkov::diagnostic::render;
use glushkov::emit::Target as Emitted;
use glushkov::pipeline::{
    Failure, Options, Run, Session, Source, Target, derive, emit, load, load_declared, try_basics,
};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::term::with_deep_stack;
use std::path::PathBuf;

/// A scheme derived by a strategy, as text.
fn derived(path: &str, strategy: &str, options: &Options) -> String {
    with_deep_stack(|| {
        let mut session = Session::new();
        let scheme = load(Source::Path(path), options, &mut session).expect("a scheme");
        let base = derive::rules(options, &mut session).expect("the rules");
        let derived = derive::derive(&base, &scheme, strategy, options).expect("a derivation");
        let style = Style {
            notation: Notation::Text,
            language: Default::default(),
            comments: false,
        };
        let mut terms = derived.scheme.terms.clone();
        let body = author_names(&mut terms, derived.scheme.body);
        print(&terms, body, style)
    })
}

/// What is told of a failure.
fn told(failure: &Failure, session: &Session) -> String {
    let all = failure.diagnostics.iter();
    all.map(|d| render(d, &session.sources, false)).collect()
}

#[test]
fn an_outline_becomes_the_published_parallel_one() {
    let text = derived("tests/operators/outline.saa", "paper", &Options::default());
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("RunKernel"), 4, "{text}");
    assert_eq!(count("WAIT"), 4, "{text}");
    assert_eq!(
        count("FOR (chunk FROM 0 TO ceil_div(N, 512) - 1)"),
        2,
        "{text}"
    );
    for phrase in ["Predict", "Correct", "Begin to sum", "Add to"] {
        assert!(
            count(&format!("\"{phrase}")) > 0,
            "{phrase} is in its place: {text}"
        );
    }
    insta::assert_snapshot!("outline", text);
}

#[test]
fn an_outline_in_ukrainian_becomes_the_same() {
    let one = derived("tests/operators/outline.saa", "paper", &Options::default());
    let other = derived(
        "tests/operators/outline_uk.saa",
        "paper",
        &Options::default(),
    );
    let shape = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim);
        let kept = lines.filter(|l| !l.starts_with('"'));
        kept.map(|l| l.replace("КРОКИ", "STEPS")).collect()
    };
    assert_eq!(shape(&one), shape(&other));
}

#[test]
fn an_outline_needs_no_data() {
    let text = std::fs::read_to_string("tests/operators/outline.saa").expect("a text");
    let (from, to) = (
        text.find("DATA").expect("DATA"),
        text.find("END OF DATA\n").expect("its end"),
    );
    let without = format!("{}{}", &text[..from], &text[to + "END OF DATA\n".len()..]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("outline.saa");
    std::fs::write(&path, without).expect("a file");
    let text = derived(&path.to_string_lossy(), "paper", &Options::default());
    for (what, times) in [
        ("RunKernel", 4),
        ("WAIT", 4),
        ("FOR (chunk FROM 0 TO ceil_div(N, 512) - 1)", 2),
    ] {
        assert_eq!(text.matches(what).count(), times, "{what}: {text}");
    }
}

#[test]
fn every_strategy_takes_an_outline() {
    for strategy in [
        "parallel",
        "cpu",
        "cpu_fast",
        "gpu",
        "gpu_fast",
        "published",
    ] {
        let text = derived("tests/operators/outline.saa", strategy, &Options::default());
        assert!(
            text.contains("RunKernel") || text.contains("PARALLEL"),
            "{strategy}: {text}"
        );
    }
}

#[test]
fn an_effect_that_is_carried_keeps_a_loop_in_order() {
    let text = std::fs::read_to_string("tests/operators/outline.saa").expect("a text");
    // Each body would read what the one before it has got.
    let text = text.replace(
        "READS r[i], v[i], a0[i], j0[i]\n",
        "READS rp[i - 1], v[i], a0[i], j0[i]\n",
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("carried.saa");
    std::fs::write(&path, text).expect("a file");
    let text = derived(&path.to_string_lossy(), "gpu", &Options::default());
    assert_eq!(text.matches("RunKernel").count(), 3, "{text}");
}

#[test]
fn wrong_declarations_are_told_of() {
    let text = std::fs::read_to_string("tests/operators/wrong.txt").expect("a text");
    let mut all = String::new();
    for case in text.split("----\n").filter(|c| !c.trim().is_empty()) {
        let (declaration, body) = case.split_once("USED AS\n").expect("a use");
        let folder = tempfile::tempdir().expect("a folder");
        let (ops, scheme) = (folder.path().join("wrong.ops"), folder.path().join("s.saa"));
        std::fs::write(&ops, declaration).expect("a file");
        let text = format!(
            "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 8\n  x, y : REAL [N] INPUT OUTPUT\n  z : REAL [N] INPUT\n  \
             k : INTEGER [N] INPUT OUTPUT\n  s : REAL\n  p : VECTOR [N] INPUT OUTPUT\nEND OF DATA\n{body}END OF SCHEME \"s\"\n"
        );
        std::fs::write(&scheme, text).expect("a file");
        let options = Options {
            operators: vec![ops],
            ..Options::default()
        };
        let mut session = Session::new();
        let path = scheme.to_string_lossy().into_owned();
        let said =
            with_deep_stack(
                || match load_declared(Source::Path(&path), &options, &mut session) {
                    Err(failure) => told(&failure, &session),
                    Ok(scheme) => {
                        let tried = try_basics(&scheme, &Options::default(), &mut session);
                        let tried = tried.expect("nothing is built");
                        tried
                            .iter()
                            .map(|t| match &t.wrong {
                                Some(wrong) => render(wrong, &session.sources, false),
                                None => format!("{}\n", t.line()),
                            })
                            .collect()
                    }
                },
            );
        let said = said.replace(&*folder.path().to_string_lossy(), "DIR");
        all.push_str(&format!("{case}--> {}\n", said.trim_end()));
    }
    insta::assert_snapshot!("wrong", all);
}

/// A scheme that uses operators of the library.
const USES: &str = "SCHEME \"uses\" ====\nDATA\n  N : INTEGER := 40\n  x, y : REAL [N] INPUT OUTPUT\n  \
    z, w : VECTOR2 [N] OUTPUT\n  DEFAULT INPUT \"random\" (seed := 1)\n  \
    DEFAULT INPUT \"random\" (x := y, seed := 2)\nEND OF DATA\n  \
    \"Sort (x)\"; \"Add (2) times (x) to (y)\";\n  \
    FOR (i FROM 0 TO N - 1) LOOP z[i] := vector(x[i], y[i]) END OF LOOP;\n  \
    \"Transform (z) into (w)\";\n  \
    IF '(x[0]) is finite' THEN x[0] := 1 END IF\nEND OF SCHEME \"uses\"\n";

fn uses() -> Source<'static> {
    Source::Text {
        name: "uses.saa",
        text: USES,
    }
}

#[test]
fn code_is_a_function_of_emitted_programs() {
    let file = |target: Emitted, end: &str, strategy: &str| {
        let mut session = Session::new();
        let options = Options::default();
        let target = match target {
            Emitted::Cuda => Target::Cuda,
            _ => Target::Rust,
        };
        let emission = emit(
            uses(),
            target,
            Some(strategy),
            &Default::default(),
            &options,
            &mut session,
        );
        let emission = emission.unwrap_or_else(|f| panic!("{}", told(&f, &session)));
        let files = &emission.project.files;
        let found = files.iter().find(|(path, _)| path.ends_with(end));
        found.expect("the file").1.clone()
    };
    let cuda = with_deep_stack(|| file(Emitted::Cuda, ".cu", "gpu"));
    for text in [
        "#include <cufft.h>",
        "#include <thrust/sort.h>",
        "thrust::sort(thrust::cuda::par_nosync.on(stream), x, x + n);",
        "sort(x_on_device.cells(), N, stream);",
    ] {
        assert!(cuda.contains(text), "{text}\n{cuda}");
    }
    let rust = with_deep_stack(|| file(Emitted::Rust, "lib.rs", "parallel"));
    assert!(rust.contains("x.as_mut_slice().sort_by(order);"), "{rust}");
    assert!(rust.contains("sort(ViewMut::of(&mut x[..]), n);"), "{rust}");
    // What has no code for a target is what it means there.
    assert!(rust.contains(".cos()"), "{rust}");
}

#[test]
fn programs_with_code_do_what_the_operators_mean() {
    for strategy in ["sequential", "parallel", "gpu"] {
        let run = Run {
            target: Target::Rust,
            strategy: Some(strategy.to_owned()),
            reference: Some(Target::Interpreter),
            ..Run::default()
        };
        let mut session = Session::new();
        let outcome = with_deep_stack(|| run.run(uses(), &mut session));
        let outcome = outcome.unwrap_or_else(|f| panic!("{}", told(&f, &session)));
        assert!(
            outcome.compared.expect("it was asked for").passed,
            "{strategy}"
        );
    }
}

#[test]
fn operators_of_the_library_do_what_they_declare() {
    let options = Options {
        operators: vec![PathBuf::from("operators")],
        ..Options::default()
    };
    let mut session = Session::new();
    let tried = with_deep_stack(|| {
        let scheme = load_declared(uses(), &options, &mut session).expect("a scheme");
        try_basics(&scheme, &options, &mut session).expect("it is built")
    });
    assert_eq!(tried.len(), 4);
    for basic in tried {
        assert!(
            basic.wrong.is_none() && basic.calls == 20,
            "{}",
            basic.line()
        );
        let has_rust = basic.title != "Transform (x) into (y)";
        assert_eq!(basic.as_meant, if has_rust { vec!["rust"] } else { vec![] });
    }
}

#[test]
fn code_beside_a_scheme_is_not_built_unless_it_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("operators")).expect("a folder");
    let ops = folder.path().join("operators/own.ops");
    let declaration = "\"Clear (x)\" ==== BASIC (x : REAL [n])\n  WRITES x\n  MEANS\n    \
        FOR (i FROM 0 TO n - 1) LOOP x[i] := 0 END OF LOOP\n  \
        CODE rust ``` unsafe_act($x); ```\nEND OF BASIC\n";
    std::fs::write(&ops, declaration).expect("a file");
    let scheme = folder.path().join("s.saa");
    let text = "SCHEME \"s\" ====\nDATA\n  x : REAL [4] INPUT OUTPUT\nEND OF DATA\n  \"Clear (x)\"\nEND OF SCHEME \"s\"\n";
    std::fs::write(&scheme, text).expect("a file");
    let path = scheme.to_string_lossy().into_owned();
    let project = |operators: Vec<PathBuf>| {
        let options = Options {
            operators,
            ..Options::default()
        };
        with_deep_stack(|| {
            let mut session = Session::new();
            let source = Source::Path(&path);
            let emission = emit(
                source,
                Target::Rust,
                Some("cpu"),
                &Default::default(),
                &options,
                &mut session,
            );
            let files = emission.expect("a project").project.files;
            files.into_iter().map(|(_, text)| text).collect::<String>()
        })
    };
    assert!(!project(Vec::new()).contains("unsafe_act"));
    assert!(project(vec![ops]).contains("unsafe_act"));
    // In the scheme itself, no code may stand at all.
    let with_code = format!(
        "{}WHERE\n{declaration}END OF SCHEME \"s\"\n",
        &text[..text.len() - 19]
    );
    let mut session = Session::new();
    let source = Source::Text {
        name: "s.saa",
        text: &with_code,
    };
    let refused = with_deep_stack(|| load(source, &Options::default(), &mut session));
    let refused = refused.err().expect("code is refused");
    assert_eq!(refused.diagnostics[0].code, "E0227");
}
