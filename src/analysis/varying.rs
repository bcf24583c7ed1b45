//! What may differ between iterations, lanes or threads that execute the same operators.

use super::access::names_in;
use super::simple::root_name;
use crate::algebra::{Operator, operator};
use crate::check::Scheme;
use crate::term::{Id, Symbol};
use std::collections::HashSet;

/// The scalars whose values may differ where those of the seeds do: variables of loops, or constructs
/// such as `ThreadIndex`, which are among the names found.
///
/// Cells of arrays are the same for all where their subscripts are: one that wrote such a cell at the
/// same time would be a race.
pub fn varying(
    scheme: &Scheme,
    seeds: impl IntoIterator<Item = Symbol>,
    body: Id,
) -> HashSet<Symbol> {
    let mut found: HashSet<Symbol> = seeds.into_iter().collect();
    // A variable that varies can make others vary, also earlier in a loop.
    loop {
        let before = found.len();
        vary(scheme, body, false, &mut found);
        if found.len() == before {
            return found;
        }
    }
}

/// `under`: whether only some may come here.
fn vary(scheme: &Scheme, id: Id, under: bool, found: &mut HashSet<Symbol>) {
    let terms = &scheme.terms;
    let differs = |e: Id, found: &HashSet<Symbol>| !names_in(scheme, e).is_disjoint(found);
    match operator(terms, id) {
        Some(Operator::Local { name, value, .. }) if under || differs(value, found) => {
            found.insert(name);
        }
        Some(Operator::Assign { target, value } | Operator::AtomicAdd { target, value })
            if under || differs(value, found) =>
        {
            let scalar = |name: &Symbol| scheme.variable(*name).is_some_and(|v| !v.is_array());
            found.extend(root_name(scheme, target).filter(scalar));
        }
        Some(Operator::Then(parts)) => {
            for &part in parts {
                vary(scheme, part, under, found);
            }
        }
        Some(Operator::If { condition, yes, no }) => {
            let under = under || differs(condition, found);
            vary(scheme, yes, under, found);
            vary(scheme, no, under, found);
        }
        Some(Operator::While { condition, body }) => {
            let under = under || differs(condition, found);
            vary(scheme, body, under, found);
        }
        Some(Operator::For {
            var,
            from,
            to,
            step,
            body,
        }) => {
            let parts = [Some(from), Some(to), step];
            let parts = parts.into_iter().flatten().any(|e| differs(e, found));
            if parts {
                found.insert(var);
            }
            vary(scheme, body, under || parts, found);
        }
        Some(Operator::Array { body, .. }) => vary(scheme, body, under, found),
        _ => {}
    }
}
