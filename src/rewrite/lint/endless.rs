//! Rules that go on without end wherever a strategy applies them: without a condition, they make what they match.

use super::{Kind, Plan, repeated};
use crate::diagnostic::Diagnostic;
use crate::rewrite::matching::Matches;
use crate::rewrite::plan::Combinator;
use crate::rewrite::{Rule, RuleBase};
use crate::term::{Id, Symbol, Terms};

/// Findings in a part of a strategy that applies rules to what they made.
pub(super) fn in_plan(
    base: &RuleBase,
    strategy: Symbol,
    plan: &Plan,
    combinator: Combinator,
    inner: &Plan,
    told: &mut Vec<Diagnostic>,
) {
    let visited: fn(&Terms, Id) -> Vec<Id> = match combinator {
        // It goes down into what was made, and does not come back to the place itself.
        Combinator::TopDown => |terms, made| terms.subterms(made).skip(1).collect(),
        Combinator::Innermost => |terms, made| terms.subterms(made).collect(),
        Combinator::Repeat => match inner.kind {
            Kind::Apply(..) => |terms, made| terms.subterms(made).collect(),
            _ => |_, made| vec![made],
        },
        _ => return,
    };
    let mut terms = base.terms.clone();
    for rule in repeated(base, inner) {
        let rule = &base.rules[rule];
        if goes_on(&mut terms, rule, visited) {
            let message = format!(
                "`{}` in strategy {strategy} never ends where `{}` fires: what it makes holds what it fires on",
                plan.text, rule.name
            );
            told.push(
                Diagnostic::note("N0354", message)
                    .at(rule.span)
                    .hint("give the rule a condition that its own result does not meet, or apply it by `once` or `bottomup`"),
            );
        }
    }
}

/// Whether a rule without a condition matches a part of what it makes.
fn goes_on(terms: &mut Terms, rule: &Rule, visited: fn(&Terms, Id) -> Vec<Id>) -> bool {
    let mut always = rule.alternatives.iter().filter(|a| a.condition.is_none());
    let Some(made) = always.next().map(|a| a.outcome.result) else {
        return false;
    };
    if !rule.lets.is_empty() || rule.matcher.functor().is_none() {
        return false;
    }
    let parts = visited(terms, made);
    parts.into_iter().any(|part| {
        // Variables of the result stand for themselves.
        let slots = vec![None; rule.names.len()];
        Matches::new(&rule.matcher, part, slots).advance(terms)
    })
}
