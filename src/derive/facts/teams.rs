//! What the threads of a block have in common.

use super::super::host::decided;
use super::call::{Call, Rest, facts, functions};
use super::{Fact, Function};
use crate::algebra::{
    Atomic, Construct, Expr, Operator, Type, WARP, bound, build, expr, names, operator, operators,
    root_name,
};
use crate::analysis::{self, Varying, accesses, names_in};
use crate::check::{Scheme, Variable, author_name};
use crate::rewrite::{Answer, Evidence, Status, substitute};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        all_come "all threads of the block come to the place equally often: what is asked around it is the same for all";
        warp_comes "all threads of a warp come to the place equally often: what is asked around it is the same for all of these";
        differs_in_warp "e: threads of a warp may find different values";
        whole_warps "the blocks of the launch have a whole number of warps";
        one_warp "the blocks of the launch have one warp";
        waits_in_block "A: the threads of a block wait for each other in A, or share memory";
        same_for_all "e…: what they read has one value for all threads of the block; what is declared in them does not count";
        same_for_all_but "A, B, C, s…: the same for A, B and C but for the scalars s…";
        same_before "e…: what they read would have one value for all threads of the block before the operator at the place, if that did nothing";
        of_first_alone "x…: these are LOCALs of the launch, and what threads of the block but the first have in them after the place reaches nothing but LOCALs";
        unwritten "e…: nothing is written in the launch to the arrays that they read";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        numbered_by_block "A: the body A of a launch whose threads know of their places their numbers in it alone, done by the first threads of blocks with the same numbers";
        counted_by_launch "A: the first array of integers of outside, of one dimension, with which the body A of a launch does nothing but add to its cells atomically, to some at subscripts that depend on cells of arrays";
        summed_by_launch "A: the same of REALs or VECTORs";
    ]
}

/// The launch that the place is in, or is.
pub(super) struct LaunchAround {
    pub(super) threads: Id,
    pub(super) body: Id,
    /// How many steps down from the root the body is.
    depth: usize,
}

pub(super) fn launch_around(call: &Call<'_>) -> Option<LaunchAround> {
    let terms = &call.scheme().terms;
    let spine = call.spine();
    let launches = spine.iter().enumerate().rev();
    let mut launches = launches.filter_map(|(at, &id)| match operator(terms, id) {
        Some(Operator::Launch { threads, body, .. }) => Some(LaunchAround {
            threads,
            body,
            depth: at + 1,
        }),
        _ => None,
    });
    launches.next()
}

fn counted_by_launch(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let first = added_atomically(call, body, Type::is_integer);
    first.ok_or_else(|| "there is no array of integers that it only adds to atomically".into())
}

fn summed_by_launch(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let first = added_atomically(call, body, |ty| ty.component().is_real());
    first.ok_or_else(|| "there is no array of REALs that it only adds to atomically".into())
}

/// The first array of outside, of one dimension and of such a type, with which a launch does nothing but add to its cells,
/// to some at subscripts that depend on cells of arrays.
fn added_atomically(call: &mut Call<'_>, body: Id, is: fn(Type) -> bool) -> Option<Id> {
    let body = call.own(body);
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let own: FxHashSet<Symbol> = terms
        .subterms(body)
        .filter_map(|id| bound(terms, id))
        .collect();
    let targets: Vec<Id> = operators(terms, body)
        .filter_map(|id| match operator(terms, id)? {
            Operator::Atomic {
                op: Atomic::Add,
                target,
                was: None,
                ..
            } => Some(target),
            _ => None,
        })
        .collect();
    let data = of_cells(terms, body);
    let at_data = |target: &Id| match expr(terms, *target) {
        Some(Expr::Index { array, subscripts }) => subscripts
            .iter()
            .any(|&e| reads_cells(terms, e, &data))
            .then_some(array),
        _ => None,
    };
    let is_summed = |&name: &Symbol| {
        let one = |v: &Variable| v.dims.len() == 1 && is(v.ty);
        let reached = names(terms, body).filter(|&n| n == name).count();
        let to_it = |&&target: &&Id| root_name(terms, target) == Some(name);
        let summed = targets.iter().filter(to_it).count();
        !own.contains(&name) && scheme.variable(name).is_some_and(one) && reached == summed
    };
    let first = targets.iter().filter_map(at_data).find(is_summed)?;
    Some(call.terms.atom(first))
}

