//! Equality of states: union-find as by Hopcroft and Karp, breadth first.
//!
//! Two states are equal where, under each assignment of the predicates, both end, both fail, or
//! both do the same action and go on in equal states (arXiv 1907.05920, theorem 4.7: of states that
//! are normalised). Pairs that are taken to be equal are merged, so no more pairs are looked at than
//! there are states (Hopcroft, Karp 1971). Pairs are looked at in order of the number of actions
//! that lead there, which gives a shortest difference: a pair that is left out for being merged is
//! joined by pairs reached no later, one of which differs no later than it does.

use super::automaton::Automaton;
use super::diagram::{Diagram, Leaf, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A way to two states that do different things: pairs of states with the action between each and
/// the next, and the diagrams' leaves where they differ.
pub(super) struct Way {
    /// Pairs of states, the two that are compared first.
    pub pairs: Vec<(u32, u32)>,
    /// The actions between them.
    pub actions: Vec<u32>,
    /// What the last pair does.
    pub last: (Leaf, Leaf),
}

/// A pair that is looked at.
struct Met {
    a: u32,
    b: u32,
    /// The pair before it and the action from there; of the first, itself.
    from: usize,
    action: u32,
}

/// Whether two states differ. Both have been searched for states without a result.
pub(super) fn differ(automaton: &mut Automaton, a: u32, b: u32) -> bool {
    difference(automaton, a, b).is_some()
}

/// A shortest way to where two states differ, both having been searched for states without a
/// result.
pub(super) fn difference(automaton: &mut Automaton, a: u32, b: u32) -> Option<Way> {
    let mut merged = Merged::default();
    let mut met = vec![Met {
        a,
        b,
        from: 0,
        action: 0,
    }];
    merged.merge(a, b);
    // Pairs of diagrams that have been gone through, from whatever states.
    let mut seen: FxHashSet<(Diagram, Diagram)> = FxHashSet::default();
    let mut at = 0;
    while at < met.len() {
        let pair = (
            automaton.behaviour(met[at].a),
            automaton.behaviour(met[at].b),
        );
        let mut work = vec![pair];
        while let Some((a, b)) = work.pop() {
            if a == b || !seen.insert((a, b)) {
                continue;
            }
            if let Some(predicate) = automaton.diagrams.first(a, b) {
                let (low_a, high_a) = automaton.diagrams.parts(a, predicate);
                let (low_b, high_b) = automaton.diagrams.parts(b, predicate);
                work.push((low_a, low_b));
                work.push((high_a, high_b));
                continue;
            }
            let leaves = (leaf(automaton, a), leaf(automaton, b));
            match leaves {
                (
                    Leaf::Step { action, state: a },
                    Leaf::Step {
                        action: other,
                        state: b,
                    },
                ) if action == other => {
                    if merged.merge(a, b) {
                        met.push(Met {
                            a,
                            b,
                            from: at,
                            action,
                        });
                    }
                }
                _ => return Some(way(&met, at, leaves)),
            }
        }
        at += 1;
    }
    None
}

fn leaf(automaton: &Automaton, diagram: Diagram) -> Leaf {
    match automaton.diagrams.view(diagram) {
        View::Leaf(leaf) => leaf,
        View::Choice { .. } => unreachable!("no predicate is asked first"),
    }
}

fn way(met: &[Met], mut at: usize, last: (Leaf, Leaf)) -> Way {
    let mut pairs = vec![(met[at].a, met[at].b)];
    let mut actions = Vec::new();
    while at != 0 {
        actions.push(met[at].action);
        at = met[at].from;
        pairs.push((met[at].a, met[at].b));
    }
    pairs.reverse();
    actions.reverse();
    Way {
        pairs,
        actions,
        last,
    }
}

/// Values of predicates, as few as there can be, under which two states do two things; in order of
/// the predicates.
pub(super) fn values(
    automaton: &mut Automaton,
    states: (u32, u32),
    wanted: (Leaf, Leaf),
) -> Vec<(u32, bool)> {
    let first = (automaton.behaviour(states.0), automaton.behaviour(states.1));
    type Pair = (Diagram, Diagram);
    let mut from: FxHashMap<Pair, (Pair, u32, bool)> = FxHashMap::default();
    let mut seen: FxHashSet<Pair> = FxHashSet::default();
    let mut work = VecDeque::from([first]);
    while let Some(pair) = work.pop_front() {
        let (a, b) = pair;
        let Some(predicate) = automaton.diagrams.first(a, b) else {
            if (leaf(automaton, a), leaf(automaton, b)) != wanted {
                continue;
            }
            let mut values = Vec::new();
            let mut at = pair;
            while let Some(&(before, predicate, holds)) = from.get(&at) {
                values.push((predicate, holds));
                at = before;
            }
            values.reverse();
            return values;
        };
        let (low_a, high_a) = automaton.diagrams.parts(a, predicate);
        let (low_b, high_b) = automaton.diagrams.parts(b, predicate);
        for (next, holds) in [((high_a, high_b), true), ((low_a, low_b), false)] {
            if seen.insert(next) {
                from.insert(next, (pair, predicate, holds));
                work.push_back(next);
            }
        }
    }
    Vec::new()
}

/// Sets of states taken to be equal.
#[derive(Default)]
struct Merged {
    parents: FxHashMap<u32, u32>,
}

impl Merged {
    fn root(&mut self, state: u32) -> u32 {
        let mut root = state;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut at = state;
        while at != root {
            let next = self.parents.insert(at, root).unwrap_or(root);
            at = next;
        }
        root
    }

    /// Merges the sets of two states; whether they were apart.
    fn merge(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
        }
        a != b
    }
}
