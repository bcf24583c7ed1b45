//! Cells to which a loop in a launch comes back, kept by a thread or passed on in a ring of threads.

use super::super::parts::way_to;
use super::Function;
use super::call::{Call, Rest, functions};
use super::names::with_names;
use super::scattered::with_operators;
use super::teams::launch_around;
use crate::algebra::{Atomic, Construct, Expr, Operator, Type, build, expr, operator};
use crate::analysis::{self, Recurring, Turn, Use};

use crate::rewrite::substitute;
use crate::term::{Id, Path, Symbol, Terms};
use std::rc::Rc;

pub(super) fn functions() -> Vec<Function> {
    functions![
        member_of "s, A: the variable of the loop in A, from 0 to a number below 16, with whose values the first cell goes to which each thread comes back in all iterations over s";
        last_member "s, A: the last of these values";
        own_reads "s, A: the cells that A reads for each value of member_of(s, A), of arrays that the launch does not write and that have values before the loop";
        same_reads "s, A: the cells of such arrays that are the same ones in all iterations over s, whatever loops are in A";
        own_sums "s, A: those to which A adds indivisibly for each such value, of arrays with which the launch does nothing else; they have values before the loop";
        warp_reads "s, A: the cells of the same arrays as own_reads that differ by (t + s) MOD 32 between threads t of a warp and iterations s of the loop with the body A, from 0 to 31, and by nothing else";
        warp_sums_of "s, A: the same of the arrays of own_sums";
        block_reads "s, A: the same as warp_reads with (t + s) MOD n, of a block of n threads";
        block_sums "s, A: the same as warp_sums_of with (t + s) MOD n, of a block of n threads";
        ring_number "s, A: the number (t + s) MOD n by which they differ";
        own_integer "s, A: the first cell of INTEGERs of this kind, also in subscripts of the others";
        at_home "s, A, x: the cell x of A as it is in the first iteration, with what A declares written out";
        added_in "A, text, cells…: A with what it adds indivisibly to each cell added to the variable named(text, cell)";
        added_at "A, text, k, cells…: A with what it adds indivisibly to each cell added to cell k of the array named(text, cell)";
    ]
}

/// The cells to which the loop over a variable comes back, in a launch; found once, as each rule about such cells asks
/// several times.
fn recurring(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Rc<[Recurring]>, String> {
    let body = call.own(body);
    let launch = launch_around(call).ok_or("it stands in no launch")?;
    let path = loop_path(call, body).ok_or("it is no loop's body")?;
    if let Some(known) = call.host.found.recurring.get(&(body, var)) {
        return Ok(Rc::clone(known));
    }
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let threads = terms.as_int(launch.threads);
    let threads = threads.ok_or("the number of threads is not a number")?;
    let times = match path
        .get(terms, scheme.root)
        .and_then(|id| operator(terms, id))
    {
        Some(Operator::For {
            from,
            to,
            step: None,
            ..
        }) if terms.as_int(from) == Some(0) => terms.as_int(to).map(|last| last + 1),
        _ => None,
    };
    let launch = (launch.body, threads);
    let found = analysis::recurring(scheme, &path, launch, (var, times), body);
    let found: Rc<[Recurring]> = found.into();
    let known = &mut call.host.found.recurring;
    known.insert((body, var), Rc::clone(&found));
    Ok(found)
}

/// The position of the loop with a body in what the rule matched.
fn loop_path(call: &Call<'_>, body: Id) -> Option<Path> {
    let scheme = call.scheme();
    let mut path = call.at.path.clone();
    let redex = path.get(&scheme.terms, scheme.root)?;
    let found = way_to(&scheme.terms, redex, body, &mut path.0);
    path.0.pop();
    found.then_some(path)
}

fn member(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<(Symbol, i64), String> {
    let all = recurring(call, var, body)?;
    let members = all.iter().find_map(|cell| match cell.turn {
        Turn::Same(member) => member,
        Turn::Warp | Turn::Block => None,
    });
    members.ok_or_else(|| "no thread comes back to cells of its own".into())
}

fn member_of(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let (name, _) = member(call, var, body)?;
    Ok(call.terms.atom(name))
}

fn last_member(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let (_, last) = member(call, var, body)?;
    Ok(call.terms.int(last))
}

/// The cells of a kind, as terms of the engine.
fn cells(
    call: &mut Call<'_>,
    var: Symbol,
    body: Id,
    used: Use,
    turn: Turn,
) -> Result<Vec<Id>, String> {
    let all = recurring(call, var, body)?;
    let of_kind = |cell: &&Recurring| !cell.nested && cell.used == used && cell.turn == turn;
    let import = |cell: &Recurring| call.terms.import(&call.host.scheme.terms, cell.cell);
    Ok(all.iter().filter(of_kind).map(import).collect())
}

fn own_integer(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let turn = Turn::Same(Some(member(call, var, body)?));
    let all = recurring(call, var, body)?;
    let scheme = call.scheme();
    let is_integer = |cell: &&Recurring| {
        let read = cell.used == Use::Read && cell.turn == turn;
        read && scheme.type_of(cell.cell) == Type::I32
    };
    let found = all.iter().find(is_integer);
    let found = found.ok_or("no cells of INTEGERs are read again and again")?;
    Ok(call.terms.import(&call.host.scheme.terms, found.cell))
}

fn own_reads(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    let turn = Turn::Same(Some(member(call, var, body)?));
    cells(call, var, body, Use::Read, turn)
}

fn same_reads(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, Use::Read, Turn::Same(None))
}

fn own_sums(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    let turn = Turn::Same(Some(member(call, var, body)?));
    cells(call, var, body, Use::Sum, turn)
}

fn warp_reads(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, Use::Read, Turn::Warp)
}

