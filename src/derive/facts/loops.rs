//! Loops: their iterations, bounds and counters.

use super::super::host::decided;
use super::super::parts::type_of;
use super::call::{Call, Rest, RestAndLast, facts, functions};
use super::constants::{changeable, computable, constant};
use super::{Fact, Function};
use crate::algebra::{Construct, Expr, Operator, Type, build, expr, operator};
use crate::analysis::{self, Answer as Known, Loop};
use crate::check::{Role, Scheme};
use crate::rewrite::Answer;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// Above so many bytes of values a lane, registers hold those of few lanes only: of 32 registers with
/// 16 numbers of 32 bits, two for each of ten values leave a third for what an iteration computes.
const CROWDED: usize = 40;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        independent "i, from, to, A: no iteration reaches a cell that another one writes";
        independent_steps "i, from, to, step, A: the same for a loop with a step";
        independent_but "i, from, to, A, x…: the same but for the scalars and arrays x…";
        keeps_order "i, from, to, A, B: no iteration of B shares a cell with a later one of A, but to read it";
        may_precede "i, from, to, A, B: no iteration of B shares a cell with the same or an earlier one of A, but to read it";
        apart "i, from, to, A, B: no iteration of B shares a cell with another one of A, but to read it";
        reversible "i, from, to, j, from, to, A: no dependence between iterations has direction (<, >)";
        bounds_invariant "e…, A: the expressions keep their values while A runs";
        stable "e…, A: the expressions have the same values before and after A";
        at_least_once "from, to: a loop with these bounds has an iteration";
        has_margin "i, from, to, A: the bounds of the loop, and how far they are apart, stay 2^24 away from the ends of i's type";
        computable "from, to, e…: a loop with these bounds has an iteration, or the expressions can be computed where it has none: they are made of numbers, parameters, scalar inputs, LOCALs and variables of loops by +, -, *, min, max and quotients by numbers, so that only an overflow could stop them";
        constant "from, to, e: e is made of parameters, INPUT numbers, variables of loops, LOCALs that nothing assigns, literals and `multiprocessors` by comparisons, AND, OR, NOT and products that stay in range, or by any arithmetic where a loop with these bounds has an iteration";
        changeable "e: it reads a cell, or a variable that something assigns";
        loops "there is a loop in A";
        turns "there is a loop in A whose variable is no subscript of REGISTERS, so that it is not written out";
        short "from, to: as its literal bounds say, the loop has fewer than 32 iterations";
        keeps_more "bytes, A: the LOCALs of A that a loop in A reaches, integers among them, take more than so many bytes";
        crowded "the LOCALs of REALs and vectors of A that a loop in A reaches take more than 40 bytes";
        at_registers "i, A: i occurs in a subscript of REGISTERS in A";
        few_at_registers "numbers, bytes, A: the REGISTERS that A reaches hold, for each subscript, at most so many numbers, of at most so many bytes in all";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        counted_as "i, e: e in the type in which the loop variable i counts";
        widened "i, e: the integer e as INTEGER64, which it is already where the loop variable i is";
        narrowed "i, e: the INTEGER64 e in the type in which the loop variable i counts";
    ]
}

/// A loop that counts by one.
pub(super) fn by_one(var: Symbol, from: Id, to: Id) -> Loop {
    Loop {
        var,
        from,
        to,
        step: None,
    }
}

fn independent(call: &mut Call<'_>, var: Symbol, from: Id, to: Id, body: Id) -> Known {
    let path = call.loop_path(body);
    call.host.independent(&path, by_one(var, from, to), body)
}

fn independent_steps(
    call: &mut Call<'_>,
    var: Symbol,
    from: Id,
    to: Id,
    step: Id,
    body: Id,
) -> Known {
    let this = Loop {
        step: Some(step),
        ..by_one(var, from, to)
    };
    let path = call.loop_path(body);
    call.host.independent(&path, this, body)
}

fn independent_but(
    call: &mut Call<'_>,
    var: Symbol,
    from: Id,
    to: Id,
    body: Id,
    Rest(but): Rest<0>,
) -> Known {
    let context = call.loop_context(body);
    let names = call.names(&but);
    analysis::independent_but(call.scheme(), &context, by_one(var, from, to), body, &names)
}

