//! What a loop does again in each iteration, though nothing new comes of it after the first.
//!
//! Such a part reads nothing that the loop writes, and writes arrays that nothing else in the loop does. Only arrays
//! that are no DATA count: what a scheme says of its DATA it may say for the sake of how long it takes.

use super::access::{Access, accesses, names_in};
use crate::algebra::{Operator, operator};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// A part of a loop's body that lasts.
#[derive(Clone, Debug)]
pub struct Lasting {
    /// The part: a loop.
    pub part: Id,
    /// The conditions under which it is done, and whether each of them must hold.
    pub conditions: Vec<(Id, bool)>,
}

/// The first loop in the sequences and choices of the body of a loop over `var` that does nothing new after the first
/// iteration, and may as well be done before the loop if that has an iteration.
pub fn lasting(scheme: &Scheme, var: Symbol, body: Id) -> Option<Lasting> {
    // Most schemes have no such array, and long ones many loops.
    let mut variables = scheme.variables.values();
    if !variables.any(|v| matches!(v.role, Role::Scoped)) {
        return None;
    }
    let everything = accesses(scheme, body);
    if everything.unknown.is_some() {
        return None;
    }
    let finder = Finder {
        scheme,
        var,
        writes: everything.all.iter().filter(|a| a.write).collect(),
        own: &everything.own,
    };
    finder.find(body, &mut Vec::new(), &mut Vec::new())
}

struct Finder<'a> {
    scheme: &'a Scheme,
    var: Symbol,
    /// All that the body writes.
    writes: Vec<&'a Access>,
    /// All that it declares.
    own: &'a FxHashSet<Symbol>,
}

impl Finder<'_> {
    /// `before` is what comes before the operator in each iteration.
    fn find(
        &self,
        id: Id,
        before: &mut Vec<Id>,
        conditions: &mut Vec<(Id, bool)>,
    ) -> Option<Lasting> {
        match operator(&self.scheme.terms, id)? {
            Operator::Then(parts) => {
                let outside = before.len();
                let mut found = None;
                for &part in parts {
                    found = self.find(part, before, conditions);
                    if found.is_some() {
                        break;
                    }
                    before.push(part);
                }
                before.truncate(outside);
                found
            }
            Operator::If { condition, yes, no } => {
                [(yes, true), (no, false)]
                    .into_iter()
                    .find_map(|(branch, holds)| {
                        conditions.push((condition, holds));
                        let found = self.find(branch, before, conditions);
                        conditions.pop();
                        found
                    })
            }
            Operator::For { .. } if self.lasts(id, before, conditions) => Some(Lasting {
                part: id,
                conditions: conditions.clone(),
            }),
            _ => None,
        }
    }

    fn lasts(&self, part: Id, before: &[Id], conditions: &[(Id, bool)]) -> bool {
        let scheme = self.scheme;
        let done = accesses(scheme, part);
        if done.unknown.is_some() || !only_computes(scheme, part) {
            return false;
        }
        let all = || done.all.iter().filter(|a| !done.own.contains(&a.name));
        let written: FxHashSet<Symbol> = all().filter(|a| a.write).map(|a| a.name).collect();
        let made = |&name: &Symbol| {
            let scoped = scheme
                .variable(name)
                .is_some_and(|v| matches!(v.role, Role::Scoped));
            let of = |a: &&Access| a.write && a.name == name;
            let here = done.all.iter().filter(of).count();
            scoped && self.writes.iter().filter(|a| a.name == name).count() == here
        };
        let stays = |name: Symbol| {
            name != self.var
                && (!self.own.contains(&name) || done.own.contains(&name))
                && (done.own.contains(&name) || !self.writes.iter().any(|w| w.name == name))
        };
        let asked = conditions.iter().map(|&(condition, _)| condition);
        let seen = |op: &Id| {
            accesses(scheme, *op)
                .all
                .iter()
                .any(|a| written.contains(&a.name))
        };
        let nothing_atomic = all().all(|a| a.atomic.is_none());
        let read = names_in(scheme, part).into_iter();
        !written.is_empty()
            && nothing_atomic
            && written.iter().all(made)
            && all().all(|a| a.write || !written.contains(&a.name))
            && read.filter(|n| !written.contains(n)).all(stays)
            && asked.flat_map(|c| names_in(scheme, c)).all(stays)
            && !before.iter().any(seen)
    }
}

/// Whether an operator does nothing but assign what it computes.
fn only_computes(scheme: &Scheme, id: Id) -> bool {
    let terms = &scheme.terms;
    let mut operators = terms.subterms(id).filter_map(|id| operator(terms, id));
    operators.all(|o| {
        matches!(
            o,
            Operator::Then(_)
                | Operator::If { .. }
                | Operator::For { .. }
                | Operator::Assign { .. }
                | Operator::Local { .. }
                | Operator::Empty
        )
    })
}
