//! What devices and vector units can do, and what the host waits for.

use super::super::host::decided;
use super::super::parts::way_to;
use super::Fact;
use super::call::{Call, Rest, Told, facts};
use crate::algebra::Construct;
use crate::analysis::{self, Answer as Known};
use crate::check::{outermost_loop, unrecordable};
use crate::rewrite::{Answer, Evidence, Status};
use crate::term::{Id, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        device_ok "A only computes with cells of arrays and its own LOCALs, so that a kernel can do it";
        device_ok_but "s, A: the same but for the scalar s";
        lanes_ok "i, A: A does for one i what it does for all others, operation by operation, with REALs of the scheme's precision or of 64 bits and INTEGERs that count";
        parallel_ok "A does nothing whose order can be seen";
        launches "there is a launch in A";
        recordable "A: it only launches, and all its launches are the same whenever it is met here";
        device_wait "u: no CONTROL POINT has this name, so that WAIT u waits for the device";
        asynchronous "A…: only launches, copies, room on the device and LOCALs, in loops and choices; no WAIT";
        is_sequence "it is a sequence";
    ]
}

fn device_ok(call: &mut Call<'_>, body: Id) -> Known {
    analysis::device_ok(call.scheme(), body, None)
}

fn device_ok_but(call: &mut Call<'_>, sum: Symbol, body: Id) -> Known {
    analysis::device_ok(call.scheme(), body, Some(sum))
}

fn lanes_ok(call: &mut Call<'_>, var: Symbol, body: Id) -> Known {
    analysis::lanes_ok(call.scheme(), var, body)
}

fn parallel_ok(call: &mut Call<'_>, body: Id) -> Known {
    analysis::parallel_ok(call.scheme(), body)
}

fn launches(call: &mut Call<'_>, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let launch = Some(Construct::Launch.symbol());
    decided(
        terms.subterms(body).any(|t| terms.functor(t) == launch),
        "there is a launch in it",
        "there is no launch in it",
    )
}

fn recordable(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let (terms, root) = (&scheme.terms, scheme.root);
    let mut path = call.at.path.clone();
    let redex = path.get(terms, root);
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

fn is_sequence(call: &mut Call<'_>, body: Id) -> Answer {
    decided(
        call.scheme().terms.functor(body) == Some(Construct::Then.symbol()),
        "it is a sequence",
        "it is not a sequence",
    )
}
