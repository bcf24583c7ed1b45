//! Arrays that a loop only adds to, at subscripts that nothing is known of: histograms, deposits, lists of pairs.

use super::super::host::decided;
use super::call::{Call, Rest, facts, functions};
use super::{Fact, Function};
use crate::algebra::{
    Atomic, Binary, Construct, Expr, Extreme, Operator, Signature, Type, build, expr, operator,
    signature, written,
};
use crate::analysis::{self, Answer as Known, Gather};
use crate::check::{Scheme, author_name};
use crate::rewrite::Answer;
use crate::term::{Id, Symbol, Terms};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        scatters "A: it adds to cells of an array of outside that it does not reach otherwise, by assignments";
        adds_integers "A: it adds to cells of an array of integers of outside, by assignments";
        adds_exactly "A: what A adds to cells of such arrays may be added in any order, to the last bit";
        takes_a_size "x: the array has fewer than three sizes, so that it can have one more";
        asked_around "u: a choice around the place asks u";
        acts_atomically "A: there is an indivisible action in A, such as an atomic sum";
        writes_cells "A: it assigns cells of arrays, or acts on them indivisibly";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        scattered_reals "A: the arrays of REALs and VECTORs of outside that A only adds to, by assignments, in the order of declaration";
        scattered_real "A: the first of them";
        scattered_integers "A: the same of INTEGERs";
        scattered_integer "A: the first of these";
        sums_in "A: the arrays of outside that A only adds to, by assignments";
        scattered_extremes "A: the arrays of INTEGERs and REALs of outside whose cells A only makes smaller, `x[…] := min(x[…], e)`, or only larger";
        first_of "x…: the first of them; none of none";
        atomic_sums "A, x…: A with each assignment that adds to a cell of one of the arrays x… as an atomic sum";
        atomic_extremes "A, x…: the same with each assignment that makes a cell of one of the arrays smaller or larger";
        sums_in_row "A, x, p, k: A with each cell x[…] of the array x as p[k, …]";
        sizes_of "x: the sizes of the array x";
        cells_scattered "A: how many cells the arrays have that A only adds to by assignments, an INTEGER64";
        cell_by_cell "x, c, A: loops over all cells of the array x, from c on one in the other, that do A; there y[…, c] has the subscripts of the cell for c";
    ]
}

fn scatters(call: &mut Call<'_>, body: Id) -> Answer {
    let own = |ty: Type| ty == Type::I32 || ty.component().is_real();
    decided(
        !scattered(call.scheme(), body, own).is_empty(),
        "it adds to cells of an array",
        "there is no array that it only adds to",
    )
}

fn adds_integers(call: &mut Call<'_>, body: Id) -> Answer {
    decided(
        !scattered(call.scheme(), body, Type::is_integer).is_empty(),
        "it adds to cells of an array of integers",
        "there is no array of integers that it only adds to",
    )
}

fn adds_exactly(call: &mut Call<'_>, body: Id) -> Known {
    match scattered(call.scheme(), body, |ty| ty.component().is_real())[..] {
        [] => Known::proved("it adds INTEGERs"),
        _ => Known::no(analysis::ROUNDED),
    }
}

fn takes_a_size(call: &mut Call<'_>, array: Symbol) -> Answer {
    let sizes = call.scheme().variable(array).map_or(0, |v| v.dims.len());
    decided(
        (1..3).contains(&sizes),
        "it has fewer than three sizes",
        "an array has three sizes at most",
    )
}

fn asked_around(call: &mut Call<'_>, condition: Id) -> Answer {
    let terms = &call.scheme().terms;
    let asks = |&id: &Id| {
        matches!(operator(terms, id), Some(Operator::If { condition: asked, .. })
            if terms.equal(asked, condition))
    };
    decided(
        call.spine().iter().any(asks),
        "a choice around it asks the same",
        "no choice around it asks that",
    )
}

fn acts_atomically(call: &mut Call<'_>, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let is_atomic = |id| matches!(operator(terms, id), Some(Operator::Atomic { .. }));
    decided(
        terms.subterms(body).any(is_atomic),
        "there is an indivisible action in it",
        "there is no indivisible action in it",
    )
}

