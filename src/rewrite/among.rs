//! Matching modulo commutativity: the elements of an operator's pattern against the arguments of its
//! term, in any order, and in any groups where the operator is associative.

use super::matching::{Goal, Matches};
use super::operators::{Laws, is_leaf, is_sequence};
use super::pattern::{Bound, Node};
use crate::term::{Id, Symbol, Terms};
use std::rc::Rc;

/// How the elements of a pattern are matched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Among {
    pub(super) functor: Symbol,
    pub(super) laws: Laws,
    /// Whether variables stand for one argument each: a sequence takes the others.
    pub(super) single: bool,
    /// Whether the last element is the rest that the rule's result stands beside.
    pub(super) rest: bool,
}

/// What is still to be matched of a pattern's elements.
#[derive(Clone, Debug)]
pub(super) struct Left {
    how: Among,
    /// The elements, as places among the pattern's arguments.
    from: u32,
    to: u32,
    /// The arguments that are left, in order.
    args: Rc<[Id]>,
    /// How many arguments there were.
    all: usize,
}

/// How often each argument stands there, equal ones together.
type Groups = Vec<(Id, usize)>;

impl Matches<'_> {
    /// Matches a term, whatever its functor.
    pub(super) fn among(
        &mut self,
        terms: &mut Terms,
        how: Among,
        elements: (u32, u32),
        id: Id,
    ) -> bool {
        let args: Rc<[Id]> = match (terms.functor(id) == Some(how.functor), how.laws.identity) {
            (true, _) if terms.arity(id) > 0 => terms.args(id).into(),
            // A term is a sum of itself, and the identity one of nothing.
            (_, Some(identity)) if is_leaf(terms, id, identity) => Rc::new([]),
            (_, Some(_)) => Rc::new([id]),
            _ => return false,
        };
        self.push(Goal::Among(Left {
            how,
            from: elements.0,
            to: elements.1,
            all: args.len(),
            args,
        }));
        true
    }

    /// Takes the `k`-th way to match the next element, or a later one.
    pub(super) fn choose_among(&mut self, terms: &mut Terms, left: &Left, k: u64) -> bool {
        if left.from == left.to {
            return left.args.is_empty();
        }
        match self.node(left.from) {
            Node::Variable(slot) | Node::Sequence(slot) => {
                match self.slots[slot as usize].clone() {
                    Some(bound) => self.take(terms, left, &bound),
                    None if matches!(self.node(left.from), Node::Sequence(_)) => {
                        self.choose_sequence(terms, left, slot, k)
                    }
                    None => self.choose_variable(terms, left, slot, k),
                }
            }
            _ => self.choose_element(terms, left, k),
        }
    }

    fn go_on(&mut self, left: &Left, elements: u32, args: Rc<[Id]>) {
        self.push(Goal::Among(Left {
            how: left.how,
            from: left.from + elements,
            to: left.to,
            args,
            all: left.all,
        }));
    }

    /// What a variable stands for is taken out.
    fn take(&mut self, terms: &mut Terms, left: &Left, bound: &Bound) -> bool {
        let how = left.how;
        let taken: Vec<Id> = match *bound {
            Bound::Term(id) if how.laws.associative && terms.functor(id) == Some(how.functor) => {
                terms.args(id).to_vec()
            }
            Bound::Term(id) if how.laws.identity.is_some_and(|e| is_leaf(terms, id, e)) => {
                Vec::new()
            }
            _ => bound.elements(terms).to_vec(),
        };
        let Some(args) = without(terms, &left.args, &taken) else {
            return false;
        };
        self.go_on(left, 1, args);
        true
    }

    /// A pattern that is no variable matches one argument, equal ones once.
    fn choose_element(&mut self, terms: &mut Terms, left: &Left, k: u64) -> bool {
        let pattern = self.pattern.arguments[left.from as usize];
        let count = left.args.len();
        let mut at = usize::try_from(k).unwrap_or(usize::MAX);
        while at > 0 && at < count && terms.equal(left.args[at - 1], left.args[at]) {
            at += 1;
        }
        if at < count {
            self.later(Goal::Among(left.clone()), at as u64 + 1);
            let mut args = left.args.to_vec();
            let id = args.remove(at);
            self.go_on(left, 1, args.into());
            self.push(Goal::One(pattern, id));
            return true;
        }
        // The identity is beside all arguments.
        match left.how.laws.identity {
            Some(identity) if at == count => {
                let id = terms.make(identity, &[]);
                self.go_on(left, 1, Rc::clone(&left.args));
                self.push(Goal::One(pattern, id));
                true
            }
            _ => false,
        }
    }

    /// A variable stands for some arguments; all of its places among the elements get them.
    fn choose_variable(&mut self, terms: &mut Terms, left: &Left, slot: u32, k: u64) -> bool {
        let how = left.how;
        let places = (left.from..left.to)
            .take_while(|&p| matches!(self.node(p), Node::Variable(other) if other == slot))
            .count();
        let is_last = left.from + places as u32 == left.to;
        let mut groups = groups(terms, &left.args);
        if is_last && groups.iter().any(|(_, count)| count % places != 0) {
            return false;
        }
        groups.iter_mut().for_each(|(_, count)| *count /= places);
        let one_each = how.single || !how.laws.associative;
        let ways = match (is_last, one_each) {
            (true, _) => 1,
            (false, true) => groups.len() as u64,
            (false, false) => ways(&groups),
        };
        let mut k = k;
        let chosen = loop {
            if k >= ways {
                return false;
            }
            let chosen: Vec<Id> = match (is_last, one_each) {
                (true, _) => all(&groups),
                (false, true) => {
                    let (id, count) = groups[k as usize];
                    vec![id; count.min(1)]
                }
                // All arguments first where the others are the rule's rest, then few.
                (false, false) if self.before_rest(left, places) => match k {
                    0 => all(&groups),
                    _ => some(&groups, k - 1),
                },
                (false, false) => some(&groups, k),
            };
            k += 1;
            let fits = match chosen[..] {
                [] => how.laws.identity.is_some() && !how.single,
                [only] => !is_sequence(terms, only),
                _ => !one_each && !chosen.iter().any(|&id| is_sequence(terms, id)),
            };
            if fits {
                break chosen;
            }
        };
        if k < ways {
            self.later(Goal::Among(left.clone()), k);
        }
        let taken: Vec<Id> = std::iter::repeat_n(&chosen, places)
            .flatten()
            .copied()
            .collect();
        let Some(args) = without(terms, &left.args, &taken) else {
            return false;
        };
        let value = match (&chosen[..], how.laws.identity) {
            (&[only], _) => only,
            ([], Some(identity)) => terms.make(identity, &[]),
            _ => terms.apply(how.functor, &chosen),
        };
        self.bind(slot, Bound::Term(value));
        self.go_on(left, places as u32, args);
        true
    }

    /// Whether only the rest of the rule comes after some elements.
    fn before_rest(&self, left: &Left, places: usize) -> bool {
        left.how.rest && left.from + places as u32 + 1 == left.to
    }

    /// A sequence stands for some arguments, none or all; the last one for all that are left.
    fn choose_sequence(&mut self, terms: &mut Terms, left: &Left, slot: u32, k: u64) -> bool {
        let groups = groups(terms, &left.args);
        let is_last = left.from + 1 == left.to;
        let ways = if is_last { 1 } else { ways(&groups) };
        if k >= ways {
            return false;
        }
        if k + 1 < ways {
            self.later(Goal::Among(left.clone()), k + 1);
        }
        let chosen = match is_last {
            true => all(&groups),
            false => some(&groups, k),
        };
        // What matches one argument fires on that argument itself, and what matches none would add
        // to any term without end.
        if is_last && left.how.rest && !chosen.is_empty() && left.all < chosen.len() + 2 {
            return false;
        }
        let Some(args) = without(terms, &left.args, &chosen) else {
            return false;
        };
        self.bind(slot, Bound::List(chosen.into()));
        self.go_on(left, 1, args);
        true
    }
}

