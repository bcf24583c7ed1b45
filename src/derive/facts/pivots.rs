//! Subscripts at which a loop over others reaches a cell that one of its iterations writes.

use super::Function;
use super::call::{Call, functions};
use crate::algebra::{Construct, Type, names};
use crate::analysis::accesses;
use crate::term::{Id, Symbol};

pub(super) fn functions() -> Vec<Function> {
    functions![
        pivot "i, A: the first subscript in A, the same in all iterations of a loop over i, of an array that A writes at i there: only the iteration in which i has its value shares such cells with others";
    ]
}

fn pivot(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let set = accesses(scheme, body);
    if set.unknown.is_some() {
        return Err("not all that it does is known".into());
    }
    if scheme.variable(var).is_none_or(|v| v.ty != Type::I32) {
        return Err("the loop counts in INTEGER64".into());
    }
    let scalars = set
        .all
        .iter()
        .filter(|a| a.write && a.subscripts.as_ref().is_some_and(Vec::is_empty));
    let scalars: Vec<Symbol> = scalars.map(|a| a.name).collect();
    let is_same = |&e: &Id| {
        let reads = terms
            .subterms(e)
            .any(|t| terms.functor(t) == Some(Construct::Index.symbol()));
        !reads
            && scheme.type_of(e) == Type::I32
            && names(terms, e).all(|n| n != var && !set.own.contains(&n) && !scalars.contains(&n))
    };
    let subscripts = |name: Symbol, place: usize| {
        let of_name = set.all.iter().filter(move |a| a.name == name);
        of_name.filter_map(move |a| a.subscripts.as_deref()?.get(place).copied())
    };
    let written = set.all.iter().filter(|a| a.write && a.atomic.is_none());
    let mut found = written.flat_map(|a| {
        let at = a.subscripts.iter().flatten().enumerate();
        let at_var = at.filter(|&(_, &s)| terms.as_atom(s) == Some(var));
        at_var.filter_map(|(place, _)| subscripts(a.name, place).find(is_same))
    });
    match found.next() {
        Some(e) => Ok(call.terms.import(&call.host.scheme.terms, e)),
        None => Err("no array that it writes there has such a subscript".into()),
    }
}
