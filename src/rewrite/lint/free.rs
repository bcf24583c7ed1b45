//! Variables of results that have no value, and stay free.

use crate::diagnostic::Diagnostic;
use crate::rewrite::standard::rule_terms::has_own_variables;
use crate::rewrite::{Rule, RuleBase};
use crate::term::{Head, Id};

/// Adds what is told of a rule's results; only rules of systems have such variables.
pub(super) fn of_rule(base: &RuleBase, rule: &Rule, findings: &mut Vec<Diagnostic>) {
    let terms = &base.terms;
    let mut told = Vec::new();
    let mut work: Vec<Id> = rule.results().collect();
    while let Some(id) = work.pop() {
        match terms.head(id) {
            Head::Variable(name) if !rule.names.contains(&name) && !told.contains(&name) => {
                told.push(name);
                let message =
                    format!("`${name}` has no value: it is not in the pattern, and stays free");
                findings.push(
                    Diagnostic::note("N0356", message)
                        .at(terms.span(id).or(Some(rule.span)))
                        .hint("bind it in the pattern, by `let` or by `where`"),
                );
            }
            // What a result makes has variables of its own.
            Head::Functor(f) if has_own_variables(f, terms.arity(id)) => {}
            _ => work.extend(terms.args(id).iter().rev()),
        }
    }
}
