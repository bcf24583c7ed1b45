//! Cells to which a loop in a launch comes back, kept by a thread or passed on in a ring of threads.

use super::super::parts::way_to;
use super::call::{Call, Rest, facts, functions};
use super::guards::{Leaf, is_not_negative};
use super::names::named;
use super::teams::launch_around;
use super::{Fact, Function};
use crate::algebra::{Atomic, Binary, Construct, Expr, Operator, build, expr, operator};
use crate::analysis::{self, Answer as Known, Around, Context, Loop, Recurring, SMALL, Turn, Use};
use crate::check::{Scheme, author_name};
use crate::rewrite::substitute;
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::FxHashMap;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        has_cells "x…: the arrays of the cells, and those of cells in their subscripts, are not empty where the place is come to";
    ]
}

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
        within "x: the cell x with subscripts confined to its array, which has cells; numbers and variables of loops of what was matched are added after that";
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
    Ok(analysis::recurring(
        scheme,
        &path,
        (launch.body, threads),
        (var, times),
        body,
    ))
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
    let found = all
        .into_iter()
        .find(|c| call.scheme().terms.equal(c.cell, own));
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

fn has_cells(call: &mut Call<'_>, Rest(cells): Rest<0>) -> Known {
    let scheme = call.scheme();
    let context = call.context();
    let mut work = cells;
    while let Some(id) = work.pop() {
        if let Some(Expr::Index { array, .. }) = expr(&scheme.terms, id) {
            for &size in scheme.variable(array).map_or(&[][..], |v| &v.dims) {
                if !has_some(scheme, &context, size) {
                    let array = author_name(array);
                    return Known::unknown(format!("it was not shown that {array} has cells"));
                }
            }
        }
        work.extend(scheme.terms.args(id));
    }
    Known::proved("they have cells wherever this stands")
}

/// Whether a size is at least 1 where something stands.
fn has_some(scheme: &Scheme, context: &Context, size: Id) -> bool {
    match scheme.terms.as_int(size) {
        Some(size) => size > 0,
        None => analysis::is_above_0(scheme, context, size),
    }
}

/// A subscript as a sum: what has a value before the loop, variables of short loops with their factors, and a number.
struct Sum {
    of: Id,
    /// Those variables and factors as one expression.
    members: Option<Id>,
    number: i64,
}

impl Sum {
    /// What is added to `of`, if that is not 0.
    fn added(&self, terms: &mut Terms) -> Option<Id> {
        match (self.members, self.number) {
            (members, 0) => members,
            (None, number) => Some(terms.int(number)),
            (Some(members), number) => {
                let number = terms.int(number);
                Some(build(terms, Construct::Plus.symbol(), &[members, number]))
            }
        }
    }

    /// `bound` less what is added to `of`.
    fn below(&self, terms: &mut Terms, bound: Id) -> Id {
        let (op, number) = match self.number {
            n if n < 0 => (Construct::Plus, -n),
            n => (Construct::Minus, n),
        };
        let mut made = bound;
        if number != 0 {
            made = match terms.as_int(made) {
                Some(bound) => terms.int(bound - self.number),
                None => {
                    let number = terms.int(number);
                    build(terms, op.symbol(), &[made, number])
                }
            };
        }
        if let Some(members) = self.members {
            made = build(terms, Construct::Minus.symbol(), &[made, members]);
        }
        made
    }
}

/// A subscript apart. Numbers and members are small, so that they may be subtracted from the size of an array.
fn apart(call: &mut Call<'_>, subscript: Id) -> Sum {
    let short = short_names(call);
    let terms = &mut *call.terms;
    let mut sum = Sum {
        of: subscript,
        members: None,
        number: 0,
    };
    let is_member = |terms: &Terms, e: Id| match expr(terms, e) {
        Some(Expr::Name(name)) => short.contains(&name),
        Some(Expr::Binary {
            op: Binary::Times,
            left,
            right,
        }) => {
            let named = terms
                .as_atom(left)
                .is_some_and(|name| short.contains(&name));
            named && terms.as_int(right).is_some_and(|k| (0..SMALL).contains(&k))
        }
        _ => false,
    };
    // The last of what is added is looked at first.
    while let Some(Expr::Binary { op, left, right }) = expr(terms, sum.of) {
        let number = terms.as_int(right).filter(|k| k.abs() < SMALL);
        match (op, number) {
            (Binary::Plus, Some(k)) => sum.number += k,
            (Binary::Minus, Some(k)) => sum.number -= k,
            (Binary::Plus, None) if is_member(terms, right) => {
                sum.members = Some(match sum.members {
                    Some(members) => build(terms, Construct::Plus.symbol(), &[right, members]),
                    None => right,
                });
            }
            _ => break,
        }
        sum.of = left;
    }
    sum
}

/// The variables of loops from 0 to a small number in what was matched.
fn short_names(call: &Call<'_>) -> Vec<Symbol> {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let redex = call.at.path.get(terms, scheme.root);
    let loops = redex.into_iter().flat_map(|redex| terms.subterms(redex));
    let short = loops.filter_map(|id| match operator(terms, id) {
        Some(Operator::For {
            var,
            from,
            to,
            step: None,
            ..
        }) => {
            let last = terms.as_int(to).filter(|to| (0..16).contains(to));
            (terms.as_int(from) == Some(0) && last.is_some()).then_some(var)
        }
        _ => None,
    });
    short.collect()
}

