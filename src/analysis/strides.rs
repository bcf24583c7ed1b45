//! How far apart neighbouring iterations of a loop reach into arrays.

use super::Answer;
use super::access::accesses;
use crate::algebra::{Binary, Expr, expr, names};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol, Terms};

/// Where the next iteration of a loop reaches an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stride {
    /// The same cell.
    Same,
    /// The next one in memory.
    Next,
    /// Another one.
    Far,
}

fn stride(terms: &Terms, subscripts: &[Id], var: Symbol) -> Stride {
    let mentions = |&id: &Id| names(terms, id).any(|n| n == var);
    match subscripts.split_last() {
        Some((&last, others)) if !others.iter().any(mentions) => match mentions(&last) {
            false => Stride::Same,
            true if follows(terms, last, var) => Stride::Next,
            true => Stride::Far,
        },
        Some(_) => Stride::Far,
        None => Stride::Same,
    }
}

/// Whether an integer grows by one with a variable.
fn follows(terms: &Terms, e: Id, var: Symbol) -> bool {
    let free = |id| !names(terms, id).any(|n| n == var);
    match expr(terms, e) {
        Some(Expr::Name(name)) => name == var,
        Some(Expr::Binary {
            op: Binary::Plus,
            left,
            right,
        }) => follows(terms, left, var) && free(right) || free(left) && follows(terms, right, var),
        Some(Expr::Binary {
            op: Binary::Minus,
            left,
            right,
        }) => follows(terms, left, var) && free(right),
        _ => false,
    }
}

/// Whether neighbouring iterations of a loop reach cells that are next to each other, or at least none that are far
/// apart: only then do lanes fill their registers by whole ones. It says nothing of what may be done.
pub fn has_neighbours(scheme: &Scheme, var: Symbol, body: Id) -> Answer {
    let set = accesses(scheme, body);
    let strides = || {
        let all = set.all.iter();
        all.map(|a| {
            (
                a,
                stride(
                    &scheme.terms,
                    a.subscripts.as_deref().unwrap_or_default(),
                    var,
                ),
            )
        })
    };
    let far = strides().find(|s| s.1 == Stride::Far);
    match far {
        Some((access, _)) if !strides().any(|s| s.1 == Stride::Next) => Answer::no(format!(
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
    let strides: Vec<(Stride, Stride)> = set
        .all
        .iter()
        .map(|access| {
            let subscripts = access.subscripts.as_deref().unwrap_or_default();
            let of = |var| stride(&scheme.terms, subscripts, var);
            (of(inner), of(outer))
        })
        .collect();
    strides.contains(&(Stride::Next, Stride::Far)) && strides.iter().all(|s| s.0 != Stride::Far)
}
