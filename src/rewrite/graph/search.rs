//! The general matcher over cells: sequence variables, sets, functors of any number of arguments.
//! All ways to match are found one after the other, shorter sequences first, as
//! [`crate::rewrite::matching`] finds them in an arena.

use super::ages::Collection;
use super::cells::SET;
use super::place::{Place, head, is_literal, make, open, sequence};
use crate::rewrite::pattern::{Node, Pattern};
use crate::syntax::rules::{CONS, NIL, SET as SET_NAME};
use crate::term::Symbol;
use std::rc::Rc;

/// What a variable stands for.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Term(u32),
    /// Consecutive arguments of a cell.
    Slice {
        of: u32,
        from: u32,
        to: u32,
    },
}

/// Something that is still to be matched.
#[derive(Clone, Debug)]
enum Goal {
    One(u32, u32),
    /// Patterns `pattern..pattern_to` against arguments `from..to` of a cell.
    Arguments {
        pattern: u32,
        pattern_to: u32,
        of: u32,
        from: u32,
        to: u32,
    },
    /// The patterns of a set pattern from the `pattern`-th on, against the elements of a tree
    /// that are not `used`.
    Pick {
        pattern: u32,
        pattern_to: u32,
        tree: u32,
        used: Rc<Vec<u32>>,
    },
}

struct Choice {
    goal: Goal,
    next: u32,
    /// The alternative to try now.
    k: u32,
    trail: usize,
    goals: usize,
}

const NONE: u32 = u32::MAX;

/// The matches of a pattern with a cell, found on demand.
pub(super) struct Search<'p> {
    pattern: &'p Pattern,
    slots: Vec<Option<Bound>>,
    trail: Vec<u32>,
    goals: Vec<(Goal, u32)>,
    top: u32,
    choices: Vec<Choice>,
    started: bool,
    /// How many matches were found.
    pub(super) found: usize,
}

impl<'p> Search<'p> {
    pub(super) fn new(pattern: &'p Pattern, variables: usize, cell: u32) -> Search<'p> {
        Search {
            pattern,
            slots: vec![None; variables],
            trail: Vec::new(),
            goals: vec![(Goal::One(pattern.root, cell), NONE)],
            top: 0,
            choices: Vec::new(),
            started: false,
            found: 0,
        }
    }

    /// Goes on to the next match; false when there is none.
    pub(super) fn advance(&mut self, place: &mut Place<'_>) -> bool {
        let mut going = !self.started || self.backtrack(place);
        self.started = true;
        while going {
            if self.top == NONE {
                self.found += 1;
                return true;
            }
            let (goal, next) = self.goals[self.top as usize].clone();
            self.top = next;
            going = self.solve(place, goal) || self.backtrack(place);
        }
        false
    }

    /// Writes what the variables stand for where code finds it.
    pub(super) fn write(&self, place: &mut Place<'_>, variables: &mut [u32]) {
        for (variable, bound) in variables.iter_mut().zip(&self.slots) {
            *variable = match *bound {
                None => continue,
                Some(Bound::Term(cell)) => cell,
                Some(Bound::Slice { of, from, to }) => {
                    let terms = place.cells.arguments(of)[from as usize..to as usize].to_vec();
                    sequence(place, &terms)
                }
            };
        }
    }

    /// Moves along with a collection.
    pub(super) fn collect(&mut self, collection: &mut Collection<'_>) {
        let move_goal = |goal: &mut Goal, collection: &mut Collection<'_>| match goal {
            Goal::One(_, cell) => *cell = collection.forward(*cell),
            Goal::Arguments { of, .. } => *of = collection.forward(*of),
            Goal::Pick { tree, .. } => *tree = collection.forward(*tree),
        };
        for (goal, _) in &mut self.goals {
            move_goal(goal, collection);
        }
        for choice in &mut self.choices {
            move_goal(&mut choice.goal, collection);
        }
        for bound in self.slots.iter_mut().flatten() {
            match bound {
                Bound::Term(cell) | Bound::Slice { of: cell, .. } => {
                    *cell = collection.forward(*cell);
                }
            }
        }
    }

