//! What is known of the operators of a scheme since it was checked: where they stand, what they name and change.

use super::data::Parts;
use super::elaborate::Context;
use crate::algebra::{
    Construct, Operator, bound, is_word, names, operator, operators_of, root_name, written,
};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Sequences of more operators are gone into each time.
const MOST_PUT_TOGETHER: usize = 16;

/// What is known of the operators of a scheme since it was checked.
#[derive(Default)]
pub struct Known {
    /// Where operators stand, by id.
    places: Vec<Option<Place>>,
    /// What they name, as far as that was asked for.
    named: FxHashMap<Id, Rc<Named>>,
    /// What DATA says, and how many variables it declares.
    data: Option<(Parts, usize)>,
    /// What the body changes.
    whole: Option<Changed>,
}

impl Known {
    /// Whether an operator stood where it would stand again, as far as what is allowed there goes.
    pub(super) fn stood(&self, own: Id, context: Context) -> bool {
        self.places.get(own.index()).copied().flatten() == Some(context.into())
    }

    /// Notes where an operator stands.
    pub(super) fn stands(&mut self, own: Id, context: Context) {
        if self.places.len() <= own.index() {
            self.places.resize(own.index() + 1, None);
        }
        self.places[own.index()] = Some(context.into());
    }

    /// What DATA says, and how many variables it declares.
    pub(super) fn data(&self) -> Option<&(Parts, usize)> {
        self.data.as_ref()
    }

    /// Notes what DATA says, and how many variables it declares.
    pub(super) fn note_data(&mut self, parts: &Parts, count: usize) {
        if self.data.as_ref().map(|(known, _)| known.term) != Some(parts.term) {
            self.data = Some((parts.clone(), count));
        }
    }

    /// What a body changes, if it is that of the scheme as it was checked last.
    pub(super) fn whole(&mut self, terms: &Terms, body: Id) -> &mut Changed {
        let all = &self.named;
        let known = |id: Id| all.get(&id).map(|named| &named.changed);
        self.whole
            .get_or_insert_with(|| Changed::found(terms, body, known))
    }

    /// Whether an operator of the scheme names one of some variables; of sequences, and of what holds a long one, it is said
    /// that they do. Steps change these again and again, and what they name would have to be put together anew.
    pub fn names_one(&mut self, terms: &Terms, own: Id, of: &FxHashSet<Symbol>) -> bool {
        let is_sequence = |id: Id| terms.functor(id) == Some(Construct::Then.symbol());
        let is_long = |id: Id| is_sequence(id) && terms.arity(id) > MOST_PUT_TOGETHER;
        if is_sequence(own) || operators_of(terms, own).any(is_long) {
            return true;
        }
        let named = self.named(terms, own);
        let mut all = named.free.iter().chain(&named.binds);
        all.any(|name| of.contains(name))
    }

    /// Whether what is known of the body is so.
    pub fn is_right(&mut self, terms: &Terms, body: Id) -> bool {
        *self.whole(terms, body) == Changed::within(terms, body)
    }

    /// Forgets what the body changes, as it is another one.
    pub fn body_changed(&mut self) {
        self.whole = None;
    }

    /// What a checked operator names. What the operators in it do is known as a rule, as most of them stood before.
    pub(super) fn named(&mut self, terms: &Terms, own: Id) -> Rc<Named> {
        let known = &mut self.named;
        let mut work = vec![own];
        while let Some(&id) = work.last() {
            let waiting = work.len();
            if !known.contains_key(&id) {
                work.extend(operators_of(terms, id).filter(|inner| !known.contains_key(inner)));
            }
            if work.len() > waiting {
                continue;
            }
            work.pop();
            if !known.contains_key(&id) {
                known.insert(id, Rc::new(Named::of(terms, id, known)));
            }
        }
        Rc::clone(&known[&own])
    }
}

/// Where an operator stands, for what is allowed there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    kernel: bool,
    parallel: bool,
}

impl From<Context> for Place {
    fn from(context: Context) -> Place {
        Place {
            kernel: context.kernel,
            parallel: context.parallel,
        }
    }
}

/// What an operator names.
pub(super) struct Named {
    /// The names that it does not bind, each once.
    pub(super) free: Vec<Symbol>,
    /// Those of them that it assigns.
    pub(super) assigned: Vec<Symbol>,
    /// The names that it binds, in the order in which they are declared.
    pub(super) binds: Vec<Symbol>,
    /// All variables that it assigns, and its control points.
    pub(super) changed: Changed,
    pub(super) nodes: usize,
    pub(super) levels: usize,
}

