//! The first steps of a term within a condition, as long as they are at its root and by rules that ask nothing: no run
//! is put on the stack for them.

use super::engine::{Engine, Stepped};
use crate::rewrite::Order;

/// How far such steps lead.
pub(super) enum Reached {
    Normal(u32),
    /// What comes next is the work of a run.
    Open(u32),
    /// The bound is reached.
    Bound,
}

impl Engine<'_> {
    /// Takes the steps that any order takes first: at the root, where arguments come first only once they are normal.
    pub(super) fn steps_at_root(&mut self, term: u32) -> Reached {
        // Only a run knows what facts that change make of what it found out.
        if self.facts.change {
            return Reached::Open(term);
        }
        let looked = self.looked;
        self.is_within = true;
        let reached = self.steps_at(term);
        self.is_within = false;
        self.looked = looked;
        reached
    }

    fn steps_at(&mut self, mut term: u32) -> Reached {
        let is_upward = self.order == Order::BottomTop;
        loop {
            if self.cells.is_normal(term) {
                return Reached::Normal(term);
            }
            let mut arguments = self.cells.arguments(term).iter();
            let are_normal = arguments.all(|&argument| self.cells.is_normal(argument));
            if is_upward && !are_normal || self.cells.is_full() || self.cells.is_inert(term) {
                return Reached::Open(term);
            }
            match self.step_directly(term) {
                Some(Stepped::Became(new)) => term = new,
                Some(Stepped::Stays) if are_normal => {
                    self.cells.set_normal(term);
                    return Reached::Normal(term);
                }
                Some(Stepped::Stopped) => return Reached::Bound,
                Some(Stepped::Stays | Stepped::Waits) | None => return Reached::Open(term),
            }
        }
    }

    /// A step at a term by rules that ask nothing; nothing where another one is to be tried first, or a value computed.
    fn step_directly(&mut self, term: u32) -> Option<Stepped> {
        let functor = self.cells.functor(term) as usize;
        let mut next = 0;
        while let Some(&candidate) = self.functors.list[functor].candidates.get(next) {
            next += 1;
            if !self.cells.may_fire(candidate, term) {
                continue;
            }
            if !candidate.is_direct {
                return None;
            }
            match self.attempt_direct(candidate, term) {
                Stepped::Stays => {}
                stepped => return Some(stepped),
            }
        }
        let computes = self.functors.list[functor].computes;
        (!computes).then_some(Stepped::Stays)
    }
}
