//! Claims of the author or the user that facts rest on.

use crate::algebra::{Expr, expr};
use crate::check::{Scheme, author_name};
use crate::term::Symbol;

/// Whether `ASSUME independent (i)` or `--assume` says so.
pub(super) fn claims_independent(scheme: &Scheme, var: Symbol) -> bool {
    claim(scheme, "independent", |name| {
        author_name(name) == author_name(var)
    })
}

/// Whether an array is claimed to hold no value twice.
pub fn injective_claim(scheme: &Scheme, array: Symbol) -> bool {
    claim(scheme, "injective", |name| name == array)
}

fn claim(scheme: &Scheme, what: &str, of: impl Fn(Symbol) -> bool) -> bool {
    scheme.assumptions.iter().any(|&id| {
        matches!(expr(&scheme.terms, id), Some(Expr::Apply { function, arguments: &[a] })
            if function.as_str() == what && scheme.terms.as_atom(a).is_some_and(&of))
    })
}
