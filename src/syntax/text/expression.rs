//! Reading expressions and predicates.

use super::lexer::{LEAST, Piece, Token, pieces, plain};
use super::parser::{Form, Parser, Read};
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MAX_DEPTH, Span, Symbol};

/// Precedence levels, loosest first; they match the table of constructs.
const OR: u8 = 1;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const PREFIX_MINUS: u8 = 7;
const POWER: u8 = 8;

/// The word of formulas for the remainder.
const MOD: &str = "mod";

impl Parser<'_> {
    /// Reads an expression or a predicate.
    pub fn expression(&mut self) -> Read<Id> {
        self.deeper(|p| p.binary(OR))
    }

    /// Reads an expression that is the whole text.
    pub fn whole_expression(&mut self) -> Read<Id> {
        let id = self.expression()?;
        if self.peek() == Token::End {
            Ok(id)
        } else {
            self.fail_expecting("the end of the text")
        }
    }

    /// The binary operator that stands here.
    fn binary_operator(&self) -> Option<Construct> {
        Some(match self.peek() {
            Token::Sign("+") => Construct::Plus,
            Token::Sign("-") => Construct::Minus,
            Token::Sign("*") => Construct::Times,
            Token::Sign("/") => Construct::Div,
            Token::Sign("^") => Construct::Power,
            Token::Sign("=") => Construct::Equal,
            Token::Sign("<>") => Construct::NotEqual,
            Token::Sign("<") => Construct::Less,
            Token::Sign("<=") => Construct::LessOrEqual,
            Token::Sign(">") => Construct::Greater,
            Token::Sign(">=") => Construct::GreaterOrEqual,
            Token::Sign("\\/") => Construct::Or,
            Token::Sign("/\\") => Construct::And,
            Token::Word(word) if self.form == Form::Formula && word.as_str() == MOD => {
                Construct::Mod
            }
            Token::Word(_) if self.at_keyword(Keyword::Or) => Construct::Or,
            Token::Word(_) if self.at_keyword(Keyword::And) => Construct::And,
            Token::Word(_) if self.at_keyword(Keyword::Mod) => Construct::Mod,
            _ => return None,
        })
    }

    fn binary(&mut self, least: u8) -> Read<Id> {
        let start = self.span();
        let mut left = self.prefix()?;
        let mut chain = 0;
        while let Some(op) = self.binary_operator() {
            let precedence = op.info().precedence;
            if precedence < least {
                break;
            }
            chain += 1;
            if chain > MAX_DEPTH {
                return self.too_deep();
            }
            self.advance();
            // All associate to the left, but powers to the right and comparisons not at all.
            let right = self.deeper(|p| match op {
                Construct::Power => p.binary(PREFIX_MINUS),
                _ => p.binary(precedence + 1),
            })?;
            left = self.make(op, &[left, right], start);
            if precedence == COMPARISON
                && self
                    .binary_operator()
                    .is_some_and(|o| o.info().precedence == COMPARISON)
            {
                let diagnostic = Diagnostic::error("E0104", "comparisons cannot be chained")
                    .at(self.span())
                    .hint("write `a < b AND b < c`");
                return self.fail_with(diagnostic);
            }
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Read<Id> {
        let start = self.span();
        if self.at_sign("-") {
            self.advance();
            let number = self.peek();
            let whole = !matches!(self.peek_second(), Token::Sign("^" | "."));
            if number == Token::Int(LEAST) && whole {
                self.advance();
                let id = self.terms.int(LEAST);
                self.terms.set_span(id, start.join(self.last_span()));
                return Ok(id);
            }
            let operand = self.deeper(|p| p.binary(POWER))?;
            let is_literal = self.last() == number
                && self
                    .terms
                    .span(operand)
                    .is_some_and(|s| s == self.last_span());
            let head = match (self.terms.head(operand), number) {
                (Head::Int(i), Token::Int(_)) if is_literal => Some(Head::Int(i.wrapping_neg())),
                (Head::Real(x), Token::Real(_)) if is_literal => Some(Head::Real(-x)),
                _ => None,
            };
            if let Some(head) = head {
                let id = self.terms.make(head, &[]);
                self.terms.set_span(id, start.join(self.last_span()));
                return Ok(id);
            }
            return Ok(self.make(Construct::Negate, &[operand], start));
        }
        if self.at_sign("(") && self.peek_after_parentheses() == Token::Sign("~>") {
            self.advance();
            let operator = self.deeper(|p| p.sequence())?;
            self.expect_sign(")")?;
            self.expect_sign("~>")?;
            let condition = self.deeper(|p| p.binary(NOT))?;
            return Ok(self.make(Construct::After, &[operator, condition], start));
        }
        if self.take_sign("!") || self.take_keyword(Keyword::Not) {
            let operand = self.deeper(|p| p.binary(NOT))?;
            return Ok(self.make(Construct::Not, &[operand], start));
        }
        if self.take_keyword(Keyword::After) {
            self.expect_sign("(")?;
            // In a graph, too, the operator of a prediction is text.
            let form = self.form;
            if form == Form::Graph {
                self.form = Form::Text;
            }
            let operator = self.deeper(|p| p.sequence());
            self.form = form;
            let operator = operator?;
            self.expect_sign(")")?;
            let condition = self.deeper(|p| p.binary(NOT))?;
            return Ok(self.make(Construct::After, &[operator, condition], start));
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Read<Id> {
        let start = self.span();
        let mut value = self.primary()?;
        let mut chain = 0;
        while self.at_sign(".") {
            chain += 1;
            if chain > MAX_DEPTH {
                return self.too_deep();
            }
            self.advance();
            let field = self.expect_name("a component (x, y, z or w)")?;
            value = self.make(Construct::Field, &[value, field], start);
        }
        Ok(value)
    }

    fn primary(&mut self) -> Read<Id> {
        let start = self.span();
        match self.peek() {
            Token::Int(i) => {
                if i == LEAST {
                    let diagnostic =
                        Diagnostic::error("E0103", "this number is too large to be represented")
                            .at(start)
                            .hint("integers have 64 bits");
                    return self.fail_with(diagnostic);
                }
                self.advance();
                Ok(self.leaf(Head::Int(i)))
            }
            Token::Real(x) => {
                self.advance();
                Ok(self.leaf(Head::Real(x)))
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect_sign(")")?;
                Ok(inner)
            }
            Token::Predicate => {
                self.advance();
                let (name, arguments) = self.quoted(start)?;
                let mut all = vec![name];
                all.extend(arguments);
                Ok(self.make(Construct::Test, &all, start))
            }
            Token::Word(_) if self.take_keyword(Keyword::True) => {
                Ok(self.make(Construct::True, &[], start))
            }
            Token::Word(_) if self.take_keyword(Keyword::False) => {
                Ok(self.make(Construct::False, &[], start))
            }
            Token::Word(word) => {
                let index = match word.as_str() {
                    "block" => Some(Construct::BlockIndex),
                    "thread" => Some(Construct::ThreadIndex),
                    "blocks" => Some(Construct::BlockCount),
                    "threads" => Some(Construct::ThreadCount),
                    _ => None,
                };
                if let Some(construct) = index {
                    self.advance();
                    return Ok(self.make(construct, &[], start));
                }
                let name = self.expect_name("an expression")?;
                if self.at_sign("[") {
                    self.advance();
                    let mut all = vec![name];
                    self.list(&mut all)?;
                    self.expect_sign("]")?;
                    Ok(self.make(Construct::Index, &all, start))
                } else if self.at_sign("(") {
                    self.advance();
                    let mut all = vec![name];
                    self.list(&mut all)?;
                    self.expect_sign(")")?;
                    Ok(self.make(Construct::Apply, &all, start))
                } else {
                    Ok(name)
                }
            }
            Token::Phrase => {
                let diagnostic = Diagnostic::error(
                    "E0104",
                    "a phrase acts, but a value or a predicate is needed here",
                )
                .at(start)
                .hint("predicates stand in single quotes: '…'");
                self.fail_with(diagnostic)
            }
            _ => self.fail_expecting("an expression"),
        }
    }

    /// Reads one or more expressions separated by commas.
    pub fn list(&mut self, into: &mut Vec<Id>) -> Read<()> {
        loop {
            into.push(self.expression()?);
            if !self.take_sign(",") {
                return Ok(());
            }
        }
    }

    /// A quoted text that was just read: its name as a text term, and its arguments.
    ///
    /// In the name, a group of k arguments leaves `(`, k - 1 commas and `)`; parentheses and
    /// backslashes of the plain text are escaped by a backslash.
    pub fn quoted(&mut self, span: Span) -> Read<(Id, Vec<Id>)> {
        let mut name = String::new();
        let mut arguments = Vec::new();
        for piece in pieces(self.text, span) {
            match piece {
                Piece::Text(text) => {
                    for c in text.chars() {
                        if matches!(c, '(' | ')' | '\\') {
                            name.push('\\');
                        }
                        name.push(c);
                    }
                }
                Piece::Group(from, to) if self.text[from..to].trim().is_empty() => {
                    name.push_str("\\(\\)");
                }
                Piece::Group(from, to) => {
                    let before = arguments.len();
                    self.within(from, to, |p| p.list(&mut arguments))?;
                    name.push('(');
                    for _ in before + 1..arguments.len() {
                        name.push(',');
                    }
                    name.push(')');
                }
            }
        }
        let name = self.terms.text(Symbol::new(&name));
        self.terms.set_span(name, span);
        Ok((name, arguments))
    }

    /// Takes a quoted text that must stand here and has no arguments.
    pub fn expect_text(&mut self, what: &str) -> Read<Id> {
        let span = self.span();
        if !matches!(self.peek(), Token::Phrase | Token::Predicate) {
            return self.fail_expecting(what);
        }
        self.advance();
        let text = Symbol::new(&plain(self.text, span));
        Ok(self.leaf(Head::Text(text)))
    }
}
