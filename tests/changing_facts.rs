//! Facts that change while conditions and actions are computed, and questions that lead to themselves: what was
//! found out meanwhile is forgotten, by the compiled engine as by the general matcher.

use glushkov::rewrite::{
    Knowledge, Rewriting, RuleBase, print_facts, read_facts, run_rewrite_with,
};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;

/// What a term becomes, the facts that are left, and how often rules fired on the term itself, for both engines.
fn both(rules: &str, term: &str, facts: &str, strategy: &str) -> [(String, String, u64); 2] {
    let mut sources = Sources::default();
    let file = sources.add("case.rules", rules);
    let given = sources.add("term", term);
    let known = sources.add("facts", facts);
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    [true, false].map(|general| {
        let mut knowledge = Knowledge::default();
        read_facts(&mut knowledge.facts, known, facts).expect("facts");
        let options = Rewriting {
            strategy: Some(strategy),
            general,
            ..Rewriting::default()
        };
        let done = run_rewrite_with(&base, &sources, given, &options, &mut knowledge)
            .expect("a run that ends");
        let left = print_facts(&knowledge.facts).replace('\n', " ");
        let term = print_term_flat(&done.terms, done.root);
        (term, left.trim_end().to_string(), done.rewrites)
    })
}

/// Holds both engines against a term and facts under some strategies.
fn expect(rules: &str, term: &str, facts: &str, strategies: &[&str], wanted: [&str; 2]) {
    for strategy in strategies {
        for (term, left, _) in both(rules, term, facts, strategy) {
            assert_eq!([term.as_str(), left.as_str()], wanted, "{strategy}");
        }
    }
}

const ALL: [&str; 3] = ["FirstTop", "TopDown", "BottomTop"];

#[test]
fn a_value_whose_computing_changed_facts_is_computed_anew() {
    // `h(2)` is computed for the question and again for the action, by then with `e(a, 2)`.
    expect(
        "h($x) [ ask(e($q, $x)) ] -> g($x) !-> f(a) [ assert(e(a, $x)) ]; g(f($x)) -> h($x)",
        "h(h(2))",
        "e(n, n);",
        &["FirstTop", "TopDown"],
        ["f(a)", "e(n, n); e(a, 2); e(a, g(2));"],
    );
}

#[test]
fn actions_behind_the_one_that_ends_the_run_are_done() {
    expect(
        "g($x) -> $x [ setCurrentStopFlag(true) && assert(e(a, h($x))) ]; h($x) -> $x",
        "g(a)",
        "e(n, n);",
        &ALL,
        ["a", "e(n, n); e(a, a);"],
    );
}

#[test]
fn a_term_whose_condition_changed_facts_is_not_normal_by_them() {
    // `b` stays when it is asked about first, and `p(c)` holds from then on.
    expect(
        "b [ ask(p(c)) || e(h(c), n) ] -> c; h($x) -> f($x) [ assert(p(c)) ];
         g($x) [ e($x, n) ] -> d !-> g(a) [ assert(e(a, $x)) ]",
        "g(k(b))",
        "e(n, n); p(n);",
        &ALL,
        ["g(a)", "e(n, n); e(a, k(c)); p(n); p(c);"],
    );
}

#[test]
fn what_holds_a_term_that_facts_made_a_redex_is_not_normal() {
    // `h(0)` is visited before `k(2)` changes facts, and is a redex when `l` acts.
    expect(
        "h($x) [ ask(e(b, $q)) ] -> 1; k($x) -> f($x) [ assert(e(b, b)) ];
         l($x) -> f($x) [ assert(e(2, $x)) ]",
        "l(g(h(0), k(2)))",
        "e(n, n);",
        &ALL,
        ["f(g(1, f(2)))", "e(n, n); e(b, b); e(2, g(1, f(2)));"],
    );
}

#[test]
fn a_rule_that_is_asked_about_a_term_is_tried_once_the_term_is_another_one() {
    // While `f(f(1))` is asked about, it becomes `f(2)`, which becomes 2: `p(2)` does not hold, so that the
    // rule fires on `f(1)` first, and then on `f(2)`.
    let runs = both(
        "f($x) [ p(f($x)) ] -> 2; p(f($x)) -> true",
        "f(f(1))",
        "p(n); p(f(1));",
        "FirstTop",
    );
    for (term, _, rewrites) in runs {
        assert_eq!((term.as_str(), rewrites), ("2", 2));
    }
}

#[test]
fn a_term_is_asked_again_by_facts_of_other_steps_but_not_by_those_of_its_own_conditions() {
    let rules = "b [ ask(p(c)) || h(c) == 5 ] -> c; h($x) -> f($x) [ assert(p(c)) ];
        k($x) -> m($x) [ assert(q($x)) ]";
    let after = ["p(n); p(c);", "p(n); p(c); q(1);"];
    expect(
        rules,
        "b",
        "p(n);",
        &["FirstTop", "TopDown"],
        ["b", after[0]],
    );
    expect(rules, "g(b, k(1))", "p(n);", &ALL, ["g(c, m(1))", after[1]]);
    // BottomTop begins anew as long as facts change.
    expect(rules, "b", "p(n);", &["BottomTop"], ["c", after[0]]);
}
