//! What single systems do, and what users are told.

use crate::running::{LAWS, ORDERS, base, rewritten};
use glushkov::rewrite::{Knowledge, Rewriting, read_facts, run_rewrite_with};
use glushkov::term::Sources;
use std::fmt::Write as _;

#[test]
fn every_order_and_the_trace_end_alike() {
    let chemistry = "#@operator(mix, associative, commutative)
        system(Chemistry, default, ruleset(
          mix(h2, h2, o2) -> mix(water, water),
          mix(water, na) -> mix(naoh, h)
        ), FirstTop)";
    let ring = "#@operator(Plus, associative, commutative)
        #@operator(Times, associative, commutative, identity(1))
        system(Ring, default, ruleset(
          $x * ($y + $z) -> $x * $y + $x * $z,
          $x * 0 -> 0,
          square($x) -> $x * $x
        ), BottomTop)";
    let bag = "#@operator(u, associative, commutative, identity(none))
        system(Bag, default, ruleset(
          u($x, $x) -> $x,
          size(none) -> 0,
          size(u(one($x), $rest)) -> 1 + size($rest)
        ), TopDown)";
    let cases = [
        (
            chemistry,
            "mix(h2, mix(o2, h2), na, na)",
            "mix(h, h, naoh, naoh)",
        ),
        (
            ring,
            "(x + 1 + 2) * (y + 3) * 2",
            "Plus(18, Times(6, x), Times(6, y), Times(2, x, y))",
        ),
        (ring, "square(x + 1)", "Plus(1, Times(x, x), x, x)"),
        (ring, "y + 1 * x", "Plus(x, y)"),
        (bag, "size(u(one(a), one(b), u(none, one(c))))", "3"),
        (
            bag,
            "u(one(a), u(one(b), one(a)), none)",
            "u(one(a), one(b))",
        ),
        (bag, "u(none, none)", "none"),
    ];
    for (rules, term, wanted) in cases {
        for order in ORDERS {
            let found = rewritten(rules, term, Some(order));
            assert_eq!(found, Ok((wanted.to_owned(), true)), "{term} {order}");
        }
    }
}

#[test]
fn sequences_take_what_single_variables_leave() {
    let rules = |rule: &str| {
        format!("#@operator(f, {LAWS})\nsystem(T, default, ruleset({rule}), FirstTop)")
    };
    let cases = [
        // With a sequence, a variable is one argument.
        (
            "f(a, $x, $r..) -> p($x, f($r..))",
            "f(c, b, a, c)",
            "p(b, f(c, c))",
        ),
        // Without one, it takes what is left.
        ("p(f(a, $x)) -> q($x)", "p(f(c, b, a))", "q(f(b, c))"),
        // A rule for some arguments leaves the others.
        ("f(a, b) -> c", "f(b, d, a, e)", "f(c, d, e)"),
        // Conditions choose among all matches.
        (
            "f(n($x), n($y)) [$x > $y] -> n($x)",
            "f(n(3), n(5), n(4))",
            "n(5)",
        ),
        // The same variable inside and outside.
        ("f(g($x), $x) -> $x", "f(a, b, g(f(a, b)), c)", "f(a, b, c)"),
        // Anonymous variables are each their own.
        ("p(f($_, $_, $_)) -> three", "p(f(a, a, b))", "three"),
        ("p(f($_, $_, $_)) -> three", "p(f(a, b))", "p(f(a, b))"),
        // A name like those that anonymous variables get.
        ("p(f($_1, $_, a)) -> q($_1)", "p(f(a, b, c))", "q(b)"),
        // A substitution keeps the order.
        (
            "s(f($x, c)) -> substitute(f($x, c), c, a)",
            "s(f(b, c))",
            "f(a, b)",
        ),
    ];
    for (rule, term, wanted) in cases {
        let found = rewritten(&rules(rule), term, None);
        assert_eq!(found, Ok((wanted.to_owned(), true)), "{rule}");
    }
    // All arguments before few, however many there are.
    let names: Vec<String> = (100..180).map(|i| format!("b{i}")).collect();
    let names = names.join(", ");
    let found = rewritten(&rules("f(a, $x) -> q($x)"), &format!("f(a, {names})"), None);
    let (found, finished) = found.expect("a result");
    let one_line = found.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(finished && one_line.starts_with("q("), "{one_line}");
}

#[test]
fn a_rule_that_matches_in_too_many_ways_ends_the_run() {
    let rules = format!(
        "#@operator(f, {LAWS})
        system(T, default, ruleset(f($x, $y) [1 == 2] -> done), FirstTop)"
    );
    let letters = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("a{i}")).collect();
        format!("f({})", names.join(", "))
    };
    let (end, finished) = rewritten(&rules, &letters(5), None).expect("an end");
    assert!(finished && end.starts_with("f(a0, "), "{end}");
    let told = rewritten(&rules, &letters(20), None).expect_err("too many");
    assert!(told.contains("more than 100000 ways"), "{told}");
}

