//! Innermost normalisation on a compiled matcher: arguments before the term, so that variables
//! stand for normal forms and nothing is visited twice.
//!
//! Rules become straight-line code over a heap of words; nothing is allocated in a step but the
//! cells of the result, and the heap is compacted by copying what is still reachable.

mod code;
mod compile;
mod forms;
mod heap;
mod run;
mod template;

use super::system::{Reduction, Trace};
use super::{RuleBase, System};
use crate::term::{Id, Terms};

/// Normalises a term, or says nothing if the system needs what the compiled form does not have:
/// sequence variables, sets, actions, parameters, patterns without a functor.
pub(super) fn normalise(
    base: &RuleBase,
    system: &System,
    terms: &mut Terms,
    root: Id,
    bound: u64,
) -> Option<Result<Reduction, String>> {
    let program = compile::program(base, system, terms, root)?;
    let mut machine = run::Machine::new(&program, base.rules.len(), bound);
    let finished = match machine.run() {
        Ok(finished) => finished,
        Err(reason) => return Some(Err(reason)),
    };
    let trace: Trace = machine.trace;
    let root = if finished {
        machine.heap.export(&program, machine.result, terms)
    } else {
        root
    };
    Some(Ok(Reduction {
        root,
        trace,
        finished,
    }))
}
