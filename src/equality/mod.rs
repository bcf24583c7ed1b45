//! Two operators → equal, or a shortest trace that tells them apart: a decision procedure for
//! regular schemes.
//!
//! Regular schemes are made of composition, choice, loops with a condition, filters, EMPTY and
//! UNDEFINED over actions and predicates. They are exactly the programs of guarded Kleene algebra
//! with tests: E is 1, N is 0, ([u] A, B) is A +ᵤ B, {[¬u] A} is A⁽ᵘ⁾, F(u) is u (arXiv 1907.05920,
//! section 2). Two of them are equal where, whatever the actions do and the predicates say, they
//! do the same actions under the same predicates up to a result.
//!
//! - **Actions** are phrases with their arguments and all other operators that are not regular, such
//!   as assignments; actions are the same where their terms are. Loops over numbers, and arrays with
//!   a scope, are actions too, the same where their headers are and their bodies are equal. TIMED
//!   changes no result.
//! - **Predicates** are predicates in words and comparisons, the same where their terms are; AND, OR,
//!   NOT, TRUE and FALSE have their meaning. `a <> b` is NOT `a = b`, and `a > b` is `b < a`.
//! - Variables that an operator declares may have any names; those that only tell it where to go on
//!   are done away with. A graph, a `Flow` term, is compared by its edges.
//! - Failure and endless repetition are one: there is no result. Predicates have no effects and, as
//!   far as there is a result, no errors.
//!
//! So *equal* is always right; *different* is too where nothing is known of actions and predicates
//! but their names. Where they are assignments or comparisons, schemes that differ as regular ones
//! may still be equal by what these mean: [`Comparison::meaning`] lists them.
//!
//! ```
//! use glushkov::equality::{Side, compare};
//! use glushkov::syntax::rules::read_term;
//! use glushkov::term::Terms;
//!
//! let mut terms = Terms::new();
//! let mut read = |text: &str| read_term(&mut terms, 0, text).expect("a term");
//! let again = read("While(Test(\"u\"), Call(\"A\"))");
//! let unrolled = read("If(Test(\"u\"), Then(Call(\"A\"), While(Test(\"u\"), Call(\"A\"))), Empty)");
//! let once = read("If(Test(\"u\"), Call(\"A\"), Empty)");
//! let side = |root| Side { terms: &terms, root };
//! assert!(compare(side(again), side(unrolled)).expect("small ones").is_equal());
//! // They differ after one action, where u still holds.
//! let trace = compare(side(again), side(once)).expect("small ones").trace.expect("different");
//! assert_eq!(trace.steps.len(), 1);
//! ```

mod automaton;
mod bisimulation;
mod diagram;
mod flow;
mod graph;
mod read;
mod scope;
mod trace;

pub use trace::{End, Place, Step, Trace, Valued};

use crate::algebra::{Construct, Sort};
use crate::check::Scheme;
use crate::term::{Id, Symbol, Terms, with_deep_stack};
use bisimulation::difference;
use flow::{Flow, Next, STOP};
use read::{Reader, Reading, Vocabulary};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Naming;

/// Comparisons that need more nodes of diagrams than this are given up.
pub const MOST_NODES: usize = 8_000_000;

/// Terms of so many nodes are compared on the caller's own stack.
const SMALL: usize = 500;

/// One of two operators, or of two predicates, that are compared.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its arena.
    pub terms: &'a Terms,
    /// The operator.
    pub root: Id,
}

/// What a comparison found.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What tells the two apart; nothing if they are equal.
    pub trace: Option<Trace>,
    /// Actions and predicates that mean more than their names say, each where it stands first.
    pub meaning: Vec<Place>,
}

impl Comparison {
    /// Whether the two are equal.
    pub fn is_equal(&self) -> bool {
        self.trace.is_none()
    }
}

/// The schemes are too complex to compare: the diagrams of where they lead need more than [`MOST_NODES`]
/// nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Compares two operators, or two predicates. Variables of rules stand for any operator or predicate.
///
/// # Errors
///
/// Where their product has too many states to be compared.
pub fn compare(first: Side<'_>, second: Side<'_>) -> Result<Comparison, TooLarge> {
    compare_but(first, second, &FxHashSet::default())
}

/// Compares the bodies of two schemes. Names of DATA are the same where they are declared with the
/// same type and as many dimensions; see [`declared_otherwise`].
///
/// # Errors
///
/// Where their product has too many states to be compared.
pub fn compare_schemes(first: &Scheme, second: &Scheme) -> Result<Comparison, TooLarge> {
    let other = declared_otherwise(first, second).into_iter().collect();
    let [first, second] = [first, second].map(|scheme| Side {
        terms: &scheme.terms,
        root: scheme.body,
    });
    compare_but(first, second, &other)
}