fn keeps_order(call: &mut Call<'_>, var: Symbol, from: Id, to: Id, first: Id, second: Id) -> Known {
    let context = call.loop_context(first);
    let this = by_one(var, from, to);
    analysis::keeps_order(call.scheme(), &context, this, first, second)
}

fn may_precede(call: &mut Call<'_>, var: Symbol, from: Id, to: Id, first: Id, second: Id) -> Known {
    let context = call.loop_context(first);
    let this = by_one(var, from, to);
    analysis::may_precede(call.scheme(), &context, this, first, second)
}

fn apart(call: &mut Call<'_>, var: Symbol, from: Id, to: Id, first: Id, second: Id) -> Known {
    let context = call.loop_context(first);
    analysis::apart(
        call.scheme(),
        &context,
        by_one(var, from, to),
        first,
        second,
    )
}

#[allow(clippy::too_many_arguments, reason = "two loops with their bounds")]
fn reversible(
    call: &mut Call<'_>,
    i: Symbol,
    a: Id,
    b: Id,
    j: Symbol,
    p: Id,
    q: Id,
    body: Id,
) -> Known {
    let (outer, inner) = (by_one(i, a, b), by_one(j, p, q));
    analysis::reversible(call.scheme(), &call.context(), outer, inner, body)
}

fn bounds_invariant(call: &mut Call<'_>, RestAndLast(bounds, body): RestAndLast) -> Known {
    analysis::bounds_invariant(call.scheme(), &bounds, body)
}

fn stable(call: &mut Call<'_>, RestAndLast(expressions, body): RestAndLast) -> Known {
    analysis::stable(call.scheme(), &expressions, body)
}

fn at_least_once(call: &mut Call<'_>, from: Id, to: Id) -> Known {
    analysis::at_least_once(call.scheme(), &call.context(), from, to)
}

fn has_margin(call: &mut Call<'_>, var: Id, from: Id, to: Id, body: Id) -> Option<Known> {
    let scheme = call.scheme();
    let ty = type_of(scheme, var)?;
    let context = call.loop_context(body);
    Some(analysis::has_margin(scheme, &context, ty, from, to))
}

/// Whether there is a loop in an operator, or a launch.
pub(super) fn has_loops(terms: &Terms, body: Id) -> bool {
    terms.subterms(body).any(|t| is_loop(terms, t))
}

/// Whether an operator is a loop or a launch.
fn is_loop(terms: &Terms, id: Id) -> bool {
    matches!(
        operator(terms, id),
        Some(
            Operator::For { .. }
                | Operator::While { .. }
                | Operator::Parallel { .. }
                | Operator::Launch { .. }
        )
    )
}

fn turns(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let is_written_out = |t: Id| match operator(terms, t) {
        Some(Operator::For { var, body, .. }) => is_at_registers(scheme, var, body),
        _ => false,
    };
    let mut all = terms.subterms(body);
    decided(
        all.any(|t| is_loop(terms, t) && !is_written_out(t)),
        "there is a loop in it that takes turns",
        "there is no loop in it that takes turns",
    )
}

fn loops(call: &mut Call<'_>, body: Id) -> Answer {
    decided(
        has_loops(&call.scheme().terms, body),
        "there is a loop in it",
        "there is no loop in it",
    )
}

/// Whether a loop with these bounds, both numbers, has fewer iterations than a warp has lanes.
pub(super) fn is_short(terms: &Terms, from: Id, to: Id) -> bool {
    let count = terms.as_int(from).zip(terms.as_int(to));
    count.is_some_and(|(from, to)| to.saturating_sub(from) < crate::algebra::WARP - 1)
}

fn short(call: &mut Call<'_>, from: Id, to: Id) -> Answer {
    decided(
        is_short(&call.scheme().terms, from, to),
        "it has fewer iterations than a warp has lanes",
        "it is not known to have fewer iterations than a warp has lanes",
    )
}

fn crowded(call: &mut Call<'_>, body: Id) -> Answer {
    let bytes = bytes_kept(call.scheme(), body, |ty| !ty.is_integer());
    decided(
        bytes > CROWDED,
        format!("a loop in it keeps {bytes} bytes of values"),
        format!("loops in it keep {bytes} bytes of values at most"),
    )
}

