//! Formulas.

use super::{library, read};
use glushkov::algebra::Language;
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::rules::print_term;

fn style(notation: Notation) -> Style {
    Style {
        notation,
        language: Language::English,
        comments: false,
    }
}

#[test]
fn the_library_is_read_back_from_formulas() {
    for (path, terms, root) in library() {
        for notation in [Notation::Formula, Notation::Typed] {
            let printed = print(&terms, root, style(notation));
            let (again, back) = read("printed.saaf", &printed);
            assert!(terms.equal_across(root, &again, back), "{path}\n{printed}");
        }
        let printed = print(&terms, root, style(Notation::Typed));
        let operators = printed.split("END OF DATA").nth(1).unwrap_or(&printed);
        // Names may be of any letters.
        let typed = |part: &str| part.chars().all(|c| c.is_ascii() || c.is_alphabetic());
        assert!(
            operators.split('"').step_by(2).all(typed),
            "{path}\n{operators}"
        );
    }
}

/// What is typed, and the term it stands for.
#[test]
fn what_is_typed_is_read() {
    let cases = [
        ("\"A\" * \"B\"", "Then(Call(\"A\"), Call(\"B\"))"),
        ("(['u'] \"A\", E)", "If(Test(\"u\"), Call(\"A\"), Empty)"),
        ("(['u'] \"A\")", "If(Test(\"u\"), Call(\"A\"), Empty)"),
        ("{['u'] \"A\"}", "While(Not(Test(\"u\")), Call(\"A\"))"),
        ("{[¬'u'] \"A\"}", "While(Test(\"u\"), Call(\"A\"))"),
        (
            "{[!'u' /\\ 'v'] E}",
            "While(Not(And(Not(Test(\"u\")), Test(\"v\"))), Empty)",
        ),
        ("\"A\" ∨̇ \"B\"", "Async(Call(\"A\"), Call(\"B\"))"),
        ("(|| \"A\")", "Async(Call(\"A\"))"),
        ("|| (i = 0..N) \"A\"", "Parallel(i, 0, N, Call(\"A\"))"),
        (
            "∨̇ ([i = 0] E, N)",
            "Async(If(Equal(i, 0), Empty, Undefined))",
        ),
        (
            "∏(i = N..0 : -1) <<x[i] := i mod 2>>",
            "ForStep(i, N, 0, -1, Assign(Index(x, i), Mod(i, 2)))",
        ),
        (
            "T(done) * S('all done')",
            "Then(ControlPoint(\"done\"), Wait(\"all done\"))",
        ),
        ("F((\"A\")·'u')", "Filter(After(Call(\"A\"), Test(\"u\")))"),
        (
            "F((\"A\" * E) ~> 'u' \\/ (a + b) * c > 1)",
            "Filter(Or(After(Call(\"A\"), Test(\"u\")), Greater(Times(Plus(a, b), c), 1)))",
        ),
        (
            "K(ceil_div(N, 256), 256) ⟨BARRIER⟩",
            "CALL_GPU(Apply(ceil_div, N, 256), 256, Barrier)",
        ),
    ];
    for (formula, term) in cases {
        let text = format!("SCHEME \"s\" ====\n{formula}\nEND OF SCHEME \"s\"\n");
        let (terms, root) = read("typed.saaf", &text);
        let body = print_term(&terms, terms.arg(root, 2));
        let body: String = body.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(body.trim(), term, "{formula}");
        // Without a name that says the form, its signs do; letters alone do not.
        if formula.starts_with('"') || formula.contains(['[', '¬', '|', '∨', '⟨']) {
            let (again, back) = read("<stdin>", &text);
            assert!(terms.equal_across(root, &again, back), "{formula}");
        }
    }
}

#[test]
fn long_formulas_are_broken() {
    for (path, terms, root) in library() {
        let printed = print(&terms, root, style(Notation::Formula));
        for line in printed.lines() {
            // What stands in ⟨…⟩ or quotes is not taken apart.
            let whole = line.matches(['⟨', '"']).count() <= 2;
            assert!(line.chars().count() <= 100 || whole, "{path}: {line}");
        }
    }
}
