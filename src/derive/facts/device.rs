//! What devices and vector units can do, and what the host waits for.

use super::super::host::{SchemeHost, decided};
use super::super::parts::way_to;
use super::Fact;
use super::call::{Call, Rest, Told, facts};
use super::loops::is_short;
use super::places::independent_around;
use crate::algebra::{Construct, Operator, is_loop, operator};
use crate::analysis::{self, Answer as Known, accesses, names_in};
use crate::check::{LAUNCH, Scheme, outermost_loop, unrecordable, value_of_device};
use crate::rewrite::{Answer, Evidence, Status};
use crate::term::{Id, Symbol, Terms};
use std::rc::Rc;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        device_ok "A only computes with cells of arrays and its own LOCALs, so that a kernel can do it";
        has_launch_code "A is a basic operator with code by which the host has the device do it, and writes arrays alone";
        device_ok_but "A, s…: the same but for the scalars s…";
        fit_together "A, B: as bodies of loops, one launch does both as well as two do: a kernel can do both or neither, and not both have a loop, not known to be short, that assigns a scalar of outside";
        brief "A…: there is no loop in them that is not known to be short";
        along_rows "i, A: a loop with this variable and body goes along the rows of arrays, and the independent loops around it, of which there is one, from row to row";
        far_apart "i, s, A: neighbouring iterations over s reach neighbouring cells in A, and none far apart, where those over i reach cells far apart";
        rows_inside "i, A: there are loops in A, and far_apart holds for i and each of the innermost ones";
        has_neighbours "i, A: neighbouring iterations reach some cells that are next to each other, or none that are far apart";
        lanes_ok "i, A: A does for one i what it does for all others, operation by operation, with REALs of the scheme's precision or of 64 bits and INTEGERs that count";
        lanes_sum "i, A: the same, or with INTEGER64s to which INTEGERs are added";
        parallel_ok "A does nothing whose order can be seen";
        launches "there is a launch in A";
        copies_back "there is a copy from the device in A";
        only_launches "A…: only launches, waits for them, and FOR loops and choices of such";
        recordable "A: it only launches, in a loop with a condition that the device can evaluate or without, and all its launches are the same whenever it is met here";
        launches_often "A: each time it is met, it may launch more than 256 times: a loop in it with launches has bounds that are no numbers, or numbers far apart";
        device_wait "u: no CONTROL POINT has this name, so that WAIT u waits for the device";
        asynchronous "A…: only launches, copies, room on the device, and what the host computes with scalars or, once memory is placed, with its copies of arrays, in loops and choices; no WAIT";
        among_launches "e…: launches reach an array of these expressions or operators, and all arrays that they read; where there is a loop here or around, launches of the innermost one do";
        between_launches "A…: the place is in a loop, and launches in the innermost one around it reach an array of these operators, and all arrays that they read";
        asks_of_margins "u: it asks how near a loop's bounds are to the ends of their type, which they hardly ever are";
        is_sequence "it is a sequence";
    ]
}

fn device_ok(call: &mut Call<'_>, body: Id) -> Known {
    analysis::device_ok(call.scheme(), body, &[])
}

fn has_launch_code(call: &mut Call<'_>, id: Id) -> Answer {
    let scheme = call.scheme();
    let Some(Operator::Perform { phrase, writes, .. }) = operator(&scheme.terms, id) else {
        return decided(false, "", "it is no basic operator that is declared");
    };
    let basic = scheme.basics.get(&phrase);
    let is_array = |&target: &Id| {
        let root = crate::algebra::root_name(&scheme.terms, target);
        let variable = root.and_then(|name| scheme.variable(name));
        variable.is_some_and(crate::check::Variable::is_array)
    };
    if !writes.iter().all(is_array) {
        return decided(false, "", "it writes a scalar, which the host has");
    }
    if value_of_device(&scheme.terms, id).is_some() {
        let why =
            "the host evaluates what is passed, and it reads a cell that the device may write";
        return decided(false, "", why);
    }
    decided(
        basic.is_some_and(|b| b.code(LAUNCH).is_some()),
        "the host has code by which the device does it",
        "it has no code for launches",
    )
}

