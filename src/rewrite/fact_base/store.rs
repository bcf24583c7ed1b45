//! Ground terms that hold, found by functor, by first argument and as a whole.

use crate::term::{Head, Id, Symbol, Terms};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

/// Ground terms that hold, in the order in which they came.
#[derive(Clone, Default)]
pub struct FactBase {
    terms: Terms,
    lists: IndexMap<(Symbol, usize), List>,
    /// How often something changed.
    changes: u64,
    /// How many facts were taken back whose terms are still there.
    retracted: usize,
}

/// Places of facts that were taken back are kept where there are no more.
const FEW: usize = 16;
/// And their terms where there are no more.
const GARBAGE: usize = 1 << 16;

/// The facts of one functor.
#[derive(Clone, Debug, Default)]
struct List {
    /// None where a fact was taken back.
    facts: Vec<Option<Id>>,
    live: usize,
    /// Places of facts by their hashes.
    whole: FxHashMap<u64, Vec<usize>>,
    /// Places of facts by the hashes of their first arguments, in order.
    first: FxHashMap<u64, Vec<usize>>,
}

impl FactBase {
    /// Whether there are facts of a functor with so many arguments, or were.
    pub fn has(&self, functor: Symbol, arity: usize) -> bool {
        self.lists.contains_key(&(functor, arity))
    }

    /// How often something changed.
    pub(in crate::rewrite) fn changes(&self) -> u64 {
        self.changes
    }

    /// Notes that a fact holds; whether that is new.
    ///
    /// # Errors
    ///
    /// What is not ground, or is a literal.
    pub fn assert(&mut self, terms: &Terms, fact: Id) -> Result<bool, &'static str> {
        let Some(functor) = terms.functor(fact) else {
            return Err("a fact is a name with or without arguments");
        };
        if !is_ground(terms, fact) {
            return Err("a fact has no variables");
        }
        if self.holds(terms, fact) {
            return Ok(false);
        }
        let id = self.terms.import(terms, fact);
        let list = self.lists.entry((functor, terms.arity(fact))).or_default();
        list.add(&self.terms, id);
        self.changes += 1;
        Ok(true)
    }

    /// Puts each fact into the form in which a system keeps its terms.
    pub(in crate::rewrite) fn ordered(&mut self, order: impl Fn(&mut Terms, Id) -> Id) {
        let old = std::mem::take(self);
        let mut terms = old.terms.clone();
        self.changes = old.changes + 1;
        for (&key, list) in &old.lists {
            // Of functors that had facts it is known what does not hold.
            self.lists.entry(key).or_default();
            for fact in list.facts.iter().copied().flatten() {
                let new = order(&mut terms, fact);
                let kept = if terms.functor(new).is_some() {
                    new
                } else {
                    fact
                };
                // A term without variables that has a functor is a fact.
                let _ = self.assert(&terms, kept);
            }
        }
    }

    /// Takes back all facts that a pattern matches; how many.
    pub fn retract(&mut self, terms: &Terms, pattern: Id) -> usize {
        let key = terms.functor(pattern).map(|f| (f, terms.arity(pattern)));
        let mut count = 0;
        let mut from = 0;
        while let Some((place, _)) = self.next(terms, pattern, from) {
            from = place + 1;
            if let Some(list) = key.and_then(|key| self.lists.get_mut(&key)) {
                list.facts[place] = None;
                list.live -= 1;
                count += 1;
            }
        }
        if let (true, Some(list)) = (count > 0, key.and_then(|key| self.lists.get_mut(&key))) {
            self.changes += 1;
            if list.facts.len() > 2 * list.live + FEW {
                let old = std::mem::take(list);
                for fact in old.facts.into_iter().flatten() {
                    list.add(&self.terms, fact);
                }
            }
            self.retracted += count;
            self.compact();
        }
        count
    }

    /// Drops the terms of facts that were taken back, once they are the most.
    fn compact(&mut self) {
        let live: usize = self.lists.values().map(|list| list.live).sum();
        if self.retracted < live + GARBAGE {
            return;
        }
        self.retracted = 0;
        let old = std::mem::take(&mut self.terms);
        for list in self.lists.values_mut() {
            for fact in std::mem::take(list).facts.into_iter().flatten() {
                let fact = self.terms.import(&old, fact);
                list.add(&self.terms, fact);
            }
        }
    }

    /// Whether a ground term is a fact.
    pub fn holds(&self, terms: &Terms, fact: Id) -> bool {
        let Some(functor) = terms.functor(fact) else {
            return false;
        };
        let list = self.lists.get(&(functor, terms.arity(fact)));
        let places = list.and_then(|list| list.whole.get(&terms.hash(fact)).map(|at| (list, at)));
        places.is_some_and(|(list, places)| {
            let is_fact = |id: Id| terms.equal_across(fact, &self.terms, id);
            places.iter().any(|&at| list.facts[at].is_some_and(is_fact))
        })
    }

    /// The first fact from the place `from` on that a pattern matches, with its place. Equal
    /// variables stand for equal terms; `$_` stands for any.
    pub(in crate::rewrite) fn next(
        &self,
        terms: &Terms,
        pattern: Id,
        from: usize,
    ) -> Option<(usize, Id)> {
        let functor = terms.functor(pattern)?;
        let list = self.lists.get(&(functor, terms.arity(pattern)))?;
        let fits = |at: usize| {
            let fact = list.facts.get(at).copied().flatten()?;
            self.matches(terms, pattern, fact).then_some((at, fact))
        };
        let first = terms.args(pattern).first().copied();
        match first.filter(|&first| is_ground(terms, first)) {
            Some(first) => {
                let places = list.first.get(&terms.hash(first))?;
                let start = places.partition_point(|&at| at < from);
                places[start..].iter().find_map(|&at| fits(at))
            }
            None => (from..list.facts.len()).find_map(fits),
        }
    }

    fn matches(&self, terms: &Terms, pattern: Id, fact: Id) -> bool {
        let mut values: Vec<(Symbol, Id)> = Vec::new();
        let mut work = vec![(pattern, fact)];
        while let Some((pattern, fact)) = work.pop() {
            match terms.head(pattern) {
                Head::Variable(name) if name.as_str() == "_" => {}
                Head::Variable(name) => match values.iter().find(|(known, _)| *known == name) {
                    Some(&(_, value)) if self.terms.equal(value, fact) => {}
                    Some(_) => return false,
                    None => values.push((name, fact)),
                },
                head => {
                    let arity = terms.arity(pattern);
                    if !head.same(self.terms.head(fact)) || arity != self.terms.arity(fact) {
                        return false;
                    }
                    let args = terms.args(pattern).iter().copied();
                    work.extend(args.zip(self.terms.args(fact).iter().copied()));
                }
            }
        }
        true
    }

    /// The arena of the facts.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// All facts, those of one functor together, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = Id> + '_ {
        let lists = self.lists.values();
        lists.flat_map(|list| list.facts.iter().copied().flatten())
    }
}

