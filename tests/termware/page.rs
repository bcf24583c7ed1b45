//! `docs/termware.md` has the tables of the standard functors, and each of their functors does something.

use crate::{STRATEGIES, flat, rewrite};
use glushkov::rewrite::{standard_forms, standard_functors};

const START: &str = "<!-- standard functors: made from their table -->\n";
const END: &str = "<!-- end of the table -->";

const FORMS: &str = "<!-- functors of terms: made from their table -->\n";

#[test]
fn the_page_has_the_tables_of_standard_functors() {
    let path = "docs/termware.md";
    let page = std::fs::read_to_string(path).expect("the page");
    let mut made = page.clone();
    for (start, table) in [(START, standard_functors()), (FORMS, standard_forms())] {
        let (before, rest) = made.split_once(start).expect("where a table starts");
        let (_, after) = rest.split_once(END).expect("where it ends");
        made = format!("{before}{start}{table}{END}{after}");
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &made).expect("the page is writable");
        return;
    }
    assert!(
        page == made,
        "{path} is out of date: run UPDATE=1 cargo test --test termware"
    );
}

/// What every standard functor gives; the last ones have no meaning, and stay.
const GIVEN: &[(&str, &str)] = &[
    ("Plus(1, 2.5)", "3.5"),
    ("Minus(1, 2)", "-1"),
    ("Times(3, 4)", "12"),
    ("Div(-7, 2)", "-3"),
    ("Mod(-7, 2)", "-1"),
    ("Negate(7)", "-7"),
    ("Equal(1, 1.0)", "True"),
    ("NotEqual(1, 1.0)", "False"),
    ("Less(\"a\", \"b\")", "True"),
    ("LessOrEqual(2, 1)", "False"),
    ("Greater(2, 1)", "True"),
    ("GreaterOrEqual(1, 2)", "False"),
    ("And(True, False)", "False"),
    ("Or(True, False)", "True"),
    ("Not(True)", "False"),
    ("isInt(1)", "True"),
    ("isInt(1.5)", "False"),
    ("isDouble(1.5)", "True"),
    ("isDouble(1)", "False"),
    ("isNumber(1)", "True"),
    ("isNumber(\"1\")", "False"),
    ("isString(\"1\")", "True"),
    ("isString(1)", "False"),
    ("isBoolean(True)", "True"),
    ("isBoolean(1)", "False"),
    ("toInt(-2.7)", "-2"),
    ("toInt(\"12\")", "12"),
    ("toDouble(2)", "2.0"),
    ("toDouble(\"2.5\")", "2.5"),
    ("toString(12)", "\"12\""),
    ("toString(True)", "\"true\""),
    ("concat(\"ab\", \"cd\")", "\"abcd\""),
    ("length(\"слово\")", "5"),
    ("isInt(f(1))", "False"),
    ("isInt($x)", "isInt($x)"),
    ("toInt(\"x\")", "toInt(\"x\")"),
    ("toInt(1.0e30)", ""),
    ("concat(\"a\", 1)", "concat(\"a\", 1)"),
    ("Div(1, 0)", "Div(1, 0)"),
];

#[test]
fn standard_functors_give_what_they_say() {
    for (term, wanted) in GIVEN {
        for strategy in STRATEGIES {
            let found = flat(&rewrite("words", term, strategy, 10));
            match *wanted {
                "" => assert!(found.starts_with("toInt("), "{term}: {found}"),
                wanted => assert_eq!(found, wanted, "{strategy}: {term}"),
            }
        }
    }
    // None is left out.
    for row in standard_functors().lines().skip(2) {
        let name = row.trim_start_matches("| `").split('(').next().unwrap();
        let start = format!("{name}(");
        let given = GIVEN
            .iter()
            .filter(|(term, gives)| term.starts_with(&start) && term != gives);
        assert!(given.count() > 0, "{name}");
    }
}

/// What every functor of terms gives; those of the system `String` are asked of it.
const OF_TERMS: &[(&str, &str)] = &[
    ("Equal(f(a), f(b))", "False"),
    ("NotEqual(f(a), f(a))", "False"),
    ("And(x, True)", "x"),
    ("Or(x, True)", "True"),
    ("isInt(a)", "False"),
    ("isDouble(a)", "False"),
    ("isNumber(a)", "False"),
    ("isString(a)", "False"),
    ("isBoolean(a)", "False"),
    ("term_less(f(1, 2), g(0))", "True"),
    ("isAtom(a)", "True"),
    ("isNil([])", "True"),
    ("isList([a])", "True"),
    ("isX($x)", "True"),
    ("isLong(1)", "False"),
    ("isShort(1)", "False"),
    ("isByte(1)", "False"),
    ("isChar(a)", "False"),
    ("isFloat(1.5)", "False"),
    ("isBigInteger(1)", "False"),
    ("isBigDecimal(1)", "False"),
    ("isJavaObject(a)", "False"),
    ("term_name(f(a))", "\"f\""),
    ("arity(f(a, b))", "2"),
    ("clone(f(a))", "f(a)"),
    ("reduce(Plus(1, 2))", "3"),
    ("Plus(x)", "x"),
    ("toBoolean(\"false\")", "False"),
    ("toString([a, 1])", "\"[a, 1]\""),
    ("concat(\"a\", \"b\", \"c\")", "\"abc\""),
    ("intersection({a, b}, {b, c})", "{b}"),
    ("ask(f(1))", "ask(f(1))"),
    ("unify(f($x, b), f(a, $y))", "True"),
    ("let ($x <- 1) f($x)", "f(1)"),
    ("(f($x) where ($x <- 1))", "f(1)"),
    ("apply(general, Plus(1, 2))", "3"),
    ("sys.println(\"a\")", "True"),
    ("String.(\"a\" + \"b\")", "\"ab\""),
    ("String.convert(a)", "\"convert(a)\""),
    ("String.matches(\"aab\", \"a+b\")", "True"),
    ("String.parse(\"f(x)\")", "f(x)"),
    ("String.split(\"a b\", \" \")", "[\"a\", \"b\"]"),
    ("List.reverse([a, b])", "[b, a]"),
    ("String.subst(\"aab\", \"a\", \"c\")", "\"ccb\""),
];

#[test]
fn functors_of_terms_give_what_they_say() {
    for (term, wanted) in OF_TERMS {
        for strategy in STRATEGIES {
            let found = flat(&rewrite("words", term, strategy, 100));
            assert_eq!(found, *wanted, "{strategy}: {term}");
        }
    }
    let written = [("Plus(2)", "+"), ("let", "let"), ("where", "where")];
    for row in standard_forms().lines().skip(2) {
        let name = row.trim_start_matches("| `").split('(').next().unwrap();
        let is_there = |(term, _): &(&str, &str)| {
            let sign = written.iter().find(|(n, _)| *n == name);
            term.contains(&format!("{name}(")) || sign.is_some_and(|(_, s)| term.contains(s))
        };
        assert!(OF_TERMS.iter().any(is_there), "{name}");
    }
}

/// A string that doubles in every step stays small.
#[test]
fn strings_do_not_outgrow_the_memory() {
    let mut term = "\"ab\"".to_owned();
    for _ in 0..16 {
        let done = rewrite("words", &format!("concat({term}, {term})"), "BottomTop", 10);
        term = flat(&done);
    }
    assert!(
        term.starts_with("concat(") && term.len() < 1 << 18,
        "{}",
        term.len()
    );
}
