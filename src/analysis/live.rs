//! Scalars whose values are read later: liveness, and reads that an operator does not set before.

use super::access::names_in;
use crate::algebra::{Operator, operator};
use crate::check::Scheme;
use crate::term::{Id, Path, Symbol};

/// What an operator does with a scalar.
#[derive(Clone, Copy, Default)]
struct Use {
    /// Whether it may read the value from before.
    reads: bool,
    /// Whether it sets the scalar whatever happens.
    sets: bool,
}

/// Whether an operator may read the value that a scalar has before it.
pub fn reads_before_setting(scheme: &Scheme, id: Id, scalar: Symbol) -> bool {
    used(scheme, id, scalar).reads
}

/// Whether the value that a scalar has after the operator at a position may be read: by what follows, by the
/// next round of a loop around, or as a result.
pub fn live_after(scheme: &Scheme, path: &Path, scalar: Symbol) -> bool {
    let terms = &scheme.terms;
    let Some(spine) = path.spine(terms, scheme.root) else {
        return true;
    };
    for (&parent, &index) in spine.iter().zip(&path.0).rev() {
        match operator(terms, parent) {
            Some(Operator::Then(parts)) => {
                for &part in &parts[index as usize + 1..] {
                    let after = used(scheme, part, scalar);
                    if after.reads || after.sets {
                        return after.reads;
                    }
                }
            }
            // The next round may come, or none. Bounds are evaluated once, before all rounds.
            Some(Operator::For { body, .. }) => {
                if used(scheme, body, scalar).reads {
                    return true;
                }
            }
            Some(Operator::While { .. }) => {
                if used(scheme, parent, scalar).reads {
                    return true;
                }
            }
            Some(
                Operator::If { .. }
                | Operator::Timed(_)
                | Operator::Recorded(_)
                | Operator::Array { .. },
            )
            | None => {}
            Some(_) => return true,
        }
    }
    scheme.variable(scalar).is_none_or(|v| v.is_output())
}

fn used(scheme: &Scheme, id: Id, scalar: Symbol) -> Use {
    let mentions = |id: Id| names_in(scheme, id).contains(&scalar);
    match operator(&scheme.terms, id) {
        Some(Operator::Then(parts)) => {
            let mut all = Use::default();
            for &part in parts {
                let next = used(scheme, part, scalar);
                all.reads |= !all.sets && next.reads;
                all.sets |= next.sets;
            }
            all
        }
        Some(Operator::If { condition, yes, no }) => {
            let (yes, no) = (used(scheme, yes, scalar), used(scheme, no, scalar));
            Use {
                reads: mentions(condition) || yes.reads || no.reads,
                sets: yes.sets && no.sets,
            }
        }
        // A loop may have no rounds.
        Some(Operator::While { condition, body }) => Use {
            reads: mentions(condition) || used(scheme, body, scalar).reads,
            sets: false,
        },
        Some(Operator::For {
            from,
            to,
            step,
            body,
            ..
        }) => Use {
            reads: mentions(from)
                || mentions(to)
                || step.is_some_and(mentions)
                || used(scheme, body, scalar).reads,
            sets: false,
        },
        Some(Operator::Assign { target, value })
            if scheme.terms.as_atom(target) == Some(scalar) =>
        {
            Use {
                reads: mentions(value),
                sets: true,
            }
        }
        Some(Operator::Timed(body) | Operator::Recorded(body)) => used(scheme, body, scalar),
        Some(Operator::Array { dims, body, .. }) => {
            let body = used(scheme, body, scalar);
            Use {
                reads: body.reads || dims.iter().any(|&d| mentions(d)),
                sets: body.sets,
            }
        }
        // What a phrase without a meaning does is not known.
        Some(Operator::Call { .. }) => Use {
            reads: true,
            sets: false,
        },
        _ => Use {
            reads: mentions(id),
            sets: false,
        },
    }
}
