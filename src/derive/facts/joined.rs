//! What the threads of a warp gather, each for itself, and join then.

use super::call::{Call, Rest, facts, functions};
use super::gather::parts_fit;
use super::loops::by_one;
use super::names::named;
use super::{Fact, Function};
use crate::algebra::{Combine, Exchange, Extreme, Type, build};
use crate::analysis::{self, Answer as Known, Gather};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        any_grouping "i, from, to, A: the same as any_order, and what parts of the iterations add to an INTEGER64 stays in its range";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        gathered_by_warp "A: the scalars of outside that it writes, if the threads of a warp can join what each gathers into them: sums of REALs, VECTORs, INTEGER64s and INTEGERs that are never below 0, minima and maxima, whether all hold or one does";
        joined_over_warp "A, text, x…: the operators that join the variables named(text, x) over the warp in the ways in which A gathers into x";
    ]
}

fn any_grouping(call: &mut Call<'_>, var: Symbol, from: Id, to: Id, body: Id) -> Known {
    let context = call.loop_context(body);
    let zero = call.zero_locals();
    analysis::any_grouping(call.scheme(), &context, by_one(var, from, to), body, &zero)
}

/// How a warp joins what its threads gather into a scalar, if it can.
fn combined(scheme: &Scheme, name: Symbol, gather: Gather) -> Option<Combine> {
    let component = scheme.variable(name)?.ty.component();
    match gather {
        // An INTEGER whose parts may not fit is gathered in an INTEGER64, which another rule makes of it.
        Gather::Sum if component == Type::I32 && !parts_fit(scheme, name) => None,
        Gather::Sum => Some(Combine::Sum),
        Gather::Extreme(extreme) => Some(Combine::Extreme(extreme)),
        Gather::All => Some(Combine::Extreme(Extreme::Min)),
        Gather::Any => Some(Combine::Extreme(Extreme::Max)),
        Gather::Product | Gather::Bits(_) | Gather::Constant(_) => None,
    }
}

fn gathered_by_warp(call: &mut Call<'_>, body: Id) -> Result<Vec<Id>, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    let gathered = analysis::gathered_scalars(scheme, body);
    let names = analysis::scalars_written(scheme, body);
    let joins = |name: Symbol| {
        let found = gathered.iter().find(|g| g.0 == name);
        found.is_some_and(|&(_, gather)| combined(scheme, name, gather).is_some())
    };
    match names.iter().find(|&&name| !joins(name)) {
        Some(&name) => Err(format!(
            "what is gathered into {} is not joined over a warp",
            author_name(name)
        )),
        None if names.is_empty() => Err("it gathers into no scalar".into()),
        None => Ok(call.atoms(names)),
    }
}

fn joined_over_warp(
    call: &mut Call<'_>,
    body: Id,
    text: Symbol,
    Rest(names): Rest<0>,
) -> Result<Vec<Id>, String> {
    let body = call.own(body);
    let gathered = analysis::gathered_scalars(call.scheme(), body);
    let mut operators = Vec::new();
    for exchange in Exchange::ALL {
        let mut joined = Vec::new();
        for &name in &names {
            let symbol = call.terms.as_atom(name);
            let how = gathered.iter().find(|g| Some(g.0) == symbol);
            let how = how.and_then(|&(name, gather)| combined(call.scheme(), name, gather));
            if how.map(Exchange::All) == Some(exchange) {
                joined.push(named(call, text, name)?);
            }
        }
        if !joined.is_empty() {
            operators.push(build(call.terms, exchange.construct().symbol(), &joined));
        }
    }
    Ok(operators)
}
