//! Making terms of the algebra in their normal shape.

use super::Construct;
use crate::term::{Id, Symbol, Terms};

/// A functor applied to arguments, in normal shape: `Then` is flat, has no `Empty` in it, and has
/// two arguments at least.
pub fn build(terms: &mut Terms, functor: Symbol, arguments: &[Id]) -> Id {
    if functor == Construct::Then.symbol() {
        then(terms, arguments)
    } else {
        terms.apply(functor, arguments)
    }
}

/// Composition of operators in order, in normal shape.
pub fn then(terms: &mut Terms, operators: &[Id]) -> Id {
    let then = Construct::Then.symbol();
    let empty = Construct::Empty.symbol();
    let mut flat = Vec::with_capacity(operators.len());
    for &operator in operators {
        if terms.functor(operator) == Some(then) {
            flat.extend_from_slice(terms.args(operator));
        } else if terms.functor(operator) != Some(empty) {
            flat.push(operator);
        }
    }
    match flat.as_slice() {
        [] => terms.atom(empty),
        [one] => *one,
        _ => terms.apply(then, &flat),
    }
}
