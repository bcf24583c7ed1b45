//! Sums in the order that simplifying gives their terms: parentheses are left out, what is added comes
//! first, constants come last, opposite terms cancel. A sum in another order may leave its range on
//! the way where the author's does not.

use crate::algebra::{Binary, Expr, expr};
use crate::term::{Id, Terms};

/// The terms of a sum, with their signs.
pub(super) fn terms_of(terms: &Terms, id: Id) -> Vec<(bool, Id)> {
    let mut found = Vec::new();
    collect(terms, id, true, &mut found);
    found
}

fn collect(terms: &Terms, id: Id, positive: bool, out: &mut Vec<(bool, Id)>) {
    match expr(terms, id) {
        Some(Expr::Negate(a)) => collect(terms, a, !positive, out),
        Some(Expr::Binary {
            op: op @ (Binary::Plus | Binary::Minus),
            left,
            right,
        }) => {
            collect(terms, left, positive, out);
            collect(terms, right, positive == (op == Binary::Plus), out);
        }
        _ => out.push((positive, id)),
    }
}

/// Whether simplifying leaves the terms of an expression in the order that they have.
pub(super) fn is_in_order(terms: &Terms, id: Id) -> bool {
    let all = terms_of(terms, id);
    let mut whole = id;
    for (number, &(_, term)) in all.iter().enumerate().rev() {
        // A constant is the last term, or the only one.
        let is_last = number + 1 == all.len();
        let is_repeated = all[..number].iter().any(|&(_, t)| terms.equal(t, term));
        let is_constant = terms.as_int(term).is_some();
        if is_repeated || is_constant && !is_last || is_negated(terms, term) {
            return false;
        }
        match expr(terms, whole) {
            Some(Expr::Binary {
                op: Binary::Plus | Binary::Minus,
                left,
                right,
            }) if right == term => whole = left,
            _ => return number == 0 && whole == term,
        }
    }
    true
}

/// Whether a term is a product with a negative number, of which simplifying makes the opposite.
pub(super) fn is_negated(terms: &Terms, term: Id) -> bool {
    match expr(terms, term) {
        Some(Expr::Binary {
            op: Binary::Times,
            left,
            ..
        }) => terms.as_int(left).is_some_and(|k| k < 0),
        _ => false,
    }
}

/// What a term is made of that is simplified by itself: factors, dividends, arguments of functions.
pub(super) fn parts(terms: &Terms, term: Id) -> Vec<Id> {
    match expr(terms, term) {
        Some(Expr::Binary {
            op: Binary::Times | Binary::Div | Binary::Mod,
            left,
            right,
        }) => vec![left, right],
        Some(Expr::Apply { arguments, .. }) => arguments.to_vec(),
        _ => Vec::new(),
    }
}
