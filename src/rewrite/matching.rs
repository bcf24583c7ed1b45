//! Matching: first-order, variables may repeat, sequence variables anywhere among arguments. All
//! ways to match are found one after the other, shorter sequences first.

use super::among::Left;
use super::pattern::{Bound, Node, Pattern, Slots, make_list};
use crate::syntax::rules::{SET, make_set};
use crate::term::{Head, Id, Terms};
use std::rc::Rc;

/// Something that is still to be matched.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    One(u32, Id),
    /// Patterns `pattern..pattern_to` against arguments `from..to` of a term.
    Arguments {
        pattern: u32,
        pattern_to: u32,
        of: Id,
        from: u32,
        to: u32,
    },
    /// The patterns of a set pattern from the `pattern`-th on, against the elements of a set that
    /// are not `used`.
    Pick {
        pattern: u32,
        pattern_to: u32,
        of: Id,
        used: Rc<Vec<u32>>,
    },
    /// The elements of a commutative operator's pattern that are left, against the arguments left.
    Among(Left),
}

struct Choice {
    goal: Goal,
    next: u32,
    /// The alternative to try now.
    k: u64,
    trail: usize,
    goals: usize,
}

const NONE: u32 = u32::MAX;

/// The matches of a pattern with a term, found on demand.
pub(super) struct Matches<'p> {
    pub(super) pattern: &'p Pattern,
    pub(super) slots: Slots,
    trail: Vec<u32>,
    goals: Vec<(Goal, u32)>,
    top: u32,
    choices: Vec<Choice>,
    started: bool,
}

impl<'p> Matches<'p> {
    /// Begins to match; `slots` holds what is bound beforehand, such as parameters.
    pub(super) fn new(pattern: &'p Pattern, id: Id, slots: Slots) -> Matches<'p> {
        Matches {
            pattern,
            slots,
            trail: Vec::new(),
            goals: vec![(Goal::One(pattern.root, id), NONE)],
            top: 0,
            choices: Vec::new(),
            started: false,
        }
    }

    /// Goes on to the next match; false when there is none.
    pub(super) fn advance(&mut self, terms: &mut Terms) -> bool {
        let mut going = if self.started {
            self.backtrack(terms)
        } else {
            true
        };
        self.started = true;
        while going {
            if self.top == NONE {
                return true;
            }
            let (goal, next) = self.goals[self.top as usize].clone();
            self.top = next;
            going = self.solve(terms, goal) || self.backtrack(terms);
        }
        false
    }

    fn backtrack(&mut self, terms: &mut Terms) -> bool {
        while let Some(choice) = self.choices.pop() {
            for slot in self.trail.drain(choice.trail..) {
                self.slots[slot as usize] = None;
            }
            self.goals.truncate(choice.goals);
            self.top = choice.next;
            if self.choose(terms, choice.goal, choice.k) {
                return true;
            }
        }
        false
    }

    pub(super) fn push(&mut self, goal: Goal) {
        self.goals.push((goal, self.top));
        self.top = (self.goals.len() - 1) as u32;
    }

    /// Notes that a goal has another alternative, to be tried if this one leads nowhere.
    pub(super) fn later(&mut self, goal: Goal, k: u64) {
        self.choices.push(Choice {
            goal,
            next: self.top,
            k,
            trail: self.trail.len(),
            goals: self.goals.len(),
        });
    }

    pub(super) fn bind(&mut self, slot: u32, bound: Bound) {
        self.slots[slot as usize] = Some(bound);
        self.trail.push(slot);
    }

    pub(super) fn node(&self, argument: u32) -> Node {
        self.pattern.nodes[self.pattern.arguments[argument as usize] as usize]
    }

    fn solve(&mut self, terms: &mut Terms, goal: Goal) -> bool {
        match goal {
            Goal::One(pattern, id) => self.one(terms, pattern, id),
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
                if !matches!(self.node(pattern), Node::Sequence(_)) {
                    if from == to {
                        return false;
                    }
                    let id = terms.arg(of, from as usize);
                    self.push(Goal::Arguments {
                        pattern: pattern + 1,
                        pattern_to,
                        of,
                        from: from + 1,
                        to,
                    });
                    return self.one(terms, self.pattern.arguments[pattern as usize], id);
                }
                self.choose(
                    terms,
                    Goal::Arguments {
                        pattern,
                        pattern_to,
                        of,
                        from,
                        to,
                    },
                    0,
                )
            }
            Goal::Pick { .. } | Goal::Among(_) => self.choose(terms, goal, 0),
        }
    }

