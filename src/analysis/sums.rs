//! Loops over pairs: operators that only add to cells, which cells they add to, and which they read.

use super::Answer;
use super::access::{Access, Accesses, accesses, names_in};
use super::context::loops_around;
use super::nonnegative::never_negative;
use super::reduction::{Gather, reduction};
use super::simple::root_name;
use crate::algebra::{Binary, Expr, Operator, expr, operator};
use crate::check::{Role, Scheme, author_name};
use crate::term::{Id, Path, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether all that an operator does to what is declared outside of it is to add to cells `x[v]`,
/// `v` being one of these variables, of arrays that it does not read otherwise. Then the order of
/// such operators does not matter but for rounding.
///
/// Beside `v` a cell may have subscripts of parameters and of variables of loops around `path`, the
/// place of the loops that the question is about: the same ones in all cells of an array, so that cells
/// of one array differ by `v` alone.
pub fn only_sums(scheme: &Scheme, path: &Path, body: Id, variables: &[Symbol]) -> Answer {
    if let Some(answer) = not_only_sums(scheme, body) {
        return answer;
    }
    let set = accesses(scheme, body);
    let around = loops_around(scheme, path);
    let mut cells: FxHashMap<Symbol, (usize, &[Id])> = FxHashMap::default();
    for access in set
        .all
        .iter()
        .filter(|a| a.write && !set.own.contains(&a.name))
    {
        let member = member(scheme, access, variables).filter(|&(position, subscripts)| {
            let first = *cells.entry(access.name).or_insert((position, subscripts));
            fixed_but(scheme, &set, &around, position, subscripts)
                && same_but(scheme, first, (position, subscripts))
        });
        if member.is_none() {
            return Answer::No(
                format!(
                    "{} is written, which is not a cell of a loop's variable",
                    access.text(scheme)
                ),
                vec![(access.span(scheme), "written here".into())],
            );
        }
    }
    Answer::proved("it only adds to cells that it does not read otherwise")
}

/// Whether all that an operator does to what is declared outside of it is to add to scalars that it
/// does not read otherwise.
pub fn only_scalar_sums(scheme: &Scheme, body: Id) -> Answer {
    if let Some(answer) = not_only_sums(scheme, body) {
        return answer;
    }
    let set = accesses(scheme, body);
    let array = set.all.iter().find(|a| {
        a.write
            && !set.own.contains(&a.name)
            && scheme.variable(a.name).is_none_or(|v| v.is_array())
    });
    match array {
        Some(access) => Answer::No(
            format!("{} is written, which is not a scalar", access.text(scheme)),
            vec![(access.span(scheme), "written here".into())],
        ),
        None => Answer::proved("it only adds to scalars that it does not read otherwise"),
    }
}

/// What speaks against an operator that only adds, whatever it adds to.
fn not_only_sums(scheme: &Scheme, body: Id) -> Option<Answer> {
    let terms = &scheme.terms;
    let seen = terms.subterms(body).find(|&id| {
        operator(terms, id).is_some_and(|o| {
            !matches!(
                o,
                Operator::Then(_)
                    | Operator::If { .. }
                    | Operator::For { .. }
                    | Operator::Local { .. }
                    | Operator::Assign { .. }
                    | Operator::Empty
            )
        })
    });
    if let Some(id) = seen {
        let what = terms.functor(id).map_or("", Symbol::as_str);
        return Some(Answer::No(
            format!("{what} does more than to add"),
            vec![(terms.span(id), "this".into())],
        ));
    }
    let set = accesses(scheme, body);
    if let Some(unknown) = set.unknown {
        let what = super::text(scheme, unknown);
        return Some(Answer::unknown(format!("what {what} does is not known")));
    }
    let outer = |a: &&Access| a.write && !set.own.contains(&a.name);
    let sums = || set.all.iter().filter(outer);
    if let Some(other) = sums().find(|a| reduction(scheme, a.name, body) != Some(Gather::Sum)) {
        return Some(Answer::No(
            format!("{} is not only added to", author_name(other.name)),
            vec![(other.span(scheme), "written here".into())],
        ));
    }
    let other = sums().find(|a| !keeps_range(scheme, a.name, body))?;
    Some(Answer::No(
        format!(
            "{} is an integer, and in another order its sum might leave its range on the way",
            author_name(other.name)
        ),
        vec![(other.span(scheme), "written here".into())],
    ))
}

/// Whether a sum in any order stays in range where it does in one: a real has no such end, and where
/// numbers that are not below 0 are added, or none above 0, it stays between its first and last value.
pub(super) fn keeps_range(scheme: &Scheme, name: Symbol, body: Id) -> bool {
    let terms = &scheme.terms;
    if scheme.variable(name).is_some_and(|v| !v.ty.is_integer()) {
        return true;
    }
    // What is added, and whether it is taken away instead.
    let added = |id: Id| match operator(terms, id) {
        Some(Operator::Assign { target, value }) if root_name(scheme, target) == Some(name) => {
            let added = match expr(terms, value) {
                Some(Expr::Binary {
                    op: Binary::Plus,
                    left,
                    right,
                }) => match terms.equal(left, target) {
                    true => Some((right, false)),
                    false => Some((left, false)),
                },
                Some(Expr::Binary {
                    op: Binary::Minus,
                    right,
                    ..
                }) => Some((right, true)),
                _ => None,
            };
            Some(added)
        }
        _ => None,
    };
    let all: Option<Vec<(Id, bool)>> = terms.subterms(body).filter_map(added).collect();
    let of_sign = |&(e, taken): &(Id, bool), up: bool| match terms.as_int(e) {
        Some(k) => k == 0 || (k > 0) == (up != taken),
        None => up != taken && never_negative(scheme, e),
    };
    all.is_some_and(|all| {
        [true, false]
            .into_iter()
            .any(|up| all.iter().all(|added| of_sign(added, up)))
    })
}

/// The place among the subscripts of an access where one of the variables stands, if there is one such
/// place, and the subscripts.
fn member<'a>(
    scheme: &Scheme,
    access: &'a Access,
    variables: &[Symbol],
) -> Option<(usize, &'a [Id])> {
    let subscripts = access.subscripts.as_deref()?;
    let is_member = |&s: &Id| {
        let name = scheme.terms.as_atom(s);
        name.is_some_and(|name| variables.contains(&name))
    };
    let position = subscripts.iter().position(is_member)?;
    let once = !subscripts[position + 1..].iter().any(is_member);
    once.then_some((position, subscripts))
}