fn device_ok_but(call: &mut Call<'_>, body: Id, Rest(scalars): Rest<0>) -> Known {
    let names = call.names(&scalars);
    analysis::device_ok(call.scheme(), body, &names)
}

fn fit_together(call: &mut Call<'_>, first: Id, second: Id) -> Answer {
    let scheme = call.scheme();
    let kernel = |body: Id| matches!(analysis::device_ok(scheme, body, &[]), Known::Yes(..));
    if kernel(first) != kernel(second) {
        let text = "a kernel can do only one of them";
        return Answer::No(Evidence::new(Status::Decided, text));
    }
    decided(
        !(holds_gathering(scheme, first) && holds_gathering(scheme, second)),
        "a launch does both as well as two do",
        "both gather in loops, over whose iterations threads may be spread for one of them",
    )
}

fn brief(call: &mut Call<'_>, Rest(operators): Rest<0>) -> Answer {
    let terms = &call.scheme().terms;
    let is_long = |t| match operator(terms, t) {
        Some(Operator::For {
            from,
            to,
            step: None,
            ..
        }) => !is_short(terms, from, to),
        Some(Operator::For { .. } | Operator::While { .. }) => true,
        _ => false,
    };
    let long = operators.iter().any(|&o| terms.subterms(o).any(is_long));
    decided(
        !long,
        "no loop in it has many iterations",
        "a loop in it may have many iterations",
    )
}

/// Whether there is a loop, not known to be short, that assigns a scalar of outside.
fn holds_gathering(scheme: &Scheme, body: Id) -> bool {
    let mut inside = scheme.terms.subterms(body);
    inside.any(|t| gathers_long(scheme, t))
}

/// Whether an operator is a loop, not known to be short, that assigns a scalar of outside.
fn gathers_long(scheme: &Scheme, t: Id) -> bool {
    let terms = &scheme.terms;
    let Some(Operator::For { from, to, body, .. }) = operator(terms, t) else {
        return false;
    };
    !is_short(terms, from, to) && !analysis::scalars_written(scheme, body).is_empty()
}

fn along_rows(call: &mut Call<'_>, var: Symbol, body: Id) -> Answer {
    let around = independent_around(call);
    let scheme = call.scheme();
    let from_row_to_row = |&outer: &Symbol| analysis::goes_along_rows(scheme, outer, var, body);
    decided(
        !around.is_empty() && around.iter().all(from_row_to_row),
        "it goes along rows, and all independent loops around it from row to row",
        "it does not go along rows in independent loops that all go from row to row",
    )
}

fn far_apart(call: &mut Call<'_>, outer: Symbol, inner: Symbol, body: Id) -> Answer {
    decided(
        analysis::goes_along_rows(call.scheme(), outer, inner, body),
        "the one goes along rows, and the other from row to row",
        "not the one goes along rows, and the other from row to row",
    )
}

fn rows_inside(call: &mut Call<'_>, outer: Symbol, body: Id) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let mut innermost = terms
        .subterms(body)
        .filter_map(|id| match operator(terms, id)? {
            Operator::For { var, body, .. } if !terms.subterms(body).any(|t| is_loop(terms, t)) => {
                Some((var, body))
            }
            _ => None,
        });
    let along = |(var, body)| analysis::goes_along_rows(scheme, outer, var, body);
    let some = terms.subterms(body).any(|t| is_loop(terms, t));
    decided(
        some && innermost.all(along),
        "all innermost loops go along rows, and the loop around them from row to row",
        "not all innermost loops go along rows, and the loop around them from row to row",
    )
}

fn has_neighbours(call: &mut Call<'_>, var: Symbol, body: Id) -> Known {
    analysis::has_neighbours(call.scheme(), var, body)
}