    fn backtrack(&mut self, place: &mut Place<'_>) -> bool {
        while let Some(choice) = self.choices.pop() {
            for slot in self.trail.drain(choice.trail..) {
                self.slots[slot as usize] = None;
            }
            self.goals.truncate(choice.goals);
            self.top = choice.next;
            if self.choose(place, choice.goal, choice.k) {
                return true;
            }
        }
        false
    }

    fn push(&mut self, goal: Goal) {
        self.goals.push((goal, self.top));
        self.top = (self.goals.len() - 1) as u32;
    }

    fn bind(&mut self, slot: u32, bound: Bound) {
        self.slots[slot as usize] = Some(bound);
        self.trail.push(slot);
    }

    fn node(&self, argument: u32) -> Node {
        self.pattern.nodes[self.pattern.arguments[argument as usize] as usize]
    }

    fn remember(&mut self, goal: Goal, k: u32) {
        self.choices.push(Choice {
            goal,
            next: self.top,
            k,
            trail: self.trail.len(),
            goals: self.goals.len(),
        });
    }

    fn solve(&mut self, place: &mut Place<'_>, goal: Goal) -> bool {
        match goal {
            Goal::One(pattern, cell) => self.one(place, pattern, cell),
            Goal::Arguments {
                pattern,
                pattern_to,
                of,
                from,
                to,
            } => {
                if pattern == pattern_to {
                    return from == to;
                }
                if matches!(self.node(pattern), Node::Sequence(_)) {
                    return self.choose(place, goal, 0);
                }
                if from == to {
                    return false;
                }
                let cell = place.cells.arguments(of)[from as usize];
                self.push(Goal::Arguments {
                    pattern: pattern + 1,
                    pattern_to,
                    of,
                    from: from + 1,
                    to,
                });
                self.one(place, self.pattern.arguments[pattern as usize], cell)
            }
            Goal::Pick { .. } => self.choose(place, goal, 0),
        }
    }

    /// Takes the `k`-th alternative of a goal that has several, or a later one.
    fn choose(&mut self, place: &mut Place<'_>, goal: Goal, k: u32) -> bool {
        match goal {
            Goal::Arguments {
                pattern,
                pattern_to,
                of,
                from,
                to,
            } => {
                let Node::Sequence(slot) = self.node(pattern) else {
                    return false;
                };
                let rest = (pattern + 1..pattern_to)
                    .filter(|&p| !matches!(self.node(p), Node::Sequence(_)))
                    .count() as u32;
                let Some(most) = (to - from).checked_sub(rest) else {
                    return false;
                };
                let mut length = k;
                if let Some(bound) = self.slots[slot as usize] {
                    let cells = &place.cells;
                    let elements = match &bound {
                        Bound::Term(cell) => std::slice::from_ref(cell),
                        Bound::Slice { of, from, to } => {
                            &cells.arguments(*of)[*from as usize..*to as usize]
                        }
                    };
                    length = elements.len() as u32;
                    let here = &cells.arguments(of)[from as usize..];
                    let mut pairs = elements.iter().zip(here);
                    if length > most || !pairs.all(|(&a, &b)| cells.equal(a, b)) {
                        return false;
                    }
                } else {
                    if pattern + 1 == pattern_to {
                        length = most;
                    }
                    if length < most {
                        self.remember(goal.clone(), length + 1);
                    }
                    let to = from + length;
                    self.bind(slot, Bound::Slice { of, from, to });
                }
                self.push(Goal::Arguments {
                    pattern: pattern + 1,
                    pattern_to,
                    of,
                    from: from + length,
                    to,
                });
                true
            }
            Goal::Pick {
                pattern,
                pattern_to,
                tree,
                ref used,
            } => {
                let node = self.pattern.arguments[pattern as usize];
                if pattern + 1 == pattern_to {
                    let mut places = used.as_ref().clone();
                    places.sort_unstable();
                    let rest = places
                        .iter()
                        .rev()
                        .fold(tree, |tree, &i| place.cells.remove(tree, i));
                    let rest = place.cells.set(rest);
                    return self.one(place, node, rest);
                }
                let (from, to) = self.range(place, node, tree);
                let Some(pick) = (k.max(from)..to).find(|i| !used.contains(i)) else {
                    return false;
                };
                if pick + 1 < to {
                    self.remember(goal.clone(), pick + 1);
                }
                let mut used = used.as_ref().clone();
                used.push(pick);
                self.push(Goal::Pick {
                    pattern: pattern + 1,
                    pattern_to,
                    tree,
                    used: Rc::new(used),
                });
                let element = place.cells.select(tree, pick);
                self.one(place, node, element)
            }
            Goal::One(..) => false,
        }
    }