fn writes_cells(call: &mut Call<'_>, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let mut targets = terms.subterms(body).flat_map(|id| written(terms, id));
    decided(
        targets.any(|target| array_of(terms, target).is_some()),
        "it writes cells of arrays",
        "it writes no cells of arrays",
    )
}

/// The arrays of outside whose components are of such a type and that a body only adds to by assignments.
fn scattered(scheme: &Scheme, body: Id, of: fn(Type) -> bool) -> Vec<Symbol> {
    gathered(scheme, body, |ty, gather| of(ty) && gather == Gather::Sum)
}

/// The arrays of outside into whose cells a body only gathers, by assignments, as it is asked for.
fn gathered(scheme: &Scheme, body: Id, asked: impl Fn(Type, Gather) -> bool) -> Vec<Symbol> {
    let terms = &scheme.terms;
    let atomic = |name: Symbol| {
        terms.subterms(body).any(|id| {
            matches!(operator(terms, id), Some(Operator::Atomic { target, .. })
                if array_of(terms, target) == Some(name))
        })
    };
    let is_scattered = |&(name, gather): &(Symbol, Gather)| {
        let variable = scheme.variable(name);
        variable.is_some_and(|v| v.is_array() && asked(v.ty, gather)) && !atomic(name)
    };
    let all = analysis::reductions(scheme, body);
    all.into_iter().filter(is_scattered).map(|g| g.0).collect()
}

fn scattered_reals(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = scattered(call.scheme(), body, |ty| ty.component().is_real());
    call.atoms(names)
}

fn scattered_integers(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = scattered(call.scheme(), body, |ty| ty == Type::I32);
    call.atoms(names)
}

fn sums_in(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = scattered(call.scheme(), body, |_| true);
    call.atoms(names)
}

fn scattered_real(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let first = scattered_reals(call, body).first().copied();
    first.ok_or_else(|| "it only adds to no array of REALs or VECTORs".into())
}

fn scattered_integer(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let first = scattered_integers(call, body).first().copied();
    first.ok_or_else(|| "it only adds to no array of INTEGERs".into())
}

fn scattered_extremes(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = gathered(call.scheme(), body, |ty, gather| {
        matches!(gather, Gather::Extreme(_)) && (ty.is_integer() || ty.is_real())
    });
    call.atoms(names)
}

fn first_of(_: &mut Call<'_>, Rest(all): Rest<0>) -> Vec<Id> {
    all.into_iter().take(1).collect()
}

/// The array whose cell, or a component of one, an expression is.
pub(super) fn array_of(terms: &Terms, mut cell: Id) -> Option<Symbol> {
    while let Some(Expr::Field { vector, .. }) = expr(terms, cell) {
        cell = vector;
    }
    match expr(terms, cell)? {
        Expr::Index { array, .. } => Some(array),
        _ => None,
    }
}

/// What an assignment adds to its target, and whether it subtracts it.
pub(super) fn addition(terms: &Terms, target: Id, value: Id) -> Option<(Id, bool)> {
    let Some(Expr::Binary { op, left, right }) = expr(terms, value) else {
        return None;
    };
    match op {
        Binary::Plus if terms.equal(left, target) => Some((right, false)),
        Binary::Plus if terms.equal(right, target) => Some((left, false)),
        Binary::Minus if terms.equal(left, target) => Some((right, true)),
        _ => None,
    }
}

fn atomic_sums(call: &mut Call<'_>, body: Id, Rest(arrays): Rest<1>) -> Id {
    let mut sum = |terms: &mut Terms, target: Id, value: Id| {
        let (added, less) = addition(terms, target, value)?;
        let added = match less {
            true => build(terms, Construct::Negate.symbol(), &[added]),
            false => added,
        };
        Some(build(
            terms,
            Atomic::Add.construct().symbol(),
            &[target, added],
        ))
    };
    let names: Vec<Symbol> = arrays
        .iter()
        .filter_map(|&a| call.terms.as_atom(a))
        .collect();
    with_assignments(call.terms, body, &names, &mut sum)
}

