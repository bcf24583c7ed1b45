//! What operators reach, read, assign and declare.

use super::super::host::decided;
use super::super::parts::mentions;
use super::Fact;
use super::call::{Call, Rest, facts};
use crate::algebra::{Construct, Operator, declares, operator};
use crate::analysis::{self, Answer as Known};
use crate::check::{Role, author_name};
use crate::rewrite::Answer;
use crate::term::{Id, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        only_access "cell, A…: nothing in the operators reaches the cell, changes its subscripts, or waits for others or lets them on, and no value from before an atomic sum is given to a LOCAL there, in whose place no cell can stand";
        kept_to "cell, A…: of the array of the cell the operators reach this cell alone, which a loop among them assigns; nothing in them changes its subscripts, and they are assignments, LOCALs, choices and loops, so that nobody else looks at it meanwhile";
        unused "x, A…: the name does not occur in them";
        free_of "x, e…: the name does not occur in them";
        occurs "e, A…: the expression occurs in them";
        never_assigned "x, A…: nothing in them assigns it";
        written_only_in "x, A: nothing in the scheme but A writes the array x";
        separate "A, B: neither of them assigns a variable or a cell of an array that the other one reaches";
        no_locals "A…: none of them declares what others after it could use";
        declares_none "A, e…: nothing that A declares occurs in them";
        only_locals "A…: each of the operators is a LOCAL";
        repeatable "A: it may stand several times, with LOCALs: it is not RECORDED, and no CONTROL POINT, TIMED or SHARED in it, no WAIT for such a point, and no phrase without meaning";
    ]
}

fn only_access(call: &mut Call<'_>, cell: Id, Rest(operators): Rest<0>) -> Known {
    let terms = &call.scheme().terms;
    let gives = |t| {
        matches!(
            operator(terms, t),
            Some(Operator::Atomic { was: Some(_), .. })
        )
    };
    if operators.iter().any(|&o| terms.subterms(o).any(gives)) {
        return Known::no("a LOCAL gets a value from before an atomic sum, which no cell can");
    }
    analysis::only_access(call.scheme(), cell, &operators)
}

fn kept_to(call: &mut Call<'_>, cell: Id, Rest(operators): Rest<0>) -> Known {
    analysis::kept_to(call.scheme(), cell, &operators)
}

/// The first of some parts in which a name or an expression occurs.
fn first_with(call: &Call<'_>, e: Id, parts: &[Id]) -> Option<Id> {
    let terms = &call.scheme().terms;
    parts.iter().copied().find(|&p| mentions(terms, p, e))
}

fn unused(call: &mut Call<'_>, name: Id, Rest(parts): Rest<0>) -> Answer {
    let found = first_with(call, name, &parts);
    decided(found.is_none(), "it is not used after", "it is used after")
}

fn free_of(call: &mut Call<'_>, name: Id, Rest(parts): Rest<0>) -> Answer {
    let shown = |id| analysis::text(call.scheme(), id);
    let name_shown = shown(name);
    match first_with(call, name, &parts) {
        None => decided(true, format!("{name_shown} does not occur in it"), ""),
        Some(part) => decided(false, "", format!("{name_shown} occurs in {}", shown(part))),
    }
}

fn occurs(call: &mut Call<'_>, e: Id, Rest(operators): Rest<1>) -> Answer {
    decided(
        first_with(call, e, &operators).is_some(),
        "it occurs there",
        "it does not occur there",
    )
}

fn never_assigned(call: &mut Call<'_>, name: Symbol, Rest(parts): Rest<0>) -> Answer {
    let scheme = call.scheme();
    let assigned = parts.iter().any(|&p| {
        let all = analysis::accesses(scheme, p).all;
        all.iter().any(|a| a.write && a.name == name)
    });
    decided(!assigned, "nothing assigns it", "it is assigned")
}