/// Names that the DATA of two schemes declare with different types or numbers of dimensions: they
/// do not name the same.
pub fn declared_otherwise(first: &Scheme, second: &Scheme) -> Vec<Symbol> {
    let differs = |&name: &Symbol| match (first.variable(name), second.variable(name)) {
        (Some(a), Some(b)) if a.is_data() && b.is_data() => {
            a.ty != b.ty || a.dims.len() != b.dims.len()
        }
        _ => false,
    };
    first.variables.keys().copied().filter(differs).collect()
}

/// A side in an arena of its own, and what its nodes are in the given one.
struct Own {
    terms: Terms,
    root: Id,
    given: FxHashMap<Id, Id>,
}

impl Own {
    fn new(side: Side<'_>) -> Own {
        let (terms, root) = side.terms.compact(side.root);
        let given = terms.subterms(root).zip(side.terms.subterms(side.root));
        let given = given.collect();
        Own { terms, root, given }
    }

    fn is_predicate(&self) -> bool {
        let construct = self.terms.functor(self.root).and_then(Construct::of);
        construct.is_some_and(|c| c.info().sort == Sort::Condition)
    }

    /// Whether there are variables that could be named in several ways.
    fn declares(&self) -> bool {
        self.terms.subterms(self.root).any(|id| {
            let construct = self.terms.functor(id).and_then(Construct::of);
            matches!(
                construct,
                Some(Construct::Local | Construct::Shared | Construct::Registers)
            )
        })
    }
}

fn compare_but(
    first: Side<'_>,
    second: Side<'_>,
    other: &FxHashSet<Symbol>,
) -> Result<Comparison, TooLarge> {
    let sides = [Own::new(first), Own::new(second)];
    let work = || {
        let found = decide(&sides, other, Naming::ByName)?;
        if found.is_equal() || !sides.iter().any(Own::declares) {
            return Ok(found);
        }
        let again = decide(&sides, other, Naming::ByPosition)?;
        Ok(if again.is_equal() { again } else { found })
    };
    if sides.iter().all(|s| s.terms.len() < SMALL) {
        work()
    } else {
        with_deep_stack(work)
    }
}

fn decide(
    sides: &[Own; 2],
    other: &FxHashSet<Symbol>,
    naming: Naming,
) -> Result<Comparison, TooLarge> {
    let none = FxHashSet::default();
    let mut vocabulary = Vocabulary::default();
    let mut flow = Flow::new(MOST_NODES);
    let is_predicate = sides.iter().any(Own::is_predicate);
    let mut points = [STOP; 2];
    for (i, side) in sides.iter().enumerate() {
        let (place, other): (fn(Id) -> Place, _) = match i {
            0 => (Place::First, &none),
            _ => (Place::Second, other),
        };
        let (terms, root) = (&side.terms, side.root);
        let reader = Reader::new(terms, &mut vocabulary, &mut flow, place, other, naming);
        let reading: Reading = reader.read(root, is_predicate);
        points[i] = match is_predicate {
            true => flow.predicate(terms, &reading, root),
            false => flow.whole(terms, &reading, root),
        };
        flow.search();
    }
    let way = difference(&mut flow, points[0], points[1]);
    if flow.diagrams.full {
        return Err(TooLarge);
    }
    let given = |place: Place| match place {
        Place::First(id) => Place::First(sides[0].given[&id]),
        Place::Second(id) => Place::Second(sides[1].given[&id]),
    };
    let action = |number: u32| given(vocabulary.action(number));
    let valued = |values: Vec<(u32, bool)>| -> Vec<Valued> {
        let valued = values.into_iter().map(|(predicate, holds)| {
            let (place, as_written) = vocabulary.predicate(predicate);
            Valued {
                predicate: given(place),
                holds: holds == as_written,
            }
        });
        valued.collect()
    };
    let end = |next: Next| match next {
        Next::Stop => End::Stops,
        Next::Act { action: number, .. } => End::GoesOn(action(number)),
        Next::Fail | Next::Test { .. } => End::NoResult,
    };
    let trace = way.map(|way| {
        let steps = way.steps.into_iter().map(|(values, number)| Step {
            values: valued(values),
            action: action(number),
        });
        Trace {
            steps: steps.collect(),
            values: valued(way.values),
            first: end(way.last.0),
            second: end(way.last.1),
        }
    });
    let meaning = vocabulary.meaning.iter().map(|&p| given(p)).collect();
    Ok(Comparison { trace, meaning })
}

#[cfg(test)]
mod maker;
#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
