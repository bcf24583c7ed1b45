//! Operators → automata: states, each with a decision diagram of what is done first.
//!
//! The automata are those of guarded Kleene algebra with tests (Smolka, Foster, Hsu, Kappé, Kozen,
//! Silva 2020, "Guarded Kleene Algebra with Tests", arXiv 1907.05920, definition 4.1 and the
//! Thompson construction of section 4): a state takes each assignment of the predicates to a
//! result, to failure, or to an action and a next state. Diagrams keep the assignments apart no
//! further than they differ (the symbolic transitions of arXiv 2601.09986).

use super::diagram::{ACCEPT, Diagram, Diagrams, FAIL, Leaf, View};
use super::read::Reading;
use crate::algebra::{Construct, Expr, Operator, expr, operator};
use crate::term::{Id, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The states of all operators of a comparison.
pub(super) struct Automaton {
    pub diagrams: Diagrams,
    /// What comes first in each state; jumps to loops still stand in it.
    states: Vec<Diagram>,
    numbers: FxHashMap<Diagram, u32>,
    /// What comes first in each loop, with jumps to the loops around it.
    loops: Vec<Diagram>,
    /// Whether a state can reach a result, as far as that was asked.
    live: FxHashMap<u32, bool>,
    /// Diagrams and the same with their jumps carried out.
    resolved: FxHashMap<Diagram, Diagram>,
    /// Diagrams and the same in which steps to states that reach no result are failures.
    normal: FxHashMap<Diagram, Diagram>,
}

impl Automaton {
    /// An automaton without states whose diagrams may have so many nodes.
    pub fn new(most: usize) -> Automaton {
        Automaton {
            diagrams: Diagrams::new(most),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            loops: Vec::new(),
            live: FxHashMap::default(),
            resolved: FxHashMap::default(),
            normal: FxHashMap::default(),
        }
    }

    /// The state in which a diagram is done first.
    pub fn state(&mut self, diagram: Diagram) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(diagram).or_insert(next);
        if number == next {
            self.states.push(diagram);
        }
        number
    }

    /// What an operator does first if `then` is what is done after it.
    ///
    /// - an action is the leaf that takes it to the state of `then`;
    /// - `A; B` before `then` is A before (B before `then`);
    /// - `IF u` decides between its branches, each before `then`;
    /// - `WHILE u LOOP A` is a new jump: u decides between A before the jump, and `then`. Where A
    ///   reaches the jump without an action, no predicate has changed, so nothing ever will: that
    ///   is endless repetition, which has no result.
    pub fn compile(&mut self, terms: &Terms, reading: &Reading, id: Id, then: Diagram) -> Diagram {
        if let Some(&action) = reading.actions.get(&id) {
            let state = self.state(then);
            return self.diagrams.leaf(Leaf::Step { action, state });
        }
        match operator(terms, id) {
            Some(Operator::Then(parts)) => {
                let mut then = then;
                for &part in parts.iter().rev() {
                    then = self.compile(terms, reading, part, then);
                }
                then
            }
            Some(Operator::If { condition, yes, no }) => {
                let test = self.test(terms, reading, condition);
                let yes = self.compile(terms, reading, yes, then);
                let no = self.compile(terms, reading, no, then);
                self.diagrams.decide(test, yes, no)
            }
            Some(Operator::While { condition, body }) => {
                let test = self.test(terms, reading, condition);
                let number = self.loops.len() as u32;
                self.loops.push(FAIL);
                let again = self.diagrams.leaf(Leaf::Jump(number));
                let body = self.compile(terms, reading, body, again);
                let first = self.diagrams.decide(test, body, then);
                let first = self.diagrams.without_jump(first, number);
                self.loops[number as usize] = first;
                first
            }
            Some(Operator::Filter(condition)) => {
                let test = self.test(terms, reading, condition);
                self.diagrams.decide(test, then, FAIL)
            }
            Some(Operator::Timed(body)) => self.compile(terms, reading, body, then),
            Some(Operator::Empty) => then,
            // Whatever else acts has been read as an action.
            _ => FAIL,
        }
    }

    /// The diagram of a predicate.
    pub fn test(&mut self, terms: &Terms, reading: &Reading, id: Id) -> Diagram {
        if let Some(&(predicate, holds)) = reading.predicates.get(&id) {
            let test = self.diagrams.predicate(predicate);
            return match holds {
                true => test,
                false => self.diagrams.decide(test, FAIL, ACCEPT),
            };
        }
        match expr(terms, id) {
            Some(Expr::True) => ACCEPT,
            Some(Expr::Not(inner)) => {
                let inner = self.test(terms, reading, inner);
                self.diagrams.decide(inner, FAIL, ACCEPT)
            }
            Some(Expr::Binary { op, left, right }) => {
                let left = self.test(terms, reading, left);
                let right = self.test(terms, reading, right);
                match op {
                    Construct::Or => self.diagrams.decide(left, ACCEPT, right),
                    _ => self.diagrams.decide(left, right, FAIL),
                }
            }
            _ => FAIL,
        }
    }

    /// A diagram with its jumps carried out: what the loop does first, under the same predicates.
    ///
    /// A loop jumps only to loops around it, which have smaller numbers.
    fn resolve(&mut self, diagram: Diagram) -> Diagram {
        if !self.diagrams.jumps(diagram) {
            return diagram;
        }
        if let Some(&known) = self.resolved.get(&diagram) {
            return known;
        }
        let made = match self.diagrams.view(diagram) {
            View::Leaf(Leaf::Jump(number)) => self.resolve(self.loops[number as usize]),
            View::Leaf(_) => diagram,
            View::Choice {
                predicate,
                low,
                high,
            } => {
                let low = self.resolve(low);
                let high = self.resolve(high);
                let test = self.diagrams.predicate(predicate);
                self.diagrams.decide(test, high, low)
            }
        };
        self.resolved.insert(diagram, made);
        made
    }

    /// What is done first in a state.
    fn first(&mut self, state: u32) -> Diagram {
        let first = self.resolve(self.states[state as usize]);
        self.states[state as usize] = first;
        first
    }

    /// What is done first in a state, once [`Automaton::find_dead`] has looked at it.
    pub fn behaviour(&mut self, state: u32) -> Diagram {
        let first = self.first(state);
        let live = &self.live;
        let replace = |leaf: Leaf| match leaf {
            Leaf::Step { state, .. } if live.get(&state) != Some(&true) => Leaf::Fail,
            other => other,
        };
        self.diagrams.map(first, &replace, &mut self.normal)
    }

    /// The states that a state leads to in one step, and whether it may end.
    fn next(&mut self, state: u32) -> (Vec<u32>, bool) {
        let first = self.first(state);
        let mut seen = FxHashSet::default();
        let mut work = vec![first];
        let (mut next, mut ends) = (Vec::new(), false);
        while let Some(diagram) = work.pop() {
            if !seen.insert(diagram) {
                continue;
            }
            match self.diagrams.view(diagram) {
                View::Leaf(Leaf::Accept) => ends = true,
                View::Leaf(Leaf::Step { state, .. }) => next.push(state),
                View::Leaf(_) => {}
                View::Choice { low, high, .. } => work.extend([low, high]),
            }
        }
        (next, ends)
    }

    /// Finds, of all states that a state leads to, those that reach no result: failure and endless
    /// repetition are one (arXiv 1907.05920, section 4.2, normalization).
    pub fn find_dead(&mut self, state: u32) {
        let mut found = vec![state];
        let mut seen: FxHashSet<u32> = found.iter().copied().collect();
        let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut live = Vec::new();
        let mut at = 0;
        while at < found.len() {
            let state = found[at];
            at += 1;
            let (next, ends) = self.next(state);
            let mut lives = ends;
            for next in next {
                match self.live.get(&next) {
                    Some(&known) => lives |= known,
                    None => {
                        before.entry(next).or_default().push(state);
                        if seen.insert(next) {
                            found.push(next);
                        }
                    }
                }
            }
            if lives {
                live.push(state);
            }
        }
        let mut alive: FxHashSet<u32> = live.iter().copied().collect();
        while let Some(state) = live.pop() {
            for &earlier in before.get(&state).into_iter().flatten() {
                if alive.insert(earlier) {
                    live.push(earlier);
                }
            }
        }
        for state in found {
            self.live.insert(state, alive.contains(&state));
        }
    }
}