fn atomic_extremes(call: &mut Call<'_>, body: Id, Rest(arrays): Rest<1>) -> Id {
    let mut extreme = |terms: &mut Terms, target: Id, value: Id| {
        let Some(Expr::Apply {
            function,
            arguments: &[left, right],
        }) = expr(terms, value)
        else {
            return None;
        };
        let action = match signature(function)? {
            Signature::Join(Extreme::Min) => Atomic::Min,
            Signature::Join(Extreme::Max) => Atomic::Max,
            _ => return None,
        };
        let same = terms.equal(left, target);
        same.then(|| build(terms, action.construct().symbol(), &[target, right]))
    };
    let names: Vec<Symbol> = arrays
        .iter()
        .filter_map(|&a| call.terms.as_atom(a))
        .collect();
    with_assignments(call.terms, body, &names, &mut extreme)
}

/// An operator with each assignment that adds to a cell of an array as an atomic sum in a cell of another one, of INTEGER64,
/// whose subscripts are `place`d.
pub(super) fn counts_in(
    call: &mut Call<'_>,
    body: Id,
    array: Symbol,
    counts: Id,
    place: &dyn Fn(&[Id]) -> Vec<Id>,
) -> Id {
    let mut count = |terms: &mut Terms, target: Id, value: Id| {
        let (added, less) = addition(terms, target, value)?;
        let subscripts = place(&terms.args(target)[1..]);
        let cell: Vec<Id> = [counts].into_iter().chain(subscripts).collect();
        let cell = build(terms, Construct::Index.symbol(), &cell);
        let added = match less {
            // The opposite of an INTEGER may be none.
            true => {
                let wide = terms.atom(Symbol::new("int64"));
                let wide = build(terms, Construct::Apply.symbol(), &[wide, added]);
                build(terms, Construct::Negate.symbol(), &[wide])
            }
            false => added,
        };
        Some(build(
            terms,
            Atomic::Add.construct().symbol(),
            &[cell, added],
        ))
    };
    with_assignments(call.terms, body, &[array], &mut count)
}

/// Makes an operator of an assignment's target and value, if another one is wanted.
type Making<'a> = &'a mut dyn FnMut(&mut Terms, Id, Id) -> Option<Id>;

/// An operator with other operators for the assignments in it to cells of some arrays.
fn with_assignments(terms: &mut Terms, id: Id, arrays: &[Symbol], make: Making<'_>) -> Id {
    with_operators(terms, id, &mut |terms, id| match operator(terms, id) {
        Some(Operator::Assign { target, value })
            if array_of(terms, target).is_some_and(|name| arrays.contains(&name)) =>
        {
            make(terms, target, value)
        }
        _ => None,
    })
}

/// An operator with others for some of those in it, which keep their places in the text.
pub(super) fn with_operators(
    terms: &mut Terms,
    id: Id,
    make: &mut dyn FnMut(&mut Terms, Id) -> Option<Id>,
) -> Id {
    if let Some(made) = make(terms, id) {
        terms.set_origin(made, terms.origin(id));
        return made;
    }
    let Some(construct) = terms.functor(id).filter(|_| operator(terms, id).is_some()) else {
        return id;
    };
    let old = terms.args(id).to_vec();
    let new: Vec<Id> = old
        .iter()
        .map(|&part| with_operators(terms, part, make))
        .collect();
    match new == old {
        true => id,
        false => build(terms, construct, &new),
    }
}

fn sums_in_row(call: &mut Call<'_>, body: Id, array: Id, rows: Id, row: Id) -> Id {
    let name = call.terms.as_atom(array);
    let mut place = |terms: &mut Terms, id: Id| {
        let subscripts = match expr(terms, id) {
            Some(Expr::Index { array, subscripts }) if Some(array) == name => subscripts.to_vec(),
            _ => return None,
        };
        let parts: Vec<Id> = [rows, row].into_iter().chain(subscripts).collect();
        Some(build(terms, Construct::Index.symbol(), &parts))
    };
    with_cells(call.terms, body, &mut place)
}

