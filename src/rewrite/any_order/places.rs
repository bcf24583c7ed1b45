//! Where redexes may ever be, by what rules and the term put at each argument of each functor.

use super::twins::Twins;
use super::{Name, name};
use crate::rewrite::{Order, Rule, RuleBase};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The arguments of functors with rules in which a redex may ever be.
pub(super) struct Places {
    defined: FxHashSet<Name>,
    open: FxHashSet<(Name, usize)>,
}

impl Places {
    pub(super) fn of(
        base: &RuleBase,
        rules: &[&Rule],
        defined: FxHashSet<Name>,
        terms: &Terms,
        root: Id,
    ) -> Places {
        let mut places = Places {
            defined,
            open: FxHashSet::default(),
        };
        places.put(terms, root, &FxHashMap::default());
        loop {
            let before = places.open.len();
            for rule in rules {
                let open = places.of_variables(&base.terms, rule);
                places.put(&base.terms, rule.alternatives[0].outcome.result, &open);
            }
            if places.open.len() == before {
                return places;
            }
        }
    }

    /// Whether a redex may be in the values of a rule's variables; `$_` may stand several times.
    fn of_variables(&self, terms: &Terms, rule: &Rule) -> FxHashMap<Symbol, bool> {
        let mut open = FxHashMap::default();
        let Some(own) = name(terms, rule.pattern) else {
            return open;
        };
        for (i, &argument) in terms.args(rule.pattern).iter().enumerate() {
            let is_open = self.open.contains(&(own, i));
            for id in terms.subterms(argument) {
                if let Head::Variable(name) = terms.head(id) {
                    *open.entry(name).or_insert(false) |= is_open;
                }
            }
        }
        open
    }

    /// Notes where a term has redexes, by what is known of its variables. Does not recurse: terms may be deep.
    fn put(&mut self, terms: &Terms, term: Id, open: &FxHashMap<Symbol, bool>) {
        let mut found: FxHashMap<Id, bool> = FxHashMap::default();
        let mut work = vec![(term, false)];
        while let Some((id, visited)) = work.pop() {
            if found.contains_key(&id) {
                continue;
            }
            if !visited {
                work.push((id, true));
                work.extend(terms.args(id).iter().map(|&a| (a, false)));
                continue;
            }
            let own = name(terms, id).filter(|own| self.defined.contains(own));
            let mut is_open = own.is_some();
            for (i, argument) in terms.args(id).iter().enumerate() {
                if found[argument] {
                    is_open = true;
                    self.open.extend(own.map(|own| (own, i)));
                }
            }
            if let Head::Variable(name) = terms.head(id) {
                is_open = open.get(&name).copied().unwrap_or(false);
            }
            found.insert(id, is_open);
        }
    }

    /// Whether no redex is ever in what a pattern has, from the left, before the last functor or literal that it looks at.
    pub(super) fn reads_first(&self, terms: &Terms, rule: &Rule) -> bool {
        let Some(own) = name(terms, rule.pattern) else {
            return false;
        };
        let mut is_open_before = false;
        for (i, &argument) in terms.args(rule.pattern).iter().enumerate() {
            let is_open = self.open.contains(&(own, i));
            let mut work = vec![argument];
            while let Some(id) = work.pop() {
                match terms.head(id) {
                    Head::Variable(_) => is_open_before |= is_open,
                    _ if is_open_before => return false,
                    _ => work.extend(terms.args(id).iter().rev()),
                }
            }
        }
        true
    }

    /// Whether a step by a rule leaves one copy of every other redex, or several that are shared.
    pub(super) fn keeps(&self, terms: &Terms, rule: &Rule, order: Order, twins: &Twins) -> bool {
        let result = rule.alternatives[0].outcome.result;
        let open = self.of_variables(terms, rule);
        let mut open = open.into_iter().filter(|(_, is_open)| *is_open);
        open.all(|(name, _)| {
            let parts = terms.subterms(result);
            let count = parts
                .filter(|&id| terms.head(id) == Head::Variable(name))
                .count();
            match count {
                0 => twins.keep(terms, rule, name),
                1 => true,
                _ => order == Order::TopDown,
            }
        })
    }
}
