//! What a program asks of loops' bounds when it runs, where it cannot be shown before that they have a margin.

use super::access::Around;
use super::context::Context;
use super::range_margin::{HALO, Room, ends};
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
        let found = room.bounds_asked(ty, [from, to]);
        let found =
            found.or_else(|| room.names_asked(&scalars_of(scheme, &[from, to]), [from, to]));
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
            None => {}
        }
    }
    if margin_test_failed(scheme, context, &tests, terms) {
        return None;
    }
    let and = |a, b| build(terms, Construct::And.symbol(), &[a, b]);
    tests.into_iter().reduce(and)
}

/// What is to be asked of the names that a loop's bounds are made of, so that it has a margin: comparisons of a name
/// with a number, which can be made wherever the names have values. Nothing where no such tests would do.
pub fn margin_test_of_names(
    scheme: &Scheme,
    context: &Context,
    (ty, bounds): (Type, [Id; 2]),
    names: &[Id],
    terms: &mut Terms,
) -> Option<Vec<Id>> {
    let mut room = Room::new(scheme, context, ty, false);
    let found = room.names_asked(names, bounds);
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

/// Sums and multiples of names stay within the limits of bounds if each name is so much nearer to 0.
const PARTS: [i128; 8] = [1, 2, 4, 8, 16, 64, 256, 1024];

/// Within which a name in bounds is to be, for one of [`PARTS`]: on both sides of 0, or so little below it that sums may be
/// computed in any order.
fn limits_of_name(ty: Type, part: i128) -> [(i128, i128); 2] {
    let (least, most) = ends(ty);
    let (low, high) = ((least + MARGIN) / part, (most - MARGIN) / part);
    [(low, high), (-HALO, high)]
}

/// The scalars in some bounds, each once.
pub fn scalars_of(scheme: &Scheme, bounds: &[Id]) -> Vec<Id> {
    let mut found: Vec<Id> = Vec::new();
    for &bound in bounds {
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

/// A bound or name, its limit, and whether that is a lower one.
type Test = (Id, i128, bool);

impl Room<'_> {
    /// Comparisons of a loop's bounds that do not follow from what is known, so that it has a margin.
    fn bounds_asked(&mut self, ty: Type, bounds: [Id; 2]) -> Option<Vec<Test>> {
        let tries = limits_of_bounds(ty).into_iter();
        self.first_that_does(tries, bounds, |room, limits| room.tests(&bounds, limits))
    }

    /// The same of names, each by its own type.
    fn names_asked(&mut self, names: &[Id], bounds: [Id; 2]) -> Option<Vec<Test>> {
        let tries = PARTS.into_iter().flat_map(|part| [(part, 0), (part, 1)]);
        self.first_that_does(tries, bounds, |room, (part, which)| {
            let mut tests = Vec::new();
            for &name in names {
                let limits = limits_of_name(room.scheme.type_of(name), part)[which];
                tests.extend(room.tests(&[name], limits)?);
            }
            Some(tests)
        })
    }

    /// The first tests that give a loop a margin; they are known from then on. Where none do, nothing is.
    fn first_that_does<T>(
        &mut self,
        mut tries: impl Iterator<Item = T>,
        [from, to]: [Id; 2],
        tests: impl Fn(&mut Self, T) -> Option<Vec<Test>>,
    ) -> Option<Vec<Test>> {
        let known = self.facts.clone();
        let found = tries.find_map(|limits| {
            self.facts = known.clone();
            let tests = tests(self, limits)?;
            // From tests that cannot hold everything would follow.
            (!self.facts.is_impossible() && self.shows(from, to)).then_some(tests)
        });
        if found.is_none() {
            self.facts = known;
        }
        found
    }
}

/// Whether a test has failed around a place that asked of a name that these tests ask of. They are not made then: what would
/// need them is done as it stands.
pub fn margin_test_failed(scheme: &Scheme, context: &Context, tests: &[Id], terms: &Terms) -> bool {
    let asked: FxHashSet<Symbol> = tests.iter().flat_map(|&test| names(terms, test)).collect();
    context.around.iter().any(|around| match around {
        &Around::Branch(condition, false) => {
            let parts = scheme.terms.subterms(condition);
            let mut failed = parts.filter(|&part| is_test(&scheme.terms, part));
            failed.any(|part| names(&scheme.terms, part).any(|name| asked.contains(&name)))
        }
        _ => false,
    })
}

/// Whether a condition asks how near bounds are to the ends of their type, which they hardly ever are.
pub fn asks_of_margins(terms: &Terms, condition: Id) -> bool {
    terms.subterms(condition).any(|part| is_test(terms, part))
}

/// Whether a term looks like a test: it compares with a limit that tests have.
fn is_test(terms: &Terms, id: Id) -> bool {
    let Some(Expr::Binary {
        op: Binary::LessOrEqual,
        left,
        right,
    }) = expr(terms, id)
    else {
        return false;
    };
    let [low, high] = [left, right].map(|side| terms.as_int(side).map(i128::from));
    [Type::I32, Type::I64].into_iter().any(|ty| {
        let of_names = PARTS.into_iter().flat_map(|part| limits_of_name(ty, part));
        let mut limits = limits_of_bounds(ty).into_iter().chain(of_names);
        limits.any(|limits| low == Some(limits.0) || high == Some(limits.1))
    })
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