/// The variables that get values in an operator which depend on cells of arrays.
fn of_cells(terms: &Terms, body: Id) -> FxHashSet<Symbol> {
    let mut found = FxHashSet::default();
    loop {
        let before = found.len();
        for id in operators(terms, body) {
            let (name, value) = match operator(terms, id) {
                Some(Operator::Local { name, value, .. }) => (Some(name), value),
                Some(Operator::Assign { target, value }) => (terms.as_atom(target), value),
                _ => continue,
            };
            if reads_cells(terms, value, &found) {
                found.extend(name);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether an expression depends on cells of arrays, by itself or by such variables.
fn reads_cells(terms: &Terms, e: Id, of_cells: &FxHashSet<Symbol>) -> bool {
    let mut all = terms.subterms(e);
    all.any(|id| {
        let is_such = || terms.as_atom(id).is_some_and(|n| of_cells.contains(&n));
        matches!(expr(terms, id), Some(Expr::Index { .. })) || is_such()
    })
}

fn no_launch() -> Answer {
    decided(false, "", "it stands in no launch")
}

/// What may differ between the threads of a launch.
/// Names in a part that are declared outside of it.
fn names_of_outside(scheme: &Scheme, part: Id) -> FxHashSet<Symbol> {
    let mut names = names_in(scheme, part);
    for id in scheme.terms.subterms(part) {
        if let Some(own) = bound(&scheme.terms, id) {
            names.remove(&own);
        }
    }
    names
}

/// The first in order of a set of names, for messages.
fn first(names: impl Iterator<Item = Symbol>) -> Option<&'static str> {
    names.map(author_name).min()
}

fn all_come(call: &mut Call<'_>) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let differ = Varying::in_block_of(call.scheme(), launch.threads, launch.body);
    come(call, &launch, &differ)
}

fn warp_comes(call: &mut Call<'_>) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let differ = Varying::in_warp(call.scheme(), launch.body);
    come(call, &launch, &differ)
}

fn differs_in_warp(call: &mut Call<'_>, e: Id) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let scheme = call.scheme();
    decided(
        Varying::in_warp(scheme, launch.body).differs(scheme, e),
        "it may differ between threads of a warp",
        "it is the same for all threads of a warp",
    )
}

/// Whether threads come to the place equally often, given what differs between them.
fn come(call: &Call<'_>, launch: &LaunchAround, differ: &Varying) -> Answer {
    let scheme = call.scheme();
    let same = |e: Id| !differ.differs(scheme, e);
    let spine = call.spine();
    for (&id, &step) in spine.iter().zip(&call.at.path.0).skip(launch.depth) {
        let asked: Vec<Id> = match operator(&scheme.terms, id) {
            Some(Operator::Then(_) | Operator::Array { .. }) => Vec::new(),
            Some(Operator::If { condition, .. }) if step > 0 => vec![condition],
            Some(Operator::While { condition, body }) if spine.contains(&body) => vec![condition],
            Some(Operator::For {
                from,
                to,
                step,
                body,
                ..
            }) if spine.contains(&body) => {
                [Some(from), Some(to), step].into_iter().flatten().collect()
            }
            _ => return decided(false, "", "not all threads need come there"),
        };
        if let Some(e) = asked.into_iter().find(|&e| !same(e)) {
            return Answer::No(Evidence {
                places: vec![(
                    scheme.terms.span(e),
                    "this may differ between threads".into(),
                )],
                ..Evidence::new(Status::Decided, "some threads may not come there")
            });
        }
    }
    decided(
        true,
        "nothing that is asked around it differs between threads",
        "",
    )
}

fn numbered_by_block(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let terms = &mut *call.terms;
    let [block, threads, thread] = [
        Construct::BlockIndex,
        Construct::ThreadCount,
        Construct::ThreadIndex,
    ]
    .map(|construct| terms.atom(construct.symbol()));
    let int64 = terms.atom(Symbol::new("int64"));
    let wide = build(terms, Construct::Apply.symbol(), &[int64, block]);
    let mut made = body;
    for number in [block, wide] {
        let before = build(terms, Construct::Times.symbol(), &[number, threads]);
        let place = build(terms, Construct::Plus.symbol(), &[before, thread]);
        // Not the number of the block itself, which must not be left over.
        let mark = terms.atom(Symbol::new("number of the block"));
        let marked = match number == block {
            true => mark,
            false => build(terms, Construct::Apply.symbol(), &[int64, mark]),
        };
        made = substitute(terms, made, place, marked);
    }
    let places = [
        Construct::BlockIndex,
        Construct::BlockCount,
        Construct::ThreadIndex,
        Construct::ThreadCount,
    ]
    .map(Construct::symbol);
    let mut all = terms.subterms(made);
    if all.any(|t| terms.as_atom(t).is_some_and(|name| places.contains(&name))) {
        return Err("its threads know more of their places than their numbers".into());
    }
    let mark = terms.atom(Symbol::new("number of the block"));
    let made = substitute(terms, made, mark, block);
    Ok(first_thread_does(terms, made))
}

/// LOCALs and the choice around the rest are for all threads, the rest for the first.
fn first_thread_does(terms: &mut Terms, body: Id) -> Id {
    let only = |terms: &mut Terms, part: Id| {
        let (thread, zero) = (terms.atom(Construct::ThreadIndex.symbol()), terms.int(0));
        let first = build(terms, Construct::Equal.symbol(), &[thread, zero]);
        let empty = build(terms, Construct::Empty.symbol(), &[]);
        build(terms, Construct::If.symbol(), &[first, part, empty])
    };
    match operator(terms, body) {
        Some(Operator::Then(&[local, rest]))
            if terms.functor(local) == Some(Construct::Local.symbol()) =>
        {
            let rest = match operator(terms, rest) {
                Some(Operator::If { condition, yes, no })
                    if matches!(operator(terms, no), Some(Operator::Empty)) =>
                {
                    let yes = only(terms, yes);
                    build(terms, Construct::If.symbol(), &[condition, yes, no])
                }
                _ => only(terms, rest),
            };
            build(terms, Construct::Then.symbol(), &[local, rest])
        }
        _ => only(terms, body),
    }
}

fn whole_warps(call: &mut Call<'_>) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let threads = call.scheme().terms.as_int(launch.threads);
    decided(
        threads.is_some_and(|n| n % 32 == 0),
        "the number of threads is a multiple of 32",
        "the number of threads is not known to be a multiple of 32",
    )
}

fn one_warp(call: &mut Call<'_>) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    decided(
        call.scheme().terms.as_int(launch.threads) == Some(WARP),
        "a block has one warp",
        "a block is not known to have one warp",
    )
}

fn waits_in_block(call: &mut Call<'_>, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let waits = |id| {
        matches!(
            operator(terms, id),
            Some(Operator::Barrier | Operator::Shared { .. })
        )
    };
    decided(
        terms.subterms(body).any(waits),
        "the threads of a block wait for each other in it, or share memory",
        "each warp does it by itself",
    )
}

fn same_for_all(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    same(call, &[], &parts)
}

fn same_for_all_but(
    call: &mut Call<'_>,
    first: Id,
    second: Id,
    third: Id,
    Rest(scalars): Rest<0>,
) -> Answer {
    let but = call.names(&scalars);
    same(call, &but, &[first, second, third])
}

fn same_before(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let scheme = call.scheme();
    // Where the place is the launch, nothing is done before it.
    let place = call.at.path.0.get(launch.depth..).unwrap_or_default();
    let differ = Varying::in_block_before(scheme, launch.threads, launch.body, place);
    without(scheme, differ.names(), &[], &parts)
}

fn of_first_alone(call: &mut Call<'_>, Rest(scalars): Rest<0>) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let scheme = call.scheme();
    let place = call.at.path.0.get(launch.depth..).unwrap_or_default();
    let names = call.names(&scalars);
    if names.len() != scalars.len() {
        return decided(false, "", "it is no variable");
    }
    for name in names {
        let used = match analysis::used_by_others(scheme, launch.body, place, name) {
            Ok(None) => continue,
            Ok(Some(used)) => format!(
                "other threads of the block may use what they have in {}: {}",
                author_name(name),
                analysis::text(scheme, used)
            ),
            Err(why) => format!("{}: {why}", author_name(name)),
        };
        return decided(false, "", used);
    }
    decided(
        true,
        "what other threads of the block have in them is not used",
        "",
    )
}

fn same(call: &Call<'_>, but: &[Symbol], parts: &[Id]) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let scheme = call.scheme();
    let differ = Varying::in_block_of(scheme, launch.threads, launch.body);
    without(scheme, differ.names(), but, parts)
}

/// Whether parts read nothing that differs, but for some names.
fn without(scheme: &Scheme, differ: &FxHashSet<Symbol>, but: &[Symbol], parts: &[Id]) -> Answer {
    let names = parts
        .iter()
        .flat_map(|&part| names_of_outside(scheme, part));
    let found = first(names.filter(|name| differ.contains(name) && !but.contains(name)));
    decided(
        found.is_none(),
        "nothing in it differs between threads",
        format!("{} may differ between threads", found.unwrap_or_default()),
    )
}

fn unwritten(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    let Some(launch) = launch_around(call) else {
        return no_launch();
    };
    let scheme = call.scheme();
    let set = accesses(scheme, launch.body);
    if let Some(why) = set.unknown {
        return Answer::Unknown(Evidence::new(
            Status::Decided,
            format!(
                "not all that the launch does is known: {}",
                analysis::text(scheme, why)
            ),
        ));
    }
    let is_array = |name: Symbol| scheme.variable(name).is_some_and(|v| v.is_array());
    let written: FxHashSet<Symbol> = set.all.iter().filter(|a| a.write).map(|a| a.name).collect();
    let names = parts.iter().flat_map(|&part| names_in(scheme, part));
    let found = first(names.filter(|&name| is_array(name) && written.contains(&name)));
    decided(
        found.is_none(),
        "no array that it reads is written in the launch",
        format!("{} is written in the launch", found.unwrap_or_default()),
    )
}
