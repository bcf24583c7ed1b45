//! Terms of which equal ones have one id, with what a system does to each, found once.

use crate::rewrite::fire::MOST_MATCHES;
use crate::rewrite::system::Looking;
use crate::term::{Id, Path, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A rule that fires on a term, with what it makes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) rule: usize,
    pub(super) result: Id,
}

/// What is known of a term.
struct Known {
    /// What rules make of it at its root, in the order in which they are tried.
    moves: Rc<[Move]>,
    /// Whether a rule fires on it or on a part of it.
    reducible: bool,
}

/// An arena of terms of which equal ones have one id, and a system that rewrites them.
pub(super) struct Shared<'a> {
    pub(super) terms: Terms,
    pub(super) looking: Looking<'a>,
    /// Shared terms by their hash.
    by_hash: FxHashMap<u64, Vec<Id>>,
    shared: FxHashSet<Id>,
    known: FxHashMap<Id, Known>,
    /// What shared terms are once standard functors have their values.
    values: FxHashMap<Id, Id>,
    /// Whether a rule had more matches at one place than are tried.
    pub(super) left_out: bool,
}

impl<'a> Shared<'a> {
    pub(super) fn new(terms: Terms, looking: Looking<'a>) -> Shared<'a> {
        Shared {
            terms,
            looking,
            by_hash: FxHashMap::default(),
            shared: FxHashSet::default(),
            known: FxHashMap::default(),
            values: FxHashMap::default(),
            left_out: false,
        }
    }

    /// The shared term with a head and shared arguments.
    fn node(&mut self, like: Id, args: &[Id]) -> Id {
        let like = match self.terms.args(like) == args {
            true => like,
            false => self.terms.with_args(like, args),
        };
        let operators = self.looking.operators().clone();
        let like = operators.ordered(&mut self.terms, like);
        let same = self.by_hash.entry(self.terms.hash(like)).or_default();
        let terms = &self.terms;
        if let Some(&known) = same.iter().find(|&&id| terms.equal(id, like)) {
            return known;
        }
        same.push(like);
        self.shared.insert(like);
        like
    }

    /// The shared term that is equal to a term in which standard functors have their values. Those
    /// that look at normal forms wait until no rule fires on their arguments.
    pub(super) fn settled(&mut self, id: Id) -> Id {
        enum Work {
            Visit(Id),
            Make(Id),
            /// What was made last is what became of this term.
            Keep(Id),
        }
        let mut work = vec![Work::Visit(id)];
        let mut done: Vec<Id> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id) => match self.values.get(&id) {
                    Some(&value) => done.push(value),
                    None => {
                        work.push(Work::Make(id));
                        work.extend(self.terms.args(id).iter().rev().map(|&a| Work::Visit(a)));
                    }
                },
                Work::Make(id) => {
                    let args = done.split_off(done.len() - self.terms.arity(id));
                    let made = self.node(id, &args);
                    if let Some(&value) = self.values.get(&made) {
                        done.push(value);
                        continue;
                    }
                    match self.value(made) {
                        Some(value) => work.extend([Work::Keep(made), Work::Visit(value)]),
                        None => {
                            self.values.insert(made, made);
                            done.push(made);
                        }
                    }
                }
                Work::Keep(id) => {
                    if let Some(&value) = done.last() {
                        self.values.insert(id, value);
                    }
                }
            }
        }
        done.pop().unwrap_or(id)
    }

    /// What a standard functor gives of settled arguments.
    fn value(&mut self, id: Id) -> Option<Id> {
        if let Some(value) = self.looking.early(&mut self.terms, id) {
            return Some(value);
        }
        match self.is_reducible(id) {
            true => None,
            false => {
                let taken = self.looking.settled(&mut self.terms, id);
                taken.map(|taken| taken.result)
            }
        }
    }

    /// Whether a rule fires on a shared term or on a part of it.
    pub(super) fn is_reducible(&mut self, id: Id) -> bool {
        let mut work = vec![id];
        while let Some(&next) = work.last() {
            if self.known.contains_key(&next) {
                work.pop();
                continue;
            }
            let open = self.terms.args(next).iter().copied();
            let open: Vec<Id> = open.filter(|a| !self.known.contains_key(a)).collect();
            if !open.is_empty() {
                work.extend(open);
                continue;
            }
            let moves = self.found(next);
            let below = self
                .terms
                .args(next)
                .iter()
                .any(|a| self.known[a].reducible);
            let reducible = below || !moves.is_empty();
            self.known.insert(next, Known { moves, reducible });
            work.pop();
        }
        self.known[&id].reducible
    }

    /// What rules make of a term at its root.
    fn found(&mut self, id: Id) -> Rc<[Move]> {
        let mut moves: Vec<Move> = Vec::new();
        for rule in self.looking.rules(&self.terms, id) {
            let mut results = Vec::new();
            let matches =
                self.looking
                    .fired(&mut self.terms, id, rule, &mut Vec::new(), &mut |fired| {
                        results.push(fired.result);
                        true
                    });
            self.left_out |= matches >= MOST_MATCHES;
            for result in results {
                let new = !self.terms.equal(result, id)
                    && !moves
                        .iter()
                        .any(|m| m.rule == rule && self.terms.equal(m.result, result));
                if new {
                    moves.push(Move { rule, result });
                }
            }
        }
        moves.into()
    }

    /// The places of a settled term at which rules fire, from the top and the left, with what
    /// they make there.
    pub(super) fn moves(&mut self, root: Id) -> Vec<(Path, Rc<[Move]>)> {
        let mut found = Vec::new();
        if !self.is_reducible(root) {
            return found;
        }
        let mut work = vec![(root, Path::default())];
        while let Some((id, path)) = work.pop() {
            let moves = &self.known[&id].moves;
            for (i, &arg) in self.terms.args(id).iter().enumerate().rev() {
                if self.known[&arg].reducible {
                    let mut below = path.clone();
                    below.0.push(i as u32);
                    work.push((arg, below));
                }
            }
            if !moves.is_empty() {
                found.push((path, Rc::clone(moves)));
            }
        }
        found
    }

    /// A settled term with another one at a position, settled.
    pub(super) fn replaced(&mut self, root: Id, path: &Path, result: Id) -> Id {
        let new = path.replace(&mut self.terms, root, result).unwrap_or(root);
        self.settled(new)
    }
}
