//! Cells to which a loop in a launch comes back, kept by a thread or passed on in a ring of threads.

use super::super::parts::way_to;
use super::Function;
use super::call::{Call, Rest, functions};
use super::guards::{Leaf, is_not_negative};
use super::names::named;
use super::teams::launch_around;
use crate::algebra::{
    Atomic, Binary, Construct, Expr, Operator, build, expr, operator,
};
use crate::analysis::{self, Around, Loop, Recurring, Turn, Use};
use crate::rewrite::substitute;
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::FxHashMap;

pub(super) fn functions() -> Vec<Function> {
    functions![
        member_of "s, A: the variable of the loop in A, from 0 to a number below 16, with whose values the first cell goes to which each thread comes back in all iterations over s";
        last_member "s, A: the last of these values";
        own_reads "s, A: the cells that A reads for each value of member_of(s, A), of arrays that the launch does not write and that have values before the loop";
        own_sums "s, A: those to which A adds indivisibly for each such value, of arrays with which the launch does nothing else; they have values before the loop";
        warp_reads "s, A: the cells of the same arrays as own_reads that differ by (t + s) MOD 32 between threads t of a warp and iterations s of the loop with the body A, from 0 to 31, and by nothing else";
        warp_sums_of "s, A: the same of the arrays of own_sums";
        block_reads "s, A: the same as warp_reads with (t + s) MOD n, of a block of n threads";
        block_sums "s, A: the same as warp_sums_of with (t + s) MOD n, of a block of n threads";
        ring_number "s, A: the number (t + s) MOD n by which they differ";
        at_home "s, A, x: the cell x of A as it is in the first iteration, with what A declares written out";
        exists "x: what can be asked to learn whether the subscripts of the cell x are in range";
        added_in "A, text, cells…: A with what it adds indivisibly to each cell added to the variable named(text, cell)";
        added_at "A, text, k, cells…: A with what it adds indivisibly to each cell added to cell k of the array named(text, cell)";
    ]
}