fn lanes_ok(call: &mut Call<'_>, var: Symbol, body: Id) -> Known {
    analysis::lanes_ok(call.scheme(), var, body, false)
}

fn lanes_sum(call: &mut Call<'_>, var: Symbol, body: Id) -> Known {
    analysis::lanes_ok(call.scheme(), var, body, true)
}

fn parallel_ok(call: &mut Call<'_>, body: Id) -> Known {
    analysis::parallel_ok(call.scheme(), body)
}

pub(super) fn has_launches(scheme: &Scheme, body: Id) -> bool {
    has(scheme, Construct::Launch, body)
}

fn has(scheme: &Scheme, construct: Construct, body: Id) -> bool {
    let terms = &scheme.terms;
    let functor = Some(construct.symbol());
    terms.subterms(body).any(|t| terms.functor(t) == functor)
}

fn launches(call: &mut Call<'_>, body: Id) -> Answer {
    decided(
        has_launches(call.scheme(), body),
        "there is a launch in it",
        "there is no launch in it",
    )
}

fn copies_back(call: &mut Call<'_>, body: Id) -> Answer {
    decided(
        has(call.scheme(), Construct::CopyFromDevice, body),
        "there is a copy from the device in it",
        "there is no copy from the device in it",
    )
}

fn only_launches(call: &mut Call<'_>, Rest(operators): Rest<0>) -> Answer {
    let scheme = call.scheme();
    decided(
        operators.iter().all(|&o| launches_only(scheme, o)),
        "it only launches",
        "it does not only launch",
    )
}

pub(super) fn launches_only(scheme: &Scheme, id: Id) -> bool {
    match operator(&scheme.terms, id) {
        Some(Operator::Then(parts)) => parts.iter().all(|&p| launches_only(scheme, p)),
        Some(Operator::For { body, .. }) => launches_only(scheme, body),
        Some(Operator::If { yes, no, .. }) => {
            launches_only(scheme, yes) && launches_only(scheme, no)
        }
        Some(Operator::Launch { .. } | Operator::Empty) => true,
        Some(Operator::Wait(point)) => !analysis::is_control_point(scheme, point),
        _ => false,
    }
}

fn recordable(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let (terms, root) = (&scheme.terms, scheme.root);
    let mut path = call.at.path.clone();
    let redex = path.get(terms, root);
    // A rule may ask about a term that it made of what it matched.
    let body = redex.filter(|&r| terms.equal(r, body)).unwrap_or(body);
    let found = redex.is_some_and(|redex| way_to(terms, redex, body, &mut path.0));
    let spine = path.spine(terms, root).filter(|_| found);
    let Some((_, above)) = spine.as_deref().and_then(|s| s.split_last()) else {
        return Answer::Unknown(Evidence::new(Status::Decided, "it is not found here"));
    };
    let recorded = Some(Construct::Recorded.symbol());
    if above.iter().any(|&t| terms.functor(t) == recorded) {
        return decided(false, "", "it is recorded already");
    }
    match unrecordable(terms, outermost_loop(terms, above), body) {
        None => decided(true, "it launches the same whenever it is met", ""),
        Some((id, why)) => Answer::No(Evidence {
            places: vec![(terms.span(id), "cannot be recorded".into())],
            ..Evidence::new(Status::Decided, why)
        }),
    }
}

/// The most launches for a graph: to make it ready takes about as long as to launch them a few times.
const MOST_RECORDED: i64 = 256;

fn launches_often(call: &mut Call<'_>, body: Id) -> Answer {
    let most = most_launches(&call.scheme().terms, body);
    decided(
        most.is_none_or(|most| most > MOST_RECORDED),
        "it may launch many times each time it is met",
        "it launches a few times only",
    )
}

