//! Steps that are shown are those of the run.

use super::{BOUND, STRATEGIES, flat, headers, names, rewrite, text};
use glushkov::rewrite::{Rewriting, Rewritten, RuleBase, run_rewrite, strategy_text};
use glushkov::term::Sources;

fn traced(rules: &str, term: &str, strategy: &str, steps: u64) -> Rewritten {
    let mut sources = Sources::default();
    let mut files = vec![sources.add("case.rules", rules)];
    let term = sources.add("term", term);
    let given = strategy_text(strategy);
    let strategy = given.as_ref().map_or(strategy, |(_, name)| name);
    if let Some((text, _)) = &given {
        files.push(sources.add("strategy", text.clone()));
    }
    let base = RuleBase::load(&sources, &files).unwrap_or_else(|d| panic!("{d:#?}"));
    let options = Rewriting {
        strategy: Some(strategy),
        steps,
        trace: true,
        ..Rewriting::default()
    };
    run_rewrite(&base, &sources, term, &options).unwrap_or_else(|d| panic!("{d:#?}"))
}

/// So many rewrites are looked at in a case.
const LOOKED_AT: u64 = 400;

#[test]
fn steps_lead_to_what_a_run_gives() {
    let mut looked_at = 0;
    for name in names() {
        for header in headers(&name) {
            for (strategy, wanted) in STRATEGIES.into_iter().zip(&header.rewrites) {
                if wanted.is_none_or(|rewrites| rewrites > LOOKED_AT) {
                    continue;
                }
                looked_at += 1;
                let place = format!("{name}, {strategy}: {}", header.term);
                let run = rewrite(&name, &header.term, strategy, BOUND);
                let done = traced(&text(&name), &header.term, strategy, BOUND);
                assert_eq!(flat(&done), flat(&run), "{place}");
                let numbered = done.steps.iter().filter(|step| step.number.is_some());
                assert_eq!(numbered.count() as u64, done.rewrites, "{place}");
                // What a run shares it rewrites once; a run counts rewrites of conditions, too.
                if strategy == "FirstTop" {
                    assert_eq!(done.rewrites, run.rewrites, "{place}");
                    assert_eq!(done.counts, run.counts, "{place}");
                }
            }
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}

#[test]
fn steps_are_shown() {
    let rules = "#@rule(larger) max($x, $y) [$x >= $y] -> $x !-> $y;
                 len([]) -> 0; len([$h : $t]) -> 1 + len($t)";
    let mut shown = String::new();
    for (term, strategy) in [
        ("f(max(1, 2), [a, max(3, 2), c])", "FirstTop"),
        ("p(len([a, b]), {max(1, 2), 1})", "BottomTop"),
        ("max(x, 1)", "FirstTop"),
    ] {
        let done = traced(rules, term, strategy, 100);
        shown.push_str(&format!("{strategy}: {term}\n"));
        for step in &done.steps {
            shown.push_str(&step.text());
        }
        shown.push_str(&format!("gives {}\n\n", flat(&done)));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn long_terms_are_shortened() {
    let list: Vec<String> = (0..500).map(|n| format!("n{n}")).collect();
    let deep = format!("{}go{}", "s(".repeat(2_000), ")".repeat(2_000));
    let term = format!("f([{}], g({deep}, x))", list.join(", "));
    let done = traced("go -> done", &term, "FirstTop", 10);
    assert_eq!(done.steps.len(), 1);
    assert!(done.steps[0].whole.len() < 1_000, "{}", done.steps[0].whole);
    assert!(
        done.steps[0].whole.contains("⟦go⟧"),
        "{}",
        done.steps[0].whole
    );
    let wide = traced(
        "go -> done",
        &format!("f({}, go, {})", list.join(", "), list.join(", ")),
        "TopDown",
        10,
    );
    assert_eq!(
        wide.steps[0].whole,
        "f(…, n496, n497, n498, n499, ⟦go⟧, n0, n1, n2, n3, …)"
    );
}

#[test]
fn strategies_of_combinators_rewrite_terms() {
    let rules = "#@rule(ab) a -> b; #@rule(bc) b -> c; #@rule(sum) f($x, $y) [$x > 1] -> $x + $y; #@rule(ah) a -> h(a);
                 strategy twice = try(ab); try(bc)";
    let mut shown = String::new();
    for (term, strategy) in [
        ("g(a, h(a))", "topdown(twice)"),
        ("g(a, h(a))", "once(ab)"),
        ("g(a, h(a))", "ab"),
        ("g(a, h(a))", "all(ab)"),
        ("g(a, h(a))", "all(ab <+ all(ab)); not(ab)"),
        ("f(2, f(3, f(1, a)))", "innermost(sum <+ ab)"),
        ("f(2, f(3, 4))", "bottomup(try(`sum`))"),
        ("{b, c, a}", "topdown(try(ab <+ bc))"),
        ("a", "ab; ab"),
        ("a", "repeat(ab <+ bc)"),
        ("g(a, h(a))", "outside(h, topdown(try(ab)))"),
        ("g(a, h(a))", "outside(h, once(ab); once(ab))"),
        ("g(c, h(a))", "outside(h, topdown(try(once(ab))))"),
        ("h(a)", "outside(h, topdown(try(ab)))"),
        ("g(a, h(a))", "outside(h, topdown(try(ah)))"),
        ("g(a, h(a))", "outside(h, at(h, all(ab)))"),
    ] {
        let done = traced(rules, term, strategy, 100);
        shown.push_str(&format!("{strategy}: {term}\n"));
        for step in &done.steps {
            shown.push_str(&step.text());
        }
        for told in &done.diagnostics {
            shown.push_str(&format!("{}: {}\n", told.code, told.message));
        }
        shown.push_str(&format!("gives {}\n\n", flat(&done)));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_strategy_that_goes_on_is_bounded() {
    let done = traced("#@rule(grow) a -> s(a)", "a", "repeat(once(grow))", 50);
    assert_eq!(done.exit_code(), 1);
    assert_eq!(done.rewrites, 50);
    assert_eq!(done.diagnostics[0].code, "E0320");
}
