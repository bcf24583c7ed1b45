//! Facts about single operators: what they may contain, what leaves a value alone.

use super::access::{Access, Around, effects, names_in};
use super::affine::Reader;
use super::context::{Context, Outer};
use super::form::Linear;
use super::found::found;
use super::linear::System;
use super::reduction::reductions;
use super::{Answer, Basis};
use crate::algebra::{Binary, Construct, Expr, Operator, Stands, arrays_read, expr, operator};
use crate::check::{Basic, MOST_PRIVATE, Scheme, author_name, private_cells};
use crate::term::{Id, Symbol};

/// The variable or array at the root of a place.
pub(super) fn root_name(scheme: &Scheme, target: Id) -> Option<Symbol> {
    crate::algebra::root_name(&scheme.terms, target)
}

/// The first operator in a body that is of a kind.
fn first<'a>(scheme: &'a Scheme, body: Id, is: impl Fn(&Operator<'a>) -> bool) -> Option<Id> {
    scheme
        .terms
        .subterms(body)
        .find(|&id| operator(&scheme.terms, id).is_some_and(|o| is(&o)))
}

/// What an operator is called: a phrase by its words, others by their functors.
fn named(scheme: &Scheme, id: Id) -> String {
    let functor = scheme.terms.functor(id);
    match functor.and_then(Construct::of) {
        Some(Construct::Call | Construct::Perform) => super::text(scheme, id),
        _ => functor.map_or("", Symbol::as_str).to_owned(),
    }
}

/// Whether something holds of the declaration of a basic operator.
fn basic(scheme: &Scheme, phrase: Symbol, holds: fn(&Basic) -> bool) -> bool {
    scheme.basics.get(&phrase).is_some_and(holds)
}

/// Whether a body may run as the body of a launch: it only computes, with cells of arrays and its
/// own LOCALs, and with `but`, scalars that will be LOCALs there.
pub fn device_ok(scheme: &Scheme, body: Id, but: &[Symbol]) -> Answer {
    let host_only = first(scheme, body, |o| match (o.stands(), o) {
        (_, Operator::Array { dims, .. }) => private_cells(&scheme.terms, dims).is_none(),
        (_, Operator::Perform { phrase, .. }) => !basic(scheme, *phrase, Basic::runs_in_kernels),
        (Stands::Anywhere | Stands::InKernel, _) => false,
        (Stands::OnHost | Stands::InOrder | Stands::AsDeclared | Stands::Unknown, _) => true,
    });
    if let Some(id) = host_only {
        return Answer::No(
            match operator(&scheme.terms, id) {
                Some(Operator::Array { name, .. }) => format!(
                    "the ARRAY {} cannot stand in a kernel: its sizes are no numbers, or it has more than {} cells",
                    author_name(name),
                    MOST_PRIVATE
                ),
                _ => format!("{} cannot stand in a kernel", named(scheme, id)),
            },
            vec![(scheme.terms.span(id), "only the host can do this".into())],
        );
    }
    let predicate = scheme.terms.subterms(body).find(|&id| {
        scheme.terms.functor(id) == Some(Construct::Holds.symbol())
            && matches!(expr(&scheme.terms, id), Some(Expr::Holds { phrase, .. })
                if !basic(scheme, phrase, Basic::runs_in_kernels))
    });
    if let Some(id) = predicate {
        return Answer::No(
            format!("{} has no code for kernels", super::text(scheme, id)),
            vec![(scheme.terms.span(id), "only the host can do this".into())],
        );
    }
    if let Some(id) = multiprocessors(scheme, body) {
        return Answer::No(
            "the number of multiprocessors is known to the host alone".into(),
            vec![(scheme.terms.span(id), "asked for here".into())],
        );
    }
    match outer_scalar(scheme, body, but) {
        Some(access) => Answer::No(
            format!(
                "{} is a scalar of the host, and the body writes it",
                author_name(access.name)
            ),
            vec![(access.span(scheme), "written here".into())],
        ),
        None => Answer::proved(
            "the body writes cells of arrays and its own LOCALs only, and does nothing that needs the host",
        ),
    }
}

