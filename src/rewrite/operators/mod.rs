//! Operators of a system whose arguments may change places: what is declared of them, and the one form
//! in which their terms are kept.
//!
//! A term of an associative and commutative operator has all its arguments in one node, in the order of
//! terms: `u(b, u(a, c))` is kept as `u(a, b, c)`. So two terms are equal modulo the laws of the
//! operators exactly if they are equal, and matching has the elements in a row.

mod declared;
mod rule;

use super::evaluate::evaluate_here;
use crate::syntax::rules::{SET, compare, make_set};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Standard functors of which integers are computed in any grouping.
const COMPUTED: [&str; 2] = ["Plus", "Times"];

/// What holds of an operator that is commutative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::rewrite) struct Laws {
    pub(in crate::rewrite) associative: bool,
    /// What changes nothing beside other arguments.
    pub(in crate::rewrite) identity: Option<Head>,
}

/// The operators of a system that are commutative, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::rewrite) struct Operators(Option<Arc<[(Symbol, Laws)]>>);

impl Operators {
    fn of(mut found: Vec<(Symbol, Laws)>) -> Operators {
        found.sort_by_key(|(name, _)| name.as_str());
        Operators((!found.is_empty()).then(|| found.into()))
    }

    fn all(&self) -> &[(Symbol, Laws)] {
        self.0.as_deref().unwrap_or_default()
    }

    pub(in crate::rewrite) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The names of the operators.
    pub(in crate::rewrite) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.all().iter().map(|&(name, _)| name)
    }

    /// What holds of a functor, if it is one of them.
    pub(in crate::rewrite) fn laws(&self, functor: Symbol) -> Option<Laws> {
        let mut all = self.all().iter();
        all.find(|(name, _)| *name == functor)
            .map(|&(_, laws)| laws)
    }

    /// The operators of both; an operator that they declare differently is the error.
    pub(in crate::rewrite) fn joined(&self, other: &Operators) -> Result<Operators, Symbol> {
        let mut found = self.all().to_vec();
        for &(name, laws) in other.all() {
            match self.laws(name) {
                None => found.push((name, laws)),
                Some(own) if own == laws => {}
                Some(_) => return Err(name),
            }
        }
        Ok(Operators::of(found))
    }

    /// A term of a functor in the form in which it is kept, if its arguments are.
    pub(in crate::rewrite) fn make(&self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        let Some(laws) = self.laws(functor).filter(|_| !args.is_empty()) else {
            return terms.apply(functor, args);
        };
        let mut args = args.to_vec();
        if laws.associative {
            args = flat(terms, functor, args);
            if COMPUTED.contains(&functor.as_str()) {
                args = computed(terms, functor, args);
            }
            if let Some(identity) = laws.identity {
                args.retain(|&arg| !is_leaf(terms, arg, identity));
            }
        }
        args.sort_by(|&a, &b| compare(terms, a, b));
        match (&args[..], laws.identity) {
            ([], Some(identity)) => terms.make(identity, &[]),
            // A sequence may stand for several arguments.
            (&[only], _) if laws.associative && !is_sequence(terms, only) => only,
            _ => terms.apply(functor, &args),
        }
    }

    /// A term whose arguments are as they are kept, as it is kept itself: sets, too.
    pub(in crate::rewrite) fn ordered(&self, terms: &mut Terms, id: Id) -> Id {
        let args = terms.args(id).to_vec();
        match self.in_order(terms, id, &args) {
            Some(new) if !terms.equal(new, id) => new,
            _ => id,
        }
    }

    /// A term with other arguments, which are as they are kept.
    pub(in crate::rewrite) fn with_args(&self, terms: &mut Terms, id: Id, args: &[Id]) -> Id {
        if args == terms.args(id) {
            return id;
        }
        self.in_order(terms, id, args)
            .unwrap_or_else(|| terms.with_args(id, args))
    }

    /// A set or a term of an operator with these arguments; none for other functors.
    fn in_order(&self, terms: &mut Terms, id: Id, args: &[Id]) -> Option<Id> {
        let functor = terms.functor(id)?;
        match functor.as_str() {
            SET => Some(make_set(terms, args)),
            _ => self.laws(functor).map(|_| self.make(terms, functor, args)),
        }
    }

    /// A term whose sets are in order with all its parts as they are kept.
    pub(in crate::rewrite) fn canonical(&self, terms: &mut Terms, root: Id) -> Id {
        match self.is_empty() {
            true => root,
            false => self.all_ordered(terms, root),
        }
    }

    /// A term with all its parts as they are kept, sets, too.
    pub(in crate::rewrite) fn all_ordered(&self, terms: &mut Terms, root: Id) -> Id {
        let is_set = |id| terms.functor(id).is_some_and(|f| f.as_str() == SET);
        if self.is_empty() && !terms.subterms(root).any(is_set) {
            return root;
        }
        let mut done: FxHashMap<Id, Id> = FxHashMap::default();
        let mut work = vec![(root, false)];
        while let Some((id, visited)) = work.pop() {
            if done.contains_key(&id) {
                continue;
            }
            if !visited {
                work.push((id, true));
                work.extend(terms.args(id).iter().map(|&a| (a, false)));
                continue;
            }
            let args: Vec<Id> = terms.args(id).iter().map(|a| done[a]).collect();
            let same = args == terms.args(id);
            let with = if same { id } else { terms.with_args(id, &args) };
            let new = self.ordered(terms, with);
            done.insert(id, new);
        }
        done[&root]
    }
}

/// The arguments with those of arguments that have the same functor in their place.
fn flat(terms: &Terms, functor: Symbol, args: Vec<Id>) -> Vec<Id> {
    let is_nested = |id: Id| terms.functor(id) == Some(functor) && terms.arity(id) > 0;
    if !args.iter().any(|&arg| is_nested(arg)) {
        return args;
    }
    let mut found = Vec::with_capacity(args.len() + 1);
    let mut work: Vec<Id> = args.into_iter().rev().collect();
    while let Some(id) = work.pop() {
        match is_nested(id) {
            true => work.extend(terms.args(id).iter().rev()),
            false => found.push(id),
        }
    }
    found
}

/// The arguments with the integers among them computed, as far as they do not overflow. Reals stay
/// apart: the grouping of a sum of reals shows.
fn computed(terms: &mut Terms, functor: Symbol, args: Vec<Id>) -> Vec<Id> {
    let is_int = |&id: &Id| matches!(terms.head(id), Head::Int(_));
    let (mut numbers, mut kept): (Vec<Id>, Vec<Id>) = args.into_iter().partition(is_int);
    numbers.sort_by_key(|&id| terms.as_int(id));
    let mut last: Option<Id> = None;
    for number in numbers {
        let both = last.and_then(|last| {
            let both = terms.apply(functor, &[last, number]);
            evaluate_here(terms, both)
        });
        if both.is_none() {
            kept.extend(last);
        }
        last = both.or(Some(number));
    }
    kept.extend(last);
    kept
}

/// Whether a term is this literal or this name alone.
pub(in crate::rewrite) fn is_leaf(terms: &Terms, id: Id, head: Head) -> bool {
    terms.arity(id) == 0 && terms.head(id).same(head)
}

pub(in crate::rewrite) fn is_sequence(terms: &Terms, id: Id) -> bool {
    matches!(terms.head(id), Head::Sequence(_))
}
