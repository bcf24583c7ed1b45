//! Constructors of which two arguments are always the same shared part.

use super::{Name, name};
use crate::rewrite::Rule;
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// Constructors whose arguments are all the same wherever rules or the term make them: one variable, or one part of the
/// term that is stored once. Under TopDown they stay the same, since a part that is shared is rewritten once.
#[derive(Default)]
pub(super) struct Twins(FxHashSet<Name>);

impl Twins {
    /// Those of rules over their `terms`, and of an `own` term.
    pub(super) fn of(terms: &Terms, rules: &[&Rule], own: &Terms, root: Id) -> Twins {
        let mut made: FxHashSet<Name> = FxHashSet::default();
        let mut other: FxHashSet<Name> = FxHashSet::default();
        let mut note = |terms: &Terms, id: Id, same: bool| {
            let set = if same { &mut made } else { &mut other };
            set.extend(name(terms, id).filter(|(_, arity)| *arity > 1));
        };
        for rule in rules {
            let result = rule.alternatives[0].outcome.result;
            for id in terms.subterms(result) {
                let args = terms.args(id);
                let is_first = |&part: &Id| {
                    matches!(terms.head(part), Head::Variable(_))
                        && terms.head(part) == terms.head(args[0])
                };
                note(terms, id, args.iter().all(is_first));
            }
            // What has rules is no constructor.
            note(terms, rule.pattern, false);
        }
        for id in own.subterms(root) {
            let args = own.args(id);
            note(own, id, args.iter().all(|&part| part == args[0]));
        }
        Twins(&made - &other)
    }

    /// Whether what a variable of a pattern stands for also stands for one that the result has.
    pub(super) fn keep(&self, terms: &Terms, rule: &Rule, dropped: Symbol) -> bool {
        let result = rule.alternatives[0].outcome.result;
        let is_kept = |&part: &Id| {
            matches!(terms.head(part), Head::Variable(_))
                && terms
                    .subterms(result)
                    .any(|id| terms.head(id) == terms.head(part))
        };
        // `$_` may stand several times, each for something else.
        terms.subterms(rule.pattern).all(|id| {
            let mut args = terms.args(id).iter();
            let drops = args.any(|&part| terms.head(part) == Head::Variable(dropped));
            let is_twin = || name(terms, id).is_some_and(|name| self.0.contains(&name));
            !drops || is_twin() && terms.args(id).iter().any(is_kept)
        })
    }
}
