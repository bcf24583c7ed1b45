//! Dependences between the iterations of two loops with the same bounds, one after the other.

use super::access::{Access, Accesses, Loop, effects};
use super::aliasing::{Asked, Directions, Order, Verdict};
use super::alike::Known;
use super::claims::claims_independent;
use super::context::Context;
use super::dependence::told;
use super::{Answer, Basis};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};
use rustc_hash::FxHashMap;

/// Whether both loops may be run as one, an iteration of the first and then that of the second: no
/// dependence goes from a later iteration of the first to an earlier one of the second.
///
/// Both bodies use the variable of `this`.
pub fn keeps_order(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    first: Id,
    second: Id,
) -> Answer {
    let var = author_name(this.var);
    if claims_independent(scheme, this.var) {
        return Answer::unknown(format!(
            "it is assumed that the iterations over {var} are independent, which need not be so for both loops as one"
        ));
    }
    let later = [vec![(this.var, Order::Greater)]];
    between(scheme, context, this, first, second, &later)
}

/// Whether a loop over both bodies, the first before the second in each iteration, may be run as two, that of the
/// second body first: no dependence goes from an iteration of the first to the same or a later one of the second.
pub fn may_precede(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    first: Id,
    second: Id,
) -> Answer {
    let not_later = [
        vec![(this.var, Order::Less)],
        vec![(this.var, Order::Equal)],
    ];
    between(scheme, context, this, first, second, &not_later)
}

/// Whether different iterations of the two loops do not depend on each other.
pub fn apart(scheme: &Scheme, context: &Context, this: Loop, first: Id, second: Id) -> Answer {
    let different = [
        vec![(this.var, Order::Greater)],
        vec![(this.var, Order::Less)],
    ];
    between(scheme, context, this, first, second, &different)
}

/// Whether an iteration of the first body and one of the second, ordered in one of the given ways,
/// reach no cell that either writes.
fn between(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    first: Id,
    second: Id,
    orders: &[Directions],
) -> Answer {
    let (one, two) = (effects(scheme, first), effects(scheme, second));
    if let Some(unknown) = one.unknown.or(two.unknown) {
        return Answer::unknown(format!(
            "what {} does is not known",
            super::text(scheme, unknown)
        ));
    }
    let both = Accesses {
        all: one.all.iter().chain(&two.all).cloned().collect(),
        own: one.own.union(&two.own).copied().collect(),
        definitions: definitions(scheme, &one, &two),
        unknown: None,
        basic: one.basic.or(two.basic),
    };
    let var = author_name(this.var);
    let mut basis = Basis::Proved;
    let asked = Asked::new(scheme, context, this, &both);
    let mut known = Known::new(&asked);
    let (first, second) = (0..one.all.len(), one.all.len()..both.all.len());
    let (pairs, firsts) = known.pairs(first, Some(second), |a, b| meet(&both, a, b));
    for (i, j) in firsts {
        let (a, b) = (&both.all[i], &both.all[j]);
        match known.pair(i, j, orders) {
            Verdict::Apart(Basis::Proved) => {}
            Verdict::Apart(Basis::Assumed) => basis = Basis::Assumed,
            Verdict::Shared(conflict) => return told(scheme, var, a, b, &conflict),
            Verdict::Unknown(why) => {
                return Answer::unknown(format!(
                    "{} in the first loop and {} in the second may share a cell: {why}",
                    a.text(scheme),
                    b.text(scheme)
                ));
            }
        }
    }
    Answer::Yes(
        format!(
            "no cell that either loop writes ties iterations over {var} that change places ({})",
            super::dependence::pairs_of(pairs)
        ),
        basis,
    )
}

/// What LOCALs of two bodies stand for. The bodies may have LOCALs of one name, such as the index of a
/// launch, that stand for different things, or are assigned in one of them: nothing is known of these.
fn definitions(scheme: &Scheme, one: &Accesses, two: &Accesses) -> FxHashMap<Symbol, Id> {
    let agreed = |own: &Accesses, other: &Accesses| -> Vec<(Symbol, Id)> {
        let known = own.definitions.iter().map(|(&name, &value)| (name, value));
        known
            .filter(|&(name, value)| {
                let same = other.definitions.get(&name);
                !other.own.contains(&name) || same.is_some_and(|&v| scheme.terms.equal(v, value))
            })
            .collect()
    };
    let (first, second) = (agreed(one, two), agreed(two, one));
    first.into_iter().chain(second).collect()
}

/// Whether two accesses could conflict. Atomic additions do, too: sums depend on their order.
fn meet(both: &Accesses, a: &Access, b: &Access) -> bool {
    a.name == b.name
        && (a.write || b.write)
        && !both.own.contains(&a.name)
        && (a.component.is_none() || b.component.is_none() || a.component == b.component)
}