#[test]
fn integers_are_computed_unless_they_overflow() {
    let rules = "#@operator(Plus, associative, commutative)
        system(T, default, ruleset(never -> ever), FirstTop)";
    let most = i64::MAX;
    let cases = [
        ("1 + x + 2".to_owned(), "Plus(3, x)".to_owned()),
        ("1.5 + x + 2.5".into(), "Plus(1.5, 2.5, x)".into()),
        (
            format!("{most} + x + {most}"),
            format!("Plus({most}, {most}, x)"),
        ),
        (format!("{most} + (x + 1) + -1"), format!("Plus({most}, x)")),
    ];
    for (term, wanted) in cases {
        assert_eq!(rewritten(rules, &term, None), Ok((wanted, true)), "{term}");
    }
}

#[test]
fn declarations_come_with_imports() {
    let inner = "#@operator(f, associative, commutative)
        system(Inner, default, ruleset(f(a, b) -> c), FirstTop);\n";
    let outer = format!("{inner}system(Outer, default, ruleset(import(Inner), c -> d), FirstTop)");
    let wanted = Ok(("f(d, x)".to_owned(), true));
    assert_eq!(rewritten(&outer, "f(b, f(x, a))", None), wanted);
    // The rules of a system without the operator stay as they were there, too.
    let both = "system(Plain, default, ruleset(f(a, $x) -> got($x)), FirstTop);
        #@operator(f, associative, commutative)
        system(Laws, default, ruleset(import(Plain), start -> f(b, a), p($x) -> Plain.$x), FirstTop)";
    let found = |term: &str| rewritten(both, term, None).map(|(text, _)| text);
    assert_eq!(found("start"), Ok("got(b)".into()));
    assert_eq!(found("p(f(b, a))"), Ok("got(b)".into()));
    let differ = format!(
        "{inner}#@operator(f, commutative)
        system(Outer, default, ruleset(import(Inner)), FirstTop)"
    );
    let told = rewritten(&differ, "a", None);
    let wanted = "the system `Inner` has another declaration of the operator `f`";
    assert_eq!(told, Err(wanted.to_owned()));
}

#[test]
fn facts_are_kept_in_the_same_form() {
    let mut sources = Sources::default();
    let rules = base(
        &mut sources,
        "#@operator(bond, commutative)
        system(Atoms, default, ruleset(
          joined($x, $y) [bond($x, $y)] -> yes !-> no
        ), FirstTop)",
    );
    let facts = "bond(o, h); bond(c, h)";
    let file = sources.add("bonds.facts", facts);
    let mut known = Knowledge::default();
    read_facts(&mut known.facts, file, facts).expect("facts");
    let term = sources.add("term", "p(joined(h, o), joined(o, h), joined(o, c))");
    let done = run_rewrite_with(&rules, &sources, term, &Rewriting::default(), &mut known);
    let done = done.unwrap_or_else(|d| panic!("{d:#?}"));
    assert_eq!(done.text().trim(), "p(yes, yes, no)");
}

#[test]
fn wrong_declarations_are_refused() {
    let mut shown = String::new();
    for declared in [
        "",
        "f",
        "f, associative",
        "f, commutative, identity(e)",
        "f, commutative, idempotent",
        "f($x), commutative",
        "concat, associative, commutative",
        "each, commutative",
        "f, commutative)\n#@operator(f, commutative",
    ] {
        let rules =
            format!("#@operator({declared})\nsystem(T, default, ruleset(a -> b), FirstTop)");
        let told = rewritten(&rules, "a", None).expect_err(declared);
        let _ = writeln!(shown, "{declared:?}: {told}");
    }
    let told = rewritten("#@operator(f, commutative)\na -> b", "a", None);
    let _ = writeln!(shown, "before a rule: {}", told.expect_err("no system"));
    for before in [
        "domain(D, system(T, default, ruleset(a -> b), FirstTop))",
        "strategy s = `a.1`",
    ] {
        let rules = format!("a -> b;\n#@operator(f, commutative)\n{before}");
        let told = rewritten(&rules, "a", None).expect_err(before);
        let _ = writeln!(
            shown,
            "before {}: {told}",
            before.split(['(', ' ']).next().unwrap_or("")
        );
    }
    let rules = "system(T, default, ruleset(a -> b), FirstTop);
        system(U, default, ruleset(#@operator(f, commutative) import(T)), FirstTop)";
    let told = rewritten(rules, "a", None).expect_err("an import");
    let _ = writeln!(shown, "before an import: {told}");
    insta::assert_snapshot!(shown);
}
