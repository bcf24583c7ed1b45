//! A run whose steps are kept to be shown.

use super::seen::Seen;
use super::stepper::{Change, Stepper};
use crate::rewrite::base::{Order, RuleBase, System};
use crate::rewrite::fact_base::Knowledge;
use crate::rewrite::system::{Limits, Reduction};
use crate::term::{Id, Terms};
use std::cell::RefCell;

/// Standard functors may get their values so many times for each step that a rule may take: what
/// they compute is not counted, and a run must end.
const VALUES: u64 = 64;

/// Rewrites a term by a system as a run does, and gives its steps.
///
/// # Errors
///
/// Why the run was given up, in a sentence.
pub(in crate::rewrite) fn traced(
    base: &RuleBase,
    system: &System,
    order: Order,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
    knowledge: Option<&RefCell<Knowledge>>,
) -> Result<(Reduction, Vec<Seen>), String> {
    let own = std::mem::take(terms);
    let mut stepper = Stepper::new(base, system, order, own, root, limits, knowledge);
    let mut steps = Vec::new();
    let most = limits.steps.saturating_mul(VALUES);
    let mut stopped = false;
    while let Some(change) = stepper.next() {
        steps.push(seen(base, &mut stepper, &change));
        stopped = steps.len() as u64 > most || limits.is_over();
        if stopped {
            break;
        }
    }
    let trouble = stepper.looking.trouble();
    let reduction = Reduction {
        root: stepper.root,
        trace: stepper.looking.trace().clone(),
        finished: !stopped && !stepper.looking.stopped(),
        slow: Some("each step is shown".to_string()),
        any_order: false,
    };
    *terms = stepper.terms;
    match trouble {
        Some(trouble) => Err(trouble),
        None => Ok((reduction, steps)),
    }
}

/// A step as it is shown.
pub(super) fn seen(base: &RuleBase, stepper: &mut Stepper<'_>, change: &Change) -> Seen {
    let number = stepper.looking.trace().rewrites;
    let by = change.taken.rule.as_ref();
    Seen::new(
        &mut stepper.terms,
        change.root,
        &change.path,
        change.redex,
        change.taken.result,
        by.map(|(rule, fired)| (number, &base.rules[*rule], fired)),
    )
}
