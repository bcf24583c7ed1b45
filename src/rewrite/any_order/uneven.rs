//! What FirstTop may repeat or drop.

use super::{Name, name};
use crate::rewrite::Rule;
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The arguments of functors of which a result may repeat or drop what is in them.
pub(in crate::rewrite) struct Uneven(FxHashSet<(Name, usize)>);

impl Uneven {
    pub(in crate::rewrite) fn has(&self, functor: Name, argument: usize) -> bool {
        self.0.contains(&(functor, argument))
    }

    pub(super) fn of(terms: &Terms, rules: &[&Rule]) -> Uneven {
        let mut uneven = Uneven(FxHashSet::default());
        loop {
            let before = uneven.0.len();
            for rule in rules {
                uneven.add(terms, rule);
            }
            if uneven.0.len() == before {
                return uneven;
            }
        }
    }

    /// Adds the arguments of a pattern of which a variable does not stand in the result once, and in no uneven place.
    fn add(&mut self, terms: &Terms, rule: &Rule) {
        let mut weights: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut work = vec![(rule.alternatives[0].outcome.result, 1)];
        while let Some((id, weight)) = work.pop() {
            if let Head::Variable(name) = terms.head(id) {
                *weights.entry(name).or_insert(0) += weight;
            }
            let own = name(terms, id);
            for (i, &argument) in terms.args(id).iter().enumerate() {
                // Twice is as little even as any other number but one.
                let is_uneven = own.is_some_and(|own| self.has(own, i));
                work.push((argument, if is_uneven { 2 } else { weight }));
            }
        }
        let Some(own) = name(terms, rule.pattern) else {
            return;
        };
        for (i, &argument) in terms.args(rule.pattern).iter().enumerate() {
            let is_even = |id: Id| match terms.head(id) {
                Head::Variable(name) => weights.get(&name) == Some(&1),
                _ => true,
            };
            if !terms.subterms(argument).all(is_even) {
                self.0.insert((own, i));
            }
        }
    }
}
