//! Operators in formulas, in LaTeX and in other languages.

use crate::told;
use glushkov::algebra::Language;
use glushkov::pipeline::{Form, Options, Run, Session, Show, Source, Target};
use glushkov::term::with_deep_stack;
use glushkov::toolchain::testing::openmp_or_skip;

const OPERATORS: &str = "\"Move (x) by (d) from (i)\" ==== BASIC (x : REAL [n]; d : REAL; i : INTEGER)\n  \
    READS x[i]\n  WRITES x[i]\n  UK \"Від (i) зсунути (x) на (d)\"\n  SIGN \"(x) +(i)= (d)\"\n  \
    LATEX \"$x_{$i} \\\\mathrel{+}= $d\\\\,\\\\text{\\\\$$}\"\nEND OF BASIC\n\
    'Item (i) of (x) is large' ==== BASIC (i : INTEGER; x : REAL [n])\n  READS x[i]\n  \
    UK 'Елемент (i) з (x) великий'\n  LATEX \"$x_{$i} \\\\gg 0\"\nEND OF BASIC\n";

const SCHEME: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  x : REAL [N] INPUT OUTPUT\nEND OF DATA\n  \
    FOR (k FROM 0 TO N - 1) LOOP\n    IF 'Item (k) of (x) is large' THEN\n      \
    \"Move (x) by (N - 1) from (k)\"\n    END IF\n  END OF LOOP\nEND OF SCHEME \"s\"\n";

/// A scheme in a form, with operators that are named.
fn shown(text: &str, form: Form, language: Language, strategy: Option<&str>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let ops = folder.path().join("own.ops");
    std::fs::write(&ops, OPERATORS).expect("a file");
    let show = Show {
        form,
        language,
        strategy: strategy.map(str::to_owned),
        options: Options {
            operators: vec![ops],
            ..Options::default()
        },
        ..Show::default()
    };
    // A formula of ours has products.
    let name = match text.contains(" * ") {
        true => "s.saaf",
        false => "s.saa",
    };
    let source = Source::Text { name, text };
    let shown = with_deep_stack(|| show.show(source, &mut Session::new()));
    shown.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

/// The lines of a text that hold one of these.
fn lines<'a>(text: &'a str, of: &[&str]) -> Vec<&'a str> {
    let wanted = |line: &&str| of.iter().any(|part| line.contains(part));
    text.lines().filter(wanted).map(str::trim).collect()
}

#[test]
fn formulas_have_the_signs_of_operators() {
    let formula = shown(SCHEME, Form::Formula, Language::English, None);
    let body = "∏(k = 0..N - 1) (['Item (k) of (x) is large'] \"(x) +(k)= (N - 1)\", E)";
    assert_eq!(lines(&formula, &["∏"]), [body]);
    // What is derived has them, too.
    let parallel = shown(SCHEME, Form::Formula, Language::English, Some("sequential"));
    assert!(parallel.contains("\"(x) +(k)= (N - 1)\""), "{parallel}");
    // What is read by its sign is the same operator in words.
    let ukrainian = shown(SCHEME, Form::Text, Language::Ukrainian, None);
    let wanted = "\"Від (k) зсунути (x) на (N - 1)\"";
    assert!(ukrainian.contains(wanted), "{ukrainian}");
    let by_sign = SCHEME.replace("\"Move (x) by (N - 1) from (k)\"", "\"(x) +(k)= (N - 1)\"");
    assert_ne!(by_sign, SCHEME);
    assert_eq!(
        shown(&by_sign, Form::Text, Language::Ukrainian, None),
        ukrainian
    );
}

#[test]
fn latex_has_what_operators_declare() {
    for strategy in [None, Some("sequential")] {
        let latex = shown(SCHEME, Form::Latex, Language::English, strategy);
        let body = lines(&latex, &["saafor_"]).concat();
        let of_operator = "\\saaop{x_{k} \\mathrel{+}= \\left(N - 1\\right)\\,\\text{\\$}}";
        assert!(body.contains(of_operator), "{body}");
        assert!(body.contains("x_{k} \\gg 0"), "{body}");
    }
}

#[test]
fn operators_of_the_library_are_typeset() {
    let text = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  x, y : REAL [N] INPUT OUTPUT\n  \
        z, w : VECTOR2 [N] INPUT OUTPUT\nEND OF DATA\n  \"Sort (x)\"; \"Add (2) times (x) to (y)\"; \
        \"Transform (z) into (w)\"\nEND OF SCHEME \"s\"\n";
    let formula = shown(text, Form::Formula, Language::English, None);
    let body = "\"(x)↑\" * \"(y) += (2)·(x)\" * \"(w) = ℱ(z)\"";
    assert_eq!(lines(&formula, &["·"]), [body]);
    let read = shown(&formula, Form::Formula, Language::English, None);
    assert_eq!(read, formula);
    let latex = shown(text, Form::Latex, Language::English, None);
    assert!(latex.contains("y \\gets y + 2\\,x"), "{latex}");
}

#[test]
fn code_that_does_not_compile_is_told_with_its_place() {
    for (target, code) in [(Target::Rust, "*$a = 1;"), (Target::Cpp, "$a = one;")] {
        if target == Target::Cpp && openmp_or_skip().is_none() {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let ops = folder.path().join("own.ops");
        let declaration = format!(
            "# A mistake.\n\"Clear (a)\" ==== BASIC (a : REAL)\n  WRITES a\n  MEANS a := 0\n  \
             CODE {} ``` {code} ```\nEND OF BASIC\n",
            target.name()
        );
        std::fs::write(&ops, declaration).expect("a file");
        let run = Run {
            target,
            options: Options {
                operators: vec![ops],
                ..Options::default()
            },
            ..Run::default()
        };
        let text = "SCHEME \"s\" ====\nDATA\n  x : REAL OUTPUT\nEND OF DATA\n  \"Clear (x)\"\nEND OF SCHEME \"s\"\n";
        let source = Source::Text {
            name: "s.saa",
            text,
        };
        let mut session = Session::new();
        let ran = with_deep_stack(|| run.run(source, &mut session));
        let said = told(&ran.expect_err("it does not compile"), &session);
        assert!(
            said.contains("error[E1003]: the code of \"Clear (a)\" is not accepted"),
            "{said}"
        );
        assert!(said.contains("own.ops:5:"), "{said}");
    }
}
