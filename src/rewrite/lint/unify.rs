//! Unification of patterns: whether some term is matched by both.

use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// What is known of two patterns.
#[derive(Clone, Debug)]
pub(in crate::rewrite) enum Unified {
    /// They have a most general common instance.
    Yes(Substitution),
    /// Nothing is matched by both.
    No,
    /// Sequence variables or sets stand in the way.
    Unknown,
}

/// Values of variables, in the arena of the patterns.
#[derive(Clone, Debug, Default)]
pub(in crate::rewrite) struct Substitution(FxHashMap<Symbol, Id>);

impl Substitution {
    fn walk(&self, terms: &Terms, mut id: Id) -> Id {
        while let Head::Variable(name) = terms.head(id)
            && let Some(&value) = self.0.get(&name)
        {
            id = value;
        }
        id
    }

    fn occurs(&self, terms: &Terms, name: Symbol, id: Id) -> bool {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let id = self.walk(terms, id);
            if terms.head(id) == Head::Variable(name) {
                return true;
            }
            work.extend_from_slice(terms.args(id));
        }
        false
    }

    /// A term with the variables' values in it.
    pub(super) fn fill(&self, terms: &mut Terms, id: Id) -> Id {
        let id = self.walk(terms, id);
        let args = terms.args(id).to_vec();
        let filled: Vec<Id> = args.iter().map(|&a| self.fill(terms, a)).collect();
        match filled == args {
            true => id,
            false => terms.with_args(id, &filled),
        }
    }
}

/// Whether a functor's arguments are not what they seem.
fn is_special(terms: &Terms, id: Id) -> bool {
    let name = terms.functor(id).map_or("", |f| f.as_str());
    matches!(name, ANY_ARITY | SET | SET_PATTERN)
}

/// Arguments before the first sequence variable, and whether there is one.
fn fixed(terms: &Terms, id: Id) -> (&[Id], bool) {
    let args = terms.args(id);
    let is_sequence = |&a: &Id| matches!(terms.head(a), Head::Sequence(_));
    match args.iter().position(is_sequence) {
        Some(at) => (&args[..at], true),
        None => (args, false),
    }
}

/// How many arguments a term has at least.
fn least(terms: &Terms, id: Id) -> usize {
    let is_sequence = |a: &&Id| matches!(terms.head(**a), Head::Sequence(_));
    terms.arity(id) - terms.args(id).iter().filter(is_sequence).count()
}

/// Unifies two patterns that share no variables.
pub(in crate::rewrite) fn unify(terms: &Terms, a: Id, b: Id) -> Unified {
    let mut found = Substitution::default();
    let mut certain = true;
    let mut work = vec![(a, b)];
    while let Some((a, b)) = work.pop() {
        let (a, b) = (found.walk(terms, a), found.walk(terms, b));
        match (terms.head(a), terms.head(b)) {
            (Head::Variable(x), Head::Variable(y)) if x == y => {}
            (Head::Variable(name), _) => {
                if found.occurs(terms, name, b) {
                    return Unified::No;
                }
                found.0.insert(name, b);
            }
            (_, Head::Variable(name)) => {
                if found.occurs(terms, name, a) {
                    return Unified::No;
                }
                found.0.insert(name, a);
            }
            _ if is_special(terms, a) || is_special(terms, b) => certain = false,
            (Head::Functor(f), Head::Functor(g)) if f == g => {
                let ((some, open), (others, also)) = (fixed(terms, a), fixed(terms, b));
                let short = |open: bool, have: usize, id: Id| !open && have < least(terms, id);
                if short(open, some.len(), b) || short(also, others.len(), a) {
                    return Unified::No;
                }
                if open || also {
                    certain = false;
                }
                work.extend(some.iter().copied().zip(others.iter().copied()));
            }
            (head, other) if head == other => {}
            _ => return Unified::No,
        }
    }
    match certain {
        true => Unified::Yes(found),
        false => Unified::Unknown,
    }
}

/// A term whose variables have names of their own.
pub(super) fn renamed(terms: &mut Terms, id: Id, suffix: &str) -> Id {
    let args = terms.args(id).to_vec();
    let new: Vec<Id> = args.iter().map(|&a| renamed(terms, a, suffix)).collect();
    let own = |name: Symbol| Symbol::new(&format!("{name}{suffix}"));
    match terms.head(id) {
        Head::Variable(name) => terms.make(Head::Variable(own(name)), &[]),
        Head::Sequence(name) => terms.make(Head::Sequence(own(name)), &[]),
        _ if new == args => id,
        _ => terms.with_args(id, &new),
    }
}

/// Whether patterns and results are terms as they stand: without sequence variables and sets.
pub(super) fn is_plain(terms: &Terms, id: Id) -> bool {
    let plain = |id: Id| !is_special(terms, id) && !matches!(terms.head(id), Head::Sequence(_));
    terms.subterms(id).all(plain)
}