pub(super) fn sizes_of(call: &mut Call<'_>, array: Symbol) -> Result<Vec<Id>, String> {
    let dims = call.scheme().variable(array).map(|v| v.dims.clone());
    let dims = dims.filter(|dims| !dims.is_empty());
    let dims = dims.ok_or_else(|| format!("{} has no sizes", author_name(array)))?;
    let import = |dim| call.terms.import(&call.host.scheme.terms, dim);
    Ok(dims.into_iter().map(import).collect())
}

fn cells_scattered(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let mut all = scattered_integers(call, body);
    all.extend(scattered_reals(call, body));
    let mut cells = None;
    for array in all {
        let name = call.terms.as_atom(array).ok_or("it is not an array")?;
        let sizes = sizes_of(call, name)?;
        let wide = call.terms.atom(Symbol::new("int64"));
        let first = build(call.terms, Construct::Apply.symbol(), &[wide, sizes[0]]);
        let product = Construct::Times.symbol();
        let times = |size, &next: &Id| build(call.terms, product, &[size, next]);
        let size = sizes[1..].iter().fold(first, times);
        cells = Some(match cells {
            Some(sum) => build(call.terms, Construct::Plus.symbol(), &[sum, size]),
            None => size,
        });
    }
    cells.ok_or_else(|| "it only adds to no array".into())
}

fn cell_by_cell(call: &mut Call<'_>, array: Symbol, first: Symbol, body: Id) -> Result<Id, String> {
    let sizes = sizes_of(call, array)?;
    cell_by_cell_of(call, &sizes, first, body, &|_, all| all.to_vec())
}

/// Loops over cells with such sizes, from `first` on one in the other, that do what a body does; there `y[…, first]` has
/// the subscripts that the loops' variables are `place`d among for y.
pub(super) fn cell_by_cell_of(
    call: &mut Call<'_>,
    sizes: &[Id],
    first: Symbol,
    body: Id,
    place: &dyn Fn(Symbol, &[Id]) -> Vec<Id>,
) -> Result<Id, String> {
    let mut variables = vec![first];
    while variables.len() < sizes.len() {
        variables.push(call.host.unused_name(first));
    }
    let subscripts: Vec<Id> = variables.iter().map(|&v| call.terms.atom(v)).collect();
    let mut made = at_cell(call.terms, body, first, &|name| place(name, &subscripts));
    for (&subscript, &size) in subscripts.iter().zip(sizes).rev() {
        let zero = call.terms.int(0);
        let last = match call.terms.as_int(size) {
            Some(size) => call.terms.int(size - 1),
            None => {
                let one = call.terms.int(1);
                build(call.terms, Construct::Minus.symbol(), &[size, one])
            }
        };
        let parts = [subscript, zero, last, made];
        made = build(call.terms, Construct::ForLoop.symbol(), &parts);
    }
    Ok(made)
}

/// A term with each `y[…, c]` with several subscripts for `c`.
fn at_cell(terms: &mut Terms, id: Id, first: Symbol, subscripts: &dyn Fn(Symbol) -> Vec<Id>) -> Id {
    let mut place = |terms: &mut Terms, id: Id| {
        let (&last, before) = terms.args(id).split_last()?;
        let Some(Expr::Index { array, .. }) = expr(terms, id) else {
            return None;
        };
        if terms.as_atom(last) != Some(first) {
            return None;
        }
        let parts: Vec<Id> = before.iter().copied().chain(subscripts(array)).collect();
        Some(build(terms, Construct::Index.symbol(), &parts))
    };
    with_cells(terms, id, &mut place)
}

/// Makes another cell of one, if another one is wanted.
type Placing<'a> = &'a mut dyn FnMut(&mut Terms, Id) -> Option<Id>;

/// A term with other cells.
fn with_cells(terms: &mut Terms, id: Id, place: Placing<'_>) -> Id {
    if terms.arity(id) == 0 {
        return id;
    }
    if let Some(placed) = place(terms, id) {
        return placed;
    }
    let old = terms.args(id).to_vec();
    let new: Vec<Id> = old
        .iter()
        .map(|&part| with_cells(terms, part, place))
        .collect();
    match terms.functor(id).filter(|_| new != old) {
        Some(functor) => build(terms, functor, &new),
        None => id,
    }
}
