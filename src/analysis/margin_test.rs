//! What a program asks of loops' bounds when it runs, where it cannot be shown before that they have a margin.

use super::access::Around;
use super::context::Context;
use super::linear::System;
use super::range_margin::{Room, ends};
use crate::algebra::{Binary, Construct, Expr, MARGIN, Type, build, expr};
use crate::check::Scheme;
use crate::term::{Id, Terms};

/// What is to be asked of the bounds of loops that stand directly inside each other, outermost first,
/// so that the outermost has a margin where it holds, and the others if a test can tell. Nothing where
/// no such test would help, or where it is known here that it fails. None of the bounds holds a
/// variable of the loops.
pub fn margin_test(
    scheme: &Scheme,
    context: &Context,
    loops: &[(Type, Id, Id)],
    terms: &mut Terms,
) -> Option<Id> {
    if margin_test_failed(scheme, context) {
        return None;
    }
    let mut room = Room::new(scheme, context, loops.first()?.0, false);
    let mut tests: Vec<Id> = Vec::new();
    let mut entered = 0;
    for (number, &(ty, from, to)) in loops.iter().enumerate() {
        let (least, most) = ends(ty);
        (room.least, room.most) = (least, most);
        if room.shows(from, to) {
            continue;
        }
        let known = room.facts.clone();
        let found = room.asked(&[from, to], &limits_of_bounds(ty), &known, [from, to]);
        let found = found.or_else(|| {
            let names = scalars_of(scheme, from, to);
            room.asked(&names, &limits_of_names(ty), &known, [from, to])
        });
        match found {
            Some(found) => {
                // The bounds of an inner loop are computed where the outer ones have an iteration.
                for &(_, from, to) in &loops[entered..number] {
                    let sides = [from, to].map(|bound| terms.import(&scheme.terms, bound));
                    tests.push(build(terms, Construct::LessOrEqual.symbol(), &sides));
                }
                entered = number;
                tests.extend(
                    found
                        .into_iter()
                        .map(|test| comparison(scheme, test, terms)),
                );
            }
            None if number == 0 => return None,
            None => room.facts = known,
        }
    }
    let and = |a, b| build(terms, Construct::And.symbol(), &[a, b]);
    tests.into_iter().reduce(and)
}

/// What is to be asked of the names that a loop's bounds are made of, so that it has a margin: comparisons of a name
/// with a number, which can be made wherever the names have values. Nothing where no such tests would do.
pub fn margin_test_of_names(
    scheme: &Scheme,
    context: &Context,
    (ty, from, to): (Type, Id, Id),
    names: &[Id],
    terms: &mut Terms,
) -> Option<Vec<Id>> {
    let mut room = Room::new(scheme, context, ty, false);
    let known = room.facts.clone();
    let found = room.asked(names, &limits_of_names(ty), &known, [from, to]);
    let compared = |test| comparison(scheme, test, terms);
    found.map(|tests| tests.into_iter().map(compared).collect())
}

/// Within which bounds are to be. Further inside than needed, so that a bound and its first terms are; bounds of either sign
/// may be half of the range apart.
fn limits_of_bounds(ty: Type) -> Vec<(i128, i128)> {
    let (least, most) = ends(ty);
    let (least, most) = (least + MARGIN, most - MARGIN);
    let half = most / 2;
    vec![(least, most), (least, half), (-half, half)]
}

/// Within which the names in bounds are to be: sums and multiples of them stay within the limits of bounds if each of
/// them is so much nearer to 0, and differences in any order if none is negative.
fn limits_of_names(ty: Type) -> Vec<(i128, i128)> {
    let (least, most) = ends(ty);
    let (least, most) = (least + MARGIN, most - MARGIN);
    let parts = [1, 2, 4, 8, 16].into_iter();
    parts
        .flat_map(|part| [(least / part, most / part), (0, most / part)])
        .collect()
}

/// The scalars in a loop's bounds, each once.
pub fn scalars_of(scheme: &Scheme, from: Id, to: Id) -> Vec<Id> {
    let mut found: Vec<Id> = Vec::new();
    for bound in [from, to] {
        for part in scheme.terms.subterms(bound) {
            let scalar = matches!(expr(&scheme.terms, part), Some(Expr::Name(name))
                if scheme.variable(name).is_some_and(|v| !v.is_array()));
            if scalar && !found.iter().any(|&other| scheme.terms.equal(other, part)) {
                found.push(part);
            }
        }
    }
    found
}

impl Room<'_> {
    /// Comparisons that do not follow from what is known, which keep some expressions within the first of these limits
    /// that gives a loop a margin; they are known from then on.
    fn asked(
        &mut self,
        of: &[Id],
        limits: &[(i128, i128)],
        known: &System,
        [from, to]: [Id; 2],
    ) -> Option<Vec<(Id, i128, bool)>> {
        limits.iter().find_map(|&limits| {
            self.facts = known.clone();
            let tests = self.tests(of, limits)?;
            // From tests that cannot hold everything would follow.
            (!self.facts.is_impossible() && self.shows(from, to)).then_some(tests)
        })
    }
}

/// A test compares with a number at least so far from 0.
const FAR: u64 = 1 << 26;

/// Whether such a test has failed around a place. No further one is made there: what needs one is done as it stands.
pub fn margin_test_failed(scheme: &Scheme, context: &Context) -> bool {
    context.around.iter().any(|around| match around {
        &Around::Branch(condition, false) => {
            let mut parts = scheme.terms.subterms(condition);
            parts.any(|part| is_test(&scheme.terms, part))
        }
        _ => false,
    })
}

/// Whether a term looks like one of these tests.
fn is_test(terms: &Terms, id: Id) -> bool {
    let far = |&side: &Id| terms.as_int(side).is_some_and(|n| n.unsigned_abs() >= FAR);
    match expr(terms, id) {
        Some(Expr::Binary {
            op: Binary::LessOrEqual,
            left,
            right,
        }) => [left, right].iter().any(far),
        _ => false,
    }
}

/// A bound that is compared with a limit, a lower one or an upper one.
fn comparison(scheme: &Scheme, (bound, limit, lower): (Id, i128, bool), terms: &mut Terms) -> Id {
    let bound = terms.import(&scheme.terms, bound);
    let limit = terms.int(i64::try_from(limit).expect("limits are of the bounds' type"));
    let sides = match lower {
        true => [limit, bound],
        false => [bound, limit],
    };
    build(terms, Construct::LessOrEqual.symbol(), &sides)
}
