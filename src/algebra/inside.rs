//! How operators run the operators in them.

use super::{Operator, bound, operator};
use crate::term::{Id, Symbol, Terms};

/// What has no operators in it, for matches that are about those that have.
macro_rules! simple_operators {
    () => {
        $crate::algebra::Operator::ControlPoint(_)
            | $crate::algebra::Operator::Wait(_)
            | $crate::algebra::Operator::Filter(_)
            | $crate::algebra::Operator::Empty
            | $crate::algebra::Operator::Undefined
            | $crate::algebra::Operator::Assign { .. }
            | $crate::algebra::Operator::Atomic { .. }
            | $crate::algebra::Operator::Local { .. }
            | $crate::algebra::Operator::Report { .. }
            | $crate::algebra::Operator::Save { .. }
            | $crate::algebra::Operator::Call { .. }
            | $crate::algebra::Operator::Perform { .. }
            | $crate::algebra::Operator::Shared { .. }
            | $crate::algebra::Operator::Registers { .. }
            | $crate::algebra::Operator::Exchange(..)
            | $crate::algebra::Operator::Barrier
            | $crate::algebra::Operator::Allocate(_)
            | $crate::algebra::Operator::CopyToDevice(_)
            | $crate::algebra::Operator::CopyFromDevice(_)
            | $crate::algebra::Operator::Free(_)
    };
}
pub(crate) use simple_operators;

/// How an operator runs the operators in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// There are none.
    Nothing,
    /// One after the other, each once.
    Sequence,
    /// One of them.
    Choice,
    /// Again and again, in order.
    Loop,
    /// Several times, or several of them, at once.
    AtOnce,
    /// Once, as it stands.
    Once,
}

impl Operator<'_> {
    /// How it runs the operators in it.
    pub fn inside(&self) -> Inside {
        match self {
            Operator::Then(_) => Inside::Sequence,
            Operator::If { .. } => Inside::Choice,
            Operator::While { .. } | Operator::For { .. } => Inside::Loop,
            Operator::Parallel { .. } | Operator::Async(_) | Operator::Launch { .. } => {
                Inside::AtOnce
            }
            Operator::Array { .. } | Operator::Timed(_) | Operator::Recorded(_) => Inside::Once,
            simple_operators!() => Inside::Nothing,
        }
    }
}

/// Whether a term runs the operators in it again and again, in order.
pub fn is_loop(terms: &Terms, id: Id) -> bool {
    operator(terms, id).is_some_and(|o| o.inside() == Inside::Loop)
}

/// The variable of a loop, whose iterations go in order or at once.
pub fn loop_variable(terms: &Terms, id: Id) -> Option<Symbol> {
    match operator(terms, id)?.inside() {
        Inside::Loop | Inside::AtOnce => bound(terms, id),
        Inside::Nothing | Inside::Sequence | Inside::Choice | Inside::Once => None,
    }
}
