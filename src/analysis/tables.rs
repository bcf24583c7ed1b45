//! Arrays of DATA that keep the values they are given there: tables.

use super::simple::root_name;
use crate::algebra::{Expr, expr, written};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};

/// The values of an array that has them from DATA and keeps them.
fn constant_values(scheme: &Scheme, array: Symbol) -> Option<(Vec<i64>, Vec<f64>)> {
    let variable = scheme.variable(array)?;
    let Role::Data {
        input: false,
        values,
        ..
    } = &variable.role
    else {
        return None;
    };
    if values.is_empty() {
        return None;
    }
    let all = scheme.terms.subterms(scheme.body);
    let mut targets = all.flat_map(|id| written(&scheme.terms, id));
    if targets.any(|target| root_name(scheme, target) == Some(array)) {
        return None;
    }
    let dims = variable
        .dims
        .iter()
        .map(|&d| scheme.terms.as_int(d))
        .collect::<Option<_>>()?;
    let literal = |&id: &Id| match expr(&scheme.terms, id)? {
        Expr::Int(k) => Some(k as f64),
        Expr::Real(x) => Some(x),
        Expr::Negate(a) => match expr(&scheme.terms, a)? {
            Expr::Int(k) => Some(-k as f64),
            Expr::Real(x) => Some(-x),
            _ => None,
        },
        _ => None,
    };
    Some((dims, values.iter().map(literal).collect::<Option<_>>()?))
}

/// Whether an array is a table with two subscripts that may be exchanged.
pub fn is_symmetric(scheme: &Scheme, array: Symbol) -> bool {
    let Some((dims, values)) = constant_values(scheme, array) else {
        return false;
    };
    let &[rows, columns] = dims.as_slice() else {
        return false;
    };
    let Ok(n) = usize::try_from(rows) else {
        return false;
    };
    rows == columns
        && values.len() == n * n
        && (0..n).all(|i| (0..i).all(|j| values[i * n + j] == values[j * n + i]))
}

/// Whether all values of an array are known and positive.
pub fn is_positive(scheme: &Scheme, array: Symbol) -> bool {
    constant_values(scheme, array).is_some_and(|(_, values)| values.iter().all(|&x| x > 0.0))
}
