//! Rules whose conditions may lead back to them: only where what is being asked is known can they
//! be kept from asking the same again and again.

use crate::rewrite::{Rule, RuleBase, System};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the conditions, `let`s and `where`s of some rule lead to a rule of its functor.
pub(in crate::rewrite) fn some_rule_asks_itself(base: &RuleBase, system: &System) -> bool {
    let rules = || system.rules.iter().map(|&i| &base.rules[i]);
    let mut leads: FxHashMap<Symbol, FxHashSet<Symbol>> = FxHashMap::default();
    for rule in rules() {
        // A rule of any functor is met wherever anything is reduced.
        let Some(functor) = rule.matcher.functor() else {
            return rules().any(|rule| asked(rule).next().is_some());
        };
        let to = leads.entry(functor).or_default();
        for template in rule.templates() {
            to.extend(functors(&base.terms, template));
        }
    }
    rules().any(|rule| {
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        let starts = asked(rule).flat_map(|template| functors(&base.terms, template));
        let mut work: Vec<Symbol> = starts.collect();
        while let Some(functor) = work.pop() {
            if seen.insert(functor) {
                work.extend(leads.get(&functor).into_iter().flatten());
            }
        }
        rule.matcher
            .functor()
            .is_some_and(|own| seen.contains(&own))
    })
}

/// What a rule computes before it fires.
fn asked(rule: &Rule) -> impl Iterator<Item = Id> {
    let values = rule.lets.iter().chain(&rule.wheres).map(|b| b.value);
    let conditions = rule.alternatives.iter().filter_map(|a| a.condition);
    values.chain(conditions)
}

fn functors(terms: &Terms, template: Id) -> impl Iterator<Item = Symbol> {
    terms.subterms(template).filter_map(|id| terms.functor(id))
}