/// Whether the subscripts but one are the same whenever the operator is met: they are made of
/// parameters and of variables of loops around.
fn fixed_but(
    scheme: &Scheme,
    set: &Accesses,
    around: &FxHashSet<Symbol>,
    position: usize,
    subscripts: &[Id],
) -> bool {
    let mut others = subscripts
        .iter()
        .enumerate()
        .filter(|(k, _)| *k != position)
        .flat_map(|(_, &s)| names_in(scheme, s));
    others.all(|name| {
        let parameter = scheme
            .variable(name)
            .is_some_and(|v| matches!(v.role, Role::Parameter { .. }));
        !set.own.contains(&name) && (parameter || around.contains(&name))
    })
}

/// Whether two cells have the same subscripts but for one at the same place.
fn same_but(scheme: &Scheme, one: (usize, &[Id]), two: (usize, &[Id])) -> bool {
    let ((p, first), (q, second)) = (one, two);
    let mut others = first.iter().zip(second).enumerate();
    p == q && others.all(|(k, (&a, &b))| k == p || scheme.terms.equal(a, b))
}

/// The cells `x[v]`, or of more subscripts with `v` among them, that an operator writes; one for each
/// array, in the order of the text.
pub fn sums_at(scheme: &Scheme, var: Symbol, body: Id) -> Vec<Id> {
    let mut found: Vec<(Symbol, Id)> = Vec::new();
    for access in accesses(scheme, body).all.iter().filter(|a| a.write) {
        let known = found.iter().any(|&(name, _)| name == access.name);
        if !known && member(scheme, access, &[var]).is_some() {
            found.push((access.name, cell_of(scheme, access.id)));
        }
    }
    found.into_iter().map(|(_, cell)| cell).collect()
}

/// The cell that an access reaches, of which it may take a component.
fn cell_of(scheme: &Scheme, mut id: Id) -> Id {
    while let Some(Expr::Field { vector, .. }) = expr(&scheme.terms, id) {
        id = vector;
    }
    id
}

/// The scalars of outside that an operator writes, in the order of the text.
pub fn scalars_written(scheme: &Scheme, body: Id) -> Vec<Symbol> {
    let set = accesses(scheme, body);
    let mut found = Vec::new();
    for access in &set.all {
        let scalar = scheme.variable(access.name).is_some_and(|v| !v.is_array());
        let outer = access.write && !set.own.contains(&access.name);
        if scalar && outer && !found.contains(&access.name) {
            found.push(access.name);
        }
    }
    found
}
