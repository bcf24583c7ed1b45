//! Conditions over terms that are not computed yet, which ask conditions themselves: a step that was asked for once is
//! taken again elsewhere, and counts as all that it asks.

use super::numbers::Numbers;
use glushkov::rewrite::{Rewriting, RuleBase, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;

const ORDERS: [&str; 2] = ["FirstTop", "TopDown"];

/// A rule that never fires here. Where there is one that asks about a variable by itself, no step is kept.
const NEVER: &str = "never($x) [ $x == never ] -> $x";

const TAK: &str = "lt($x, z) -> no; lt(z, s($y)) -> yes; lt(s($x), s($y)) -> lt($x, $y);
    pred(s($x)) -> $x; pred(z) -> m;
    tak($x, $y, $z) [ lt($y, $x) == yes ] ->
        tak(tak(pred($x), $y, $z), tak(pred($y), $z, $x), tak(pred($z), $x, $y));
    tak($x, $y, $z) [ lt($y, $x) == no ] -> $z";

/// What a run ends with: the term, how often each rule fired, and whether it is finished.
type End = (String, Vec<(String, u64)>, bool);

fn end(rules: &str, term: &str, strategy: &str, steps: u64, general: bool) -> Option<End> {
    let mut sources = Sources::default();
    let file = sources.add("asked.rules", rules);
    let term = sources.add("term", term);
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    let options = Rewriting {
        strategy: Some(strategy),
        steps,
        general,
        ..Rewriting::default()
    };
    let done = run_rewrite(&base, &sources, term, &options).ok()?;
    assert!(general || done.slow.is_none(), "{:?}", done.slow);
    let counts = (done.counts.iter()).map(|(name, count)| (name.to_string(), *count));
    Some((
        print_term_flat(&done.terms, done.root),
        counts.collect(),
        done.exit_code() == 0,
    ))
}

fn number(n: usize) -> String {
    format!("{}z{}", "s(".repeat(n), ")".repeat(n))
}

fn tak(x: usize, y: usize, z: usize) -> String {
    format!("tak({}, {}, {})", number(x), number(y), number(z))
}

/// Compares what comes of a term with and without [`NEVER`] at all bounds up to `most`; whether the last run is finished.
fn ends_alike(rules: &str, term: &str, strategy: &str, most: u64) -> bool {
    let plain = format!("{rules};\n{NEVER}");
    let mut finished = false;
    for steps in 0..=most {
        let found = end(rules, term, strategy, steps, false).expect("a run");
        let wanted = end(&plain, term, strategy, steps, false).expect("a run");
        assert_eq!(found, wanted, "{strategy}, {steps}: {term}\nby\n{rules}");
        finished = found.2;
        if finished {
            break;
        }
    }
    finished
}

#[test]
fn what_is_asked_again_counts_as_often_as_it_is_asked() {
    for strategy in ORDERS {
        assert!(
            ends_alike(TAK, &tak(3, 1, 0), strategy, 3_000),
            "{strategy}"
        );
    }
    // These figures were counted before any step was kept.
    for (strategy, all) in [("FirstTop", 656_714), ("TopDown", 655_602)] {
        let term = tak(9, 6, 4);
        for (steps, ends) in [(all, true), (all - 1, false)] {
            let (_, _, finished) = end(TAK, &term, strategy, steps, false).expect("a run");
            assert_eq!(finished, ends, "{strategy}, {steps}");
        }
    }
}

#[test]
fn what_would_take_too_long_to_ask_again_ends_where_it_is_kept() {
    for strategy in ORDERS {
        let (text, counts, finished) =
            end(TAK, &tak(12, 8, 4), strategy, u64::MAX, false).expect("a run");
        assert!(finished, "{strategy}");
        assert_eq!(text, number(5));
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 24);
    }
}

/// A system of rules of which some ask about terms that are not computed yet. Rules for `f` ask `g`, `h` and `k`, those
/// for `g` ask `h` and `k`: so conditions do not ask each other without end unless something is rewritten, too.
fn system(numbers: &mut Numbers) -> String {
    let mut rules = vec!["k(z) -> y; k(y) -> z".to_string()];
    for (i, functor) in FUNCTORS[..3].iter().enumerate() {
        for pattern in ["z", "s($x)", "$x"] {
            if numbers.below(4) == 0 {
                continue;
            }
            let has = pattern.contains('$');
            let asked = |numbers: &mut Numbers| {
                let functor = FUNCTORS[i + 1 + numbers.below(3 - i)];
                match has {
                    true => format!("{functor}($x)"),
                    false => format!("{functor}({})", constant(numbers)),
                }
            };
            let condition = match numbers.below(4) {
                0 => String::new(),
                1 => format!(" [ {} == {} ]", asked(numbers), constant(numbers)),
                2 => format!(" [ {} != {} ]", asked(numbers), constant(numbers)),
                _ => format!(" [ {} == {} ]", asked(numbers), asked(numbers)),
            };
            let result = part(numbers, has, 2);
            rules.push(format!("{functor}({pattern}){condition} -> {result}"));
        }
    }
    rules.join(";\n")
}

