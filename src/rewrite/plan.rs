//! Strategies: as read → with every name resolved.

use super::needs::Functors;
use super::rule::{Parameter, Rule};
use crate::diagnostic::{Diagnostic, names_like};
use crate::syntax::rules::{ParameterItem, PlanItem, PlanKind, StrategyItem};
use crate::term::{Id, Span, Symbol, Terms};
use rustc_hash::FxHashMap;

/// A strategy.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// The comment before it.
    pub doc: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    pub(super) body: Plan,
}

/// A part of a strategy.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) span: Span,
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Sets of functors, one of which stands in a term where it does not fail silently, if that is known.
    pub(super) needs: Option<Vec<Functors>>,
}

/// Combinators of one strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combinator {
    Try,
    Repeat,
    Once,
    TopDown,
    BottomUp,
    Innermost,
    /// Succeeds, with nothing changed, where its part does not.
    Not,
    All,
    /// Traversals in its part visit expressions and predicates, too.
    Expressions,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Id,
    Fail,
    Sequence(Vec<Plan>),
    Choice(Vec<Plan>),
    Apply(Combinator, Box<Plan>),
    At(Symbol, Box<Plan>),
    /// Traversals of its part leave out the places of a phrase, or of a functor; what they apply does not.
    Outside(Symbol, Box<Plan>),
    /// Where a condition on the strategy's parameters holds; fails elsewhere.
    When(Id, Box<Plan>),
    /// A rule, with values of its parameters as terms over the strategy's parameters.
    Rule(usize, Vec<(Symbol, Id)>),
    /// A strategy, likewise.
    Strategy(usize, Vec<(Symbol, Id)>),
}

/// Resolves the names in strategies; finds unknown ones, wrong parameters and recursion.
pub(super) fn resolve(
    terms: &Terms,
    items: Vec<StrategyItem>,
    rules: &[Rule],
    by_name: &FxHashMap<Symbol, usize>,
    refusals: &mut Vec<Diagnostic>,
) -> Vec<Strategy> {
    let mut numbers: FxHashMap<Symbol, usize> = FxHashMap::default();
    for (i, item) in items.iter().enumerate() {
        if let Some(&first) = numbers.get(&item.name) {
            refusals.push(
                Diagnostic::error("E0302", format!("there are two strategies `{}`", item.name))
                    .at(item.span)
                    .also(items[first].span, "the first"),
            );
        } else if let Some(&rule) = by_name.get(&item.name) {
            refusals.push(
                Diagnostic::error("E0302", format!("`{}` is a rule and a strategy", item.name))
                    .at(item.span)
                    .also(rules[rule].span, "the rule"),
            );
        } else {
            numbers.insert(item.name, i);
        }
    }
    let signatures: Vec<Vec<Parameter>> = items
        .iter()
        .map(|item| {
            item.parameters
                .iter()
                .map(|p| parameter(p, refusals))
                .collect()
        })
        .collect();
    let mut strategies = Vec::new();
    for (item, parameters) in items.into_iter().zip(&signatures) {
        let mut resolver = Resolver {
            terms,
            rules,
            by_name,
            numbers: &numbers,
            signatures: &signatures,
            own: parameters,
            refusals,
        };
        let body = resolver.plan(item.body);
        strategies.push(Strategy {
            name: item.name,
            span: item.span,
            doc: item.doc,
            parameters: parameters.clone(),
            body,
        });
    }
    recursion(&strategies, refusals);
    strategies
}

fn parameter(item: &ParameterItem, refusals: &mut Vec<Diagnostic>) -> Parameter {
    if let Some((low, high)) = item.range
        && !(low <= item.default && item.default <= high)
    {
        let message = format!(
            "the default {} of `{}` is not in its range {low}..{high}",
            item.default, item.name
        );
        refusals.push(Diagnostic::error("E0309", message).at(item.span));
    }
    Parameter {
        name: item.name,
        default: item.default,
        range: item.range,
        span: item.span,
    }
}

