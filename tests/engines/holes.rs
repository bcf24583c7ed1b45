//! Results whose cells are made before the last call within them: deep ones, shared ones, and such that a bound leaves open.

use super::numbers::Numbers;
use super::programs::{data_of_program, program};
use glushkov::rewrite::{Rewriting, Rewritten, RuleBase, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;

fn run(rules: &str, term: &str, steps: u64, general: bool) -> Rewritten {
    let mut sources = Sources::default();
    let file = sources.add("case.rules", rules);
    let term = sources.add("term", term);
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    let options = Rewriting {
        strategy: Some("BottomTop"),
        steps,
        general,
        ..Rewriting::default()
    };
    run_rewrite(&base, &sources, term, &options).expect("a run")
}

/// The term that a run came to, how often rules fired, and whether it ended.
fn told(done: &Rewritten) -> (String, Vec<(String, u64)>, i32) {
    let counts = done.counts.iter();
    let counts = counts.map(|(rule, count)| (rule.to_string(), *count));
    let text = print_term_flat(&done.terms, done.root);
    (text, counts.collect(), done.exit_code())
}

/// Holds a run at each bound against the general matcher, until the run ends; gives how many steps it takes.
fn stops_alike(rules: &str, term: &str, most: u64) -> Option<u64> {
    for steps in 0..most {
        let [wanted, found] = [true, false].map(|general| told(&run(rules, term, steps, general)));
        assert_eq!(found, wanted, "{steps} steps of {term}\nby\n{rules}");
        if wanted.2 == 0 {
            return Some(steps);
        }
    }
    None
}

const LISTS: &str = "append(nil, $x) -> $x; append(c($x, $y), $z) -> c($x, append($y, $z));
    rev(nil) -> nil; rev(c($x, $y)) -> append(rev($y), c($x, nil));
    dbl(z) -> z; dbl(s($x)) -> s(s(dbl($x)));
    each(nil) -> nil; each(c($x, $y)) -> c(dbl($x), each($y));
    tree(z) -> leaf; tree(s($x)) -> n(tree($x), s(z), tree($x));
    last(nil, $y) -> u; last(c($x, $r), $y) -> p(q($x, last($r, r($y)), $y), v)";

#[test]
fn a_bound_leaves_holes_open() {
    let numbers = "c(s(s(z)), c(z, c(s(z), nil)))";
    for (term, wanted) in [
        (format!("append({numbers}, {numbers})"), 4),
        (format!("rev({numbers})"), 10),
        (format!("each({numbers})"), 10),
        (format!("rev(each(append({numbers}, rev({numbers}))))"), 61),
        ("pair(tree(dbl(s(z))), tree(s(s(z))))".into(), 16),
        (format!("last({numbers}, last(nil, w))"), 5),
    ] {
        assert_eq!(stops_alike(LISTS, &term, 200), Some(wanted), "{term}");
    }
}

#[test]
fn a_branch_of_if_fills_a_hole() {
    let rules = "less($x, z) -> false; less(z, s($y)) -> true; less(s($x), s($y)) -> less($x, $y);
        put($x, nil) -> c($x, nil);
        put($x, c($y, $z)) -> if(less($x, $y), c($x, c($y, $z)), c($y, put($x, $z)));
        mark(nil) -> nil; mark(c($x, $y)) -> c(m, if(less($x, s(z)), mark($y), s(mark($y))));
        mark(w) -> if(w, mark(nil), mark(nil))";
    let list = "c(z, c(s(z), c(s(s(z)), w)))";
    let closed = list.replace('w', "nil");
    for (term, wanted) in [
        (format!("put(s(z), {closed})"), 8),
        (format!("mark({closed})"), 9),
        (format!("mark({list})"), 11),
    ] {
        assert_eq!(stops_alike(rules, &term, 100), Some(wanted), "{term}");
    }
}

/// Rules within conditions count, so that the engine of other systems is what the runs are held against: a rule that never
/// fires has them run by it.
#[test]
fn rules_with_conditions_fill_holes() {
    let rules = "less($x, z) -> no; less(z, s($y)) -> yes; less(s($x), s($y)) -> less($x, $y);
        sort(nil) -> nil; sort(c($x, $y)) -> put($x, sort($y));
        put($x, nil) -> c($x, nil);
        put($x, c($y, $z)) [ less($x, $y) == yes ] -> c($x, c($y, $z)) !-> c($y, put($x, $z));
        copy(nil) -> nil; copy(c($x, $y)) -> c($x, $w) where ($w <- copy($y))";
    let list = "c(s(s(s(z))), c(z, c(s(s(z)), c(s(z), c(s(s(s(s(z)))), nil)))))";
    let term = format!("copy(sort({list}))");
    let found = told(&run(rules, &term, 1000, false));
    let others = format!("{rules}; never({{$x : $r}}) -> $x");
    assert_eq!(found, told(&run(&others, &term, 1000, false)));
    let sorted = "c(z, c(s(z), c(s(s(z)), c(s(s(s(z))), c(s(s(s(s(z)))), nil)))))";
    assert_eq!((found.0.as_str(), found.2), (sorted, 0));
    for steps in 0..60 {
        let done = run(rules, &term, steps, false);
        assert!(done.rewrites <= steps);
    }
}

/// Collections meet open holes in cells of any age.
#[test]
fn a_chain_may_be_longer_than_frames_may_nest() {
    let times = 22;
    let rules = "dbl(z) -> z; dbl(s($x)) -> s(s(dbl($x)))";
    let term = format!("{}s(z){}", "dbl(".repeat(times), ")".repeat(times));
    let done = run(rules, &term, u64::MAX, false);
    let deep = 1 << times;
    // Each doubling takes a step for each `s`, and one for `z`.
    assert_eq!(done.rewrites, deep - 1 + times as u64);
    let (mut at, mut depth) = (done.root, 0);
    while let [next] = *done.terms.args(at) {
        assert_eq!(done.terms.functor(at), done.terms.functor(done.root));
        (at, depth) = (next, depth + 1);
    }
    assert_eq!(depth, deep);
    assert_eq!(done.terms.size(done.root) as u64, deep + 1);
}

#[test]
fn what_is_shared_is_filled_once() {
    let rules = format!("{LISTS}; twice($x) -> g(append($x, w), s(append($x, w)), $x)");
    let list = "append(c(u, c(v, nil)), c(w, nil))";
    let term = format!("twice(twice({list}))");
    let [wanted, found] = [true, false].map(|general| told(&run(&rules, &term, 1000, general)));
    assert_eq!(found, wanted);
    assert!(stops_alike(&rules, &term, 1000).is_some());
}

#[test]
fn engines_stop_alike_on_programs() {
    let mut numbers = Numbers(7);
    let mut ended = 0;
    for _ in 0..400 {
        let (rules, term) = (program(&mut numbers), data_of_program(&mut numbers, 4));
        ended += usize::from(stops_alike(&rules, &term, 16).is_some());
    }
    assert!(ended > 100, "{ended}");
}