/// What operators change, each with how many of them do: variables and arrays that get values, and control points that are
/// reached; and how many operators are RECORDED, for what must not change then.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Changed {
    pub assigned: FxHashMap<Symbol, u32>,
    pub points: FxHashMap<Symbol, u32>,
    pub recorded: u32,
}

impl Changed {
    /// What the operators within an operator change.
    pub fn within(terms: &Terms, body: Id) -> Changed {
        Changed::found(terms, body, |_| None)
    }

    /// What the operators within an operator change, where it is known of some of them.
    fn found<'a>(terms: &Terms, body: Id, known: impl Fn(Id) -> Option<&'a Changed>) -> Changed {
        let mut changed = Changed::default();
        let mut work = vec![body];
        while let Some(id) = work.pop() {
            match known(id) {
                Some(part) => changed.extend(part),
                None => {
                    changed.add(terms, id);
                    work.extend(operators_of(terms, id));
                }
            }
        }
        changed
    }

    /// Adds what an operator changes itself.
    fn add(&mut self, terms: &Terms, id: Id) {
        for name in written(terms, id).filter_map(|target| root_name(terms, target)) {
            *self.assigned.entry(name).or_default() += 1;
        }
        let functor = terms.functor(id);
        self.recorded += u32::from(functor == Some(Construct::Recorded.symbol()));
        // Most operators are none, and need not be taken apart.
        if functor == Some(Construct::ControlPoint.symbol())
            && let Some(Operator::ControlPoint(point)) = operator(terms, id)
        {
            *self.points.entry(point).or_default() += 1;
        }
    }

    /// Adds what other operators change.
    pub fn extend(&mut self, other: &Changed) {
        let add = |all: &mut FxHashMap<Symbol, u32>, more: &FxHashMap<Symbol, u32>| {
            for (&name, count) in more {
                *all.entry(name).or_default() += count;
            }
        };
        add(&mut self.assigned, &other.assigned);
        add(&mut self.points, &other.points);
        self.recorded += other.recorded;
    }

    /// Takes away what some of the operators change.
    pub fn reduce(&mut self, other: &Changed) {
        let take = |all: &mut FxHashMap<Symbol, u32>, less: &FxHashMap<Symbol, u32>| {
            for (name, count) in less {
                if let Some(left) = all.get_mut(name) {
                    *left -= count;
                    if *left == 0 {
                        all.remove(name);
                    }
                }
            }
        };
        take(&mut self.assigned, &other.assigned);
        take(&mut self.points, &other.points);
        self.recorded -= other.recorded;
    }
}

impl Named {
    /// What an operator names, put together of what those in it do.
    fn of(terms: &Terms, id: Id, known: &FxHashMap<Id, Rc<Named>>) -> Named {
        let mut part = Named {
            free: Vec::new(),
            assigned: Vec::new(),
            binds: bound(terms, id).into_iter().collect(),
            changed: Changed::default(),
            nodes: terms.size(id),
            levels: 1,
        };
        part.changed.add(terms, id);
        let functor = terms.functor(id);
        let mut named: Vec<Symbol> = terms.as_atom(id).into_iter().collect();
        for (i, &inner) in terms.args(id).iter().enumerate() {
            match known.get(&inner) {
                Some(inner) => {
                    part.binds.extend(&inner.binds);
                    part.changed.extend(&inner.changed);
                    part.levels = part.levels.max(inner.levels + 1);
                    named.extend(&inner.free);
                }
                None => {
                    part.expression(terms, inner);
                    if !functor.is_some_and(|functor| is_word(functor, i)) {
                        named.extend(names(terms, inner));
                    }
                }
            }
        }
        let mut seen: FxHashSet<Symbol> = part.binds.iter().copied().collect();
        let assigned = part.changed.assigned.keys().copied();
        part.assigned = assigned.filter(|name| !seen.contains(name)).collect();
        named.retain(|&name| seen.insert(name));
        part.free = named;
        part
    }

    /// Adds an expression or another argument that is no operator.
    fn expression(&mut self, terms: &Terms, id: Id) {
        let mut work = vec![(id, 2)];
        while let Some((id, level)) = work.pop() {
            self.levels = self.levels.max(level);
            self.binds.extend(bound(terms, id));
            work.extend(terms.args(id).iter().rev().map(|&part| (part, level + 1)));
        }
    }
}
