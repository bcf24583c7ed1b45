//! What is reached through basic operators and predicates, which name it in lists.

use super::{Construct, Expr, Operator, expr, operator, root_name};
use crate::term::{Id, Symbol, Terms};

/// The basic operator that is all that one thread of a launch does: code of the host may do it instead.
pub fn launched_operator(terms: &Terms, launch: Id) -> Option<Id> {
    let Some(Operator::Launch {
        blocks,
        threads,
        body,
    }) = operator(terms, launch)
    else {
        return None;
    };
    let is_one = |count: Id| terms.as_int(count) == Some(1);
    let is_basic = terms.functor(body) == Some(Construct::Perform.symbol());
    (is_one(blocks) && is_one(threads) && is_basic).then_some(body)
}

/// The arrays that an expression reads, each with a place: those of its cells, and what basic predicates in it list,
/// which may be scalars, too.
pub fn arrays_read(terms: &Terms, id: Id) -> impl Iterator<Item = (Id, Symbol)> {
    terms.subterms(id).flat_map(move |t| {
        let (cell, listed) = match expr(terms, t) {
            Some(Expr::Index { array, .. }) => (Some((t, array)), &[][..]),
            Some(Expr::Holds { reads, .. }) => (None, reads),
            _ => (None, &[][..]),
        };
        let listed = listed
            .iter()
            .filter_map(move |&part| Some((t, root_name(terms, part)?)));
        cell.into_iter().chain(listed)
    })
}
