//! What a launch costs beside what it would do.

use super::Fact;
use super::call::{Call, facts};
use crate::algebra::{Binary, Expr, Operator, expr, operator};
use crate::analysis::Answer;
use crate::term::{Id, Terms};

/// So many iterations take a host no longer than a launch takes, which is some microseconds.
const ITERATIONS_OF_LAUNCH: i64 = 4096;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        worth_a_launch "from, to, A: the loop with these bounds and the body A has more than 4,096 iterations, those of loops in it among them, or may have, or so does what else a loop of the host around it does in an iteration";
        quick "e: it is made of literals, variables and cells by sums, differences and products, so that a thread can as well compute it again";
    ]
}

/// Whether an expression takes a thread no more than a few instructions.
fn quick(call: &mut Call<'_>, e: Id) -> Answer {
    let terms = &call.scheme().terms;
    let mut work = vec![e];
    while let Some(id) = work.pop() {
        match expr(terms, id) {
            Some(Expr::Int(_) | Expr::Real(_) | Expr::Name(_)) => {}
            Some(Expr::Index { subscripts, .. }) => work.extend(subscripts),
            Some(Expr::Negate(of)) => work.push(of),
            Some(Expr::Binary {
                op: Binary::Plus | Binary::Minus | Binary::Times,
                left,
                right,
            }) => work.extend([left, right]),
            _ => return Answer::no("it may take more than sums and products"),
        }
    }
    Answer::proved("it is made of sums and products")
}

/// A loop that is done in a moment is launched only for the sake of others: its arrays then stay on the
/// device from one long loop to the next.
fn worth_a_launch(call: &mut Call<'_>, from: Id, to: Id, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let is_short = repeated(terms, from, to, body).is_some();
    let spine = call.spine();
    let around = spine
        .iter()
        .rev()
        .skip(1)
        .find_map(|&id| match operator(terms, id) {
            Some(Operator::For { body, .. } | Operator::While { body, .. }) => Some(body),
            _ => None,
        });
    let does_little = around.is_some_and(|body| iterations(terms, body).is_some());
    match is_short && does_little {
        true => Answer::no(
            "its iterations take less time than a launch, and so does all else that the loop around it does in one of its own",
        ),
        false => Answer::proved("it may take longer than a launch, or another loop beside it"),
    }
}

/// How many iterations an operator does in all, if that is known and no more than a launch is worth. What is
/// no loop counts as one.
fn iterations(terms: &Terms, id: Id) -> Option<i64> {
    let count = match operator(terms, id)? {
        Operator::Then(parts) => parts
            .iter()
            .try_fold(0, |sum, &part| Some(sum + iterations(terms, part)?))?,
        Operator::If { yes, no, .. } => iterations(terms, yes)?.max(iterations(terms, no)?),
        Operator::For {
            from,
            to,
            body,
            step: None,
            ..
        } => repeated(terms, from, to, body)?,
        Operator::Array { body, .. } => iterations(terms, body)?,
        Operator::Empty
        | Operator::Assign { .. }
        | Operator::Atomic { .. }
        | Operator::Local { .. } => 1,
        _ => return None,
    };
    (count <= ITERATIONS_OF_LAUNCH).then_some(count)
}

/// The same of a loop with literal bounds.
fn repeated(terms: &Terms, from: Id, to: Id, body: Id) -> Option<i64> {
    let (from, to) = terms.as_int(from).zip(terms.as_int(to))?;
    let times = to.checked_sub(from)?.checked_add(1)?.max(0);
    let count = times.checked_mul(iterations(terms, body)?)?;
    (count <= ITERATIONS_OF_LAUNCH).then_some(count)
}
