//! Strategies: what the grammar matched → plans.

use super::grammar::{Pair, Rule};
use super::items::{ParameterItem, PlanItem, PlanKind, StrategyItem};
use super::reader::{Reader, Refusal};
use crate::diagnostic::Diagnostic;
use crate::term::Symbol;

/// Strategies nest in brackets no deeper than this.
const MOST_NESTED: usize = 100;

impl<'a> Reader<'a> {
    /// `strategy name(parameters) = body`
    pub(super) fn strategy(
        &mut self,
        pair: Pair<'a>,
        doc: String,
    ) -> Result<StrategyItem, Refusal> {
        let whole = self.span_of(&pair);
        let (mut name, mut body) = (None, None);
        let mut parameters = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.name(&part)?),
                Rule::parameter => parameters.extend(self.parameter(part)?),
                Rule::sequence => body = Some(self.sequence(part, 0)?),
                _ => {}
            }
        }
        let (Some((name, span)), Some(body)) = (name, body) else {
            return self.refuse(whole, "expected a strategy");
        };
        Ok(StrategyItem {
            name,
            span,
            doc,
            parameters,
            body,
        })
    }

    /// `name : low..high = default`
    fn parameter(&mut self, pair: Pair<'a>) -> Result<Option<ParameterItem>, Refusal> {
        let mut name = None;
        let mut numbers = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name_of_parameter => name = Some(self.name(&part)?),
                Rule::integer => numbers.push(self.integer(part)?),
                _ => {}
            }
        }
        let (Some((name, span)), Some(default)) = (name, numbers.pop()) else {
            return Ok(None);
        };
        let range = match numbers[..] {
            [low, high] => Some((low, high)),
            _ => None,
        };
        Ok(Some(ParameterItem {
            name,
            span,
            default,
            range,
        }))
    }

    pub(super) fn integer(&mut self, pair: Pair<'a>) -> Result<i64, Refusal> {
        let mut negative = false;
        let mut value = 0;
        for part in pair.into_inner() {
            if part.as_rule() == Rule::minus {
                negative = true;
                continue;
            }
            let span = self.span_of(&part);
            let digits = part.as_str().trim_end_matches(['L', 'B']);
            value = match digits.parse::<i64>() {
                Ok(value) => value,
                Err(_) => {
                    let message = format!("expected an integer of 64 bits, found `{digits}`");
                    return self.refuse(span, message);
                }
            };
        }
        Ok(if negative { -value } else { value })
    }

    /// A part of a plan that begins at a byte and ends with the token that was built last.
    fn plan(&self, from: usize, kind: PlanKind) -> PlanItem {
        let to = self.last.max(from);
        PlanItem {
            span: self.span(from, to),
            text: self.text[from..to]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            kind,
        }
    }

    fn sequence(&mut self, pair: Pair<'a>, depth: usize) -> Result<PlanItem, Refusal> {
        let from = self.from(&pair);
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::choice => parts.push(self.choice(part, depth)?),
                _ => self.last = self.to(&part),
            }
        }
        match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => Ok(self.plan(from, PlanKind::Sequence(parts))),
        }
    }

    fn choice(&mut self, pair: Pair<'a>, depth: usize) -> Result<PlanItem, Refusal> {
        let from = self.from(&pair);
        let mut parts = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() != Rule::or_else) {
            parts.push(self.part(part, depth)?);
        }
        match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => Ok(self.plan(from, PlanKind::Choice(parts))),
        }
    }

    fn part(&mut self, pair: Pair<'a>, depth: usize) -> Result<PlanItem, Refusal> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let form = pair.as_rule();
        if depth > MOST_NESTED {
            let message = format!("the strategy nests deeper than {MOST_NESTED} levels");
            let span = self.span(from, from + 1);
            return Err(Box::new(Diagnostic::error("E0310", message).at(span)));
        }
        if form == Rule::call {
            return self.call(pair);
        }
        let (mut inner, mut condition, mut name) = (None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::sequence => inner = Some(self.sequence(part, depth + 1)?),
                Rule::term => condition = Some(self.term(part)?),
                Rule::place => name = Some(self.name(&part)?.0),
                Rule::combinator => name = Some(Symbol::new(part.as_str())),
                _ => {}
            }
        }
        self.last = to;
        let Some(inner) = inner else {
            return self.refuse(self.span(from, to), "expected a strategy");
        };
        let kind = match (form, condition, name) {
            (Rule::at, _, Some(place)) => PlanKind::At(place, Box::new(inner)),
            (Rule::outside, _, Some(place)) => PlanKind::Outside(place, Box::new(inner)),
            (Rule::when, Some(condition), _) => PlanKind::When(condition, Box::new(inner)),
            (Rule::combined, _, Some(name)) => PlanKind::Apply(name, Box::new(inner)),
            _ => return Ok(inner),
        };
        Ok(self.plan(from, kind))
    }

    /// A rule or a strategy by its name, with values of its parameters.
    fn call(&mut self, pair: Pair<'a>) -> Result<PlanItem, Refusal> {
        let from = self.from(&pair);
        let mut called = Symbol::new("");
        let mut values = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name | Rule::quoted_name => called = self.name(&part)?.0,
                Rule::setting => {
                    let mut inner = part.into_inner();
                    if let (Some(name), Some(term)) = (inner.next(), inner.nth(1)) {
                        let (name, span) = self.name(&name)?;
                        values.push((name, span, self.term(term)?));
                    }
                }
                _ => self.last = self.to(&part),
            }
        }
        Ok(self.plan(from, PlanKind::Call(called, values)))
    }
}
