//! Rewriting by systems: TermWare's behaviour, and where it is mended.

use glushkov::rewrite::{Rewriting, Rewritten, RuleBase, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;

fn rewrite(rules: &str, term: &str, strategy: &str, steps: u64) -> Rewritten {
    let mut sources = Sources::default();
    let rules = sources.add("test.rules", rules);
    let term = sources.add("term", term);
    let base = RuleBase::load(&sources, &[rules]).unwrap_or_else(|d| panic!("{d:#?}"));
    let options = Rewriting {
        strategy: Some(strategy),
        steps,
        ..Rewriting::default()
    };
    run_rewrite(&base, &sources, term, &options).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn flat(rules: &str, term: &str, strategy: &str) -> String {
    let done = rewrite(rules, term, strategy, 100_000);
    assert_eq!(done.exit_code(), 0, "{:?}", done.diagnostics);
    print_term_flat(&done.terms, done.root)
}

const ALL: [&str; 3] = ["FirstTop", "TopDown", "BottomTop"];

const PEANO: &str = "
    fib(0) -> 0;
    fib(s(0)) -> s(0);
    fib(s(s($x))) -> plus(fib(s($x)), fib($x));
    plus(0, $y) -> $y;
    plus(s($x), $y) -> s(plus($x, $y));
";

fn peano(n: usize) -> String {
    format!("{}0{}", "s(".repeat(n), ")".repeat(n))
}

#[test]
fn the_published_rule_runs_unchanged() {
    let rule = "ForLoop($x1, $x2, Minus(N,1), $x3) -> ForLoop($x1, $x2, Minus(Div(N,512),1), \
                CALL_GPU(blocksPerGrid, threadsPerBlock, $x3))";
    let term = "Then(ForLoop(i, 0, N - 1, ForLoop(s, 0, N - 1, Call(\"a\"))), ForLoop(i, 0, M, E))";
    let first = flat(rule, term, "FirstTop");
    for strategy in ALL {
        assert_eq!(flat(rule, term, strategy), first);
    }
    assert_eq!(
        first,
        "Then(ForLoop(i, 0, Minus(Div(N, 512), 1), CALL_GPU(blocksPerGrid, threadsPerBlock, \
         ForLoop(s, 0, Minus(Div(N, 512), 1), CALL_GPU(blocksPerGrid, threadsPerBlock, \
         Call(\"a\"))))), ForLoop(i, 0, M, E))"
    );
}

#[test]
fn strategies_pick_redexes_as_in_termware() {
    let rules = "a -> b; h(b) -> c; h(a) -> d";
    assert_eq!(flat(rules, "g(a, h(a))", "FirstTop"), "g(b, d)");
    assert_eq!(flat(rules, "g(a, h(a))", "TopDown"), "g(b, d)");
    assert_eq!(flat(rules, "g(a, h(a))", "BottomTop"), "g(b, c)");
}

#[test]
fn peano_fibonacci_takes_as_many_rewrites_as_in_maude() {
    let done = rewrite(
        PEANO,
        &format!("fib({})", peano(24)),
        "BottomTop",
        10_000_000,
    );
    assert_eq!(done.rewrites, 713_473);
    assert_eq!(print_term_flat(&done.terms, done.root), peano(46_368));
}

#[test]
fn all_strategies_agree_on_small_peano() {
    for strategy in ALL {
        assert_eq!(
            flat(PEANO, &format!("fib({})", peano(10)), strategy),
            peano(55)
        );
    }
}
