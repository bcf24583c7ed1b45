//! Innermost normalisation on a compiled matcher: arguments before the term, so that variables
//! stand for normal forms and nothing is visited twice.
//!
//! Rules become straight-line code over a heap of words; nothing is allocated in a step but the
//! cells of the result, and the heap is compacted by copying what is still reachable.

mod call;
mod code;
mod compile;
mod deferred;
mod forms;
mod heap;
mod holes;
mod operands;
mod owing;
mod rule;
mod run;
mod template;

use super::system::{Limits, Reduction};
use super::{RuleBase, System};
use crate::term::{Id, Terms};
pub(super) use compile::is_plain;
pub(super) use deferred::owing;
use run::Machine;

/// Normalises a term, or says nothing if the system needs what the compiled form does not have:
/// sequence variables, sets, parameters, patterns without a functor, rules whose result may be their
/// redex again where variables do not tell, rules whose conditions may lead to themselves, rules for `if` and for
/// truth values.
pub(super) fn normalise(
    base: &RuleBase,
    system: &System,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
) -> Option<Result<Reduction, String>> {
    let program = compile::program(base, system, terms, root, true)?;
    let mut machine = Machine::new(&program, base.rules.len(), limits);
    let finished = machine.run();
    if machine.shared && matches!(finished, Ok(false)) && !limits.is_over() {
        // At the bound it matters which rules fired last: nothing is left out then.
        let program = compile::program(base, system, terms, root, false)?;
        let mut machine = Machine::new(&program, base.rules.len(), limits);
        let finished = machine.run();
        return Some(finished.map(|finished| reduction(machine, terms, finished)));
    }
    Some(finished.map(|finished| reduction(machine, terms, finished)))
}

/// Likewise, or says nothing if the run does not end within its limits.
pub(super) fn normal_form(
    base: &RuleBase,
    system: &System,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
) -> Option<Reduction> {
    let program = compile::program(base, system, terms, root, true)?;
    let mut machine = Machine::new(&program, base.rules.len(), limits);
    matches!(machine.run(), Ok(true)).then(|| Reduction {
        any_order: true,
        ..reduction(machine, terms, true)
    })
}

fn reduction(machine: Machine<'_>, terms: &mut Terms, finished: bool) -> Reduction {
    Reduction {
        root: machine.heap.export(machine.program, machine.result, terms),
        trace: machine.trace,
        finished,
        slow: None,
        any_order: false,
    }
}