/// Equal arguments stand beside each other.
fn groups(terms: &Terms, args: &[Id]) -> Groups {
    let mut groups: Groups = Vec::new();
    for &id in args {
        match groups.last_mut() {
            Some((last, count)) if terms.equal(*last, id) => *count += 1,
            _ => groups.push((id, 1)),
        }
    }
    groups
}

/// In how many ways some can be taken out of groups. Beyond 2^64 nobody counts.
fn ways(groups: &Groups) -> u64 {
    let sizes = groups.iter().map(|&(_, count)| count as u64 + 1);
    sizes.fold(1, u64::saturating_mul)
}

/// The `k`-th way, none for 0, all for the last one.
fn some(groups: &Groups, mut k: u64) -> Vec<Id> {
    let mut chosen = Vec::new();
    for &(id, count) in groups {
        let base = count as u64 + 1;
        chosen.extend(std::iter::repeat_n(id, (k % base) as usize));
        k /= base;
    }
    chosen
}

/// All of them.
fn all(groups: &Groups) -> Vec<Id> {
    let each = groups.iter();
    each.flat_map(|&(id, count)| std::iter::repeat_n(id, count))
        .collect()
}

/// The arguments without some, each as often as it is given; none if one is not there.
fn without(terms: &Terms, args: &[Id], taken: &[Id]) -> Option<Rc<[Id]>> {
    let mut args = args.to_vec();
    for &id in taken {
        let at = args.iter().position(|&arg| terms.equal(arg, id))?;
        args.remove(at);
    }
    Some(args.into())
}
