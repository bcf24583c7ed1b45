//! Dependences between the iterations of a loop.
//!
//! Two accesses to one variable, one of them a write, conflict if some two different iterations
//! reach the same cell. Bounds, guards and subscripts of both become one linear system.

use super::access::{Access, Around, Loop, effects, relied_on};
use super::aliasing::{Asked, Conflict, Order, Verdict, may_conflict};
use super::alike::Known;
use super::claims::claims_independent;
use super::context::Context;
use super::{Answer, Basis};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};
use std::sync::Arc;

/// Whether the iterations of the loop over `this.var` with a body do not depend on each other.
pub fn independent(scheme: &Scheme, context: &Context, this: Loop, body: Id) -> Answer {
    independent_in(scheme, context, this, body, &[])
}

/// The same, where variables that the body only gathers into are not looked at.
pub fn independent_but(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    body: Id,
    gathered: &[Symbol],
) -> Answer {
    independent_in(scheme, context, this, body, gathered)
}

fn independent_in(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    body: Id,
    gathered: &[Symbol],
) -> Answer {
    let set = effects(scheme, body);
    let var = author_name(this.var);
    if claims_independent(scheme, this.var) {
        return Answer::Yes(
            format!("the iterations over {var} are assumed to be independent"),
            Basis::Assumed,
        );
    }
    if let Some(unknown) = set.unknown {
        let what = super::text(scheme, unknown);
        return Answer::Unknown(
            format!("what {what} does is not known, as nothing defines it"),
            vec![(scheme.terms.span(unknown), "not defined".into())],
        );
    }
    let mut basis = match relied_on(scheme, body) {
        None => Basis::Proved,
        Some(_) => Basis::Assumed,
    };
    let mut unknown: Option<(String, &Access, &Access)> = None;
    let different = [
        vec![(this.var, Order::Less)],
        vec![(this.var, Order::Greater)],
    ];
    let asked = Asked::new(scheme, context, this, &set);
    let mut known = Known::new(&asked);
    let (pairs, firsts) = known.pairs(0..set.all.len(), None, |a, b| {
        !gathered.contains(&a.name) && may_conflict(&set, a, b)
    });
    for (i, j) in firsts {
        let (a, b) = (&set.all[i], &set.all[j]);
        match known.pair(i, j, &different) {
            Verdict::Apart(Basis::Proved) => {}
            Verdict::Apart(Basis::Assumed) => basis = Basis::Assumed,
            Verdict::Shared(conflict) => return told(scheme, var, a, b, &conflict),
            Verdict::Unknown(why) => {
                unknown.get_or_insert((why, a, b));
            }
        }
    }
    match unknown {
        None => Answer::Yes(
            format!(
                "no two iterations over {var} reach one cell that either writes ({})",
                pairs_of(pairs)
            ),
            basis,
        ),
        Some((why, a, b)) => Answer::Unknown(
            format!(
                "iterations over {var} may share a cell: {} and {}; {why}",
                a.text(scheme),
                b.text(scheme)
            ),
            vec![
                (a.span(scheme), verb(a).into()),
                (b.span(scheme), verb(b).into()),
            ],
        ),
    }
}

fn verb(access: &Access) -> &'static str {
    if access.write {
        "written here"
    } else {
        "read here"
    }
}

/// The answer "no" with its two iterations and the cell.
pub(super) fn told(
    scheme: &Scheme,
    var: &str,
    a: &Access,
    b: &Access,
    conflict: &Conflict,
) -> Answer {
    let (i, j) = conflict.iterations;
    let with = if conflict.with.is_empty() {
        String::new()
    } else {
        let all: Vec<String> = conflict
            .with
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect();
        format!(" (with {})", all.join(", "))
    };
    let does = |x: &Access| if x.write { "writes" } else { "reads" };
    let text = format!(
        "iteration {var} = {i} {} and iteration {var} = {j} {} {}{with}",
        does(a),
        does(b),
        conflict.cell
    );
    Answer::No(
        text,
        vec![
            (a.span(scheme), verb(a).into()),
            (b.span(scheme), verb(b).into()),
        ],
    )
}

/// Whether the loops over `outer` and, directly in it, `inner` may change places: no dependence
/// goes from an iteration to one that is later in the outer and earlier in the inner loop.
pub fn reversible(
    scheme: &Scheme,
    context: &Context,
    outer: Loop,
    inner: Loop,
    body: Id,
) -> Answer {
    let set = effects(scheme, body);
    if let Some(unknown) = set.unknown {
        return Answer::unknown(format!(
            "what {} does is not known",
            super::text(scheme, unknown)
        ));
    }
    // What is gathered into reals may come in any order at once, but here it comes one after the
    // other, and keeps its order: sums are rounded, and of 0 and -0 the first stays.
    let sum = set.all.iter().find(|a| {
        let ty = scheme.variable(a.name).map(|v| v.ty.component());
        a.atomic.is_some() && !set.own.contains(&a.name) && ty.is_none_or(|t| t.is_real())
    });
    if let Some(sum) = sum {
        return Answer::Unknown(
            format!(
                "{} is gathered into as indivisible actions, and their order would be another one",
                sum.text(scheme)
            ),
            vec![(sum.span(scheme), "gathered here".into())],
        );
    }
    // With the inner variable made a loop around every access, both orders are asked for.
    let mut within = set.clone();
    for access in &mut within.all {
        Arc::make_mut(&mut access.around).insert(0, Around::Loop(inner));
    }
    let names = (author_name(outer.var), author_name(inner.var));
    let turned = [
        vec![(outer.var, Order::Less), (inner.var, Order::Greater)],
        vec![(outer.var, Order::Greater), (inner.var, Order::Less)],
    ];
    let mut basis = Basis::Proved;
    let asked = Asked::new(scheme, context, outer, &within);
    let mut known = Known::new(&asked);
    let could = |a: &Access, b: &Access| may_conflict(&within, a, b);
    for (i, j) in known.pairs(0..within.all.len(), None, could).1 {
        let (a, b) = (&within.all[i], &within.all[j]);
        match known.pair(i, j, &turned) {
            Verdict::Apart(Basis::Proved) => {}
            Verdict::Apart(Basis::Assumed) => basis = Basis::Assumed,
            Verdict::Shared(conflict) => return told(scheme, names.0, a, b, &conflict),
            Verdict::Unknown(why) => {
                return Answer::unknown(format!(
                    "{} and {} may share a cell: {why}",
                    a.text(scheme),
                    b.text(scheme)
                ));
            }
        }
    }
    Answer::Yes(
        format!(
            "no dependence between iterations over {} and {} is turned round",
            names.0, names.1
        ),
        basis,
    )
}

/// How many pairs of accesses were looked at, in words.
pub(super) fn pairs_of(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} pair{plural} of accesses")
}
