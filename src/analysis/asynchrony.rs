//! Waiting for the device: what looks at it, so that a wait must come first.

use super::Answer;
use super::access::names_in;
use crate::algebra::{Operator, operator, operators as operators_within};
use crate::check::Scheme;
use crate::term::{Id, Symbol};

/// Whether there is a CONTROL POINT of a name, which a WAIT of that name waits for.
pub fn is_control_point(scheme: &Scheme, point: Symbol) -> bool {
    scheme.control_points.contains(&point)
}

/// Whether operators do only what the device does in order, and what the host does without looking
/// at the device.
///
/// A copy from the device is among it: it waits itself. A WAIT is not, and neither are reports, the
/// clock and what ends the run. The host does not look at the device where it computes with scalars, or
/// with its own copies of arrays; it has such once memory of the device is placed.
pub fn asynchronous(scheme: &Scheme, operators: &[Id]) -> Answer {
    let terms = &scheme.terms;
    let placed = operators_within(terms, scheme.body)
        .any(|t| matches!(operator(terms, t), Some(Operator::Allocate(_))));
    match operators.iter().find_map(|&id| looking(scheme, placed, id)) {
        None => Answer::proved("the host observes nothing that the device does in between"),
        Some(id) => {
            let functor = scheme.terms.functor(id).map_or("", Symbol::as_str);
            Answer::No(
                format!("{functor} may observe what the device does"),
                vec![(scheme.terms.span(id), "done by the host".into())],
            )
        }
    }
}

/// The first part of an operator that may look at what the device did, if there is one. With memory
/// `placed`, the host has arrays of its own.
fn looking(scheme: &Scheme, placed: bool, id: Id) -> Option<Id> {
    let terms = &scheme.terms;
    let within = |part: Id| looking(scheme, placed, part);
    let is_array = |name: Symbol| scheme.variable(name).is_some_and(|v| v.is_array());
    let computed = |part: Id| {
        let shared = !placed && names_in(scheme, part).into_iter().any(is_array);
        shared.then_some(part)
    };
    match operator(terms, id) {
        Some(Operator::Then(parts)) => parts.iter().find_map(|&part| within(part)),
        Some(Operator::If { condition, yes, no }) => computed(condition)
            .or_else(|| within(yes))
            .or_else(|| within(no)),
        Some(Operator::For {
            from,
            to,
            step,
            body,
            ..
        }) => [Some(from), Some(to), step]
            .into_iter()
            .flatten()
            .find_map(computed)
            .or_else(|| within(body)),
        Some(Operator::Local { .. } | Operator::Assign { .. }) | None => computed(id),
        Some(
            Operator::Launch { .. }
            | Operator::Recorded(_)
            | Operator::Empty
            | Operator::Allocate(_)
            | Operator::CopyToDevice(_)
            | Operator::CopyFromDevice(_)
            | Operator::Free(_),
        ) => None,
        _ => Some(id),
    }
}