/// How often an operator launches at most, if that is known.
fn most_launches(terms: &Terms, id: Id) -> Option<i64> {
    match operator(terms, id) {
        Some(Operator::Launch { .. }) => Some(1),
        Some(Operator::If { yes, no, .. }) => {
            Some(most_launches(terms, yes)?.max(most_launches(terms, no)?))
        }
        Some(Operator::For { from, to, body, .. }) => match most_launches(terms, body)? {
            0 => Some(0),
            each => {
                let (from, to) = terms.as_int(from).zip(terms.as_int(to))?;
                let count = to.saturating_sub(from).saturating_add(1).max(0);
                Some(each.saturating_mul(count))
            }
        },
        Some(Operator::While { body, .. }) => match most_launches(terms, body)? {
            0 => Some(0),
            _ => None,
        },
        Some(_) => terms.args(id).iter().try_fold(0, |sum: i64, &part| {
            Some(sum.saturating_add(most_launches(terms, part)?))
        }),
        None => Some(0),
    }
}

fn device_wait(call: &mut Call<'_>, point: Symbol) -> Answer {
    decided(
        !analysis::is_control_point(call.scheme(), point),
        "it waits for the device",
        "it waits for the CONTROL POINT of that name",
    )
}

fn asynchronous(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Option<Answer> {
    let mut answer = analysis::asynchronous(call.scheme(), &parts).told()?;
    if let Answer::No(evidence) = &mut answer {
        // Seen by looking at the operators: a host that looks must wait.
        evidence.status = Status::Decided;
    }
    Some(answer)
}

fn among_launches(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    let terms = &call.scheme().terms;
    let spine = call.spine();
    let around = spine.iter().rev().copied().find(|&id| is_loop(terms, id));
    reached_by_launches(call, around, &parts)
}

fn asks_of_margins(call: &mut Call<'_>, condition: Id) -> Answer {
    decided(
        analysis::asks_of_margins(&call.scheme().terms, condition),
        "it asks how near bounds are to the ends of their type",
        "it does not ask how near bounds are to the ends of their type",
    )
}

fn between_launches(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    let terms = &call.scheme().terms;
    let spine = call.spine();
    let outside = spine.iter().rev().skip(1).copied();
    let Some(around) = outside.into_iter().find(|&id| is_loop(terms, id)) else {
        return decided(false, "", "it is in no loop");
    };
    reached_by_launches(call, Some(around), &parts)
}

/// Whether launches in a loop, or in all of the scheme, reach an array of some parts, and all arrays that they read.
fn reached_by_launches(call: &mut Call<'_>, around: Option<Id>, parts: &[Id]) -> Answer {
    let SchemeHost { scheme, found, .. } = &mut *call.host;
    let terms = &scheme.terms;
    let around = around.unwrap_or(scheme.body);
    let reached = found.launched.entry(around).or_insert_with(|| {
        let launches = terms
            .subterms(around)
            .filter(|&t| matches!(operator(terms, t), Some(Operator::Launch { .. })));
        Rc::new(launches.flat_map(|t| names_in(scheme, t)).collect())
    });
    let is_array = |name: Symbol| scheme.variable(name).is_some_and(|v| v.is_array());
    // Each with whether it is only written.
    let mut arrays: Vec<(Symbol, bool)> = Vec::new();
    for &part in parts {
        match operator(terms, part) {
            Some(_) => arrays.extend(accesses(scheme, part).all.iter().map(|a| (a.name, a.write))),
            None => arrays.extend(names_in(scheme, part).into_iter().map(|name| (name, false))),
        }
    }
    arrays.retain(|&(name, _)| is_array(name));
    let any = arrays.iter().any(|(name, _)| reached.contains(name));
    let read = arrays
        .iter()
        .all(|(name, written)| *written || reached.contains(name));
    decided(
        any && read,
        "launches reach its arrays",
        "launches do not reach its arrays",
    )
}

fn is_sequence(call: &mut Call<'_>, body: Id) -> Answer {
    decided(
        call.scheme().terms.functor(body) == Some(Construct::Then.symbol()),
        "it is a sequence",
        "it is not a sequence",
    )
}
