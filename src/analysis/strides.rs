//! How far apart neighbouring iterations of a loop reach into arrays.

use super::Answer;
use super::access::{Access, accesses};
use crate::algebra::{Binary, Expr, Operator, expr, names, operator};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// Where the next iteration of a loop reaches an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stride {
    /// The cell that this one reaches.
    Same,
    /// The next cell in memory.
    Next,
    /// A cell that is some way off, or nobody knows where.
    Far,
}

/// The strides of all accesses of a loop's body over its variable.
fn strides<'a>(
    scheme: &Scheme,
    all: &'a [Access],
    var: Symbol,
    body: Id,
) -> Vec<(&'a Access, Stride)> {
    let terms = &scheme.terms;
    let local = |id| match operator(terms, id) {
        Some(Operator::Local { name, .. }) => Some(name),
        _ => None,
    };
    // What is computed in the body may vary in any way.
    let locals: FxHashSet<Symbol> = terms.subterms(body).filter_map(local).collect();
    let varies = |&id: &Id| names(terms, id).any(|n| n == var || locals.contains(&n));
    let stride = |access: &Access| match access.subscripts.as_deref().and_then(<[Id]>::split_last) {
        None => Stride::Same,
        Some((_, others)) if others.iter().any(varies) => Stride::Far,
        Some((last, _)) if !varies(last) => Stride::Same,
        Some((&last, _)) => match follows(terms, last, var, &varies) {
            true => Stride::Next,
            false => Stride::Far,
        },
    };
    all.iter().map(|access| (access, stride(access))).collect()
}

/// Whether an integer grows by one with a variable.
fn follows(terms: &Terms, e: Id, var: Symbol, varies: &impl Fn(&Id) -> bool) -> bool {
    let (sum, left, right) = match expr(terms, e) {
        Some(Expr::Name(name)) => return name == var,
        Some(Expr::Binary {
            op: op @ (Binary::Plus | Binary::Minus),
            left,
            right,
        }) => (op == Binary::Plus, left, right),
        _ => return false,
    };
    follows(terms, left, var, varies) && !varies(&right)
        || sum && !varies(&left) && follows(terms, right, var, varies)
}

/// Whether neighbouring iterations of a loop reach cells that are next to each other, or at least none that are far
/// apart: only then do lanes fill their registers by whole ones. It says nothing of what may be done.
pub fn has_neighbours(scheme: &Scheme, var: Symbol, body: Id) -> Answer {
    let set = accesses(scheme, body);
    let strides = strides(scheme, &set.all, var, body);
    let far = strides.iter().find(|s| s.1 == Stride::Far);
    match far {
        Some((access, _)) if strides.iter().all(|s| s.1 != Stride::Next) => Answer::no(format!(
            "neighbouring iterations over {} reach {} far apart",
            author_name(var),
            access.text(scheme)
        )),
        _ => Answer::proved("neighbouring iterations reach neighbouring cells"),
    }
}

/// Whether a loop goes along the rows of arrays and the loop around it from row to row: neighbouring iterations of the
/// inner one reach cells that are next to each other, where those of the outer one do not, and none that are far
/// apart. It says where vector registers are filled best, nothing of what may be done.
pub fn goes_along_rows(scheme: &Scheme, outer: Symbol, inner: Symbol, body: Id) -> bool {
    let set = accesses(scheme, body);
    let along = strides(scheme, &set.all, inner, body);
    let across = strides(scheme, &set.all, outer, body);
    let mut both = along.iter().zip(&across);
    along.iter().all(|s| s.1 != Stride::Far)
        && both.any(|(along, across)| along.1 == Stride::Next && across.1 == Stride::Far)
}
