//! What a rule does not need, and rules that never fire.

use crate::diagnostic::Diagnostic;
use crate::rewrite::specificity::subsumes;
use crate::rewrite::{Predicate, Rule, RuleBase};
use crate::syntax::rules::print_term_short;
use crate::term::{Head, Id, Symbol, Terms};

/// Findings in one rule.
pub(super) fn of_rule(base: &RuleBase, rule: &Rule, told: &mut Vec<Diagnostic>) {
    let terms = &base.terms;
    for (at, name) in values(terms, rule) {
        if !used(terms, rule, at, name) {
            let message = format!("nothing in `{}` uses the value of `${name}`", rule.name);
            told.push(
                Diagnostic::note("N0350", message)
                    .at(terms.span(at))
                    .hint("leave it out, or use it"),
            );
        }
    }
    for parameter in &rule.parameters {
        let mut uses = templates(rule).into_iter().flat_map(|t| terms.subterms(t));
        if !uses.any(|id| terms.head(id) == Head::Variable(parameter.name)) {
            let message = format!(
                "nothing in `{}` uses its parameter `{}`",
                rule.name, parameter.name
            );
            told.push(
                Diagnostic::note("N0350", message)
                    .at(parameter.span)
                    .hint("leave it out, or use it"),
            );
        }
    }
    for alternative in &rule.alternatives {
        let why = alternative
            .condition
            .and_then(|condition| never(terms, condition));
        if let Some(why) = why {
            let message = format!("`{}` never fires by this condition: {why}", rule.name);
            told.push(
                Diagnostic::note("N0351", message)
                    .at(alternative.condition.and_then(|c| terms.span(c)))
                    .hint("mend the condition, or leave the rule out"),
            );
        }
    }
}

/// Findings of rules that are tried one after the other, as indices into the base's: those that
/// another one leaves nothing for.
pub(super) fn hidden(base: &RuleBase, rules: &[usize], told: &mut Vec<Diagnostic>) {
    let rules: Vec<&Rule> = rules.iter().map(|&i| &base.rules[i]).collect();
    let mut terms = base.terms.clone();
    for (at, later) in rules.iter().enumerate() {
        let first = rules[..at].iter().find(|earlier| {
            let always = earlier.alternatives.iter().any(|a| a.condition.is_none());
            always && earlier.lets.is_empty() && subsumes(&mut terms, earlier, later)
        });
        if let Some(first) = first {
            let message = format!(
                "`{}` never fires: `{}` is tried before it, and matches all that it does",
                later.name, first.name
            );
            told.push(
                Diagnostic::note("N0352", message)
                    .at(later.span)
                    .also(Some(first.span), "tried first")
                    .hint("make its pattern more specific, give the first one a condition, or leave it out"),
            );
        }
    }
}

/// Findings in a predicate: values that are of no use, clauses that another one leaves nothing for, and
/// that no rule asks it.
pub(super) fn of_predicate(base: &RuleBase, predicate: &Predicate, told: &mut Vec<Diagnostic>) {
    let mut terms = base.terms.clone();
    let name = predicate.name;
    for (at, clause) in predicate.clauses.iter().enumerate() {
        of_rule(base, clause, told);
        let first = predicate.clauses[..at].iter().find(|earlier| {
            let always = earlier.alternatives.iter().any(|a| a.condition.is_none());
            (always || earlier.otherwise.is_some())
                && earlier.lets.is_empty()
                && subsumes(&mut terms, earlier, clause)
        });
        if let Some(first) = first {
            let message = format!(
                "this clause of `{name}` never answers: one before it matches all that it does"
            );
            told.push(
                Diagnostic::note("N0352", message)
                    .at(clause.span)
                    .also(Some(first.span), "tried first")
                    .hint(
                        "make the first one more specific, give it a condition, or leave one out",
                    ),
            );
        }
    }
    let mut rules = base.rules.iter();
    let asks = |rule: &Rule| {
        let asked = base.predicates.asked_by(&base.terms, rule);
        asked.iter().any(|p| p.name == name)
    };
    if !rules.any(asks) {
        let message = format!("no rule asks the predicate `{name}`");
        told.push(
            Diagnostic::note("N0358", message)
                .at(predicate.span)
                .hint("ask it in the condition of a rule, or leave it out"),
        );
    }
}

/// The variables that a rule computes, with where they stand.
fn values(terms: &Terms, rule: &Rule) -> Vec<(Id, Symbol)> {
    let bindings = rule.lets.iter().chain(&rule.wheres);
    let name = |id: Id| match terms.head(id) {
        Head::Variable(name) | Head::Sequence(name) => Some((id, name)),
        _ => None,
    };
    bindings.filter_map(|b| name(b.variable)).collect()
}

/// All that a rule computes, asks and makes.
fn templates(rule: &Rule) -> Vec<Id> {
    let mut all: Vec<Id> = rule
        .lets
        .iter()
        .chain(&rule.wheres)
        .map(|b| b.value)
        .collect();
    let outcomes = rule
        .alternatives
        .iter()
        .map(|a| a.outcome)
        .chain(rule.otherwise);
    all.extend(outcomes.flat_map(|o| [Some(o.result), o.action]).flatten());
    all.extend(rule.alternatives.iter().filter_map(|a| a.condition));
    all
}

fn used(terms: &Terms, rule: &Rule, at: Id, name: Symbol) -> bool {
    let is = |id: Id| matches!(terms.head(id), Head::Variable(n) | Head::Sequence(n) if n == name);
    templates(rule)
        .into_iter()
        .flat_map(|t| terms.subterms(t))
        .any(|id| id != at && is(id))
}

/// Why a condition never holds, where that is plain.
fn never(terms: &Terms, condition: Id) -> Option<String> {
    let name = |id: Id| terms.functor(id).map_or("", |f| f.as_str());
    let shown = |id: Id| print_term_short(terms, id, 80);
    let mut parts = Vec::new();
    let mut work = vec![condition];
    while let Some(id) = work.pop() {
        match name(id) {
            "And" => work.extend(terms.args(id).iter().rev()),
            _ => parts.push(id),
        }
    }
    for &part in &parts {
        if name(part) == "False" {
            return Some("it says `false`".to_owned());
        }
        if let [a, b] = terms.args(part)
            && let (Some(x), Some(y)) = (terms.as_int(*a), terms.as_int(*b))
        {
            let holds = match name(part) {
                "Equal" => x == y,
                "NotEqual" => x != y,
                "Less" => x < y,
                "LessOrEqual" => x <= y,
                "Greater" => x > y,
                "GreaterOrEqual" => x >= y,
                _ => true,
            };
            if !holds {
                return Some(format!("`{}` does not hold", shown(part)));
            }
        }
        let opposite = parts
            .iter()
            .any(|&other| name(other) == "Not" && terms.equal(terms.arg(other, 0), part));
        if opposite {
            return Some(format!(
                "it asks for `{}` and for the opposite",
                shown(part)
            ));
        }
    }
    None
}
