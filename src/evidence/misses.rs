//! Near misses of a rule without a condition: its pattern with one place changed.

use super::apply::Base;
use crate::algebra::{Construct, Sort};
use crate::rewrite::{Plain, Request, Rule, derive};
use crate::term::{Head, Id, Symbol, Terms};
use std::collections::HashSet;

/// How many terms that differ from the rule's pattern in one place it does not match; an error names
/// one that it does. None are made for a rule with a condition, whose page shows some.
///
/// # Errors
///
/// In words, a place whose change the pattern does not notice.
pub fn made(base: &Base, rule: &Rule) -> Result<usize, String> {
    let rules = base.base.terms();
    if !rule.condition_parts(rules).is_empty() {
        return Ok(0);
    }
    let mut places = Vec::new();
    let mut seen = HashSet::new();
    for (i, id) in rules.subterms(rule.pattern).enumerate() {
        match rules.head(id) {
            // Only a further occurrence of a variable says anything.
            Head::Variable(name) if seen.insert(name) => {}
            Head::Sequence(_) => {}
            _ if i > 0 => places.push(i),
            _ => {}
        }
    }
    if places.is_empty() {
        places.push(0);
    }
    let fires = |changed: Option<usize>| {
        let mut terms = Terms::new();
        let mut number = 0;
        let root = instance(
            rules,
            rule.pattern,
            Sort::Operator,
            &mut terms,
            changed,
            &mut number,
        );
        let strategy = format!("at_root_{}", rule.name);
        let request = Request {
            strategy: &strategy,
            settings: &[],
            bound: 2.into(),
        };
        derive(&base.base, &request, &terms, root, &mut Plain)
            .is_ok_and(|done| !done.derivation.steps.is_empty())
    };
    if !fires(None) {
        return Err("its own pattern does not match".to_owned());
    }
    match places.iter().find(|&&place| fires(Some(place))) {
        Some(place) => Err(format!(
            "it fires with place {place} of its pattern changed"
        )),
        None => Ok(places.len()),
    }
}

/// The pattern with names for its variables, and something else at one place.
fn instance(
    rules: &Terms,
    id: Id,
    sort: Sort,
    terms: &mut Terms,
    changed: Option<usize>,
    number: &mut usize,
) -> Id {
    let here = *number;
    *number += 1;
    let word = |terms: &mut Terms, word: &str| {
        let construct = match sort {
            Sort::Condition => Construct::Test,
            _ => Construct::Call,
        };
        let text = terms.text(Symbol::new(word));
        terms.apply(construct.symbol(), &[text])
    };
    let args: Vec<Id> = rules.args(id).to_vec();
    let functor = rules.functor(id);
    let construct = functor.and_then(Construct::of);
    let parts: Vec<Id> = args
        .iter()
        .enumerate()
        .map(|(i, &argument)| {
            let sort = construct.and_then(|c| c.info().argument(i)).unwrap_or(sort);
            instance(rules, argument, sort, terms, changed, number)
        })
        .collect();
    if changed == Some(here) {
        return word(terms, "something else");
    }
    match rules.head(id) {
        Head::Variable(name) | Head::Sequence(name) => word(terms, name.as_str()),
        Head::Functor(functor) => terms.apply(functor, &parts),
        head => terms.make(head, &[]),
    }
}
