//! LOCALs that are still what they were given, though what they were given is assigned elsewhere: a bound that a loop keeps,
//! which the round around it changes afterwards.

use crate::algebra::{Operator, names, operator, root_name, written};
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::FxHashSet;

/// Whether nothing assigns what an expression reads from the operator behind the LOCAL that has it, part `index` of the
/// sequence at `depth` of the spine, to the end of the place that the spine leads to.
pub(super) fn is_held(
    terms: &Terms,
    spine: &[Id],
    path: &Path,
    (depth, index): (usize, usize),
    value: Id,
) -> bool {
    let read: FxHashSet<Symbol> = names(terms, value).collect();
    let assigns = |part: Id| {
        terms.subterms(part).any(|id| {
            let mut targets = written(terms, id).filter_map(|target| root_name(terms, target));
            targets.any(|name| read.contains(&name))
        })
    };
    // Another branch or iteration may assign it meanwhile.
    let at_once = |&id: &Id| {
        let operator = operator(terms, id);
        matches!(
            operator,
            Some(Operator::Async(_) | Operator::Parallel { .. } | Operator::Launch { .. })
        )
    };
    if spine[..depth].iter().any(|id| at_once(id) && assigns(*id)) {
        return false;
    }
    for (at, &step) in path.0.iter().enumerate().skip(depth) {
        match operator(terms, spine[at]) {
            Some(Operator::Then(parts)) => {
                let first = if at == depth { index + 1 } else { 0 };
                let before = parts.get(first..step as usize).unwrap_or_default();
                if before.iter().any(|&part| assigns(part)) {
                    return false;
                }
            }
            Some(Operator::If { .. } | Operator::Array { .. } | Operator::Timed(_)) => {}
            // What comes round, or is done at once, may assign it wherever it stands.
            _ => return !assigns(spine[at]),
        }
    }
    spine.last().is_some_and(|&place| !assigns(place))
}
