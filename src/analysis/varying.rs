//! What may differ between iterations, lanes or threads that execute the same operators.

use super::access::names_in;
use super::simple::root_name;
use crate::algebra::{Operator, operator};
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
    let operators = scheme.terms.subterms(body);
    let operators = operators.filter_map(|id| operator(&scheme.terms, id));
    let own = operators.filter_map(|operator| match operator {
        Operator::Array { name, .. } | Operator::Registers { name, .. } => Some(name),
        _ => None,
    });
    let mut search = Search {
        scheme,
        own: own.collect(),
        found: seeds.into_iter().collect(),
    };
    // A variable that varies can make others vary, also earlier in a loop.
    loop {
        let before = search.found.len();
        search.visit(body, false);
        if search.found.len() == before {
            return search.found;
        }
    }
}

struct Search<'a> {
    scheme: &'a Scheme,
    /// The arrays that each iteration, lane or thread has for itself.
    own: FxHashSet<Symbol>,
    found: FxHashSet<Symbol>,
}

impl Search<'_> {
    fn differs(&self, e: Id) -> bool {
        !names_in(self.scheme, e).is_disjoint(&self.found)
    }

    /// Goes through an operator that, if `under`, only some may come to.
    fn visit(&mut self, id: Id, under: bool) {
        match operator(&self.scheme.terms, id) {
            Some(Operator::Local { name, value, .. }) => {
                if under || self.differs(value) {
                    self.found.insert(name);
                }
            }
            Some(Operator::Assign { target, value } | Operator::Atomic { target, value, .. }) => {
                if let Some(name) = root_name(self.scheme, target) {
                    let scalar = self.scheme.variable(name).is_some_and(|v| !v.is_array());
                    let own = self.own.contains(&name);
                    if (scalar && (under || self.differs(value)))
                        || (own && (under || self.differs(value) || self.differs(target)))
                    {
                        self.found.insert(name);
                    }
                }
            }
            // Whoever comes first gets another value than the next.
            Some(Operator::FetchAdd { target, was, .. }) => {
                let names = [target, was].into_iter();
                self.found.extend(
                    names
                        .filter_map(|t| root_name(self.scheme, t))
                        .filter(|name| {
                            let array = self.scheme.variable(*name).is_some_and(|v| v.is_array());
                            !array || self.own.contains(name)
                        }),
                );
            }
            Some(Operator::Then(parts) | Operator::Async(parts)) => {
                for &part in parts {
                    self.visit(part, under);
                }
            }
            Some(Operator::If { condition, yes, no }) => {
                let under = under || self.differs(condition);
                self.visit(yes, under);
                self.visit(no, under);
            }
            Some(Operator::While { condition, body }) => {
                let under = under || self.differs(condition);
                self.visit(body, under);
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
                    self.found.insert(var);
                }
                self.visit(body, under || differ);
            }
            Some(Operator::Parallel {
                var,
                from,
                to,
                body,
                ..
            }) => {
                let differ = self.differs(from) || self.differs(to);
                self.found.insert(var);
                self.visit(body, under || differ);
            }
            Some(
                Operator::Array { body, .. }
                | Operator::Timed(body)
                | Operator::Recorded(body)
                | Operator::Launch { body, .. },
            ) => self.visit(body, under),
            // What a basic operator leaves may differ in any way.
            Some(Operator::Perform { writes, .. }) => {
                let names = writes
                    .iter()
                    .filter_map(|&w| super::simple::root_name(self.scheme, w));
                self.found.extend(names);
            }
            // What an exchange leaves in a variable differs at most where the variable did. The
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