fn warp_sums_of(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, Use::Sum, Turn::Warp)
}

fn block_reads(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, Use::Read, Turn::Block)
}

fn block_sums(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, Use::Sum, Turn::Block)
}

fn ring_number(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let all = recurring(call, var, body)?;
    let number = all.iter().find_map(|cell| cell.number);
    let (number, _) = number.ok_or("no threads pass cells on")?;
    Ok(call.terms.import(&call.host.scheme.terms, number))
}

fn at_home(call: &mut Call<'_>, var: Symbol, body: Id, cell: Id) -> Result<Id, String> {
    let all = recurring(call, var, body)?;
    let own = call.own(cell);
    let found = all.iter().find(|c| call.scheme().terms.equal(c.cell, own));
    let found = found.ok_or("the loop does not come back to it")?;
    let mut made = cell;
    for &(name, value) in &found.written_out {
        let atom = call.terms.atom(name);
        let value = call.terms.import(&call.host.scheme.terms, value);
        made = substitute(call.terms, made, atom, value);
    }
    if let Some((number, first)) = found.number {
        let number = call.terms.import(&call.host.scheme.terms, number);
        let first = call.terms.import(&call.host.scheme.terms, first);
        made = substitute(call.terms, made, number, first);
    }
    Ok(made)
}

fn added_in(
    call: &mut Call<'_>,
    body: Id,
    text: Symbol,
    Rest(cells): Rest<0>,
) -> Result<Id, String> {
    with_names(call, body, (text, None), cells, with_sums)
}

fn added_at(
    call: &mut Call<'_>,
    body: Id,
    text: Symbol,
    k: Id,
    Rest(cells): Rest<0>,
) -> Result<Id, String> {
    with_names(call, body, (text, Some(k)), cells, with_sums)
}

/// An operator with assignments to a place for what it adds indivisibly to a cell, or to a component of one.
fn with_sums(terms: &mut Terms, id: Id, cell: Id, place: Id) -> Id {
    with_operators(terms, id, &mut |terms, id| {
        let Some(Operator::Atomic {
            op: Atomic::Add,
            target,
            value,
            was: None,
        }) = operator(terms, id)
        else {
            return None;
        };
        let mut whole = target;
        while let Some(Expr::Field { vector, .. }) = expr(terms, whole) {
            whole = vector;
        }
        if !terms.equal(whole, cell) {
            return None;
        }
        let target = substitute(terms, target, cell, place);
        let (op, added) = match expr(terms, value) {
            Some(Expr::Negate(less)) => (Construct::Minus, less),
            _ => (Construct::Plus, value),
        };
        let sum = build(terms, op.symbol(), &[target, added]);
        Some(build(terms, Construct::Assign.symbol(), &[target, sum]))
    })
}