const FUNCTORS: [&str; 4] = ["f", "g", "h", "k"];

fn constant(numbers: &mut Numbers) -> &'static str {
    ["z", "y"][numbers.below(2)]
}

/// A part of a rule, of its variable if it has one, or a term.
fn part(numbers: &mut Numbers, has: bool, depth: usize) -> String {
    match numbers.below(if depth == 0 { 3 } else { 6 }) {
        0 => constant(numbers).into(),
        1 | 2 if has => "$x".into(),
        1 | 2 => format!("s({})", constant(numbers)),
        3 => format!("s({})", part(numbers, has, depth - 1)),
        _ => {
            let functor = FUNCTORS[numbers.below(4)];
            format!("{functor}({})", part(numbers, has, depth - 1))
        }
    }
}

#[test]
fn random_systems_that_ask_end_alike_at_all_bounds() {
    let mut numbers = Numbers(17);
    let mut finished = 0;
    for _ in 0..200 {
        let rules = system(&mut numbers);
        let [first, second] = [5, 4].map(|depth| part(&mut numbers, false, depth));
        let term = format!("c(f({first}), g(h({second})))");
        for strategy in ORDERS {
            finished += usize::from(ends_alike(&rules, &term, strategy, 40));
            let wanted = end(&rules, &term, strategy, 40, true);
            if let Some(wanted) = wanted.filter(|wanted| wanted.2) {
                let found = end(&rules, &term, strategy, 200, false).expect("a run");
                assert_eq!(found, wanted, "{strategy}: {term}\nby\n{rules}");
            }
        }
    }
    assert!(finished > 200, "{finished}");
}

/// They are bounded by how many are open, as no rewrite counts.
#[test]
fn conditions_that_ask_without_end_and_rewrite_nothing_reach_the_bound() {
    let itself = "k($x) [ k(s($x)) ] -> true";
    let others = "k($x) [ l(s($x)) ] -> true; l($x) [ k($x) == true ] -> true";
    for rules in [itself, others] {
        for strategy in ["FirstTop", "TopDown", "BottomTop"] {
            let (text, counts, finished) =
                end(rules, "f(k(z))", strategy, 1_000, false).expect("a run");
            assert_eq!((text.as_str(), counts.len()), ("f(k(z))", 0), "{strategy}");
            assert!(!finished, "{strategy}");
        }
    }
    // As deep as conditions may nest at any bound, they are asked to their end.
    let ends = |depth: usize, steps: u64| {
        let last = format!("k({}) -> true; {itself}", number(depth));
        let ended = end(&last, "k(z)", "TopDown", steps, false);
        ended.expect("a run").2
    };
    assert!(ends(1_000, 1_001));
    assert!(ends(2_000, 2_001));
    assert!(!ends(2_000, 900));
}

/// Whether a rule asks about a term depends on what is being asked around it.
#[test]
fn what_is_being_asked_is_not_asked_again_whatever_is_kept() {
    let rules = "p($x) [ q($x) == yes ] -> one; p($x) [ q($x) == no ] -> two;
        q(w(done)) -> yes; q(w(late)) -> no;
        k($y) [ r(p(w(k($y)))) == yes ] -> done; k($y) [ k2($y) == yes ] -> late;
        k2(z) -> yes; k2(s($y)) -> k2($y); r(one) -> yes; r(two) -> no";
    for term in [
        "p(w(k(s(z))))",
        "c(k(s(z)), p(w(k(s(z)))))",
        "c(p(w(k(z))), k(z))",
        "d(p(w(k(k(z)))))",
    ] {
        let rules = format!("{rules}; d($x) -> c($x, $x)");
        for strategy in ORDERS {
            assert!(ends_alike(&rules, term, strategy, 500), "{term}");
            let found = end(&rules, term, strategy, 500, false);
            assert_eq!(found, end(&rules, term, strategy, 500, true), "{term}");
        }
    }
}

/// A step that is asked for anew after facts changed may be another one.
#[test]
fn what_facts_tell_is_asked_anew_once_they_change() {
    let rules = "is($x) [ ask(known(a)) ] -> yes !-> no; id($x) -> $x;
        v($x) [ id(is($x)) == yes ] -> new; v($x) [ id(is($x)) == no ] -> old;
        w($x) [ id(v($x)) == new ] -> after; w($x) [ id(v($x)) == old ] -> before;
        t($x) [ id($x) == before ] -> u($x) [ assert(known(a)) ]; u($x) [ id($x) == after ] -> done;
        d($x) -> c(t($x), $x)";
    for term in ["c(w(b), t(w(a)))", "d(w(a))", "c(d(w(b)), w(b))"] {
        for strategy in ORDERS {
            let found = end(rules, term, strategy, 200, false).expect("a run");
            let wanted = end(rules, term, strategy, 200, true).expect("a run");
            assert_eq!(found, wanted, "{strategy}: {term}");
            assert!(
                found.2 && found.0.contains("done"),
                "{strategy}: {}",
                found.0
            );
        }
    }
}
