//! Scalars that loops gather into: sums, extremes, whether all hold.

use super::super::host::decided;
use super::super::parts::type_of;
use super::call::{Call, facts, functions};
use super::loops::{by_one, has_loops};
use super::work::{FEW_ASKED, has_few_iterations};
use super::{Fact, Function};
use crate::algebra::{
    Binary, Bits, Combine, Construct, Exchange, Expr, Extreme, Type, build, expr, names,
};
use crate::analysis::{self, Answer as Known, Found, Gather, is_never_negative};
use crate::check::Scheme;
use crate::rewrite::{Answer, substitute};
use crate::term::{Id, Symbol, Terms};

/// A loop known to have so many iterations at most is not worth parts.
const FEW: i64 = 32;
/// Nor is one with no loop in it that is known to have so many at most.
const FEW_ALONE: i64 = 4096;
pub(super) fn facts() -> Vec<Fact> {
    facts![
        gathers "A: it gathers into a scalar of outside: a sum, product, minimum or maximum, whether all hold or one does, bits that all, one or an odd number of values have, a constant, or a minimum or maximum with what goes with it";
        searches "A: it finds a minimum or maximum of outside with something else, such as where it is";
        gathers_in_order "s, A: what A gathers into s may be gathered in parts, and the parts in their order, to the last bit";
        gathers_reals "s, A: A adds to s, a REAL or a VECTOR, or multiplies s, a REAL";
        any_order "i, from, to, A: the iterations share nothing but scalars that they gather into, and these may be in any order but for rounding and signs of zeros";
        short "from, to, A: a loop with these bounds, both numbers, has 32 iterations at most, or 4,096 with no loop in A; or conditions around say that it, with no loop in A, or the nest of it and A, a loop with none in it, has 32,768 at most";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        gathered "A: the first scalar of outside, in the order of declaration, that A gathers into";
        type_of_part "s, A: the type in which a part of what A gathers into s is kept: INTEGER64 for a sum of INTEGERs that may be below 0, or that of s";
        start_of_part "s, A: what a part of what A gathers into s starts with: 0, 1, or s, which may be known to be 0";
        gathered_with "s, A, x, y: the operator by which x gathers y, a part, in the way in which A gathers into s";
        as_type_of "s, T, e: e, of type T, in the type of s: int(e) where INTEGER64 becomes INTEGER";
        found_best "A: the first minimum or maximum of outside that A finds with something else: all that it does with them is `IF e < x THEN x := e; y := f; … END IF`, for a minimum x";
        found_with "A: what A assigns with it";
        is_better "A, x, y: the condition that x is better than y, as A compares";
        gathered_with_best "A: the scalars of outside that A gathers into, and those that it finds with a minimum or maximum";
        value_at "u, i, k: the side of the comparison u, < or >, that is the other side with the scalar k in the place of i, and reads i nowhere; the other side reads k nowhere";
        best_over_warp "A, x: the operator that finds the best of the values that a warp's threads have in x, as A compares";
        constant_gathered "A: the first INTEGER of outside, in the order of declaration, that A assigns a number, always the same";
        number_gathered "s, A: the number that A assigns to s";
        integer_sum "A: the first INTEGER of outside, in the order of declaration, that A adds to";
    ]
}

/// How an operator of the engine gathers into a scalar.
fn how(call: &mut Call<'_>, name: Symbol, body: Id) -> Result<Gather, String> {
    let body = call.own(body);
    let all = analysis::gathered_scalars(call.scheme(), body);
    let found = all.into_iter().find(|g| g.0 == name);
    found
        .map(|g| g.1)
        .ok_or_else(|| "it is not gathered into".into())
}

fn gathers(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let some = !analysis::gathered_scalars(scheme, body).is_empty();
    decided(
        some || !analysis::found(scheme, body).is_empty(),
        "it gathers into a scalar",
        "it gathers into no scalar",
    )
}

fn searches(call: &mut Call<'_>, body: Id) -> Answer {
    decided(
        !analysis::found(call.scheme(), body).is_empty(),
        "it finds a minimum or maximum with something else",
        "it finds no minimum or maximum with something else",
    )
}

fn gathers_in_order(call: &mut Call<'_>, name: Symbol, body: Id) -> Known {
    analysis::gathers_in_order(call.scheme(), name, body)
}

fn gathers_reals(call: &mut Call<'_>, name: Symbol, body: Id) -> Answer {
    let scheme = call.scheme();
    let all = analysis::gathered_scalars(scheme, body);
    let ty = scheme.variable(name).map(|v| v.ty);
    let rounded = match all.iter().find(|g| g.0 == name) {
        Some((_, Gather::Sum)) => ty.is_some_and(|ty| ty.component().is_real()),
        Some((_, Gather::Product)) => ty.is_some_and(Type::is_real),
        _ => false,
    };
    decided(
        rounded,
        "it sums or multiplies REALs",
        "it does not sum or multiply REALs",
    )
}