/// Where something asks for the number of multiprocessors.
fn multiprocessors(scheme: &Scheme, id: Id) -> Option<Id> {
    let terms = &scheme.terms;
    let asked = Some(Construct::Multiprocessors.symbol());
    terms.subterms(id).find(|&t| {
        terms.functor(t) == asked && matches!(expr(terms, t), Some(Expr::Multiprocessors))
    })
}

/// A write of a scalar that is declared outside a body. Of several the first that the body does more with than
/// to gather into it: that one keeps its iterations in order, where the others would not.
fn outer_scalar(scheme: &Scheme, body: Id, but: &[Symbol]) -> Option<Access> {
    let set = effects(scheme, body);
    let writes_scalar = |a: &Access| {
        a.write
            && !but.contains(&a.name)
            && !set.own.contains(&a.name)
            && scheme.variable(a.name).is_none_or(|v| !v.is_array())
    };
    let mut outer = set.all.into_iter().filter(writes_scalar);
    let first = outer.next()?;
    let mut gathered: Vec<Symbol> = reductions(scheme, body).iter().map(|g| g.0).collect();
    for found in found(scheme, body) {
        gathered.push(found.best);
        gathered.extend(found.with);
    }
    let is_free = |a: &Access| !gathered.contains(&a.name);
    if is_free(&first) {
        return Some(first);
    }
    Some(outer.find(is_free).unwrap_or(first))
}

/// Whether a body may run as an iteration of PARALLEL: it reports, saves and times nothing.
pub fn parallel_ok(scheme: &Scheme, body: Id) -> Answer {
    let ordered = first(scheme, body, |o| match (o.stands(), o) {
        (_, Operator::Perform { phrase, .. }) => !basic(scheme, *phrase, Basic::runs_on_host),
        (Stands::Anywhere | Stands::OnHost | Stands::InKernel, _) => false,
        (Stands::InOrder | Stands::AsDeclared | Stands::Unknown, _) => true,
    });
    match ordered {
        Some(id) => Answer::No(
            format!("{} must happen in program order", named(scheme, id)),
            vec![(scheme.terms.span(id), "must stay in order".into())],
        ),
        None => Answer::proved("the order of the body's iterations cannot be observed"),
    }
}

/// Whether the value of expressions stays the same while an operator runs.
pub fn stable(scheme: &Scheme, expressions: &[Id], body: Id) -> Answer {
    let set = effects(scheme, body);
    if let Some(unknown) = set.unknown {
        return Answer::unknown(format!(
            "what {} does is not known",
            super::text(scheme, unknown)
        ));
    }
    for &e in expressions {
        let names = names_in(scheme, e);
        if let Some(write) = set.all.iter().find(|a| a.write && names.contains(&a.name)) {
            return Answer::Unknown(
                format!(
                    "{} is read by {} and written in between",
                    author_name(write.name),
                    super::text(scheme, e)
                ),
                vec![(write.span(scheme), "written here".into())],
            );
        }
    }
    Answer::proved("nothing that it reads is written in between")
}

/// Whether bounds of a loop keep their value while its body runs, and are the same on the device:
/// they read parameters and variables of loops, and scalars that the body does not write.
pub fn bounds_invariant(scheme: &Scheme, bounds: &[Id], body: Id) -> Answer {
    let own = effects(scheme, body).own;
    for &bound in bounds {
        if arrays_read(&scheme.terms, bound).next().is_some() {
            return Answer::unknown(format!(
                "the bound {} reads an array",
                super::text(scheme, bound)
            ));
        }
        if multiprocessors(scheme, bound).is_some() {
            return Answer::no(format!(
                "the bound {} asks for the number of multiprocessors, which is known to the host alone",
                super::text(scheme, bound)
            ));
        }
        if names_in(scheme, bound).iter().any(|n| own.contains(n)) {
            return Answer::no(format!(
                "the bound {} reads what the body declares",
                super::text(scheme, bound)
            ));
        }
    }
    stable(scheme, bounds, body)
}

