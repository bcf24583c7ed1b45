//! What a program asks of loops' bounds when it runs, where it cannot be shown before that they have a margin.

use super::access::Around;
use super::context::Context;
use super::range_margin::{Room, ends};
use crate::algebra::{Binary, Construct, Expr, MARGIN, Type, build, expr, names};
use crate::check::Scheme;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

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
    let mut room = Room::new(scheme, context, loops.first()?.0, false);
    let mut tests: Vec<Id> = Vec::new();
    let mut entered = 0;
    for (number, &(ty, from, to)) in loops.iter().enumerate() {
        let (least, most) = ends(ty);
        (room.least, room.most) = (least, most);
        if room.shows(from, to) {
            continue;
        }
        // Further inside than needed, so that a bound and its first terms are.
        let (least, most) = (least + MARGIN, most - MARGIN);
        let half = most / 2;
        // Bounds of either sign may be half of the range apart.
        let tries = [(least, most), (least, half), (-half, half)];
        let known = room.facts.clone();
        let found = tries.into_iter().find_map(|limits| {
            room.facts = known.clone();
            let tests = room.tests([from, to], limits)?;
            // From tests that cannot hold everything would follow.
            (!room.facts.is_impossible() && room.shows(from, to)).then_some(tests)
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
    all_of(scheme, context, tests, terms)
}

/// What is to be asked of names, of `ty` or not, so that a loop whose bounds are made of them has a margin: comparisons
/// of a name with a number, which can be made wherever the names have values. Empty where it has one anyway; nothing
/// where no such tests would do.
pub fn margin_test_of_names(
    scheme: &Scheme,
    context: &Context,
    (ty, from, to): (Type, Id, Id),
    names: &[Id],
    terms: &mut Terms,
) -> Option<Vec<Id>> {
    let mut room = Room::new(scheme, context, ty, false);
    if room.shows(from, to) {
        return Some(Vec::new());
    }
    let (least, most) = ends(ty);
    let known = room.facts.clone();
    // Sums and multiples of names stay within the limits if each of them is so much nearer to 0.
    let found = [1, 2, 4, 8, 16].into_iter().find_map(|part| {
        room.facts = known.clone();
        let limits = ((least + MARGIN) / part, (most - MARGIN) / part);
        let tests = room.tests(names.iter().copied(), limits)?;
        (!room.facts.is_impossible() && room.shows(from, to)).then_some(tests)
    });
    let compared = |test| comparison(scheme, test, terms);
    found.map(|tests| tests.into_iter().map(compared).collect())
}

/// A test compares with a number at least so far from 0.
const FAR: u64 = 1 << 26;

/// All of some tests, if there are any. Where one failed around them, none is made that asks again about a name that it
/// asked about.
pub fn all_of(scheme: &Scheme, context: &Context, tests: Vec<Id>, terms: &mut Terms) -> Option<Id> {
    let asked: FxHashSet<Symbol> = tests.iter().flat_map(|&t| names(terms, t)).collect();
    let failed = context.around.iter().any(|around| match around {
        &Around::Branch(condition, false) => {
            let mut parts = scheme.terms.subterms(condition);
            parts.any(|part| {
                is_test(&scheme.terms, part)
                    && names(&scheme.terms, part).any(|name| asked.contains(&name))
            })
        }
        _ => false,
    });
    let and = |a, b| build(terms, Construct::And.symbol(), &[a, b]);
    tests.into_iter().reduce(and).filter(|_| !failed)
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