impl List {
    fn add(&mut self, terms: &Terms, fact: Id) {
        let place = self.facts.len();
        self.facts.push(Some(fact));
        self.live += 1;
        let places = self.whole.entry(terms.hash(fact)).or_default();
        places.push(place);
        if let Some(&first) = terms.args(fact).first() {
            let places = self.first.entry(terms.hash(first)).or_default();
            places.push(place);
        }
    }
}

/// Whether a term has no variables.
pub(in crate::rewrite) fn is_ground(terms: &Terms, id: Id) -> bool {
    let mut heads = terms.subterms(id).map(|part| terms.head(part));
    !heads.any(|head| matches!(head, Head::Variable(_) | Head::Sequence(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::rules::read_term;

    #[test]
    fn facts_are_found_by_patterns_and_taken_back() {
        let mut terms = Terms::new();
        let mut term = |text: &str| read_term(&mut terms, 0, text).expect("a term");
        let edges: Vec<Id> = (0..50)
            .map(|i| term(&format!("edge({}, {})", i % 7, i)))
            .collect();
        let loops = term("edge($x, $x)");
        let of_three = term("edge(3, $y)");
        let (open, other) = (term("edge(3, $y)"), term("edge(0)"));
        let mut base = FactBase::default();
        for &edge in &edges {
            assert_eq!(base.assert(&terms, edge), Ok(true));
            assert_eq!(base.assert(&terms, edge), Ok(false));
        }
        assert!(base.assert(&terms, open).is_err());
        assert!(!base.holds(&terms, other) && base.holds(&terms, edges[49]));
        let mut at = 0;
        let mut places = Vec::new();
        while let Some((place, _)) = base.next(&terms, of_three, at) {
            places.push(place);
            at = place + 1;
        }
        let wanted: Vec<usize> = (0..50).filter(|i| i % 7 == 3).collect();
        assert_eq!(places, wanted);
        assert_eq!(base.retract(&terms, loops), 7);
        assert_eq!(base.iter().count(), 43);
        let all = (0..50).filter(|i| i % 7 != *i);
        assert!(all.clone().all(|i| base.holds(&terms, edges[i])));
        for i in all {
            assert_eq!(base.retract(&terms, edges[i]), 1);
        }
        assert_eq!(base.iter().count(), 0);
        assert_eq!(base.assert(&terms, edges[5]), Ok(true));
        assert!(base.holds(&terms, edges[5]) && base.next(&terms, edges[5], 0).is_some());
        assert!(base.next(&terms, edges[6], 0).is_none());
    }
}
