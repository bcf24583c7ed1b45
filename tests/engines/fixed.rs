//! Systems and terms written for one thing each.

use super::{STRATEGIES, run};
use glushkov::rewrite::{Rewriting, RuleBase, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;

/// What a term becomes by a strategy, and how often rules fired, each as often for the general matcher and for the engine
/// that runs it.
fn becomes(rules: &str, term: &str, strategy: &str) -> (String, u64) {
    let mut sources = Sources::default();
    let file = sources.add("case.rules", rules);
    let given = [sources.add("term", term), sources.add("facts", "")];
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    let [wanted, found] = [true, false].map(|general| {
        let (done, _) = run(&base, &sources, given, strategy, general).expect("a run");
        (
            print_term_flat(&done.terms, done.root),
            done.rewrites,
            done.counts,
        )
    });
    assert_eq!(found, wanted, "{strategy}: {term}\nby\n{rules}");
    (wanted.0, wanted.1)
}

/// Holds the engines against what a term becomes by each of the strategies, and how often rules fire.
fn expect(rules: &str, term: &str, wanted: [(&str, u64); 3]) {
    for (strategy, (result, rewrites)) in STRATEGIES.into_iter().zip(wanted) {
        let wanted = (result.to_string(), rewrites);
        assert_eq!(becomes(rules, term, strategy), wanted, "{strategy}");
    }
}

#[test]
fn under_top_down_a_value_of_new_literals_comes_before_own_rules() {
    expect(
        "2 + $y -> z($y)",
        "(1 + 1) + 5",
        [("z(5)", 1), ("7", 0), ("z(5)", 1)],
    );
    expect(
        "plus(0, $y) -> $y; plus(s($x), $y) -> s(plus($x, $y))",
        "plus(plus(0, 0), 5)",
        [("5", 2), ("5", 1), ("5", 2)],
    );
    expect(
        "logical_and(false, $y) -> f($y); logical_not(true) -> false",
        "logical_and(logical_not(true), true)",
        [("f(True)", 2), ("False", 1), ("f(True)", 2)],
    );
}

#[test]
fn own_rules_for_if_leave_the_standard_one_where_they_do_not_fire() {
    let rules = "if(yes, $a, $b) -> p($a, $b)";
    expect(rules, "if(true, u, v)", [("u", 0); 3]);
    expect(rules, "if(yes, u, v)", [("p(u, v)", 1); 3]);
    // Arguments come first where there are rules for `if` of any number of arguments.
    let rules = "if($a, $b) -> $b; k($x) -> s($x)";
    expect(
        rules,
        "if(true, k(u), k(v))",
        [("s(u)", 1), ("s(u)", 1), ("s(u)", 2)],
    );
}

#[test]
fn rules_for_truth_values_fire_on_those_that_were_computed() {
    let rules = "true -> yes; less(z, $y) -> $y";
    expect(rules, "1 < 2", [("yes", 1); 3]);
    expect(rules, "c(1 < 2, z < true)", [("c(yes, yes)", 3); 3]);
}

#[test]
fn a_rule_that_asks_itself_by_where_is_tried_once_the_term_is_another_one() {
    let rules = "f($x, g($y)) -> r($w) where ($w <- k(f($x, g($y)), $x));
        k(r($u), c) -> yes; k(f($x, $y), c) -> no; b -> c";
    assert_eq!(becomes(rules, "f(b, g(z))", "FirstTop").0, "r(yes)");
    // The change may be further down than any pattern sees.
    let rules = rules.replace("$x));", "b));");
    let term = "f(h(h(h(h(b)))), g(z))";
    assert_eq!(becomes(&rules, term, "FirstTop").0, "r(yes)");
}

#[test]
fn a_result_that_is_the_redex_again_is_looked_at_after_any_change() {
    // The change is further down than any pattern sees.
    let rules = "w($x, $y) -> w($x, $x); k($x) -> $x; b -> c";
    let part = "h(h(h(h(h(k(b))))))";
    assert_eq!(
        becomes(rules, &format!("w({part}, {part})"), "FirstTop").1,
        4
    );
}

/// A pair that is in order stays so: after a swap, the search goes on at the pair above it.
#[test]
fn under_first_top_a_condition_is_asked_no_more_often_than_needed() {
    let rules = "less($x, 0) -> no; less(0, s($y)) -> yes; less(s($x), s($y)) -> less($x, $y);
        c($x, c($y, $z)) [ less($y, $x) == yes ] -> c($y, c($x, $z))";
    let number = |n: usize| format!("{}0{}", "s(".repeat(n), ")".repeat(n));
    let list = |n: usize| -> String {
        let cells: String = (0..n).map(|i| format!("c({}, ", number(n - i))).collect();
        cells + "nil" + &")".repeat(n)
    };
    let mut sources = Sources::default();
    let file = sources.add("sort.rules", rules);
    let term = sources.add("term", list(20));
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    // Each of 190 swaps asks once, as does each pair on the way down; a question takes 11 steps at most on average.
    let options = Rewriting {
        strategy: Some("FirstTop"),
        steps: 190 * 24,
        ..Rewriting::default()
    };
    let done = run_rewrite(&base, &sources, term, &options).expect("a run");
    assert_eq!((done.rewrites, done.exit_code()), (190, 0));
}

/// Rules of which FirstTop drops what never ends.
#[test]
fn what_first_top_drops_may_never_end() {
    let rules = "from($x) -> c($x, from(s($x))); first(c($x, $y)) -> $x; rest(c($x, $y)) -> $y;
        add(z, $y) -> $y; add(s($x), $y) -> s(add($x, $y))";
    let term = "first(rest(rest(from(add(s(z), z)))))";
    let mut sources = Sources::default();
    let file = sources.add("lazy.rules", rules);
    let term = sources.add("term", term);
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    let run = |general: bool, steps: u64| {
        let options = Rewriting {
            strategy: Some("FirstTop"),
            steps,
            general,
            ..Rewriting::default()
        };
        let done = run_rewrite(&base, &sources, term, &options).expect("a run");
        (print_term_flat(&done.terms, done.root), done.counts)
    };
    let found = run(false, u64::MAX);
    assert_eq!(found.0, "s(s(s(z)))");
    assert_eq!(found, run(true, 1000));
    for steps in 0..8 {
        assert_eq!(run(false, steps), run(true, steps), "{steps}");
    }
}

/// What rules repeat takes FirstTop as many rewrites as there are copies.
#[test]
fn under_first_top_copies_count() {
    let rules = "add(z, $y) -> $y; add(s($x), $y) -> s(add($x, $y));
        times(z, $y) -> z; times(s($x), $y) -> add($y, times($x, $y));
        fact(z) -> s(z); fact(s($x)) -> times(s($x), fact($x));
        up(z) -> nil; up(s($x)) -> c($x, up($x))";
    let mut sources = Sources::default();
    let file = sources.add("copies.rules", rules);
    let term = sources.add("term", "up(add(fact(s(s(s(s(s(z)))))), times(s(z), s(z))))");
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    let [wanted, found] = [true, false].map(|general| {
        let options = Rewriting {
            strategy: Some("FirstTop"),
            general,
            ..Rewriting::default()
        };
        run_rewrite(&base, &sources, term, &options).expect("a run")
    });
    assert!(found.any_order);
    assert_eq!(found.counts, wanted.counts);
    assert!(found.rewrites > 10_000, "{}", found.rewrites);
    let steps = [found.rewrites, found.rewrites - 1].map(|steps| {
        let options = Rewriting {
            strategy: Some("FirstTop"),
            steps,
            ..Rewriting::default()
        };
        let done = run_rewrite(&base, &sources, term, &options).expect("a run");
        (done.any_order, done.rewrites)
    });
    assert_eq!(steps, [(true, found.rewrites), (false, found.rewrites - 1)]);
}
