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

use super::system::{Limits, Reduction, Trace};
use super::{RuleBase, System};
use crate::term::{Id, Terms};

/// Normalises a term, or says nothing if the system needs what the compiled form does not have:
/// sequence variables, sets, parameters, patterns without a functor, rules whose result may be their
/// redex again where variables do not tell, rules whose conditions may lead to themselves.
pub(super) fn normalise(
    base: &RuleBase,
    system: &System,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
) -> Option<Result<Reduction, String>> {
    let program = compile::program(base, system, terms, root, true)?;
    let again;
    let mut machine = run::Machine::new(&program, base.rules.len(), limits);
    let mut finished = machine.run();
    if machine.shared && matches!(finished, Ok(false)) && !limits.is_over() {
        // At the bound it matters which rules fired last: nothing is left out then.
        again = compile::program(base, system, terms, root, false)?;
        machine = run::Machine::new(&again, base.rules.len(), limits);
        finished = machine.run();
    }
    let finished = match finished {
        Ok(finished) => finished,
        Err(reason) => return Some(Err(reason)),
    };
    let trace: Trace = machine.trace;
    let root = machine.heap.export(machine.program, machine.result, terms);
    Some(Ok(Reduction {
        root,
        trace,
        finished,
        slow: None,
    }))
}
