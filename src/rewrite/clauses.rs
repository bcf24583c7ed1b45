//! Clauses as read → predicates, checked.

use super::build::{Shadows, builders};
use super::check::Check;
use super::condition::UNKNOWN;
use super::predicate::{Predicate, Predicates};
use super::rule::Rule;
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::RuleItem;
use crate::term::{Head, Id, Span, Symbol, Terms};

/// What conditions know by itself.
const KNOWN: [&str; 12] = [
    "True",
    "False",
    UNKNOWN,
    "And",
    "Or",
    "Not",
    "Equal",
    "NotEqual",
    "Less",
    "LessOrEqual",
    "Greater",
    "GreaterOrEqual",
];

/// Checks the clauses of all files, each with the text of its file, and makes predicates of those that
/// stand one after the other.
pub(super) fn predicates(
    terms: &Terms,
    clauses: Vec<(&str, RuleItem)>,
    shadows: Shadows,
    refusals: &mut Vec<Diagnostic>,
) -> Predicates {
    let mut all: Vec<Predicate> = Vec::new();
    for (text, item) in clauses {
        let Some(name) = name(terms, &item, refusals) else {
            continue;
        };
        let (least, most) = arguments(terms, item.pattern);
        let clause = clause(terms, text, item, name, shadows, refusals);
        let refuse = |code, message: String, first: Span, hint: &str| {
            let refusal = Diagnostic::error(code, message).at(clause.span);
            refusal
                .also(first, "the first clause")
                .hint(hint.to_owned())
        };
        match all.iter().position(|p| p.name == name) {
            None => all.push(Predicate {
                name,
                span: clause.span,
                doc: clause.doc.clone(),
                least,
                most,
                clauses: vec![clause],
            }),
            Some(at) if at + 1 < all.len() || all[at].span.file != clause.span.file => {
                let message = format!("there are two predicates `{name}`");
                let hint = "the clauses of a predicate stand one after the other, in one file";
                refusals.push(refuse("E0302", message, all[at].span, hint));
            }
            Some(at) => {
                let known = &mut all[at];
                if known.most != most && known.most.is_some() && most.is_some() {
                    let message =
                        format!("the clauses of `{name}` take different numbers of arguments");
                    let hint =
                        "all clauses take the same number, unless one takes a sequence `$xs..`";
                    refusals.push(refuse("E0311", message, known.span, hint));
                }
                known.least = known.least.min(least);
                known.most = known.most.zip(most).map(|(a, b)| a.max(b));
                if !clause.doc.is_empty() {
                    let between = if known.doc.is_empty() { "" } else { "\n\n" };
                    known.doc = format!("{}{between}{}", known.doc, clause.doc);
                }
                known.clauses.push(clause);
            }
        }
    }
    Predicates(all)
}

/// The name of a clause's predicate; refused where it cannot be one.
fn name(terms: &Terms, item: &RuleItem, refusals: &mut Vec<Diagnostic>) -> Option<Symbol> {
    let mut refuse = |message: String, hint: &str| {
        let refusal = Diagnostic::error("E0311", message).at(terms.span(item.pattern));
        refusals.push(refusal.hint(hint.to_owned()));
        None
    };
    let Head::Functor(name) = terms.head(item.pattern) else {
        let hint = "write `predicate name($x) -> condition`";
        return refuse("a predicate has a name".to_owned(), hint);
    };
    if KNOWN.contains(&name.as_str()) || builders().any(|b| b == name.as_str()) {
        let message = format!("`{name}` has a meaning of its own in conditions");
        return refuse(message, "give the predicate another name");
    }
    if terms.arity(item.pattern) == 0 {
        let message = format!("the predicate `{name}` is about nothing");
        return refuse(message, "it takes one argument or more: `name($x)`");
    }
    Some(name)
}

/// The least and the most arguments that a clause takes.
fn arguments(terms: &Terms, pattern: Id) -> (usize, Option<usize>) {
    let args = terms.args(pattern);
    let sequences = args
        .iter()
        .filter(|&&a| matches!(terms.head(a), Head::Sequence(_)));
    match sequences.count() {
        0 => (args.len(), Some(args.len())),
        n => (args.len() - n, None),
    }
}

fn clause(
    terms: &Terms,
    text: &str,
    item: RuleItem,
    name: Symbol,
    shadows: Shadows,
    refusals: &mut Vec<Diagnostic>,
) -> Rule {
    let mut refuse = |at: Option<Span>, what: &str, hint: &str| {
        let message = format!("a clause of the predicate `{name}` has no {what}");
        refusals.push(
            Diagnostic::error("E0311", message)
                .at(at)
                .hint(hint.to_owned()),
        );
    };
    for attribute in &item.attributes {
        let hint = "attributes are of rules, and a predicate has the name before its parenthesis";
        refuse(Some(attribute.span), "attributes", hint);
    }
    if let Some(binding) = item.wheres.first() {
        let hint = "`let` computes values for its condition and its answer";
        refuse(terms.span(binding.variable), "`where`", hint);
    }
    let outcomes = item
        .alternatives
        .iter()
        .map(|a| a.outcome)
        .chain(item.otherwise);
    if let Some(action) = outcomes.filter_map(|o| o.action).next() {
        let hint = "conditions stand before the arrow, or are the answer behind it";
        refuse(terms.span(action), "action", hint);
    }
    Check::clause(terms, text, item, name, shadows, refusals)
}
