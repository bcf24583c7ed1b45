//! Which rules are tried first.
//!
//! Rule A is *more specific* than rule B if A's pattern is an instance of B's and not the other
//! way round, or if the patterns are the same up to names and only A has a condition. Rules are
//! tried in the order of the files, except that a more specific rule goes before a more general
//! one. A rule whose pattern is a bare variable is more general than all others.

use super::matching::Matches;
use super::rule::Rule;
use crate::term::Terms;

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

/// The order in which rules are tried, as indices into `rules`.
pub(super) fn order(terms: &mut Terms, rules: &[&Rule]) -> Vec<usize> {
    // Patterns are made in the arena of the rules, which must not grow by what matching makes.
    let mut order: Vec<usize> = Vec::with_capacity(rules.len());
    for (i, rule) in rules.iter().enumerate() {
        // Insertion keeps file order where nothing is more specific. The new rule goes before
        // the first more general one; being more specific is transitive, so everything more
        // specific than the new rule is more specific than that one and stands before it.
        let at = order
            .iter()
            .position(|&other| more_specific(terms, rule, rules[other]));
        match at {
            Some(at) => order.insert(at, i),
            None => order.push(i),
        }
    }
    order
}
