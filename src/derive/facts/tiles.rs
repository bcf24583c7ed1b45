//! What a thread keeps of several members, and what a block reads together.

use super::super::host::decided;
use super::super::parts::type_of;
use super::call::{Call, Rest, facts, functions};
use super::cells::place_of;
use super::teams::launch_around;
use super::{Fact, Function};
use crate::algebra::{Operator, Type, operator};
use crate::analysis;
use crate::check::{LAUNCH, Role, Scheme, author_name};
use crate::rewrite::{Answer, substitute};
use crate::term::{Id, Symbol, Terms};
use std::rc::Rc;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        by_itself "A…: a thread does it without others: there is no BARRIER in it, no exchange between the threads of a warp, and no basic operator with code by which the host has the device do it";
        is_shared "x: the array is SHARED by the threads of a block";
        room_in_block "n, x…: SHARED arrays of the launch around and n more cells of the types of each of x… take 48 KiB at most, with REALs of 64 bits";
        kept_apart "A, B…: what A writes of outside are LOCALs of the sequence B of LOCALs, and those of them that computed_again gives read no other ones";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        kept_locals "A, B…: the LOCALs of the sequence B of LOCALs that hold REALs or vectors or that A writes";
        computed_again "A, B…: the other operators of the sequence B";
        threads_of_block "A: the number of threads of a block of the launch around A, a literal";
        shared_cell "s, A: the first cell that A reads at the variable s of the loop with the body A, and that is the same for all threads of the block, of an array that the launch does not write";
        shared_cell_along "s, A: the first cell that A reads at s and whose last subscript is the only one to differ between the threads of the block";
        shared_cell_across "s, A: the first one whose last subscript holds s, and of whose others one differs between the threads";
        place_in_tile "s, A, x: the LOCAL of A by which the cell x differs between the threads of the block";
        size_of_tile "s, A, x: how many values it takes over them, from 0 on, each of them";
        cell_of_tile "s, A, x: x with those LOCALs of A written out that the copy of a tile lacks";
    ]
}

fn by_itself(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let with_others = |t: Id| match operator(terms, t) {
        Some(Operator::Barrier | Operator::Exchange(..)) => true,
        // Code for launches is the host's, which has the device do it: no thread of a kernel does.
        Some(Operator::Perform { phrase, .. }) => {
            let basic = scheme.basics.get(&phrase);
            basic.is_some_and(|b| b.code(LAUNCH).is_some())
        }
        _ => false,
    };
    let found = parts
        .iter()
        .flat_map(|&part| terms.subterms(part))
        .find(|&t| with_others(t));
    decided(
        found.is_none(),
        "a thread does it without the others",
        "threads wait for each other in it, or exchange values, or the host has the device do it",
    )
}

fn is_shared(call: &mut Call<'_>, array: Symbol) -> Answer {
    let variable = call.scheme().variable(array);
    decided(
        variable.is_some_and(|v| v.role == Role::Shared),
        "the threads of a block share it",
        "it is not SHARED",
    )
}

/// So many bytes any device lets the threads of a block share.
const SHARED_BYTES: i64 = 48 << 10;

fn room_in_block(call: &mut Call<'_>, more: Id, Rest(cells): Rest<1>) -> Option<Answer> {
    let launch = launch_around(call)?;
    let scheme = call.scheme();
    let terms = &scheme.terms;
    // The same for either precision, so that a derivation is.
    let bytes = |ty: Type| match ty.component() {
        Type::F32 => 2 * ty.bytes() as i64,
        _ => ty.bytes() as i64,
    };
    let more = terms.as_int(more)?;
    let mut all = 0i64;
    for cell in cells {
        all = all.checked_add(more.checked_mul(bytes(type_of(scheme, cell)?))?)?;
    }
    for t in terms.subterms(launch.body) {
        if let Some(Operator::Shared { name, size, .. }) = operator(terms, t) {
            let own = bytes(scheme.variable(name)?.ty);
            all = all.checked_add(terms.as_int(size)?.checked_mul(own)?)?;
        }
    }
    Some(decided(
        all <= SHARED_BYTES,
        format!("they take {all} bytes"),
        format!("they take {all} bytes"),
    ))
}

/// A LOCAL of a sequence: its name and value.
fn local(terms: &Terms, o: Id) -> Option<(Symbol, Id)> {
    match operator(terms, o) {
        Some(Operator::Local { name, value, .. }) => Some((name, value)),
        _ => None,
    }
}

/// The LOCALs of a sequence that are kept for each member.
fn kept(scheme: &Scheme, body: Id, before: &[Id]) -> Vec<Symbol> {
    let written = analysis::scalars_written(scheme, body);
    let is_kept = |name: &Symbol| {
        let ty = scheme.variable(*name).map(|v| v.ty);
        written.contains(name) || ty.is_some_and(|ty| !ty.is_integer() && ty != Type::Bool)
    };
    let names = before.iter().filter_map(|&o| local(&scheme.terms, o));
    names.map(|(name, _)| name).filter(is_kept).collect()
}