fn written_only_in(call: &mut Call<'_>, array: Symbol, body: Id) -> Answer {
    let scheme = call.scheme();
    let writes = |part: Id| {
        let done = analysis::effects(scheme, part);
        let count = done.all.iter().filter(|a| a.write && a.name == array);
        done.unknown.is_none().then(|| count.count())
    };
    let given = scheme.variable(array).is_none_or(|v| match &v.role {
        Role::Data { input, values, .. } => *input || !values.is_empty(),
        _ => false,
    });
    let all = writes(scheme.body);
    decided(
        !given && all.is_some_and(|all| all > 0) && all == writes(body),
        "nothing else in the scheme writes it",
        "it may have values from elsewhere",
    )
}

fn separate(call: &mut Call<'_>, first: Id, second: Id) -> Answer {
    let scheme = call.scheme();
    let [first, second] = [first, second].map(|part| analysis::accesses(scheme, part));
    if first.unknown.or(second.unknown).is_some() {
        return decided(false, "", "what one of them does is not known");
    }
    let (first, second) = (first.all, second.all);
    let met = first.iter().find(|a| {
        second
            .iter()
            .any(|b| a.name == b.name && (a.write || b.write))
    });
    match met {
        None => decided(true, "neither assigns what the other reaches", ""),
        Some(access) => {
            let why = format!(
                "both reach {}, and one assigns it",
                author_name(access.name)
            );
            decided(false, "", why)
        }
    }
}

fn no_locals(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    let terms = &call.scheme().terms;
    decided(
        !parts.iter().any(|&part| declares(terms, part)),
        "it declares nothing that what follows could use",
        "it declares LOCALs that what follows may use",
    )
}

fn declares_none(call: &mut Call<'_>, body: Id, Rest(parts): Rest<0>) -> Answer {
    let scheme = call.scheme();
    let declared = analysis::accesses(scheme, body).own;
    let names = parts.iter().flat_map(|&p| analysis::names_in(scheme, p));
    let found = names.filter(|name| declared.contains(name));
    let found = found.map(author_name).min();
    decided(
        found.is_none(),
        "it needs nothing that is declared there",
        format!("{} is declared there", found.unwrap_or_default()),
    )
}

fn only_locals(call: &mut Call<'_>, Rest(operators): Rest<0>) -> Answer {
    let terms = &call.scheme().terms;
    let is_local = |&o: &Id| matches!(operator(terms, o), Some(Operator::Local { .. }));
    decided(
        operators.iter().all(is_local),
        "each of them is a LOCAL",
        "not all of them are LOCALs",
    )
}

fn repeatable(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let recorded = Some(Construct::Recorded.symbol());
    if call.spine().iter().any(|&t| terms.functor(t) == recorded) {
        return decided(false, "", "it is recorded, where no LOCAL may stand");
    }
    let alone = |o: Operator| match o {
        Operator::Wait(point) => analysis::is_control_point(scheme, point),
        Operator::ControlPoint(_)
        | Operator::Timed(_)
        | Operator::Shared { .. }
        | Operator::Call { .. } => true,
        Operator::Then(_)
        | Operator::If { .. }
        | Operator::While { .. }
        | Operator::For { .. }
        | Operator::Parallel { .. }
        | Operator::Async(_)
        | Operator::Filter(_)
        | Operator::Empty
        | Operator::Undefined
        | Operator::Assign { .. }
        | Operator::Atomic { .. }
        | Operator::Local { .. }
        | Operator::Array { .. }
        | Operator::Recorded(_)
        | Operator::Report { .. }
        | Operator::Save { .. }
        | Operator::Perform { .. }
        | Operator::Launch { .. }
        | Operator::Registers { .. }
        | Operator::Exchange(..)
        | Operator::Barrier
        | Operator::Allocate(_)
        | Operator::CopyToDevice(_)
        | Operator::CopyFromDevice(_)
        | Operator::Free(_) => false,
    };
    let found = terms
        .subterms(body)
        .find(|&t| operator(terms, t).is_some_and(alone));
    let what = found.and_then(|t| terms.functor(t));
    decided(
        found.is_none(),
        "nothing in it must stand alone",
        format!("{} must stand alone", what.map_or("", Symbol::as_str)),
    )
}