/// The cells to which the loop over a variable comes back, in a launch.
fn recurring(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Recurring>, String> {
    let body = call.own(body);
    let launch = launch_around(call).ok_or("it stands in no launch")?;
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let threads = terms.as_int(launch.threads);
    let threads = threads.ok_or("the number of threads is not a number")?;
    let path = loop_path(call, body).ok_or("it is no loop's body")?;
    let times = match path.get(terms, scheme.root).and_then(|id| operator(terms, id)) {
        Some(Operator::For { from, to, step: None, .. }) if terms.as_int(from) == Some(0) => {
            terms.as_int(to).map(|last| last + 1)
        }
        _ => None,
    };
    Ok(analysis::recurring(scheme, &path, (launch.body, threads), (var, times), body))
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
    let mut all = recurring(call, var, body)?;
    all.retain(|cell| cell.used == used && cell.turn == turn);
    let import = |cell: Recurring| call.terms.import(&call.host.scheme.terms, cell.cell);
    Ok(all.into_iter().map(import).collect())
}

fn own_reads(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    let turn = Turn::Same(Some(member(call, var, body)?));
    cells(call, var, body, Use::Read, turn)
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
    let found = all.into_iter().find(|c| call.scheme().terms.equal(c.cell, own));
    let found = found.ok_or("the loop does not come back to it")?;
    let mut made = cell;
    for (name, value) in found.written_out {
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

fn exists(call: &mut Call<'_>, cell: Id) -> Result<Id, String> {
    let mut asked = Vec::new();
    ask(call, cell, &mut asked)?;
    let and = Construct::And.symbol();
    let all = asked.into_iter().reduce(|all, next| build(call.terms, and, &[all, next]));
    all.ok_or_else(|| "it has no subscripts".into())
}

/// What is to be asked about a cell: first about cells in its subscripts. No number is added to a subscript, which
/// might leave its range by that.
fn ask(call: &mut Call<'_>, cell: Id, asked: &mut Vec<Id>) -> Result<(), String> {
    let Some(Expr::Index { array, subscripts }) = expr(call.terms, cell) else {
        return Err("it is not a cell".into());
    };
    let subscripts = subscripts.to_vec();
    let dims = call.scheme().variable(array).map(|v| v.dims.clone()).unwrap_or_default();
    for (subscript, size) in subscripts.into_iter().zip(dims) {
        let size = call.terms.import(&call.host.scheme.terms, size);
        let (of, added) = apart(call.terms, subscript);
        if matches!(expr(call.terms, of), Some(Expr::Index { .. })) {
            ask(call, of, asked)?;
        }
        let at_least_0 = added >= 0 && is_at_least_0(call, of);
        let terms = &mut *call.terms;
        let known = terms.as_int(of).zip(terms.as_int(size));
        if known.is_some_and(|(of, size)| (0..size).contains(&(of + added))) {
            continue;
        }
        let below = 1 + added;
        let last = match terms.as_int(size) {
            Some(size) => terms.int(size - below),
            None if below == 0 => size,
            None => {
                let op = if below > 0 { Construct::Minus } else { Construct::Plus };
                let below = terms.int(below.abs());
                build(terms, op.symbol(), &[size, below])
            }
        };
        if !at_least_0 {
            let least = terms.int(-added);
            asked.push(build(terms, Construct::LessOrEqual.symbol(), &[least, of]));
        }
        asked.push(build(terms, Construct::LessOrEqual.symbol(), &[of, last]));
    }
    Ok(())
}

/// A subscript without a number that is added to it, and the number.
fn apart(terms: &Terms, subscript: Id) -> (Id, i64) {
    match expr(terms, subscript) {
        Some(Expr::Binary { op, left, right }) => match (op, terms.as_int(right)) {
            (Binary::Plus, Some(k)) if k.abs() < 1 << 30 => (left, k),
            (Binary::Minus, Some(k)) if k.abs() < 1 << 30 => (left, -k),
            _ => (subscript, 0),
        },
        _ => (subscript, 0),
    }
}

/// Whether a subscript is known not to be below 0, by LOCALs and loops around the place and loops in what was matched.
fn is_at_least_0(call: &mut Call<'_>, subscript: Id) -> bool {
    let own = call.own(subscript);
    let context = call.context();
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let from_0 = |from: Id| terms.as_int(from).is_some_and(|from| from >= 0);
    let mut from: FxHashMap<Symbol, bool> = FxHashMap::default();
    let redex = call.at.path.get(terms, scheme.root);
    for id in redex.into_iter().flat_map(|redex| terms.subterms(redex)) {
        if let Some(Operator::For { var, from: first, step: None, .. }) = operator(terms, id) {
            from.entry(var).and_modify(|all| *all &= from_0(first)).or_insert(from_0(first));
        }
    }
    for around in &context.around {
        if let Around::Loop(Loop { var, from: first, step: None, .. }) = *around {
            from.insert(var, from_0(first));
        }
    }
    is_not_negative(terms, own, &|name| match from.get(&name) {
        Some(&known) => Leaf::Known(known),
        None => context.definitions.get(&name).map_or(Leaf::Known(false), |&value| Leaf::Value(value)),
    })
}

fn added_in(call: &mut Call<'_>, body: Id, text: Symbol, Rest(cells): Rest<0>) -> Result<Id, String> {
    let mut made = body;
    for cell in cells {
        let name = named(call, text, cell)?;
        made = with_sums(call.terms, made, cell, name);
    }
    Ok(made)
}

fn added_at(
    call: &mut Call<'_>,
    body: Id,
    text: Symbol,
    k: Id,
    Rest(cells): Rest<0>,
) -> Result<Id, String> {
    let mut made = body;
    for cell in cells {
        let name = named(call, text, cell)?;
        let place = build(call.terms, Construct::Index.symbol(), &[name, k]);
        made = with_sums(call.terms, made, cell, place);
    }
    Ok(made)
}

/// An operator with assignments for what it adds indivisibly to a cell, or to a component of one.
fn with_sums(terms: &mut Terms, id: Id, cell: Id, place: Id) -> Id {
    if let Some(Operator::Atomic { op: Atomic::Add, target, value, was: None }) = operator(terms, id) {
        let mut whole = target;
        while let Some(Expr::Field { vector, .. }) = expr(terms, whole) {
            whole = vector;
        }
        if !terms.equal(whole, cell) {
            return id;
        }
        let target = substitute(terms, target, cell, place);
        let (op, added) = match expr(terms, value) {
            Some(Expr::Negate(less)) => (Construct::Minus, less),
            _ => (Construct::Plus, value),
        };
        let sum = build(terms, op.symbol(), &[target, added]);
        let made = build(terms, Construct::Assign.symbol(), &[target, sum]);
        terms.set_origin(made, terms.origin(id));
        return made;
    }
    let Some(construct) = terms.functor(id).filter(|_| operator(terms, id).is_some()) else {
        return id;
    };
    let old = terms.args(id).to_vec();
    let new: Vec<Id> = old.iter().map(|&part| with_sums(terms, part, cell, place)).collect();
    match new == old {
        true => id,
        false => build(terms, construct, &new),
    }
}