fn kept_apart(call: &mut Call<'_>, body: Id, Rest(before): Rest<0>) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let names: Vec<Symbol> = before
        .iter()
        .filter_map(|&o| Some(local(terms, o)?.0))
        .collect();
    let written = analysis::scalars_written(scheme, body);
    if let Some(&name) = written.iter().find(|name| !names.contains(name)) {
        let why = format!("{} is not one of the LOCALs before it", author_name(name));
        return decided(false, "", why);
    }
    let kept = kept(scheme, body, &before);
    for &o in &before {
        let Some((name, value)) = local(terms, o) else {
            return decided(false, "", "not all before it are LOCALs");
        };
        let read = analysis::names_in(scheme, value);
        if !kept.contains(&name)
            && let Some(&other) = kept.iter().find(|other| read.contains(other))
        {
            let (name, other) = (author_name(name), author_name(other));
            return decided(false, "", format!("{name} is computed from {other}"));
        }
    }
    decided(
        true,
        "it writes LOCALs that nothing else before it reads",
        "",
    )
}

fn kept_locals(call: &mut Call<'_>, body: Id, Rest(before): Rest<0>) -> Vec<Id> {
    let (body, before) = (call.own(body), owned(call, &before));
    let names = kept(call.scheme(), body, &before);
    call.atoms(names)
}

fn computed_again(call: &mut Call<'_>, body: Id, Rest(before): Rest<0>) -> Vec<Id> {
    let (body, own) = (call.own(body), owned(call, &before));
    let names = kept(call.scheme(), body, &own);
    let mut again = before;
    again.retain(|&o| local(call.terms, o).is_none_or(|(name, _)| !names.contains(&name)));
    again
}

fn owned(call: &mut Call<'_>, parts: &[Id]) -> Vec<Id> {
    parts.iter().map(|&p| call.own(p)).collect()
}

fn threads_of_block(call: &mut Call<'_>, _: Id) -> Result<Id, String> {
    let launch = launch_around(call).ok_or("it stands in no launch")?;
    let threads = call.scheme().terms.as_int(launch.threads);
    let threads = threads.ok_or("the number of threads is not a number")?;
    Ok(call.terms.int(threads))
}

/// The first tile that fits of a loop in a launch.
fn tile(
    call: &mut Call<'_>,
    var: Symbol,
    body: Id,
    fits: impl Fn(&Scheme, &analysis::Tile) -> bool,
) -> Result<analysis::Tile, String> {
    let body = call.own(body);
    let launch = launch_around(call).ok_or("it stands in no launch")?;
    let scheme = call.scheme();
    let threads = scheme.terms.as_int(launch.threads);
    let threads = threads.ok_or("the number of threads is not a number")?;
    let tiles = match call.host.found.tiles.get(&(body, var)) {
        Some(known) => Rc::clone(known),
        None => {
            let place = place_of(call, var)?;
            let tiles: Rc<[_]> = analysis::tiles(scheme, place, launch.body, threads, body).into();
            call.host.found.tiles.insert((body, var), Rc::clone(&tiles));
            tiles
        }
    };
    let found = tiles.iter().find(|tile| fits(call.scheme(), tile)).cloned();
    found.ok_or_else(|| "it reads no such cell that a block could read together".into())
}

fn found(call: &mut Call<'_>, tile: Result<analysis::Tile, String>) -> Result<Id, String> {
    Ok(call.terms.import(&call.host.scheme.terms, tile?.cell))
}

/// Whether the last subscript of a tile's cell, as it stands, comes to hold a name.
fn last_holds(scheme: &Scheme, tile: &analysis::Tile, name: Symbol) -> bool {
    tile.last.contains(&name) && scheme.terms.arity(tile.cell) > 1
}

fn shared_cell(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let tile = tile(call, var, body, |_, tile| tile.place.is_none());
    found(call, tile)
}

fn shared_cell_along(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let tile = tile(call, var, body, |scheme, tile| {
        tile.place.is_some_and(|place| {
            last_holds(scheme, tile, place.name) && !last_holds(scheme, tile, var)
        })
    });
    found(call, tile)
}

fn shared_cell_across(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Id, String> {
    let tile = tile(call, var, body, |scheme, tile| {
        tile.place.is_some_and(|place| {
            last_holds(scheme, tile, var) && !last_holds(scheme, tile, place.name)
        })
    });
    found(call, tile)
}

/// The tile of a cell.
fn tile_of(call: &mut Call<'_>, var: Symbol, body: Id, cell: Id) -> Result<analysis::Tile, String> {
    let cell = call.own(cell);
    tile(call, var, body, |scheme, tile| {
        scheme.terms.equal(tile.cell, cell)
    })
}

fn place_in_tile(call: &mut Call<'_>, var: Symbol, body: Id, cell: Id) -> Result<Id, String> {
    let tile = tile_of(call, var, body, cell)?;
    let place = tile.place.ok_or("it is the same for all threads")?;
    Ok(call.terms.atom(place.name))
}

fn size_of_tile(call: &mut Call<'_>, var: Symbol, body: Id, cell: Id) -> Result<Id, String> {
    let tile = tile_of(call, var, body, cell)?;
    let place = tile.place.ok_or("it is the same for all threads")?;
    Ok(call.terms.int(place.values))
}

fn cell_of_tile(call: &mut Call<'_>, var: Symbol, body: Id, cell: Id) -> Result<Id, String> {
    let tile = tile_of(call, var, body, cell)?;
    let mut made = cell;
    for (name, value) in tile.written_out {
        let atom = call.terms.atom(name);
        let value = call.terms.import(&call.host.scheme.terms, value);
        made = substitute(call.terms, made, atom, value);
    }
    Ok(made)
}
