//! What may differ between iterations, lanes or threads that execute the same operators.

use super::access::names_in;
use super::simple::root_name;
use crate::algebra::{
    Binary, Construct, Exchange, Expr, Operator, WARP, bound, expr, operator, written,
};
use crate::check::Scheme;
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// The names whose values may differ where those of the seeds do: variables of loops, or constructs
/// such as `ThreadIndex`, which are among the names found. They are scalars, and arrays of the body's
/// own.
///
/// Cells of other arrays are the same for all where their subscripts are: one that wrote such a cell
/// at the same time would be a race.
pub fn varying(
    scheme: &Scheme,
    seeds: impl IntoIterator<Item = Symbol>,
    body: Id,
) -> FxHashSet<Symbol> {
    let found = Varying {
        names: seeds.into_iter().collect(),
        ..Varying::default()
    };
    found.spread(scheme, body, None).names
}

/// What may differ between threads that execute the same operators of a launch.
#[derive(Clone, Debug, Default)]
pub struct Varying {
    /// See [`varying`].
    names: FxHashSet<Symbol>,
    /// Whether they are the threads of a warp, which have one `thread / 32`.
    in_warps: bool,
    /// Whether they are a warp, all of it, so that what is joined over a warp is the same for them.
    one_warp: bool,
}

impl Varying {
    /// What may differ between the threads of a block.
    pub fn in_block(scheme: &Scheme, body: Id) -> Varying {
        Varying::of_threads(false, false).spread(scheme, body, None)
    }

    /// What may differ between the threads of a block that are so many.
    pub fn in_block_of(scheme: &Scheme, threads: Id, body: Id) -> Varying {
        Varying::of_threads(false, is_warp(scheme, threads)).spread(scheme, body, None)
    }

    /// The same for what is done before the operator at a place of the body, and with nothing done at that place itself. In a
    /// loop around the place, all that the loop does is done before it.
    pub fn in_block_before(scheme: &Scheme, threads: Id, body: Id, place: &[u32]) -> Varying {
        Varying::of_threads(false, is_warp(scheme, threads)).spread(scheme, body, Some(place))
    }

    /// What may differ between the threads of a warp.
    pub fn in_warp(scheme: &Scheme, body: Id) -> Varying {
        Varying::of_threads(true, true).spread(scheme, body, None)
    }

    fn of_threads(in_warps: bool, one_warp: bool) -> Varying {
        Varying {
            names: [Construct::ThreadIndex.symbol()].into_iter().collect(),
            in_warps,
            one_warp,
        }
    }

    /// The names found.
    pub fn names(&self) -> &FxHashSet<Symbol> {
        &self.names
    }

    /// Whether the value of an expression may differ.
    pub fn differs(&self, scheme: &Scheme, e: Id) -> bool {
        if !self.in_warps {
            return !names_in(scheme, e).is_disjoint(&self.names);
        }
        let terms = &scheme.terms;
        let mut work = vec![e];
        while let Some(id) = work.pop() {
            if is_number_of_warp(scheme, id) {
                continue;
            }
            if terms.as_atom(id).is_some_and(|n| self.names.contains(&n)) {
                return true;
            }
            work.extend(terms.args(id));
        }
        false
    }

    /// With all that varies where these names do.
    fn spread(self, scheme: &Scheme, body: Id, place: Option<&[u32]>) -> Varying {
        // What is declared in the body each has for itself, but for what the threads of a block share.
        let shared = Some(Construct::Shared.symbol());
        let declared = scheme.terms.subterms(body);
        let declared = declared.filter(|&id| scheme.terms.functor(id) != shared);
        let own = declared.filter_map(|id| bound(&scheme.terms, id));
        let mut search = Search {
            scheme,
            own: own.collect(),
            found: self,
        };
        let place = place.map(|steps| Place {
            steps,
            again: false,
        });
        // A variable that varies can make others vary, also earlier in a loop.
        loop {
            let before = search.found.names.len();
            search.visit(body, false, place);
            if search.found.names.len() == before {
                return search.found;
            }
        }
    }
}

/// Whether so many threads are one warp.
fn is_warp(scheme: &Scheme, threads: Id) -> bool {
    scheme.terms.as_int(threads) == Some(WARP)
}

/// Where in a sequence a LOCAL that one of its operators declares is joined over a warp, if nothing reads it before.
fn joined_at(scheme: &Scheme, parts: &[Id], declared: usize) -> Option<usize> {
    let Some(Operator::Local { name, .. }) = operator(&scheme.terms, parts[declared]) else {
        return None;
    };
    for (at, &part) in parts.iter().enumerate().skip(declared + 1) {
        match operator(&scheme.terms, part) {
            Some(Operator::Local { value, .. }) if !names_in(scheme, value).contains(&name) => {}
            Some(Operator::Exchange(Exchange::All(_), joined)) => {
                if joined.iter().any(|&x| root_name(scheme, x) == Some(name)) {
                    return Some(at);
                }
            }
            _ => return None,
        }
    }
    None
}

/// Whether an expression is the number of a thread by a multiple of 32.
fn is_number_of_warp(scheme: &Scheme, e: Id) -> bool {
    let terms = &scheme.terms;
    match expr(terms, e) {
        Some(Expr::Binary {
            op: Binary::Div,
            left,
            right,
        }) => {
            let whole = |n: i64| n > 0 && n % 32 == 0;
            matches!(expr(terms, left), Some(Expr::ThreadIndex))
                && terms.as_int(right).is_some_and(whole)
        }
        _ => false,
    }
}

struct Search<'a> {
    scheme: &'a Scheme,
    /// The variables that each iteration, lane or thread has for itself.
    own: FxHashSet<Symbol>,
    found: Varying,
}

