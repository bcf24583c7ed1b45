//! The part of an array that a loop adds to: a subscript that all its cells have in common is none of that part's.
//!
//! Which these are, each of the functions finds by itself in the same body.

use super::Function;
use super::call::{Call, functions};
use super::scattered::{cell_by_cell_of, counts_in, sizes_of};
use crate::algebra::{Expr, bound, expr, root_name, written};
use crate::term::{Id, Symbol, Terms};

pub(super) fn functions() -> Vec<Function> {
    functions![
        sizes_of_part "i, A, x: the sizes of the array x, but for those where all its cells in A, the body of a loop over i, have one subscript that stays the same in the loop; all of them where that is so for each";
        cells_of_part "i, A, x, c, B: loops over the cells of x with these subscripts, from c on one in the other, that do B; there x[c] has all subscripts of the cell for c, and another array's those that the loops are over";
        atomic_counts "i, A, x, p: A with each assignment that adds to a cell of the array x as an atomic sum in a cell of p, of INTEGER64, which has those subscripts of the cell that differ";
    ]
}

fn sizes_of_part(
    call: &mut Call<'_>,
    var: Symbol,
    body: Id,
    array: Symbol,
) -> Result<Vec<Id>, String> {
    let sizes = sizes_of(call, array)?;
    let fixed = fixed(call.terms, var, body, array, sizes.len());
    Ok(of_part(&fixed, &sizes))
}

fn cells_of_part(
    call: &mut Call<'_>,
    var: Symbol,
    body: Id,
    array: Symbol,
    first: Symbol,
    done: Id,
) -> Result<Id, String> {
    let sizes = sizes_of(call, array)?;
    let fixed = fixed(call.terms, var, body, array, sizes.len());
    let sizes = of_part(&fixed, &sizes);
    cell_by_cell_of(
        call,
        &sizes,
        first,
        done,
        &|name, free| match name == array {
            true => with_fixed(&fixed, free),
            false => free.to_vec(),
        },
    )
}

fn atomic_counts(call: &mut Call<'_>, var: Symbol, body: Id, array: Symbol, counts: Id) -> Id {
    let sizes = call.scheme().variable(array).map_or(0, |v| v.dims.len());
    let fixed = fixed(call.terms, var, body, array, sizes);
    counts_in(call, body, array, counts, &|subscripts| {
        of_part(&fixed, subscripts)
    })
}

/// The subscript that all cells of an array in the body of a loop have in each dimension, if they have one and it stays the
/// same; in none, if that is so in all.
fn fixed(terms: &Terms, var: Symbol, body: Id, array: Symbol, dims: usize) -> Vec<Option<Id>> {
    let cells = terms.subterms(body).filter_map(|id| match expr(terms, id) {
        Some(Expr::Index {
            array: of,
            subscripts,
        }) if of == array => Some(subscripts),
        _ => None,
    });
    let cells: Vec<&[Id]> = cells.collect();
    let changing: Vec<Symbol> = terms
        .subterms(body)
        .flat_map(|id| {
            let targets = written(terms, id).filter_map(|target| root_name(terms, target));
            bound(terms, id)
                .into_iter()
                .chain(targets)
                .collect::<Vec<_>>()
        })
        .chain([var])
        .collect();
    let stays = |e: Id| {
        terms.subterms(e).all(|part| match terms.as_atom(part) {
            Some(name) => !changing.contains(&name),
            None => !matches!(
                expr(terms, part),
                Some(Expr::Index { .. } | Expr::Holds { .. })
            ),
        })
    };
    let of_all = |dim: usize| {
        let &first = cells.first()?.get(dim)?;
        let same = |cell: &&[Id]| cell.get(dim).is_some_and(|&e| terms.equal(e, first));
        (cells.iter().all(same) && stays(first)).then_some(first)
    };
    let fixed: Vec<Option<Id>> = (0..dims).map(of_all).collect();
    match fixed.iter().all(Option::is_some) {
        true => vec![None; dims],
        false => fixed,
    }
}

/// What there is for the dimensions in which no subscript is fixed.
fn of_part(fixed: &[Option<Id>], all: &[Id]) -> Vec<Id> {
    let free = fixed.iter().zip(all).filter(|(fixed, _)| fixed.is_none());
    free.map(|(_, &one)| one).collect()
}

/// All subscripts, of those that are fixed and the others.
fn with_fixed(fixed: &[Option<Id>], free: &[Id]) -> Vec<Id> {
    let mut free = free.iter().copied();
    fixed
        .iter()
        .filter_map(|&one| one.or_else(|| free.next()))
        .collect()
}
