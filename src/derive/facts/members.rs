//! Pairs of members of one set, whose arrays have a cell for each member, and the kinds that members have.

use super::Function;
use super::call::{Call, functions};
use crate::algebra::{Expr, Type, expr};
use crate::analysis;
use crate::check::{Role, Scheme, author_name};
use crate::term::{Id, Symbol};

/// Tables have a row and a column for each kind: up to so many kinds.
const MOST_KINDS: i64 = 16;

pub(super) fn functions() -> Vec<Function> {
    functions![
        members_read "i, j, A: the arrays with one subscript, i or j, that A reads and does not write, in the order of the text; none unless i and j are subscripts of arrays with one subscript alone";
        kind_read "i, j, A: the first of these arrays that holds INTEGERs, which A reads for both i and j, where A reads a table with two subscripts, the last of up to 16 values";
        kinds_read "i, j, A: how many values that subscript has";
    ]
}

/// The arrays that have a cell for each member.
fn arrays(scheme: &Scheme, [i, j]: [Symbol; 2], body: Id) -> Result<Vec<Symbol>, String> {
    let terms = &scheme.terms;
    let mut found: Vec<Symbol> = Vec::new();
    let mut work = vec![body];
    while let Some(id) = work.pop() {
        if let Some(name) = terms.as_atom(id)
            && (name == i || name == j)
        {
            let why = "is used otherwise than as the one subscript of an array";
            return Err(format!("{} {why}", author_name(name)));
        }
        let array = match expr(terms, id) {
            Some(Expr::Index { array, subscripts }) => match subscripts {
                [only] if terms.as_atom(*only).is_some_and(|s| s == i || s == j) => Some(array),
                _ => None,
            },
            _ => None,
        };
        match array {
            Some(array) if found.contains(&array) => {}
            Some(array) => found.push(array),
            None => work.extend(terms.args(id).iter().rev()),
        }
    }
    // Another cell of such an array would not be found among those that are moved.
    let others = found.iter().find(|&&array| {
        let mut cells = terms.subterms(body).filter_map(|id| match expr(terms, id) {
            Some(Expr::Index {
                array: a,
                subscripts,
            }) if a == array => Some(subscripts),
            _ => None,
        });
        cells
            .any(|s| !matches!(s, [only] if terms.as_atom(*only).is_some_and(|s| s == i || s == j)))
    });
    match others {
        Some(&array) => {
            let why = "has cells that are reached otherwise than by its members";
            Err(format!("{} {why}", author_name(array)))
        }
        None => Ok(found),
    }
}

fn members_read(call: &mut Call<'_>, i: Symbol, j: Symbol, body: Id) -> Result<Vec<Id>, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    let mut found = arrays(scheme, [i, j], body)?;
    let done = analysis::accesses(scheme, body);
    found.retain(|&x| !done.all.iter().any(|a| a.write && a.name == x));
    Ok(found.into_iter().map(|x| call.terms.atom(x)).collect())
}

/// The array of the members' kinds, and how many kinds there are.
fn kind(call: &mut Call<'_>, i: Symbol, j: Symbol, body: Id) -> Result<(Symbol, i64), String> {
    let body = call.own(body);
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let all = arrays(scheme, [i, j], body)?;
    let at = |array: Symbol, member: Symbol| {
        terms.subterms(body).any(|id| {
            matches!(expr(terms, id), Some(Expr::Index { array: a, subscripts: [only] })
                if a == array && terms.as_atom(*only) == Some(member))
        })
    };
    let kinds = all.into_iter().find(|&x| {
        let integers = scheme.variable(x).is_some_and(|v| v.ty == Type::I32);
        integers && at(x, i) && at(x, j)
    });
    let kinds = kinds.ok_or("it reads no INTEGERs of both members")?;
    let columns = terms.subterms(body).find_map(|id| {
        let Expr::Index { array, .. } = expr(terms, id)? else {
            return None;
        };
        let table = scheme.variable(array)?;
        let dims = match (&table.role, table.dims.as_slice()) {
            (Role::Data { .. }, &[_, last]) => terms.as_int(last)?,
            _ => return None,
        };
        (2..=MOST_KINDS).contains(&dims).then_some(dims)
    });
    let columns = columns.ok_or("it reads no table with two subscripts of a few values each")?;
    Ok((kinds, columns))
}

fn kind_read(call: &mut Call<'_>, i: Symbol, j: Symbol, body: Id) -> Result<Id, String> {
    let (name, _) = kind(call, i, j, body)?;
    Ok(call.terms.atom(name))
}

fn kinds_read(call: &mut Call<'_>, i: Symbol, j: Symbol, body: Id) -> Result<Id, String> {
    let (_, count) = kind(call, i, j, body)?;
    Ok(call.terms.int(count))
}
