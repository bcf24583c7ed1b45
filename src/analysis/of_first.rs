//! Where what threads of a block other than the first have in a LOCAL of a launch is used.

use super::access::names_in;
use super::filled::is_first_thread;
use crate::algebra::{Construct, Operator, bound, operator};
use crate::check::Scheme;
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// An operator after a place in a launch's body by which the value that threads of a block other than the first have in a
/// variable reaches more than LOCALs of theirs that reach nothing either: an array, a condition, a bound, another thread.
///
/// What is done where `thread = 0` is asked does not count. In a loop around the place which the declaration stands outside
/// of, all that the loop does is done after it.
///
/// # Errors
///
/// The variable is no LOCAL that is declared before the place.
pub fn used_by_others(
    scheme: &Scheme,
    body: Id,
    place: &[u32],
    variable: Symbol,
) -> Result<Option<Id>, String> {
    let after = done_after(scheme, body, place, variable)
        .ok_or("it is no LOCAL of the launch that is declared before")?;
    let terms = &scheme.terms;
    let locals = terms
        .subterms(body)
        .filter(|&id| terms.functor(id) == Some(Construct::Local.symbol()));
    let mut search = Search {
        scheme,
        locals: locals.filter_map(|id| bound(terms, id)).collect(),
        stale: [variable].into_iter().collect(),
    };
    loop {
        let before = search.stale.len();
        let used = after.iter().find_map(|&id| search.use_in(id));
        if used.is_some() || search.stale.len() == before {
            return Ok(used);
        }
    }
}

/// The operators done after a place where a LOCAL is declared; none if none declares it before.
fn done_after(scheme: &Scheme, body: Id, place: &[u32], variable: Symbol) -> Option<Vec<Id>> {
    let terms = &scheme.terms;
    let spine = place.iter().scan(body, |at, &step| {
        let here = *at;
        *at = *terms.args(here).get(step as usize)?;
        Some((here, step as usize))
    });
    let spine: Vec<(Id, usize)> = spine.collect();
    let mut after = Vec::new();
    for &(id, step) in spine.iter().rev() {
        match operator(terms, id) {
            Some(Operator::Then(parts)) => {
                after.extend(parts.iter().skip(step + 1));
                let declares = |part: &Id| match operator(terms, *part) {
                    Some(Operator::Local { name, .. }) => name == variable,
                    _ => false,
                };
                if parts.iter().take(step).any(declares) {
                    return Some(after);
                }
            }
            Some(Operator::For { .. } | Operator::While { .. } | Operator::Parallel { .. }) => {
                after.push(id);
            }
            _ => {}
        }
    }
    None
}

struct Search<'a> {
    scheme: &'a Scheme,
    /// The LOCALs of the launch.
    locals: FxHashSet<Symbol>,
    /// Those whose values in other threads depend on the variable.
    stale: FxHashSet<Symbol>,
}

impl Search<'_> {
    fn is_stale(&self, e: Id) -> bool {
        !names_in(self.scheme, e).is_disjoint(&self.stale)
    }

    /// The first operator in one that other threads do by which a stale value reaches more than LOCALs.
    fn use_in(&mut self, id: Id) -> Option<Id> {
        let terms = &self.scheme.terms;
        match operator(terms, id) {
            Some(Operator::Local { name, value, .. }) => {
                if self.is_stale(value) {
                    self.stale.insert(name);
                }
                None
            }
            Some(Operator::Assign { target, value }) if self.is_local(target) => {
                if self.is_stale(value) {
                    self.stale.extend(terms.as_atom(target));
                }
                None
            }
            Some(Operator::Then(parts)) => parts.iter().copied().find_map(|p| self.use_in(p)),
            Some(Operator::If { condition, no, .. }) if is_first_thread(terms, condition) => {
                self.use_in(no)
            }
            Some(Operator::If { condition, yes, no }) => match self.is_stale(condition) {
                true => Some(id),
                false => self.use_in(yes).or_else(|| self.use_in(no)),
            },
            Some(Operator::While { condition, body }) => match self.is_stale(condition) {
                true => Some(id),
                false => self.use_in(body),
            },
            Some(Operator::For {
                from,
                to,
                step,
                body,
                ..
            }) => {
                let parts = [Some(from), Some(to), step];
                match parts.into_iter().flatten().any(|e| self.is_stale(e)) {
                    true => Some(id),
                    false => self.use_in(body),
                }
            }
            _ => self.is_stale(id).then_some(id),
        }
    }

    /// Whether a target is a LOCAL of the launch.
    fn is_local(&self, target: Id) -> bool {
        let name = self.scheme.terms.as_atom(target);
        name.is_some_and(|name| self.locals.contains(&name))
    }
}