    /// Takes the `k`-th alternative of a goal that has several, or a later one.
    fn choose(&mut self, terms: &mut Terms, goal: Goal, k: u64) -> bool {
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
                let mut length = k as u32;
                if let Some(bound) = &self.slots[slot as usize] {
                    let elements = bound.elements(terms);
                    length = elements.len() as u32;
                    let fits = length <= most
                        && elements
                            .iter()
                            .zip(&terms.args(of)[from as usize..])
                            .all(|(&a, &b)| terms.equal(a, b));
                    if !fits {
                        return false;
                    }
                } else {
                    if pattern + 1 == pattern_to {
                        length = most;
                    }
                    if length < most {
                        self.later(goal.clone(), u64::from(length) + 1);
                    }
                    self.bind(
                        slot,
                        Bound::Slice {
                            of,
                            from,
                            to: from + length,
                        },
                    );
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
                of,
                ref used,
            } => {
                let count = terms.arity(of) as u32;
                if pattern + 1 == pattern_to {
                    let rest: Vec<Id> = (0..count)
                        .filter(|i| !used.contains(i))
                        .map(|i| terms.arg(of, i as usize))
                        .collect();
                    let rest = make_set(terms, &rest);
                    return self.one(terms, self.pattern.arguments[pattern as usize], rest);
                }
                let Some(pick) = (k as u32..count).find(|i| !used.contains(i)) else {
                    return false;
                };
                self.later(goal.clone(), u64::from(pick) + 1);
                let mut used = used.as_ref().clone();
                used.push(pick);
                self.push(Goal::Pick {
                    pattern: pattern + 1,
                    pattern_to,
                    of,
                    used: Rc::new(used),
                });
                self.push(Goal::One(
                    self.pattern.arguments[pattern as usize],
                    terms.arg(of, pick as usize),
                ));
                true
            }
            Goal::Among(ref left) => self.choose_among(terms, left, k),
            Goal::One(..) => false,
        }
    }

    fn one(&mut self, terms: &mut Terms, pattern: u32, id: Id) -> bool {
        match self.pattern.nodes[pattern as usize] {
            Node::Variable(slot) => match &self.slots[slot as usize] {
                Some(Bound::Term(bound)) => terms.equal(*bound, id),
                Some(_) => false,
                None => {
                    // A term with a sequence variable for an argument is met only where rules
                    // are compared with each other; one variable is not a sequence.
                    if matches!(terms.head(id), Head::Sequence(_)) {
                        return false;
                    }
                    self.bind(slot, Bound::Term(id));
                    true
                }
            },
            Node::Sequence(_) => false,
            Node::Leaf(head) => head.same(terms.head(id)),
            Node::Among { from, to, how } => self.among(terms, how, (from, to), id),
            Node::Apply {
                functor,
                from,
                to,
                rigid,
            } => {
                if terms.functor(id) != Some(functor) {
                    return false;
                }
                let count = terms.arity(id) as u32;
                if rigid && count != to - from {
                    return false;
                }
                if count > 0 || to > from {
                    self.push(Goal::Arguments {
                        pattern: from,
                        pattern_to: to,
                        of: id,
                        from: 0,
                        to: count,
                    });
                }
                true
            }
            Node::AnyArity { functor, list } => {
                let Some(name) = terms.functor(id) else {
                    return false;
                };
                let atom = terms.atom(name);
                let args = terms.args(id).to_vec();
                let args = make_list(terms, &args);
                self.push(Goal::One(list, args));
                self.one(terms, functor, atom)
            }
            Node::SetPattern { from, to } => {
                if terms.functor(id).is_none_or(|f| f.as_str() != SET) {
                    return false;
                }
                self.push(Goal::Pick {
                    pattern: from,
                    pattern_to: to,
                    of: id,
                    used: Rc::default(),
                });
                true
            }
        }
    }
}
