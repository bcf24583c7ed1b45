//! Expressions that can be computed wherever they stand, and those that are made of constants.

use super::super::host::decided;
use super::call::{Call, Rest};
use crate::algebra::{Binary, Expr, Kind, Signature, Type, expr, names, signature};
use crate::analysis::{self, Answer as Known};
use crate::check::{Role, Scheme};
use crate::rewrite::Answer;
use crate::term::{Id, Symbol};

pub(super) fn computable(
    call: &mut Call<'_>,
    from: Id,
    to: Id,
    Rest(expressions): Rest<2>,
) -> Known {
    let scheme = call.scheme();
    if expressions.iter().all(|&e| is_computable(scheme, e)) {
        return Known::proved("nothing but an overflow could stop them");
    }
    match analysis::at_least_once(scheme, &call.context(), from, to) {
        yes @ Known::Yes(..) => yes,
        _ => Known::unknown(
            "a cell, a quotient or the like is in a bound of an inner loop, which need not have a value where the outer loop has no iteration",
        ),
    }
}

pub(super) fn is_computable(scheme: &Scheme, id: Id) -> bool {
    let computable = |id: &Id| is_computable(scheme, *id);
    match expr(&scheme.terms, id) {
        Some(Expr::Int(_)) => true,
        Some(Expr::Name(name)) => scheme.variable(name).is_some_and(|v| {
            let given = matches!(
                v.role,
                Role::Parameter { .. } | Role::Data { input: true, .. } | Role::Local | Role::Loop
            );
            given && !v.is_array()
        }),
        Some(Expr::Binary {
            op: Binary::Plus | Binary::Minus | Binary::Times,
            left,
            right,
        }) => [left, right].iter().all(computable),
        Some(Expr::Binary {
            op: Binary::Div | Binary::Mod,
            left,
            right,
        }) => computable(&left) && scheme.terms.as_int(right).is_some_and(|by| by > 0),
        Some(Expr::Negate(of)) => computable(&of),
        Some(Expr::Apply {
            function,
            arguments,
        }) => {
            let by_number = |&by: &Id| scheme.terms.as_int(by).is_some_and(|by| by > 0);
            let total = match signature(function) {
                Some(Signature::Join(_)) => true,
                Some(Signature::CeilDiv) => arguments.last().is_some_and(by_number),
                _ => false,
            };
            total && arguments.iter().all(computable)
        }
        _ => false,
    }
}

pub(super) fn constant(call: &mut Call<'_>, from: Id, to: Id, e: Id) -> Known {
    let scheme = call.scheme();
    match computes(scheme, e) {
        None => Known::unknown("it is made of more than constants"),
        Some(false) => Known::proved("it only compares constants"),
        Some(true) => match analysis::at_least_once(scheme, &call.context(), from, to) {
            yes @ Known::Yes(..) => yes,
            _ => Known::unknown("it computes something, which a loop without iterations does not"),
        },
    }
}

pub(super) fn changeable(call: &mut Call<'_>, e: Id) -> Answer {
    let scheme = call.scheme();
    let changes = |name: Symbol| {
        let variable = scheme.variable(name);
        variable.is_some_and(|v| v.is_array()) || scheme.assigned.contains(&name)
    };
    decided(
        names(&scheme.terms, e).any(changes),
        "it reads what may change",
        "it is made of what keeps its value",
    )
}

/// Whether a variable is a number that keeps its value: a parameter, an INPUT, a loop's variable, or a LOCAL that nothing assigns.
pub(super) fn is_kept(scheme: &Scheme, name: Symbol) -> bool {
    scheme.variable(name).is_some_and(|variable| {
        let local = matches!(variable.role, Role::Local) && !scheme.assigned.contains(&name);
        (variable.is_constant() || local) && !variable.is_array()
    })
}

/// Whether something that could go wrong is computed in an expression that is made of constants; none where it
/// is made of anything else.
fn computes(scheme: &Scheme, id: Id) -> Option<bool> {
    match expr(&scheme.terms, id)? {
        Expr::Int(_) | Expr::Real(_) | Expr::Multiprocessors => Some(false),
        Expr::Name(name) => is_kept(scheme, name).then_some(false),
        Expr::Binary {
            op: Binary::Times,
            left,
            right,
        } if stays_in_range(scheme, left, right) => {
            Some(computes(scheme, left)? || computes(scheme, right)?)
        }
        Expr::Apply {
            function,
            arguments: &[of],
        } if signature(function) == Some(Signature::Int64) => computes(scheme, of),
        Expr::Not(of) => computes(scheme, of),
        Expr::Negate(of) => computes(scheme, of).map(|_| true),
        Expr::Binary { op, left, right } => {
            let (left, right) = (computes(scheme, left)?, computes(scheme, right)?);
            Some(left || right || matches!(op.kind(), Kind::Arithmetic(_)))
        }
        Expr::Apply { arguments, .. } => {
            let mut arguments = arguments.iter();
            arguments.try_for_each(|&a| computes(scheme, a).map(|_| ()))?;
            Some(true)
        }
        _ => None,
    }
}

/// Whether a product stays in the range of its type: so many for each multiprocessor, of which a device has fewer than
/// 32,768, or a product of two INTEGERs that is an INTEGER64.
fn stays_in_range(scheme: &Scheme, left: Id, right: Id) -> bool {
    let terms = &scheme.terms;
    let is_few = |id: Id| {
        terms
            .as_int(id)
            .is_some_and(|each| (0..=1 << 16).contains(&each))
    };
    let is_narrow = |id: Id| match terms.as_int(id) {
        Some(number) => i32::try_from(number).is_ok(),
        None => scheme.type_of(id) == Type::I32,
    };
    let is_widened = |id: Id| {
        matches!(expr(terms, id), Some(Expr::Apply { function, arguments: &[of] })
            if signature(function) == Some(Signature::Int64) && is_narrow(of))
    };
    let is_wide = is_widened(left) || is_widened(right);
    let are_narrow = [left, right]
        .iter()
        .all(|&id| is_narrow(id) || is_widened(id));
    is_few(left) && matches!(expr(terms, right), Some(Expr::Multiprocessors))
        || is_wide && are_narrow
}