    /// The places in a tree between which the elements stand that a pattern may match: elements
    /// are ordered by what they begin with.
    fn range(&self, place: &Place<'_>, pattern: u32, tree: u32) -> (u32, u32) {
        let cells = &place.cells;
        let all = (0, cells.size(tree));
        match self.pattern.nodes[pattern as usize] {
            Node::Variable(slot) => match self.slots[slot as usize] {
                Some(Bound::Term(cell)) => match cells.find(place.functors, tree, cell) {
                    Some(i) => (i, i + 1),
                    None => (0, 0),
                },
                _ => all,
            },
            Node::Apply {
                functor,
                from,
                to,
                rigid,
            } if functor.as_str() != SET_NAME => {
                let (name, arity) = (functor.as_str(), (to - from) as usize);
                let key = |at: u32| {
                    let functor = &place.functors.list[cells.functor(at) as usize];
                    let arity = if rigid { functor.arity } else { arity };
                    (functor.rank, functor.name, arity)
                };
                let wanted = (3, name, arity);
                (
                    cells.count_before(tree, |_, at| key(at) < wanted),
                    cells.count_before(tree, |_, at| key(at) <= wanted),
                )
            }
            _ => all,
        }
    }

    fn one(&mut self, place: &mut Place<'_>, pattern: u32, cell: u32) -> bool {
        match self.pattern.nodes[pattern as usize] {
            Node::Variable(slot) => match self.slots[slot as usize] {
                Some(Bound::Term(bound)) => place.cells.equal(bound, cell),
                Some(_) => false,
                None => {
                    self.bind(slot, Bound::Term(cell));
                    true
                }
            },
            // Such rules are left to the general matcher.
            Node::Among { .. } => false,
            Node::Sequence(_) => false,
            Node::Leaf(head) => is_literal(place.cells, head, cell),
            Node::Apply {
                functor,
                from,
                to,
                rigid,
            } => {
                let Some((name, count)) = head(place, cell) else {
                    return false;
                };
                if name != functor || rigid && count != to - from {
                    return false;
                }
                if count > 0 || to > from {
                    let of = open(place, cell);
                    self.push(Goal::Arguments {
                        pattern: from,
                        pattern_to: to,
                        of,
                        from: 0,
                        to: count,
                    });
                }
                true
            }
            Node::AnyArity { functor, list } => {
                let Some((name, _)) = head(place, cell) else {
                    return false;
                };
                let atom = make(place, name, &[]);
                let of = open(place, cell);
                let mut arguments = make(place, Symbol::new(NIL), &[]);
                for argument in place.cells.arguments(of).to_vec().into_iter().rev() {
                    arguments = make(place, Symbol::new(CONS), &[argument, arguments]);
                }
                self.push(Goal::One(list, arguments));
                self.one(place, functor, atom)
            }
            Node::SetPattern { from, to } => {
                if place.cells.functor(cell) != SET {
                    return false;
                }
                self.push(Goal::Pick {
                    pattern: from,
                    pattern_to: to,
                    tree: place.cells.argument(cell, 0),
                    used: Rc::default(),
                });
                true
            }
        }
    }
}
