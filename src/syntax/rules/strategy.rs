//! Tokens → strategies.
//!
//! A strategy reaches to the next `strategy`, to the next attribute or to the end of the text,
//! because `;` stands between its parts. In a file with both, rules come first.

use super::items::{ParameterItem, PlanItem, PlanKind, StrategyItem};
use super::lex::{Kind, Refusal};
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Span, Symbol};

/// Combinators that take one strategy.
const COMBINATORS: &[&str] = &[
    "try",
    "repeat",
    "once",
    "topdown",
    "bottomup",
    "innermost",
    "not",
    "all",
    "expressions",
];

/// Strategies nest in brackets no deeper than this; the reader of strategies recurses.
const MOST_NESTED: usize = 100;

impl Reader<'_> {
    /// Reads `strategy name(parameters) = body`, beginning at the word.
    pub(super) fn strategy(&mut self, doc: String) -> Result<StrategyItem, Refusal> {
        self.at += 1;
        let (name, span) = self.name("the name of a strategy")?;
        let mut parameters = Vec::new();
        if self.accept("(") && !self.accept(")") {
            loop {
                parameters.push(self.parameter()?);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect("=")?;
        let body = self.sequence(0)?;
        if !self.plan_ends() {
            return self.refuse("expected `;`, `<+` or the end of the strategy");
        }
        Ok(StrategyItem {
            name,
            span,
            doc,
            parameters,
            body,
        })
    }

    /// `name : low..high = default`
    fn parameter(&mut self) -> Result<ParameterItem, Refusal> {
        let (name, span) = self.name("the name of a parameter")?;
        let range = if self.accept(":") {
            let low = self.integer()?;
            self.expect("..")?;
            Some((low, self.integer()?))
        } else {
            None
        };
        self.expect("=")?;
        let default = self.integer()?;
        Ok(ParameterItem {
            name,
            span,
            default,
            range,
        })
    }

    fn integer(&mut self) -> Result<i64, Refusal> {
        let negative = self.accept("-");
        let Kind::Int(value) = self.kind() else {
            return self.refuse("expected an integer");
        };
        let Ok(value) = i64::try_from(value) else {
            return self.refuse("expected an integer of 64 bits");
        };
        self.at += 1;
        Ok(if negative { -value } else { value })
    }

    /// Whether no part of a strategy can begin here.
    fn plan_ends(&self) -> bool {
        match self.kind() {
            Kind::End | Kind::Attribute(_) => true,
            Kind::Name(name) if name.as_str() == "strategy" => {
                matches!(self.next_kind(), Kind::Name(_))
            }
            _ => false,
        }
    }

    fn plan(&self, from: usize, kind: PlanKind) -> PlanItem {
        let from = self.tokens[from].from;
        let to = self.tokens[self.at.max(1) - 1].to.max(from);
        PlanItem {
            span: Span::new(self.file, from, to),
            text: self.text[from..to]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            kind,
        }
    }

    fn sequence(&mut self, depth: usize) -> Result<PlanItem, Refusal> {
        let first = self.at;
        let mut parts = vec![self.choice(depth)?];
        while self.accept(";") {
            if self.plan_ends() || self.is(")") {
                break;
            }
            parts.push(self.choice(depth)?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        Ok(self.plan(first, PlanKind::Sequence(parts)))
    }

    fn choice(&mut self, depth: usize) -> Result<PlanItem, Refusal> {
        let first = self.at;
        let mut parts = vec![self.part(depth)?];
        while self.accept("<+") {
            parts.push(self.part(depth)?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        Ok(self.plan(first, PlanKind::Choice(parts)))
    }

    fn part(&mut self, depth: usize) -> Result<PlanItem, Refusal> {
        let first = self.at;
        let token = self.token();
        if depth > MOST_NESTED {
            let message = format!("the strategy nests deeper than {MOST_NESTED} levels");
            let span = self.span_of(token);
            return Err(Box::new(Diagnostic::error("E0310", message).at(span)));
        }
        if self.accept("(") {
            let inner = self.sequence(depth + 1)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let Kind::Name(name) = token.kind else {
            return self.refuse("expected a strategy");
        };
        self.at += 1;
        if name.as_str() == "at" && self.accept("(") {
            let (phrase, _) = self.name("a phrase in quotes or a functor")?;
            self.expect(",")?;
            let inner = self.sequence(depth + 1)?;
            self.expect(")")?;
            return Ok(self.plan(first, PlanKind::At(phrase, Box::new(inner))));
        }
        if name.as_str() == "when" && self.accept("(") {
            let condition = self.term()?;
            self.expect(",")?;
            let inner = self.sequence(depth + 1)?;
            self.expect(")")?;
            return Ok(self.plan(first, PlanKind::When(condition, Box::new(inner))));
        }
        if COMBINATORS.contains(&name.as_str()) {
            self.expect("(")?;
            let inner = self.sequence(depth + 1)?;
            self.expect(")")?;
            return Ok(self.plan(first, PlanKind::Apply(name, Box::new(inner))));
        }
        let mut values: Vec<(Symbol, Span, Id)> = Vec::new();
        if self.accept("(") && !self.accept(")") {
            loop {
                let (parameter, span) = self.name("the name of a parameter")?;
                self.expect("=")?;
                values.push((parameter, span, self.term()?));
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(self.plan(first, PlanKind::Call(name, values)))
    }
}
