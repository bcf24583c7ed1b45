//! Waiting for the device: what looks at it, so that a wait must come first.

use super::Answer;
use crate::algebra::{Operator, operator};
use crate::check::Scheme;
use crate::term::{Id, Symbol};

/// Whether there is a CONTROL POINT of a name, which a WAIT of that name waits for.
pub fn is_control_point(scheme: &Scheme, point: Symbol) -> bool {
    let terms = &scheme.terms;
    terms
        .subterms(scheme.body)
        .any(|t| matches!(operator(terms, t), Some(Operator::ControlPoint(p)) if p == point))
}

/// Whether operators do only what the device does in order, and what the host needs for that.
///
/// A copy from the device is among it: it waits itself. A WAIT is not.
pub fn asynchronous(scheme: &Scheme, operators: &[Id]) -> Answer {
    match operators.iter().find_map(|&id| looking(scheme, id)) {
        None => Answer::proved("the device does all of it in order"),
        Some(id) => {
            let functor = scheme.terms.functor(id).map_or("", Symbol::as_str);
            Answer::No(
                format!("{functor} does not only tell the device what to do"),
                vec![(scheme.terms.span(id), "done by the host".into())],
            )
        }
    }
}

/// The first part of an operator that may look at what the device did, if there is one.
fn looking(scheme: &Scheme, id: Id) -> Option<Id> {
    let within = |part: Id| looking(scheme, part);
    match operator(&scheme.terms, id) {
        Some(Operator::Then(parts)) => parts.iter().find_map(|&part| within(part)),
        Some(Operator::If { yes, no, .. }) => within(yes).or_else(|| within(no)),
        Some(Operator::For { body, .. }) => within(body),
        Some(
            Operator::Launch { .. }
            | Operator::Recorded(_)
            | Operator::Local { .. }
            | Operator::Empty
            | Operator::Allocate(_)
            | Operator::CopyToDevice(_)
            | Operator::CopyFromDevice(_)
            | Operator::Free(_),
        ) => None,
        _ => Some(id),
    }
}
