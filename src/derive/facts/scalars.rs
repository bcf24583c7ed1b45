//! Scalars of DATA: which ones an operator assigns, and which values of them nobody reads.

use super::super::host::decided;
use super::call::{Call, facts, functions};
use super::{Fact, Function};
use crate::algebra::{Operator, names, operator};
use crate::analysis::{accesses, names_in};
use crate::check::{Scheme, Variable};
use crate::rewrite::Answer;
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        is_working "s: DATA declares it, and it is no parameter";
        set_first "s, u, A: each round of the loop with condition u and body A sets s before it reads it";
        unread "s: no result, and nothing that may come after this place reads it";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        set_by_host "A: the first scalar of DATA, in the order of the text, that A assigns, and no launch in A";
    ]
}

fn is_working(call: &mut Call<'_>, name: Symbol) -> Answer {
    let variable = call.scheme().variable(name);
    decided(
        variable.is_some_and(is_working_scalar),
        "DATA declares it",
        "DATA does not declare it, or it is a parameter",
    )
}

/// Whether a variable is a scalar of DATA that may be assigned.
fn is_working_scalar(variable: &Variable) -> bool {
    let parameter = matches!(variable.role, crate::check::Role::Parameter { .. });
    variable.is_data() && !parameter && !variable.is_array()
}

/// Where a name occurs after the place, or in a loop around it, a value may be read.
fn unread(call: &mut Call<'_>, target: Id) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let Some(name) = terms.as_atom(target) else {
        return decided(false, "", "it is no scalar");
    };
    let result = scheme.variable(name).is_none_or(Variable::is_output);
    let spine = call.spine();
    let occurs = |id: Id| names_in(scheme, id).contains(&name);
    let parents = spine.split_last().map_or(&[][..], |(_, parents)| parents);
    let mut read = result;
    for (&parent, &index) in parents.iter().zip(&call.at.path.0) {
        read |= match operator(terms, parent) {
            Some(Operator::Then(all)) => all[index as usize + 1..].iter().any(|&o| occurs(o)),
            Some(Operator::Timed(_) | Operator::Array { .. } | Operator::If { .. }) => false,
            Some(_) => true,
            None => false,
        };
    }
    decided(
        !read,
        "nothing reads it after",
        "it is a result, or may be read after",
    )
}

fn set_first(call: &mut Call<'_>, name: Symbol, condition: Id, body: Id) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let mentions = |id: Id| names(terms, id).any(|n| n == name);
    let parts = match operator(terms, body) {
        Some(Operator::Then(parts)) => parts,
        _ => std::slice::from_ref(&body),
    };
    let first = parts.iter().copied().find(|&part| mentions(part));
    let sets = match first.and_then(|part| operator(terms, part)) {
        Some(Operator::Assign { target, value }) => {
            terms.as_atom(target) == Some(name) && !mentions(value)
        }
        _ => false,
    };
    decided(
        sets && !mentions(condition),
        "each round sets it first",
        "a round may read it before it sets it",
    )
}

fn set_by_host(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    let launched = set_by_launches(scheme, body);
    let set = accesses(scheme, body).all.into_iter().find(|a| {
        let scalar = scheme.variable(a.name).is_some_and(is_working_scalar);
        a.write && scalar && !launched.contains(&a.name)
    });
    match set {
        Some(access) => Ok(call.terms.atom(access.name)),
        None => Err("it assigns no such scalar".into()),
    }
}

/// What launches assign. Of a scalar of the host, each of their threads has a copy.
fn set_by_launches(scheme: &Scheme, body: Id) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let launches = terms
        .subterms(body)
        .filter(|&t| matches!(operator(terms, t), Some(Operator::Launch { .. })));
    let accesses = launches.flat_map(|t| accesses(scheme, t).all);
    accesses.filter(|a| a.write).map(|a| a.name).collect()
}
