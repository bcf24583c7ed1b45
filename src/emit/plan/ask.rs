//! Where a program asks its caller whether to go on: at each round of the host's outermost loops.

use super::{Act, Plan, Stmt, each_statement, simple_acts};

/// Has outermost loops of the host ask at the beginning of each round. A round that holds no loop and
/// no launch is over before an answer would matter, and asking would cost more than it.
pub(super) fn mark(plan: &mut Plan) {
    rounds(&mut plan.body);
}

fn rounds(body: &mut [Stmt]) {
    for stmt in body {
        match &mut stmt.act {
            Act::For { body, .. } | Act::While { body, .. } if is_long(body) => {
                let (origin, act) = (stmt.origin, Act::Ask);
                body.insert(0, Stmt { origin, act });
            }
            Act::If { yes, no, .. } => {
                rounds(yes);
                rounds(no);
            }
            Act::Array { body, .. } | Act::Timed(body) => rounds(body),
            Act::For { .. } | Act::While { .. } => {}
            // Branches and iterations that run side by side have no caller of their own, and what
            // is recorded is repeated without the host.
            Act::Parallel { .. } | Act::Lanes { .. } | Act::Async(_) | Act::Recorded { .. } => {}
            simple_acts!() => {}
        }
    }
}

fn is_long(body: &[Stmt]) -> bool {
    let mut long = false;
    each_statement(body, &mut |s| {
        long |= matches!(
            s.act,
            Act::For { .. }
                | Act::While { .. }
                | Act::Parallel { .. }
                | Act::Lanes { .. }
                | Act::Recorded { .. }
                | Act::Async(_)
                | Act::Launch { .. }
        );
    });
    long
}