fn keeps_more(call: &mut Call<'_>, most: Id, body: Id) -> Answer {
    let scheme = call.scheme();
    let bytes = bytes_kept(scheme, body, |_| true);
    let most = scheme
        .terms
        .as_int(most)
        .and_then(|n| usize::try_from(n).ok());
    decided(
        most.is_some_and(|most| bytes > most),
        format!("a loop in it keeps {bytes} bytes of LOCALs"),
        format!("loops in it keep {bytes} bytes of LOCALs at most"),
    )
}

/// The most bytes of LOCALs of some types, but conditions, declared outside of it, that a loop reaches.
fn bytes_kept(scheme: &Scheme, body: Id, counts: fn(Type) -> bool) -> usize {
    let terms = &scheme.terms;
    let locals = |within: Id| -> FxHashSet<Symbol> {
        let all = terms.subterms(within);
        all.filter_map(|t| match operator(terms, t) {
            Some(Operator::Local { name, .. }) => Some(name),
            _ => None,
        })
        .collect()
    };
    let all = locals(body);
    let kept = |inner: Id| -> usize {
        let own = locals(inner);
        let names = analysis::names_in(scheme, inner);
        let outside = names.iter().filter(|n| all.contains(n) && !own.contains(n));
        let types = outside.filter_map(|&n| scheme.variable(n).map(|v| v.ty));
        types
            .filter(|&ty| counts(ty) && ty != Type::Bool)
            .map(Type::bytes)
            .sum()
    };
    let loops = terms
        .subterms(body)
        .filter_map(|t| match operator(terms, t) {
            Some(Operator::For { body, .. } | Operator::While { body, .. }) => Some(kept(body)),
            _ => None,
        });
    loops.max().unwrap_or(0)
}

fn at_registers(call: &mut Call<'_>, var: Symbol, body: Id) -> Answer {
    decided(
        is_at_registers(call.scheme(), var, body),
        "it is a subscript of REGISTERS",
        "it is not a subscript of REGISTERS",
    )
}

fn few_at_registers(call: &mut Call<'_>, numbers: Id, bytes: Id, body: Id) -> Answer {
    let scheme = call.scheme();
    let limit = |t: Id| scheme.terms.as_int(t).and_then(|n| usize::try_from(n).ok());
    let kept = analysis::names_in(scheme, body)
        .into_iter()
        .filter_map(|name| {
            let variable = scheme.variable(name)?;
            (variable.role == Role::Registers).then_some(variable.ty)
        });
    let (held, size) = kept.fold((0, 0), |(held, size), ty| {
        (held + ty.components(), size + ty.bytes())
    });
    let within = |n: usize, most: Option<usize>| most.is_some_and(|most| n <= most);
    decided(
        within(held, limit(numbers)) && within(size, limit(bytes)),
        format!("its REGISTERS hold {held} numbers of {size} bytes for each subscript"),
        format!(
            "its REGISTERS hold {held} numbers of {size} bytes for each subscript, which are more"
        ),
    )
}

/// Whether a variable occurs in a subscript of REGISTERS in an operator.
pub(super) fn is_at_registers(scheme: &Scheme, var: Symbol, body: Id) -> bool {
    let terms = &scheme.terms;
    let is_var = |t: Id| terms.as_atom(t) == Some(var);
    let at = |t: Id| match expr(terms, t) {
        Some(Expr::Index { array, subscripts }) => {
            let variable = scheme.variable(array);
            variable.is_some_and(|v| v.role == Role::Registers)
                && subscripts.iter().any(|&s| terms.subterms(s).any(is_var))
        }
        _ => false,
    };
    terms.subterms(body).any(at)
}

/// Whether a loop variable is an INTEGER64.
fn is_wide(call: &mut Call<'_>, var: Id) -> bool {
    let var = call.own(var);
    type_of(call.scheme(), var) == Some(Type::I64)
}

fn converted(call: &mut Call<'_>, function: &str, number: Id) -> Id {
    let function = call.terms.atom(function.into());
    build(call.terms, Construct::Apply.symbol(), &[function, number])
}

fn counted_as(call: &mut Call<'_>, var: Id, number: Id) -> Id {
    match is_wide(call, var) {
        true => converted(call, "int64", number),
        false => number,
    }
}

fn widened(call: &mut Call<'_>, var: Id, number: Id) -> Id {
    match is_wide(call, var) {
        true => number,
        false => converted(call, "int64", number),
    }
}

fn narrowed(call: &mut Call<'_>, var: Id, number: Id) -> Id {
    match is_wide(call, var) {
        true => number,
        false => converted(call, "int", number),
    }
}
