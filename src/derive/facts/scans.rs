//! Scans: loops whose iterations read what the ones before have gathered.

use super::call::{Call, Rest, facts, functions};
use super::gather::type_of_part;
use super::loops::by_one;
use super::names::named;
use super::{Fact, Function};
use crate::algebra::{Construct, build};
use crate::analysis::{self, Answer as Known};
use crate::term::{Id, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        scans "A: it assigns scalars of outside only to gather into them, computes what it gathers from nothing that it writes, and reads one of these scalars otherwise";
        independent_but_scanned "i, from, to, A: no iteration reaches a cell that another one writes, but for the scalars that A scans and for cells at an integer that it counts up whenever it reaches one";
        notes "k, A, B…: A only gathers into scalars of outside, and the operators B are `x[k] := s`, one for each such scalar s, with arrays x that A does not reach";
        totals_in_order "A: all that A gathers into scalars may be gathered in parts, and the parts in their order, to the last bit";
        totals_near "A: the same, but for the rounding of REALs";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        scanned "A: the scalars that A scans, in the order of declaration; none where it is no scan";
        gathering "A: the part of A that gathers into the scalars that it scans; A where it is no scan";
        all_gathered "A: the scalars of outside that A gathers into, in the order of declaration";
        in_arrays_of_parts "A, B, text, dims, x…: A within an array named(text, x) of the type of a part of what B gathers into x, for each x";
    ]
}

fn scans(call: &mut Call<'_>, body: Id) -> Known {
    match analysis::scan(&mut call.host.scheme, body) {
        Ok(_) => Known::proved("it only gathers into what it carries"),
        Err(why) => Known::no(why),
    }
}

fn independent_but_scanned(
    call: &mut Call<'_>,
    var: Symbol,
    from: Id,
    to: Id,
    body: Id,
) -> Option<Known> {
    let scan = analysis::scan(&mut call.host.scheme, body).ok()?;
    let context = call.loop_context(body);
    let this = by_one(var, from, to);
    let scheme = call.scheme();
    Some(analysis::independent_but_carried(
        scheme, &context, this, body, &scan,
    ))
}

fn notes(call: &mut Call<'_>, k: Symbol, body: Id, Rest(before): Rest<1>) -> Known {
    analysis::notes(call.scheme(), k, body, &before)
}

fn totals_in_order(call: &mut Call<'_>, body: Id) -> Known {
    analysis::totals_in_order(call.scheme(), body, false)
}

fn totals_near(call: &mut Call<'_>, body: Id) -> Known {
    analysis::totals_in_order(call.scheme(), body, true)
}

fn scanned(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let found = analysis::scan(&mut call.host.scheme, body);
    let carried = found.map(|scan| scan.carried).unwrap_or_default();
    call.atoms(carried.into_iter().map(|c| c.0))
}

fn gathering(call: &mut Call<'_>, body: Id) -> Id {
    let own = call.own(body);
    match analysis::scan(&mut call.host.scheme, own) {
        Ok(found) => analysis::gathering(call.terms, body, &found.needed),
        Err(_) => body,
    }
}

fn all_gathered(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let all = analysis::gathered_scalars(call.scheme(), body);
    call.atoms(all.into_iter().map(|g| g.0))
}

fn in_arrays_of_parts(
    call: &mut Call<'_>,
    body: Id,
    gathers: Id,
    text: Symbol,
    dims: Id,
    Rest(scalars): Rest<0>,
) -> Result<Id, String> {
    let mut made = body;
    for &scalar in scalars.iter().rev() {
        let name = call.terms.as_atom(scalar).ok_or("it is not a variable")?;
        let parts = [
            named(call, text, scalar)?,
            type_of_part(call, name, gathers)?,
            dims,
            made,
        ];
        made = build(call.terms, Construct::Array.symbol(), &parts);
    }
    Ok(made)
}
