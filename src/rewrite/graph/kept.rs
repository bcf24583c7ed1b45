//! Steps that were asked for, kept: where a term stands again, it takes the same step.
//!
//! What a rule asks about a term that is not computed yet, it asks again wherever that term stands: in each condition
//! that has it, and in those that these ask. What comes of it is the same, and so is how many rewrites it takes: the
//! term tells both. A step is kept with the term's cell if its conditions took a run, so that asking costs more than
//! keeping does. A step that is taken again counts as all that it would ask; where the bound does not leave so many, it
//! is made in full.
//!
//! That the term tells both is not so where actions change facts, nor where normal forms of parts are kept by themselves,
//! as in `f($x) [ $x == 1 ]`: asking again takes fewer rewrites then. Nothing is kept in such runs, nor where lines are
//! printed. Of two other cases a run learns on its way: a rule is not tried since it is being asked about the same term,
//! which the terms around it tell; or rewrites were made to ask about a term that stays as it is, which is marked normal,
//! so that a step taken again has fewer to make behind it than one made anew. From then on nothing is kept, and if a
//! step was taken again before, the run is made once more without any.

use super::ages::Collection;
use super::code::{Op, Program};
use super::engine::{Engine, Stepped};
use super::functors::Functors;
use crate::rewrite::Order;
use crate::rewrite::fact_base::PRINTLN;
use rustc_hash::FxHashMap;

/// A step at a term's root.
#[derive(Clone, Copy)]
struct Kept {
    /// The rule that fired, by its index in the base.
    rule: u32,
    result: u32,
    /// How many rewrites were made to judge conditions before it fired.
    asked: u64,
}

/// The steps of a run that are kept, by the cells of their redexes.
pub(super) struct Steps {
    kept: FxHashMap<u32, Kept>,
    /// Whether any are kept.
    are_kept: bool,
    /// How many rewrites there were when the step at work began.
    pub(super) begun: u64,
    /// The rule that fired last, by its index in the base; none after a value was computed.
    pub(super) fired: Option<u32>,
    /// Whether a step was taken again.
    are_used: bool,
    /// Whether the run is to be made once more without any.
    pub(super) is_spoiled: bool,
}

impl Steps {
    pub(super) fn new(program: &Program, functors: &Functors, facts_change: bool) -> Steps {
        let prints = || functors.list.iter().any(|functor| functor.name == PRINTLN);
        Steps {
            kept: FxHashMap::default(),
            are_kept: !facts_change && !keeps_parts(program) && !prints(),
            begun: 0,
            fired: None,
            are_used: false,
            is_spoiled: false,
        }
    }

    /// Forgets all steps and keeps none from now on. Whether the run may go on.
    pub(super) fn end(&mut self) -> bool {
        self.kept.clear();
        self.are_kept = false;
        self.is_spoiled |= self.are_used;
        !self.is_spoiled
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Moves the steps of cells that were moved to `new`, and keeps what they lead to; whether there were any.
    pub(super) fn collect(&mut self, new: &mut Steps, collection: &mut Collection<'_>) -> bool {
        let before = self.kept.len();
        self.kept
            .retain(|&cell, kept| match collection.moved(cell) {
                None => true,
                Some(cell) => {
                    let result = collection.forward(kept.result);
                    new.kept.insert(cell, Kept { result, ..*kept });
                    false
                }
            });
        self.kept.len() < before
    }

    /// Steps in which those of moved cells are to be collected.
    pub(super) fn moving(&self) -> Steps {
        Steps {
            kept: FxHashMap::default(),
            ..*self
        }
    }
}

/// Whether normal forms are kept of terms that are met again: of those that variables stand for. What an instruction has
/// just made for the rule at work is met nowhere else.
fn keeps_parts(program: &Program) -> bool {
    let is_made = |op: Op| {
        matches!(
            op,
            Op::Constant(_)
                | Op::Fresh(_)
                | Op::Make(_)
                | Op::MakeMarked(_)
                | Op::Set(_)
                | Op::SetRest(_)
                | Op::AnyFunctor
                | Op::Order { .. }
                | Op::Known { .. }
        )
    };
    let mut pairs = program.code.windows(2);
    pairs.any(|pair| pair[1] == Op::Reduce && !is_made(pair[0]))
}

impl Engine<'_> {
    /// The step that a term is known to take.
    #[inline]
    pub(super) fn step_again(&mut self, cell: u32) -> Option<Stepped> {
        if self.steps.kept.is_empty() {
            return None;
        }
        let kept = *self.steps.kept.get(&cell)?;
        // All that it asks is counted, and the rule itself.
        let left = self.limits.steps.saturating_sub(self.spent);
        if kept.asked >= left {
            return None;
        }
        self.spent += kept.asked;
        self.steps.are_used = true;
        Some(self.fired(kept.rule, kept.result))
    }

    /// Keeps the step of a term, just taken, whose conditions took a run.
    pub(super) fn keep_step(&mut self, cell: u32, stepped: &Stepped) {
        // Under BottomTop what is asked is computed already, and all rewrites count.
        if !self.steps.are_kept || self.order == Order::BottomTop {
            return;
        }
        if let (Some(rule), &Stepped::Became(result)) = (self.steps.fired, stepped) {
            let kept = Kept {
                rule,
                result,
                asked: self.spent - self.steps.begun - 1,
            };
            self.steps.kept.insert(cell, kept);
        }
    }
}