struct Resolver<'a> {
    terms: &'a Terms,
    rules: &'a [Rule],
    by_name: &'a FxHashMap<Symbol, usize>,
    numbers: &'a FxHashMap<Symbol, usize>,
    signatures: &'a [Vec<Parameter>],
    own: &'a [Parameter],
    refusals: &'a mut Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn plan(&mut self, item: PlanItem) -> Plan {
        let kind = match item.kind {
            PlanKind::Sequence(parts) => {
                Kind::Sequence(parts.into_iter().map(|p| self.plan(p)).collect())
            }
            PlanKind::Choice(parts) => {
                Kind::Choice(parts.into_iter().map(|p| self.plan(p)).collect())
            }
            PlanKind::At(phrase, inner) => Kind::At(phrase, Box::new(self.plan(*inner))),
            PlanKind::Outside(phrase, inner) => Kind::Outside(phrase, Box::new(self.plan(*inner))),
            PlanKind::When(condition, inner) => {
                self.value(condition);
                Kind::When(condition, Box::new(self.plan(*inner)))
            }
            PlanKind::Apply(name, inner) => {
                let combinator = match name.as_str() {
                    "repeat" => Combinator::Repeat,
                    "once" => Combinator::Once,
                    "topdown" => Combinator::TopDown,
                    "bottomup" => Combinator::BottomUp,
                    "innermost" => Combinator::Innermost,
                    "not" => Combinator::Not,
                    "all" => Combinator::All,
                    "expressions" => Combinator::Expressions,
                    _ => Combinator::Try,
                };
                Kind::Apply(combinator, Box::new(self.plan(*inner)))
            }
            PlanKind::Call(name, values) => self.call(item.span, name, values),
        };
        Plan {
            span: item.span,
            text: item.text,
            kind,
            needs: None,
        }
    }

    fn call(&mut self, span: Span, name: Symbol, values: Vec<(Symbol, Span, Id)>) -> Kind {
        let rule = self.by_name.get(&name).copied();
        let strategy = self.numbers.get(&name).copied();
        let signature = match (rule, strategy) {
            (Some(rule), _) => &self.rules[rule].parameters,
            (_, Some(strategy)) => &self.signatures[strategy],
            _ if name.as_str() == "id" => return Kind::Id,
            _ if name.as_str() == "fail" => return Kind::Fail,
            _ => {
                let message = format!("there is no rule and no strategy `{name}`");
                let diagnostic = Diagnostic::error("E0314", message).at(span);
                self.refusals.push(match self.near(name) {
                    Some(near) => diagnostic.hint(near),
                    None => diagnostic,
                });
                return Kind::Fail;
            }
        };
        let mut resolved = Vec::new();
        for (parameter, span, value) in values {
            if !signature.iter().any(|p| p.name == parameter) {
                let message = format!("`{name}` has no parameter `{parameter}`");
                let names: Vec<&str> = signature.iter().map(|p| p.name.as_str()).collect();
                let hint = match names.is_empty() {
                    true => "it has none".to_string(),
                    false => format!("it has {}", names.join(", ")),
                };
                self.refusals
                    .push(Diagnostic::error("E0309", message).at(span).hint(hint));
                continue;
            }
            self.value(value);
            resolved.push((parameter, value));
        }
        match (rule, strategy) {
            (Some(rule), _) => Kind::Rule(rule, resolved),
            (_, Some(strategy)) => Kind::Strategy(strategy, resolved),
            _ => Kind::Fail,
        }
    }

    /// Checks that a parameter's value is made of numbers and the strategy's own parameters.
    fn value(&mut self, value: Id) {
        for id in self.terms.subterms(value) {
            let known = match self.terms.as_atom(id) {
                Some(name) => self.own.iter().any(|p| p.name == name),
                None => self.terms.as_int(id).is_some() || self.terms.arity(id) > 0,
            };
            if !known {
                let message = "a parameter's value is made of integers and the strategy's own \
                               parameters";
                self.refusals
                    .push(Diagnostic::error("E0309", message).at(self.terms.span(id)));
            }
        }
    }

    /// A hint at the rules and strategies that may be meant.
    fn near(&self, name: Symbol) -> Option<String> {
        let rules = self.rules.iter().map(|r| r.name.as_str());
        let strategies = self.numbers.keys().map(|n| n.as_str());
        let mut names: Vec<&str> = rules.chain(strategies).collect();
        names.sort_unstable();
        names_like(name.as_str(), &names)
    }
}

fn calls(plan: &Plan, out: &mut Vec<(usize, Span)>) {
    match &plan.kind {
        Kind::Sequence(parts) | Kind::Choice(parts) => parts.iter().for_each(|p| calls(p, out)),
        Kind::Apply(_, inner)
        | Kind::At(_, inner)
        | Kind::Outside(_, inner)
        | Kind::When(_, inner) => calls(inner, out),
        Kind::Strategy(strategy, _) => out.push((*strategy, plan.span)),
        Kind::Id | Kind::Fail | Kind::Rule(..) => {}
    }
}

/// Finds strategies that call themselves, directly or through others.
fn recursion(strategies: &[Strategy], refusals: &mut Vec<Diagnostic>) {
    let called: Vec<Vec<(usize, Span)>> = strategies
        .iter()
        .map(|strategy| {
            let mut out = Vec::new();
            calls(&strategy.body, &mut out);
            out
        })
        .collect();
    for (start, strategy) in strategies.iter().enumerate() {
        // What can be reached from here, each with the strategy it was first reached from.
        let mut from: Vec<Option<usize>> = vec![None; strategies.len()];
        let mut work = vec![start];
        while let Some(at) = work.pop() {
            for &(next, _) in &called[at] {
                if from[next].is_none() {
                    from[next] = Some(at);
                    work.push(next);
                }
            }
        }
        let Some(mut at) = from[start] else { continue };
        let mut cycle = vec![strategy.name.as_str()];
        while at != start {
            cycle.push(strategies[at].name.as_str());
            let Some(before) = from[at] else { break };
            at = before;
        }
        cycle.push(strategy.name.as_str());
        cycle.reverse();
        let message = format!("the strategy calls itself: {}", cycle.join(" → "));
        refusals.push(Diagnostic::error("E0315", message).at(strategy.span));
        // One report for a cycle is enough.
        return;
    }
}
