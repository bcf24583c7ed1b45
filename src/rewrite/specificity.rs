//! Which rules are tried first.
//!
//! Rule A is *more specific* than rule B if A's pattern is an instance of B's and not the other
//! way round, or if the patterns are the same up to names and only A has a condition. Rules are
//! tried in the order of the files, except that a more specific rule goes before a more general
//! one. A rule whose pattern is a bare variable is more general than all others.

use super::matching::Matches;
use super::rule::Rule;
use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN};
use crate::term::{Head, Symbol, Terms};
use indexmap::IndexMap;

/// Whether everything that `special`'s pattern matches is matched by `general`'s.
pub(super) fn subsumes(terms: &mut Terms, general: &Rule, special: &Rule) -> bool {
    if general.matcher.functor().is_some() && general.matcher.functor() != special.matcher.functor()
    {
        return false;
    }
    let slots = vec![None; general.names.len()];
    // The variables of the special pattern stand for themselves: they match only variables.
    Matches::new(&general.matcher, special.pattern, slots).advance(terms)
}

/// Whether `a` is more specific than `b`.
pub(super) fn more_specific(terms: &mut Terms, a: &Rule, b: &Rule) -> bool {
    if !subsumes(terms, b, a) {
        return false;
    }
    !subsumes(terms, a, b) || (a.is_conditional() && !b.is_conditional())
}

/// What the first argument of a rule's pattern begins with; nothing where it may be anything.
fn key(terms: &Terms, rule: &Rule) -> Option<Head> {
    // Elements of a commutative operator have no places.
    if rule.is_modulo {
        return None;
    }
    let &first = terms.args(rule.pattern).first()?;
    match terms.head(first) {
        Head::Variable(_) | Head::Sequence(_) => None,
        // Sets and functors of any arity are matched in ways of their own.
        Head::Functor(f) if matches!(f.as_str(), SET | SET_PATTERN | ANY_ARITY) => None,
        head => Some(head),
    }
}

/// The order in which rules are tried, as indices into `rules`: those for a functor stand
/// together, and those for any functor at the end.
pub(super) fn order(terms: &mut Terms, rules: &[&Rule]) -> Vec<usize> {
    let mut by_functor: IndexMap<Option<Symbol>, Vec<usize>> = IndexMap::new();
    for (i, rule) in rules.iter().enumerate() {
        by_functor
            .entry(rule.matcher.functor())
            .or_default()
            .push(i);
    }
    let any = by_functor.shift_remove(&None);
    let mut order = Vec::with_capacity(rules.len());
    for of_functor in by_functor.into_values().chain(any) {
        // Insertion keeps file order where nothing is more specific. The new rule goes before
        // the first more general one; being more specific is transitive, so everything more
        // specific than the new rule is more specific than that one and stands before it.
        let mut tried: Vec<(usize, Option<Head>)> = Vec::with_capacity(of_functor.len());
        for i in of_functor {
            let own = key(terms, rules[i]);
            let mut general = |&(other, key): &(usize, Option<Head>)| {
                // What begins otherwise is not more general.
                (key.is_none() || key == own) && more_specific(terms, rules[i], rules[other])
            };
            let at = tried.iter().position(&mut general);
            tried.insert(at.unwrap_or(tried.len()), (i, own));
        }
        order.extend(tried.into_iter().map(|(i, _)| i));
    }
    order
}
