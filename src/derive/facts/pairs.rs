//! Loops over pairs: whether the members of a pair may be exchanged.

use super::super::host::decided;
use super::Fact;
use super::call::{Call, facts};
use crate::algebra::{Binary, Expr, Operator, expr, operator};
use crate::analysis::{self, Answer as Known};
use crate::check::author_name;
use crate::rewrite::Answer;
use crate::term::{Id, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        exchangeable "i, j, A: with i and j exchanged, A adds the same but for rounding and the order of sums";
        symmetric "x: it is a table of DATA whose two subscripts may be exchanged";
        ordered "p, q: p stands before q in the order of expressions";
        skips_equal "i, j, A: A does nothing where i and j are equal";
    ]
}

fn exchangeable(call: &mut Call<'_>, i: Symbol, j: Symbol, body: Id) -> Known {
    analysis::exchangeable(call.scheme(), i, j, body)
}

fn symmetric(call: &mut Call<'_>, array: Symbol) -> Answer {
    let shown = author_name(array);
    decided(
        analysis::is_symmetric(call.scheme(), array),
        format!("{shown} keeps its values, and they are the same with subscripts exchanged"),
        format!("{shown} is not a table of DATA that keeps symmetric values"),
    )
}

fn ordered(call: &mut Call<'_>, p: Id, q: Id) -> Answer {
    let text = |id| analysis::text(call.scheme(), id);
    decided(
        text(p) < text(q),
        "the first stands before the second in the order of expressions",
        "the first does not stand before the second in the order of expressions",
    )
}

fn skips_equal(call: &mut Call<'_>, i: Id, j: Id, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let differ = |condition: Id| {
        let Some(Expr::Binary {
            op: Binary::NotEqual,
            left,
            right,
        }) = expr(terms, condition)
        else {
            return false;
        };
        let are = |a, b| terms.equal(a, i) && terms.equal(b, j);
        are(left, right) || are(right, left)
    };
    let skips = match operator(terms, body) {
        Some(Operator::If { condition, no, .. }) => {
            matches!(operator(terms, no), Some(Operator::Empty)) && differ(condition)
        }
        _ => false,
    };
    decided(
        skips,
        "it is under a condition that the two differ",
        "it is not under a condition that the two differ",
    )
}
