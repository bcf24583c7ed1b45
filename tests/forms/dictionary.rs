//! Dictionaries: a scheme in another language is the same algorithm.

use super::graph::checked;
use super::{library, read};
use glushkov::algebra::{Keyword, Language, translated};
use glushkov::equality::compare_schemes;
use glushkov::syntax::print::{Notation, Style, print};

#[test]
fn a_translated_scheme_is_the_same_algorithm() {
    let hermite = library().find(|(path, ..)| path.ends_with("/hermite.saa"));
    let (_, mut terms, root) = hermite.expect("it is there");
    let expanded = checked(&terms, root);
    for (language, word) in [
        (
            Language::Ukrainian,
            "обчислити прискорення (a0) і ривок (j0) тіла (i)",
        ),
        (
            Language::Russian,
            "вычислить ускорение (a1) и рывок (j1) тела (i)",
        ),
    ] {
        let other = translated(&mut terms, root, language);
        for (notation, name) in [
            (Notation::Text, "printed.saa"),
            (Notation::Formula, "printed.saaf"),
        ] {
            let style = Style {
                notation,
                language,
                comments: false,
            };
            let printed = print(&terms, other, style);
            let dictionary = Keyword::Dictionary.text(language);
            let before = printed.split(dictionary).next().expect("a text");
            assert!(before.contains(word), "{printed}");
            assert!(
                !before.contains("Compute") && !before.contains("Predict"),
                "{printed}"
            );
            let (mut again, back) = read(name, &printed);
            assert!(terms.equal_across(other, &again, back), "{printed}");
            // The phrases go away where the scheme is expanded, and nothing else differs.
            let same = checked(&again, back);
            assert!(
                expanded
                    .terms
                    .equal_across(expanded.body, &same.terms, same.body)
            );
            assert!(compare_schemes(&expanded, &same).expect("small").is_equal());
            // And back again.
            let english = translated(&mut again, back, Language::English);
            assert!(terms.equal_across(root, &again, english), "{printed}");
        }
    }
}

#[test]
fn arguments_may_move_and_predicates_are_translated() {
    let text = "SCHEME \"s\" ====\n  IF 'x (a) is above (b)' THEN \"Move (1) to (2)\" END IF;\n  \
                \"Move ((p + 1)) to (‘x (q) is above (r)’)\"\nDICTIONARY\n  \
                \"Move (i) to (j)\" ==== UK \"До (j) пересунути (i)\"\n  \
                'x (a) is above (b)' ==== UK 'над (b) стоїть (a)'\nEND OF SCHEME \"s\"\n";
    let (mut terms, root) = read("s.saa", text);
    let other = translated(&mut terms, root, Language::Ukrainian);
    let style = Style {
        notation: Notation::Text,
        language: Language::Ukrainian,
        comments: false,
    };
    let printed = print(&terms, other, style);
    assert!(printed.contains("ЯКЩО 'над (b) стоїть (a)'"), "{printed}");
    assert!(printed.contains("\"До (2) пересунути (1)\""), "{printed}");
    let nested = "\"До (‘над (r) стоїть (q)’) пересунути (p + 1)\"";
    assert!(printed.contains(nested), "{printed}");
    let (again, back) = read("s.saa", &printed);
    assert!(terms.equal_across(other, &again, back), "{printed}");
    // A language that the dictionary has not: as the entry begins.
    let russian = translated(&mut terms, other, Language::Russian);
    assert!(terms.equal(russian, root));
}
