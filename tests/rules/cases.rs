//! The examples of the pages are what the rules do, and each near miss is stopped by the part of
//! the condition that it names.

use super::again::again;
use super::apply::{Applied, Base, apply, text};
use super::page::{is_term, schemes};
use glushkov::algebra::{Construct, Sort};
use glushkov::check::Scheme;
use glushkov::equality::compare_schemes;
use glushkov::rewrite::{Case, Law, Rewriting, Rule, RuleBase, Shows, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::{Sources, Symbol};

/// Whether a rule is about predicates: strategies go through operators only.
pub fn is_predicate(base: &Base, rule: &Rule) -> bool {
    let functor = base.base.terms().functor(rule.pattern);
    let construct = functor.and_then(Construct::of);
    construct.is_some_and(|c| c.info().sort == Sort::Condition)
}

/// The scheme of a case, and for an example what should come of it. A predicate stands in a FILTER.
pub fn read(
    base: &Base,
    rule: &Rule,
    case: &Case,
    sources: &mut Sources,
) -> (Scheme, Option<Scheme>) {
    let mut codes = vec![case.before.clone()];
    if let Shows::Becomes(after) = &case.shows {
        codes.push(after.clone());
    }
    if is_predicate(base, rule) {
        codes
            .iter_mut()
            .for_each(|code| *code = format!("FILTER {code}"));
    }
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let mut read = schemes(&codes, sources);
    let after = (read.len() == 2).then(|| read.pop()).flatten();
    (read.remove(0), after)
}

/// What is wrong with a case, in a sentence.
pub fn wrong(base: &Base, rule: &Rule, case: &Case) -> Option<String> {
    let mut sources = Sources::default();
    if is_term(&case.before) {
        return wrong_term(base, rule, case);
    }
    let (scheme, wanted) = read(base, rule, case, &mut sources);
    if let (Some(Law::Decided), Some(wanted)) = (rule.law, &wanted) {
        let compared = compare_schemes(&scheme, wanted).expect("small ones");
        assert!(compared.is_equal(), "{}", rule.name);
    }
    let applied = apply(base, &scheme, "once", rule.name.as_str(), &case.settings);
    match (applied, &case.shows) {
        (Applied::Refused(why), _) => Some(why),
        (Applied::Stopped(misses), Shows::Becomes(_)) => {
            let reasons: Vec<String> = misses.iter().map(|m| m.reason()).collect();
            Some(format!("it does not fire: {}", reasons.join("; ")))
        }
        (Applied::Done(found), Shows::Becomes(_)) => {
            let (found, wanted) = (text(&found), text(&wanted?));
            (found != wanted).then(|| format!("it makes\n{found}\nand not\n{wanted}"))
        }
        (Applied::Done(_), Shows::NotWithout(_)) => Some("it fires".to_owned()),
        (Applied::Stopped(misses), Shows::NotWithout(condition)) => {
            let asked = condition.trim_start_matches('!');
            let stops = |m: &glushkov::rewrite::NearMiss| m.stopped_by.question == asked;
            if misses.iter().any(stops) {
                return None;
            }
            let reasons: Vec<String> = misses.iter().map(|m| m.reason()).collect();
            Some(format!(
                "`{condition}` does not stop it: {}",
                reasons.join("; ")
            ))
        }
    }
}

/// The same for a case in terms.
fn wrong_term(base: &Base, rule: &Rule, case: &Case) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add("rule", rule.text(&base.sources));
    let term = sources.add("term", case.before.clone());
    let alone = RuleBase::load(&sources, &[file]).expect("a rule");
    let done = run_rewrite(&alone, &sources, term, &Rewriting::default()).expect("a term");
    let found = print_term_flat(&done.terms, done.root);
    match &case.shows {
        Shows::Becomes(wanted) if *wanted != found => Some(format!("it makes {found}")),
        Shows::NotWithout(_) => Some("terms have no facts".to_owned()),
        _ => None,
    }
}

#[test]
fn pages_show_what_the_rules_do() {
    let base = Base::with(&[]).expect("rules");
    let mut all = Vec::new();
    for rule in &base.base.rules {
        let cases = rule.cases();
        if !cases.iter().any(|c| matches!(c.shows, Shows::Becomes(_))) {
            all.push(format!("{}: there is no example", rule.name));
        }
        for (i, case) in cases.iter().enumerate() {
            let found = wrong(&base, rule, case);
            all.extend(found.map(|w| format!("{}, case {}: {w}", rule.name, i + 1)));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}

#[test]
fn the_page_on_writing_rules_shows_a_rule_that_does_what_it_says() {
    let page = std::fs::read_to_string("docs/writing-rules.md").expect("a page");
    let (_, rest) = page.split_once("```rules\n").expect("a rule");
    let (rule, _) = rest.split_once("```").expect("its end");
    let base = Base::with(&[("own.rules".to_owned(), rule.to_owned())]).expect("rules");
    let rule = base.base.rule(Symbol::new("backwards")).expect("a rule");
    let cases = rule.cases();
    assert_eq!(cases.len(), 3);
    for case in &cases {
        assert_eq!(wrong(&base, rule, case), None);
    }
    assert_eq!(again(&base, rule), rule.again);
}