fn any_order(call: &mut Call<'_>, var: Symbol, from: Id, to: Id, body: Id) -> Known {
    let context = call.loop_context(body);
    let this = by_one(var, from, to);
    let zero = call.zero_locals();
    analysis::any_order(call.scheme(), &context, this, body, &zero)
}

fn short(call: &mut Call<'_>, from: Id, to: Id, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let count = terms
        .as_int(from)
        .zip(terms.as_int(to))
        .map(|(a, b)| b.saturating_sub(a).saturating_add(1));
    let (most, asked) = match has_loops(terms, body) {
        true => (FEW, FEW),
        false => (FEW_ALONE, FEW_ASKED),
    };
    let short = match count {
        Some(count) => count <= most,
        None => analysis::at_most(call.scheme(), &call.context(), from, to, asked),
    };
    let short = short || has_few_iterations(call);
    decided(
        short,
        "it has few iterations",
        "it may have many iterations",
    )
}

fn gathered(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    let all = analysis::gathered_scalars(call.scheme(), body);
    match all.first() {
        Some(&(name, _)) => Ok(call.terms.atom(name)),
        None => Err("it gathers into no scalar".into()),
    }
}

/// The scalars of outside that an operator of a scheme gathers into, and those that it finds with a minimum or maximum.
pub(super) fn gathered_or_found(scheme: &Scheme, body: Id) -> Vec<Symbol> {
    let all = analysis::gathered_scalars(scheme, body);
    let mut names: Vec<Symbol> = all.iter().map(|g| g.0).collect();
    for found in analysis::found(scheme, body) {
        for name in std::iter::once(found.best).chain(found.with) {
            // What is found may be the same number each time.
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn gathered_with_best(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = gathered_or_found(call.scheme(), body);
    call.atoms(names)
}

pub(super) fn type_of_part(call: &mut Call<'_>, name: Symbol, body: Id) -> Result<Id, String> {
    let gather = how(call, name, body)?;
    let Some(ty) = call.scheme().variable(name).map(|v| v.ty) else {
        return Err("it has no type".into());
    };
    let wide = gather == Gather::Sum && has_wide_parts(call.scheme(), name);
    let ty = if wide { Type::I64 } else { ty };
    let name = ty.name(call.scheme().precision);
    Ok(call.terms.atom(name.into()))
}

/// Whether parts of a sum may leave the sum's type, INTEGER.
fn has_wide_parts(scheme: &Scheme, name: Symbol) -> bool {
    let ty = scheme.variable(name).map(|v| v.ty);
    ty == Some(Type::I32) && !parts_fit(scheme, name)
}

/// Whether what some iterations of a loop add to an INTEGER is one, too, whichever iterations these are: nothing below 0 is
/// ever added to a sum that never is, so that a part is at most the whole.
pub(super) fn parts_fit(scheme: &Scheme, name: Symbol) -> bool {
    is_never_negative(scheme, name)
}

fn start_of_part(call: &mut Call<'_>, name: Symbol, body: Id) -> Result<Id, String> {
    Ok(match how(call, name, body)? {
        Gather::Sum | Gather::Bits(Bits::Xor) => call.terms.int(0),
        Gather::Product => call.terms.int(1),
        Gather::Extreme(_) if call.zero_locals().contains(&name) => call.terms.int(0),
        Gather::Extreme(_) | Gather::All | Gather::Any | Gather::Bits(_) | Gather::Constant(_) => {
            call.terms.atom(name)
        }
    })
}

fn gathered_with(
    call: &mut Call<'_>,
    name: Symbol,
    body: Id,
    into: Id,
    part: Id,
) -> Result<Id, String> {
    let gather = how(call, name, body)?;
    let is_own = call.terms.as_atom(into) == Some(name);
    let narrows = gather == Gather::Sum && is_own && has_wide_parts(call.scheme(), name);
    let terms = &mut *call.terms;
    let joined = match gather {
        Gather::Sum => {
            let sum = build(terms, Construct::Plus.symbol(), &[into, part]);
            match narrows {
                true => as_integer(terms, sum),
                false => sum,
            }
        }
        Gather::Product => build(terms, Construct::Times.symbol(), &[into, part]),
        // First the part, which has a value whatever the others are: so it is read in any case, and the threads of a block can
        // share the parts.
        Gather::All => build(terms, Construct::And.symbol(), &[part, into]),
        Gather::Any => build(terms, Construct::Or.symbol(), &[part, into]),
        Gather::Extreme(extreme) => {
            let function = terms.atom(Symbol::new(match extreme {
                Extreme::Min => "min",
                Extreme::Max => "max",
            }));
            build(terms, Construct::Apply.symbol(), &[function, into, part])
        }
        Gather::Bits(bits) => {
            let function = terms.atom(Symbol::new(bits.entry().name));
            build(terms, Construct::Apply.symbol(), &[function, into, part])
        }
        Gather::Constant(k) => {
            let k = terms.int(k);
            let found = build(terms, Construct::Equal.symbol(), &[part, k]);
            let assign = build(terms, Construct::Assign.symbol(), &[into, k]);
            let empty = terms.atom(Construct::Empty.symbol());
            return Ok(build(
                terms,
                Construct::If.symbol(),
                &[found, assign, empty],
            ));
        }
    };
    Ok(build(terms, Construct::Assign.symbol(), &[into, joined]))
}

fn as_type_of(call: &mut Call<'_>, name: Id, ty: Symbol, e: Id) -> Id {
    let name = call.own(name);
    let narrower = type_of(call.scheme(), name) == Some(Type::I32);
    let wide = Type::named(ty, call.scheme().precision) == Some(Type::I64);
    if !(narrower && wide) {
        return e;
    }
    as_integer(call.terms, e)
}

fn as_integer(terms: &mut Terms, e: Id) -> Id {
    let function = terms.atom(Symbol::new("int"));
    build(terms, Construct::Apply.symbol(), &[function, e])
}

fn value_at(call: &mut Call<'_>, condition: Id, var: Symbol, place: Symbol) -> Result<Id, String> {
    let none = || "it does not compare a value with the same at another place".to_owned();
    let scalar = call.scheme().variable(place).is_some_and(|v| !v.is_array());
    let terms = &mut *call.terms;
    let Some(Expr::Binary {
        op: Binary::Less | Binary::Greater,
        left,
        right,
    }) = expr(terms, condition)
    else {
        return Err(none());
    };
    let here = terms.atom(var);
    let there = terms.atom(place);
    let is_there = |terms: &mut Terms, one: Id, other: Id| {
        let reads = |e: Id, name: Symbol| names(terms, e).any(|n| n == name);
        if !scalar || reads(one, place) || reads(other, var) || !reads(other, place) {
            return false;
        }
        let moved = substitute(terms, one, here, there);
        terms.equal(moved, other)
    };
    if is_there(terms, left, right) {
        return Ok(right);
    }
    is_there(terms, right, left)
        .then_some(left)
        .ok_or_else(none)
}

fn integer_sum(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    let all = analysis::gathered_scalars(scheme, body);
    let sum = all.into_iter().find(|&(name, gather)| {
        gather == Gather::Sum && scheme.variable(name).is_some_and(|v| v.ty == Type::I32)
    });
    match sum {
        Some((name, _)) => Ok(call.terms.atom(name)),
        None => Err("it adds to no INTEGER".into()),
    }
}

fn best_over_warp(call: &mut Call<'_>, body: Id, name: Id) -> Result<Id, String> {
    let exchange = Exchange::All(Combine::Extreme(search(call, body)?.extreme));
    Ok(build(call.terms, exchange.construct().symbol(), &[name]))
}

fn constant_gathered(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    let all = analysis::gathered_scalars(call.scheme(), body);
    let found = all.iter().find(|g| matches!(g.1, Gather::Constant(_)));
    match found {
        Some(&(name, _)) => Ok(call.terms.atom(name)),
        None => Err("it assigns no INTEGER always the same number".into()),
    }
}

fn number_gathered(call: &mut Call<'_>, name: Symbol, body: Id) -> Result<Id, String> {
    match how(call, name, body)? {
        Gather::Constant(k) => Ok(call.terms.int(k)),
        _ => Err("it is not always assigned the same number".into()),
    }
}

/// The first minimum or maximum that an operator of the engine finds with something else.
fn search(call: &mut Call<'_>, body: Id) -> Result<Found, String> {
    let body = call.own(body);
    let found = analysis::found(call.scheme(), body);
    let first = found.into_iter().next();
    first.ok_or_else(|| "it finds no minimum or maximum with something else".into())
}

fn found_best(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let found = search(call, body)?;
    Ok(call.terms.atom(found.best))
}

fn found_with(call: &mut Call<'_>, body: Id) -> Result<Vec<Id>, String> {
    let found = search(call, body)?;
    Ok(call.atoms(found.with))
}

fn is_better(call: &mut Call<'_>, body: Id, one: Id, other: Id) -> Result<Id, String> {
    let compare = match search(call, body)?.extreme {
        Extreme::Min => Construct::Less,
        Extreme::Max => Construct::Greater,
    };
    Ok(build(call.terms, compare.symbol(), &[one, other]))
}