/// Whether its bounds, with the conditions around it, leave a loop from `a` to `b` `most` iterations.
pub fn at_most(scheme: &Scheme, context: &Context, a: Id, b: Id, most: i64) -> bool {
    // Without a condition or a quotient there is nothing to find, and this is asked of every loop that gathers.
    let is_condition = |around: &Around| matches!(around, Around::Branch(..));
    let asked = context.around.iter().any(is_condition);
    if !asked
        && ![a, b]
            .iter()
            .any(|&bound| has_quotient(scheme, context, bound))
    {
        return false;
    }
    let Some((low, high, mut more)) = bounds(scheme, context, a, b, false) else {
        return false;
    };
    let least = low.plus(&Linear::constant(i128::from(most)), 1);
    more.order(&least, &high);
    more.is_impossible()
}

/// Whether there is a quotient or a remainder in an integer, or in what a LOCAL in it is short for.
fn has_quotient(scheme: &Scheme, context: &Context, e: Id) -> bool {
    let terms = &scheme.terms;
    let is_quotient = |id| match expr(terms, id) {
        Some(Expr::Binary { op, .. }) => matches!(op, Binary::Div | Binary::Mod),
        _ => false,
    };
    terms.subterms(e).any(|id| {
        let definition = terms.as_atom(id).and_then(|n| context.definitions.get(&n));
        is_quotient(id) || definition.is_some_and(|&d| terms.subterms(d).any(is_quotient))
    })
}

/// The forms of a loop's bounds, if they are linear, and what holds where it stands; with `claims`, what is claimed
/// counts, too.
fn bounds(
    scheme: &Scheme,
    context: &Context,
    a: Id,
    b: Id,
    claims: bool,
) -> Option<(Linear, Linear, System)> {
    let (mut variables, facts) = context.facts(scheme, claims);
    let mut reader = Reader::new(scheme, &mut variables, facts);
    let outer = Outer(context);
    let (low, high) = (reader.read(a, &outer)?, reader.read(b, &outer)?);
    Some((low, high, reader.facts))
}

/// Whether the first of two forms is at most the second wherever something stands, by what stands around it.
fn are_in_order(
    scheme: &Scheme,
    context: &Context,
    forms: impl FnOnce(&mut Reader<'_>, &Outer<'_>) -> Option<(Linear, Linear)>,
) -> bool {
    let (mut variables, facts) = context.facts(scheme, false);
    let mut reader = Reader::new(scheme, &mut variables, facts);
    let Some((low, high)) = forms(&mut reader, &Outer(context)) else {
        return false;
    };
    reader.facts.order_strictly(&high, &low);
    reader.facts.is_impossible()
}

/// Whether an integer expression is at most the sum of another one and a number wherever something stands.
pub fn is_at_most(scheme: &Scheme, context: &Context, e: Id, other: Id, more: i64) -> bool {
    are_in_order(scheme, context, |reader, names| {
        let more = Linear::constant(more.into());
        Some((
            reader.read(e, names)?,
            reader.read(other, names)?.plus(&more, 1),
        ))
    })
}

/// Whether an integer expression is above 0 wherever something stands.
pub fn is_above_0(scheme: &Scheme, context: &Context, e: Id) -> bool {
    are_in_order(scheme, context, |reader, names| {
        Some((Linear::constant(1), reader.read(e, names)?))
    })
}

/// Whether a loop from `a` to `b` runs at least once wherever it stands.
pub fn at_least_once(scheme: &Scheme, context: &Context, a: Id, b: Id) -> Answer {
    for claims in [false, true] {
        if claims && !context.has_claims(scheme) {
            break;
        }
        let Some((low, high, facts)) = bounds(scheme, context, a, b, claims) else {
            return Answer::unknown(format!(
                "{} and {} are not known to be linear",
                super::text(scheme, a),
                super::text(scheme, b)
            ));
        };
        let mut none: System = facts.clone();
        none.order_strictly(&high, &low);
        if none.is_impossible() && facts.is_impossible() {
            return Answer::unknown("unreachable: the enclosing conditions are contradictory");
        }
        if none.is_impossible() {
            let basis = if claims {
                Basis::Assumed
            } else {
                Basis::Proved
            };
            return Answer::Yes(
                format!(
                    "{} <= {} wherever this stands",
                    super::text(scheme, a),
                    super::text(scheme, b)
                ),
                basis,
            );
        }
    }
    Answer::unknown(format!(
        "{} <= {} was not shown here: the loop may not run at all",
        super::text(scheme, a),
        super::text(scheme, b)
    ))
}
