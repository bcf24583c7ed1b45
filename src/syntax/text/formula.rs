//! Reading operators in the formula form.

use super::lexer::Token;
use super::parser::{Parser, Read};
use crate::algebra::{Construct, Keyword, Sort, TABLE, then};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, MAX_DEPTH, Symbol};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The letters that formulas have for operators, such as E.
static LETTERS: LazyLock<HashMap<Symbol, Construct>> = LazyLock::new(|| {
    let letter = |formula: &'static str| {
        let end = formula.find(|c: char| !c.is_ascii_uppercase());
        &formula[..end.unwrap_or(formula.len())]
    };
    TABLE
        .iter()
        .filter(|info| info.sort == Sort::Operator && !letter(info.formula).is_empty())
        .map(|info| (Symbol::new(letter(info.formula)), info.construct))
        .collect()
});

impl Parser<'_> {
    /// Reads products, at once where there are several: `A ∨̇ B`. `∨̇ A` is one branch alone.
    pub fn branches(&mut self) -> Read<Id> {
        let start = self.span();
        let alone = self.at_sign("||") && !self.is_loop_after_sign();
        if alone {
            self.advance();
        }
        let mut branches = vec![self.product()?];
        while self.take_sign("||") {
            if branches.len() > MAX_DEPTH {
                return self.too_deep();
            }
            branches.push(self.product()?);
        }
        if alone || branches.len() > 1 {
            return Ok(self.make(Construct::Async, &branches, start));
        }
        Ok(branches[0])
    }

    /// Whether the sign that comes next begins a loop: `∨̇(i = …`.
    fn is_loop_after_sign(&self) -> bool {
        matches!(
            (self.peek_at(1), self.peek_at(2), self.peek_at(3)),
            (Token::Sign("("), Token::Word(_), Token::Sign("="))
        )
    }

    /// Reads factors in order.
    fn product(&mut self) -> Read<Id> {
        let start = self.span();
        let mut factors = vec![self.deeper(|p| p.factor())?];
        while self.take_sign("*") {
            factors.push(self.deeper(|p| p.factor())?);
        }
        let id = then(self.terms, &factors);
        if factors.len() != 1 && self.terms.span(id).is_none() {
            self.terms.set_span(id, start.join(self.last_span()));
        }
        Ok(id)
    }

    fn factor(&mut self) -> Read<Id> {
        let start = self.span();
        match self.peek() {
            Token::Phrase => self.phrase(),
            Token::Sign("<<") => self.basic(),
            Token::Sign("(") => {
                self.advance();
                if !self.take_sign("[") {
                    let inner = self.branches()?;
                    self.expect_sign(")")?;
                    return Ok(inner);
                }
                let condition = self.expression()?;
                self.expect_sign("]")?;
                let yes = self.branches()?;
                let no = match self.take_sign(",") {
                    true => self.branches()?,
                    false => self.terms.atom(Construct::Empty.symbol()),
                };
                self.expect_sign(")")?;
                Ok(self.make(Construct::If, &[condition, yes, no], start))
            }
            Token::Sign("{") => {
                self.advance();
                self.expect_sign("[")?;
                let until = self.expression()?;
                self.expect_sign("]")?;
                let body = self.branches()?;
                self.expect_sign("}")?;
                // `{[u] A}` repeats until u.
                let condition = match self.terms.functor(until) {
                    Some(f) if f == Construct::Not.symbol() => self.terms.arg(until, 0),
                    _ => {
                        let not = self.terms.apply(Construct::Not.symbol(), &[until]);
                        self.terms.copy_origin(until, not);
                        not
                    }
                };
                Ok(self.make(Construct::While, &[condition, body], start))
            }
            Token::Sign("**") => {
                self.advance();
                let mut parts = self.range()?;
                if self.take_sign(":") {
                    parts.push(self.expression()?);
                }
                self.expect_sign(")")?;
                parts.push(self.deeper(|p| p.factor())?);
                let construct = match parts.len() {
                    5 => Construct::ForStep,
                    _ => Construct::ForLoop,
                };
                Ok(self.make(construct, &parts, start))
            }
            Token::Sign("||") => {
                self.advance();
                let mut parts = self.range()?;
                let lanes = self.take_sign(":");
                if lanes {
                    parts.push(self.expression()?);
                }
                self.expect_sign(")")?;
                parts.push(self.deeper(|p| p.factor())?);
                let construct = match lanes {
                    true => Construct::Lanes,
                    false => Construct::Parallel,
                };
                Ok(self.make(construct, &parts, start))
            }
            Token::Word(word) => match LETTERS.get(&word) {
                Some(&construct) => {
                    self.advance();
                    self.lettered(construct)
                }
                None => {
                    let diagnostic = Diagnostic::error(
                        "E0104",
                        format!("expected an operator, found {}", self.here()),
                    )
                    .at(start)
                    .hint("in a formula assignments and other basic operators stand in ⟨ … ⟩ or << … >>");
                    self.fail_with(diagnostic)
                }
            },
            _ => self.fail_expecting("an operator"),
        }
    }

    /// `(i = a..b` of a loop.
    fn range(&mut self) -> Read<Vec<Id>> {
        self.expect_sign("(")?;
        let var = self.expect_name("the name of the loop's variable")?;
        self.expect_sign("=")?;
        let from = self.expression()?;
        self.expect_sign("..")?;
        Ok(vec![var, from, self.expression()?])
    }

    /// Reads what follows the letter of an operator.
    fn lettered(&mut self, construct: Construct) -> Read<Id> {
        let start = self.last_span();
        let info = construct.info();
        let mut parts = Vec::new();
        // What is no operator stands in parentheses, an operator after them.
        let plain = info.arguments.iter().filter(|&&s| s != Sort::Operator);
        for (i, sort) in plain.enumerate() {
            self.expect_sign(if i == 0 { "(" } else { "," })?;
            parts.push(match sort {
                Sort::Text => self.synchronizer()?,
                _ => self.expression()?,
            });
        }
        if !parts.is_empty() {
            self.expect_sign(")")?;
        }
        if info.arguments.contains(&Sort::Operator) {
            parts.push(self.deeper(|p| p.factor())?);
        }
        Ok(self.make(construct, &parts, start))
    }

    /// The text of a control point, with or without quotes.
    fn synchronizer(&mut self) -> Read<Id> {
        match self.peek() {
            Token::Word(word) => {
                self.advance();
                Ok(self.leaf(crate::term::Head::Text(word)))
            }
            _ => self.expect_text("a text in quotes"),
        }
    }

    /// Reads `⟨ … ⟩`: an operator without operators in it, or the header of one that stands in
    /// parentheses after it.
    fn basic(&mut self) -> Read<Id> {
        let start = self.span();
        self.expect_sign("<<")?;
        let (construct, mut parts) = if self.take_keyword(Keyword::Timed) {
            (Construct::Timed, Vec::new())
        } else if self.take_keyword(Keyword::Recorded) {
            (Construct::Recorded, Vec::new())
        } else if self.take_keyword(Keyword::Array) {
            (Construct::Array, self.array_header()?)
        } else {
            let operator = self.basic_operator()?;
            self.expect_sign(">>")?;
            return Ok(operator);
        };
        self.expect_sign(">>")?;
        self.expect_sign("(")?;
        parts.push(self.branches()?);
        self.expect_sign(")")?;
        Ok(self.make(construct, &parts, start))
    }
}
