//! What a loop does again in each iteration, though nothing new comes of it.

use super::Function;
use super::call::{Call, functions};
use super::scattered::with_operators;
use crate::algebra::{Construct, Operator, Type, build, operator};
use crate::analysis::{self, Lasting};
use crate::check::is_over_parameters;
use crate::term::{Id, Symbol};

pub(super) fn functions() -> Vec<Function> {
    functions![
        lasting_part "k, A: the first loop in the sequences and choices of A, the body of a loop over k, that writes arrays that are no DATA, which nothing else in A writes, and nothing before it reads, from what A does not write; under the conditions of the choices around it";
        without_lasting "k, A: A without it";
        last_round "A: how far the last value of the innermost loop around A is from the first one, as INTEGER64; the loop's bounds are made of parameters";
    ]
}

fn lasting(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Lasting, String> {
    let body = call.own(body);
    let found = analysis::lasting(call.scheme(), var, body);
    found.ok_or_else(|| "all that it does may be something new in each iteration".into())
}

fn lasting_part(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let found = lasting(call, var, body)?;
    let terms = &mut *call.terms;
    let own = &call.host.scheme.terms;
    let mut made = terms.import(own, found.part);
    let empty = build(terms, Construct::Empty.symbol(), &[]);
    for &(condition, holds) in found.conditions.iter().rev() {
        let condition = terms.import(own, condition);
        let branches = if holds { [made, empty] } else { [empty, made] };
        let parts = [condition, branches[0], branches[1]];
        made = build(terms, Construct::If.symbol(), &parts);
    }
    Ok(made)
}

fn without_lasting(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let found = lasting(call, var, body)?;
    let part = call.terms.import(&call.host.scheme.terms, found.part);
    let terms = &mut *call.terms;
    let empty = build(terms, Construct::Empty.symbol(), &[]);
    Ok(with_operators(terms, body, &mut |terms, id| {
        terms.equal(id, part).then_some(empty)
    }))
}

fn last_round(call: &mut Call<'_>, _: Id) -> Result<Id, String> {
    let own = &call.host.scheme.terms;
    let around = call.spine().into_iter().rev().skip(1);
    let mut bounds = around.filter_map(|id| match operator(own, id) {
        Some(Operator::For {
            var,
            from,
            to,
            step: None,
            ..
        }) => Some((var, from, to)),
        _ => None,
    });
    let (var, from, to) = bounds.next().ok_or("no loop is around it")?;
    let scheme = &call.host.scheme;
    if scheme.variable(var).map(|v| v.ty) != Some(Type::I32) {
        return Err("the loop around it counts in INTEGER64".into());
    }
    // What changes in the loop might not be computed again.
    if ![from, to]
        .iter()
        .all(|&e| is_over_parameters(own, &scheme.variables, e))
    {
        return Err("the bounds of the loop around it are not made of parameters".into());
    }
    let terms = &mut *call.terms;
    let [first, last] = [from, to].map(|bound| {
        let bound = terms.import(own, bound);
        let wide = terms.atom(Symbol::new("int64"));
        build(terms, Construct::Apply.symbol(), &[wide, bound])
    });
    Ok(build(terms, Construct::Minus.symbol(), &[last, first]))
}
