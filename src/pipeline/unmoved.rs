//! A strategy that takes no step: what stopped each of its rules.

use crate::derive::Derived;
use crate::diagnostic::Diagnostic;
use crate::rewrite::{NearMiss, RuleBase};
use crate::term::Symbol;

/// Strategies of more rules are no answer to one question; what stopped their rules is told as everywhere.
const MOST_RULES: usize = 12;

/// A note for each rule of a strategy that took no step.
pub(super) fn unmoved(base: &RuleBase, strategy: &str, derived: &Derived) -> Vec<Diagnostic> {
    let rules = rules(base, strategy);
    if !derived.derivation.steps.is_empty() || rules.len() > MOST_RULES {
        return Vec::new();
    }
    let misses = &derived.derivation.near_misses;
    let of_rule = |&rule: &Symbol| {
        let mut own = misses.iter().filter(|m| m.rule == rule.as_str());
        let why = match own.next() {
            Some(miss) => stopped(miss, own.count()),
            None => format!("the pattern of `{rule}` matches nowhere in the scheme"),
        };
        let place = misses.iter().find(|m| m.rule == rule.as_str());
        let place = place.and_then(|miss| miss.place);
        Diagnostic::note("N0348", format!("`{strategy}` takes no step: {why}"))
            .at(place.map(Into::into))
    };
    rules.iter().map(of_rule).collect()
}

fn stopped(first: &NearMiss, others: usize) -> String {
    let reason = first.reason();
    match others {
        0 => reason,
        1 => format!("{reason}; and at another place"),
        n => format!("{reason}; and at {n} other places"),
    }
}

/// The rules of a strategy, or the rule of that name.
fn rules(base: &RuleBase, name: &str) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    let mut work = vec![Symbol::new(name)];
    let mut seen: Vec<Symbol> = Vec::new();
    while let Some(name) = work.pop() {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        match base.strategies().iter().find(|s| s.name == name) {
            Some(strategy) => work.extend(base.uses(strategy).into_iter().rev()),
            None if base.rule(name).is_some() => found.push(name),
            None => {}
        }
    }
    found
}