/// Where an operator stands before which all that counts is done.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The arguments to go down to it.
    steps: &'a [u32],
    /// Whether a loop stands around here, so that what comes later is also done before.
    again: bool,
}

impl<'a> Place<'a> {
    /// The place seen from an argument, if that is on the way to it.
    fn within(place: Option<Self>, argument: usize) -> Option<Place<'a>> {
        let place = place?;
        let (&first, steps) = place.steps.split_first()?;
        (first as usize == argument).then_some(Place { steps, ..place })
    }

    /// The same, where the argument is the body of a loop.
    fn in_loop(place: Option<Self>, argument: usize) -> Option<Place<'a>> {
        let within = Place::within(place, argument)?;
        Some(Place {
            again: true,
            ..within
        })
    }

    /// Which argument holds the place, if what the others do is not done before it.
    fn only(place: Option<Self>) -> Option<usize> {
        let place = place.filter(|place| !place.again)?;
        Some(*place.steps.first()? as usize)
    }
}

impl Search<'_> {
    fn differs(&self, e: Id) -> bool {
        self.found.differs(self.scheme, e)
    }

    /// Goes through an operator that, if `under`, only some may come to.
    fn visit(&mut self, id: Id, under: bool, place: Option<Place<'_>>) {
        if place.is_some_and(|place| place.steps.is_empty()) {
            return;
        }
        let last = self.scheme.terms.args(id).len().saturating_sub(1);
        let only = Place::only(place);
        match operator(&self.scheme.terms, id) {
            Some(Operator::Local { name, value, .. }) => {
                if under || self.differs(value) {
                    self.found.names.insert(name);
                }
            }
            // Of those that get a value from before, whoever comes first gets another one than the next.
            Some(Operator::Atomic { was: Some(_), .. }) => {
                let names = written(&self.scheme.terms, id);
                let names = names.filter_map(|target| root_name(self.scheme, target));
                let is_own = |name: &Symbol| {
                    let array = self.scheme.variable(*name).is_some_and(|v| v.is_array());
                    !array || self.own.contains(name)
                };
                self.found.names.extend(names.filter(is_own));
            }
            Some(
                Operator::Assign { target, value }
                | Operator::Atomic {
                    target,
                    value,
                    was: None,
                    ..
                },
            ) => {
                if let Some(name) = root_name(self.scheme, target) {
                    let scalar = self.scheme.variable(name).is_some_and(|v| !v.is_array());
                    let own = self.own.contains(&name);
                    if (scalar && (under || self.differs(value)))
                        || (own && (under || self.differs(value) || self.differs(target)))
                    {
                        self.found.names.insert(name);
                    }
                }
            }
            Some(Operator::Then(parts)) => {
                for (i, &part) in parts.iter().enumerate() {
                    let joined = match self.found.one_warp && !under {
                        true => joined_at(self.scheme, parts, i),
                        false => None,
                    };
                    let joined = joined.is_some_and(|at| only.is_none_or(|only| at < only));
                    if only.is_none_or(|only| i <= only) && !joined {
                        self.visit(part, under, Place::within(place, i));
                    }
                }
            }
            // What other branches do may be done before.
            Some(Operator::Async(parts)) => {
                for (i, &part) in parts.iter().enumerate() {
                    self.visit(part, under, Place::within(place, i));
                }
            }
            Some(Operator::If { condition, yes, no }) => {
                let under = under || self.differs(condition);
                for (i, branch) in [(1, yes), (2, no)] {
                    if only.is_none_or(|only| i == only) {
                        self.visit(branch, under, Place::within(place, i));
                    }
                }
            }
            Some(Operator::While { condition, body }) => {
                let under = under || self.differs(condition);
                self.visit(body, under, Place::in_loop(place, last));
            }
            Some(Operator::For {
                var,
                from,
                to,
                step,
                body,
            }) => {
                let parts = [Some(from), Some(to), step];
                let differ = parts.into_iter().flatten().any(|e| self.differs(e));
                if differ {
                    self.found.names.insert(var);
                }
                self.visit(body, under || differ, Place::in_loop(place, last));
            }
            Some(Operator::Parallel {
                var,
                from,
                to,
                body,
                ..
            }) => {
                let differ = self.differs(from) || self.differs(to);
                self.found.names.insert(var);
                self.visit(body, under || differ, Place::in_loop(place, last));
            }
            Some(
                Operator::Array { body, .. }
                | Operator::Timed(body)
                | Operator::Recorded(body)
                | Operator::Launch { body, .. },
            ) => self.visit(body, under, Place::within(place, last)),
            // What a basic operator leaves may differ in any way.
            Some(Operator::Perform { writes, .. }) => {
                let names = writes
                    .iter()
                    .filter_map(|&w| super::simple::root_name(self.scheme, w));
                self.found.names.extend(names);
            }
            // What an exchange leaves in a variable differs at most where the variable did, and a LOCAL that is joined
            // over a warp at once is not among those that do, see above. The
            // others change no scalar: calls are resolved before anything asks this.
            Some(
                Operator::Exchange(..)
                | Operator::ControlPoint(_)
                | Operator::Wait(_)
                | Operator::Filter(_)
                | Operator::Empty
                | Operator::Undefined
                | Operator::Report { .. }
                | Operator::Save { .. }
                | Operator::Call { .. }
                | Operator::Shared { .. }
                | Operator::Registers { .. }
                | Operator::Barrier
                | Operator::Allocate(_)
                | Operator::CopyToDevice(_)
                | Operator::CopyFromDevice(_)
                | Operator::Free(_),
            )
            | None => {}
        }
    }
}