fn within(call: &mut Call<'_>, cell: Id) -> Result<Id, String> {
    let Some(Expr::Index { array, subscripts }) = expr(call.terms, cell) else {
        return Err("it is not a cell".into());
    };
    let subscripts = subscripts.to_vec();
    let dims = call
        .scheme()
        .variable(array)
        .map(|v| v.dims.clone())
        .unwrap_or_default();
    let mut parts = vec![call.terms.atom(array)];
    for (subscript, size) in subscripts.into_iter().zip(dims) {
        let size = call.terms.import(&call.host.scheme.terms, size);
        let mut sum = apart(call, subscript);
        if matches!(expr(call.terms, sum.of), Some(Expr::Index { .. })) {
            sum.of = within(call, sum.of)?;
        }
        let at_least_0 = sum.number >= 0 && is_at_least_0(call, sum.of);
        let (of, own_size) = (call.own(sum.of), call.own(size));
        let near = analysis::is_at_most(call.scheme(), &call.context(), of, own_size, SMALL);
        let terms = &mut *call.terms;
        let last = match terms.as_int(size) {
            Some(size) => terms.int(size - 1),
            None => {
                let one = terms.int(1);
                build(terms, Construct::Minus.symbol(), &[size, one])
            }
        };
        let mut made = match sum.added(terms) {
            None => join(terms, "min", sum.of, last),
            // The sum does not leave its range where it is not far beyond the size of an array.
            Some(added) if near => {
                let whole = build(terms, Construct::Plus.symbol(), &[sum.of, added]);
                join(terms, "min", whole, last)
            }
            Some(added) => {
                let last = sum.below(terms, last);
                let made = join(terms, "min", sum.of, last);
                build(terms, Construct::Plus.symbol(), &[made, added])
            }
        };
        if !at_least_0 {
            let zero = terms.int(0);
            made = join(terms, "max", made, zero);
        }
        parts.push(made);
    }
    Ok(build(call.terms, Construct::Index.symbol(), &parts))
}

fn join(terms: &mut Terms, function: &str, a: Id, b: Id) -> Id {
    let function = terms.atom(Symbol::new(function));
    build(terms, Construct::Apply.symbol(), &[function, a, b])
}

fn exists(call: &mut Call<'_>, cell: Id) -> Result<Id, String> {
    let mut asked = Vec::new();
    ask(call, cell, &mut asked)?;
    let and = Construct::And.symbol();
    let all = asked
        .into_iter()
        .reduce(|all, next| build(call.terms, and, &[all, next]));
    all.ok_or_else(|| "it has no subscripts".into())
}

/// What is to be asked about a cell: first about cells in its subscripts. Nothing is added to what may be large.
fn ask(call: &mut Call<'_>, cell: Id, asked: &mut Vec<Id>) -> Result<(), String> {
    let Some(Expr::Index { array, subscripts }) = expr(call.terms, cell) else {
        return Err("it is not a cell".into());
    };
    let subscripts = subscripts.to_vec();
    let dims = call
        .scheme()
        .variable(array)
        .map(|v| v.dims.clone())
        .unwrap_or_default();
    for (subscript, size) in subscripts.into_iter().zip(dims) {
        let size = call.terms.import(&call.host.scheme.terms, size);
        let sum = apart(call, subscript);
        if matches!(expr(call.terms, sum.of), Some(Expr::Index { .. })) {
            ask(call, sum.of, asked)?;
        }
        let at_least_0 = sum.number >= 0 && is_at_least_0(call, sum.of);
        let terms = &mut *call.terms;
        let at_most = Construct::LessOrEqual.symbol();
        if !at_least_0 {
            let zero = terms.int(0);
            let least = sum.below(terms, zero);
            asked.push(build(terms, at_most, &[least, sum.of]));
        }
        let last = match terms.as_int(size) {
            Some(size) => terms.int(size - 1),
            None => {
                let one = terms.int(1);
                build(terms, Construct::Minus.symbol(), &[size, one])
            }
        };
        let last = sum.below(terms, last);
        asked.push(build(terms, at_most, &[sum.of, last]));
    }
    Ok(())
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
        if let Some(Operator::For {
            var,
            from: first,
            step: None,
            ..
        }) = operator(terms, id)
        {
            from.entry(var)
                .and_modify(|all| *all &= from_0(first))
                .or_insert(from_0(first));
        }
    }
    for around in &context.around {
        if let Around::Loop(Loop {
            var,
            from: first,
            step: None,
            ..
        }) = *around
        {
            from.insert(var, from_0(first));
        }
    }
    is_not_negative(terms, own, &|name| match from.get(&name) {
        Some(&known) => Leaf::Known(known),
        None => context
            .definitions
            .get(&name)
            .map_or(Leaf::Known(false), |&value| Leaf::Value(value)),
    })
}

fn added_in(
    call: &mut Call<'_>,
    body: Id,
    text: Symbol,
    Rest(cells): Rest<0>,
) -> Result<Id, String> {
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
    if let Some(Operator::Atomic {
        op: Atomic::Add,
        target,
        value,
        was: None,
    }) = operator(terms, id)
    {
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
    let new: Vec<Id> = old
        .iter()
        .map(|&part| with_sums(terms, part, cell, place))
        .collect();
    match new == old {
        true => id,
        false => build(terms, construct, &new),
    }
}
