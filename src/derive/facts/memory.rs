//! Where the values of arrays are: on the host, on the device, or on both.

use super::super::host::{SchemeHost, decided};
use super::call::{Call, facts, function};
use super::{Fact, Function};
use crate::algebra::{Construct, operators_of};
use crate::analysis::{Copies, Placement};
use crate::check::Scheme;
use crate::rewrite::{Answer, Evidence, Status};
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        memory_unplaced "the scheme places no memory of the device";
        memory_consistent "every copy is made from a side that is up to date, and every use finds it so";
        both_up_to_date "x: host and device hold the array's values before this place, on every way";
        needs_memory "x, A: launches in A reach the array, and it has no memory on the device";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    vec![
        placed(
            "stale_on_device",
            "arrays to be copied to the device before this operator",
            |p| &p.to_device,
        ),
        placed(
            "stale_on_host",
            "arrays to be copied from the device before this operator",
            |p| &p.from_device,
        ),
        of_the_whole(
            "stale_at_end",
            "OUTPUT arrays whose values are on the device only at the end",
            Copies::stale_at_end,
        ),
        of_the_whole(
            "unallocated",
            "arrays that launches reach and nothing allocates",
            Copies::unallocated,
        ),
        placed(
            "stale_for_condition",
            "arrays that the condition of this WHILE reads and its body leaves on the device",
            |p| &p.back,
        ),
        placed(
            "torn_to_device",
            "arrays on the host before this loop or choice, and on different sides on its ways",
            |p| &p.torn_to_device,
        ),
        placed(
            "torn_from_device",
            "the same for arrays on the device before it",
            |p| &p.torn_from_device,
        ),
        placed(
            "branch_from_device",
            "arrays that the first branch leaves on the device, and the other on the host",
            |p| &p.branch_from_device,
        ),
        placed(
            "branch_to_device",
            "arrays that the first branch leaves on the host, and the other on the device",
            |p| &p.branch_to_device,
        ),
        function(
            "reached_on_device",
            "arrays that launches in it reach",
            |call: &mut Call<'_>, body: Id| {
                let body = call.own(body);
                let (scheme, copies) = call.host.copies();
                let (reached, _) = copies.on_device(scheme, body);
                call.atoms(reached)
            },
        ),
        function(
            "written_on_device",
            "arrays that launches in it write",
            |call: &mut Call<'_>, body: Id| {
                let body = call.own(body);
                let (scheme, copies) = call.host.copies();
                let (_, written) = copies.on_device(scheme, body);
                call.atoms(written)
            },
        ),
    ]
}

/// A list of the copies that are needed at the place; the argument, which stands there, only says of
/// what one speaks.
fn placed(
    name: &'static str,
    meaning: &'static str,
    list: fn(&Placement) -> &Vec<Symbol>,
) -> Function {
    function(name, meaning, move |call: &mut Call<'_>, _: Id| {
        let arrays = list(call.host.placement(call.at)).clone();
        call.atoms(arrays)
    })
}

/// A list of what is found of the whole scheme; its argument, too, only says of what one speaks.
fn of_the_whole(
    name: &'static str,
    meaning: &'static str,
    list: fn(&mut Copies, &Scheme) -> Vec<Symbol>,
) -> Function {
    function(name, meaning, move |call: &mut Call<'_>, _: Id| {
        let (scheme, copies) = call.host.copies();
        let arrays = list(copies, scheme);
        call.atoms(arrays)
    })
}

fn memory_unplaced(call: &mut Call<'_>) -> Answer {
    let SchemeHost {
        scheme, unplaced, ..
    } = &mut *call.host;
    match first_placed(scheme, unplaced) {
        None => decided(true, "no memory of the device is placed yet", ""),
        Some(id) => Answer::No(Evidence {
            places: vec![(scheme.terms.span(id), "placed here".into())],
            ..Evidence::new(
                Status::Proved,
                "the scheme places memory of the device itself",
            )
        }),
    }
}

/// The first operator of a scheme that places memory of the device. Operators that do not are noted, and not gone into
/// again after a step that leaves them as they are.
fn first_placed(scheme: &Scheme, unplaced: &mut FxHashSet<Id>) -> Option<Id> {
    let terms = &scheme.terms;
    let mut met = Vec::new();
    let mut left = vec![scheme.body];
    while let Some(id) = left.pop() {
        if unplaced.contains(&id) {
            continue;
        }
        if terms.functor(id) == Some(Construct::Allocate.symbol()) {
            return Some(id);
        }
        met.push(id);
        left.extend(operators_of(terms, id).rev());
    }
    unplaced.extend(met);
    None
}

fn memory_consistent(call: &mut Call<'_>) -> Answer {
    let (scheme, copies) = call.host.copies();
    decided(
        copies.consistent(scheme),
        "every copy is made from a side that is up to date, and every use finds it so",
        "a copy is made from a side that is not up to date, or a use finds it so",
    )
}

fn both_up_to_date(call: &mut Call<'_>, name: Symbol) -> Answer {
    let path = call.at.path;
    let (scheme, copies) = call.host.copies();
    decided(
        copies.are_both_fresh(scheme, path, name),
        "both sides are up to date before it on every way",
        "one side may not be up to date before it",
    )
}

fn needs_memory(call: &mut Call<'_>, name: Symbol, body: Id) -> Answer {
    let (scheme, copies) = call.host.copies();
    decided(
        copies.needs_memory(scheme, name, body),
        "launches reach it, and it has no memory on the device",
        "no launch reaches it, or it has memory on the device",
    )
}
