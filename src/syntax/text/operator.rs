//! Reading operators.

use super::lexer::Token;
use super::parser::{Form, Parser, Read};
use crate::algebra::{Construct, Keyword, TABLE, then};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Span, Symbol};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Phrases that the table of constructs gives a meaning, such as the copies.
static KNOWN_PHRASES: LazyLock<HashMap<Symbol, Construct>> = LazyLock::new(|| {
    TABLE
        .iter()
        .filter(|info| info.text.starts_with('"') && info.text.contains("(%1)"))
        .map(|info| {
            let name = info.text.trim_matches('"').replace("(%1)", "()");
            (Symbol::new(&name), info.construct)
        })
        .collect()
});

impl Parser<'_> {
    /// Whether nothing more of a sequence stands here.
    fn at_end_of_sequence(&self) -> bool {
        match self.peek() {
            Token::End | Token::Sign(")" | "//") => true,
            Token::Phrase | Token::Predicate => self.peek_second() == Token::Sign("===="),
            Token::Word(_) => [
                Keyword::Else,
                Keyword::EndIf,
                Keyword::EndOfLoop,
                Keyword::EndOfScheme,
                Keyword::EndOfData,
                Keyword::Where,
                Keyword::Dictionary,
            ]
            .iter()
            .any(|&k| self.at_keyword(k)),
            _ => false,
        }
    }

    /// Reads operators in sequence up to what cannot belong to it, in the form of this text. An empty
    /// one is `Empty`.
    pub fn sequence(&mut self) -> Read<Id> {
        match self.form {
            Form::Text => {}
            Form::Formula => return self.branches(),
            Form::Graph => return self.flow(),
        }
        let start = self.span();
        let mut operators = Vec::new();
        while self.take_sign(";") {}
        while !self.at_end_of_sequence() {
            let operator = self.deeper(|p| p.operator())?;
            operators.push(operator);
            let mut separated = false;
            while self.take_sign(";") || self.take_keyword(Keyword::Then) {
                separated = true;
            }
            if separated || self.at_end_of_sequence() {
                continue;
            }
            // A separator may be left out after a closing parenthesis or an END.
            let construct = self.terms.functor(operator).and_then(Construct::of);
            let closed = self.last() == Token::Sign(")")
                || matches!(
                    construct,
                    Some(
                        Construct::If | Construct::While | Construct::ForLoop | Construct::ForStep
                    )
                );
            if !closed {
                let after = self.last_span();
                let diagnostic =
                    Diagnostic::error("E0104", format!("expected `;`, found {}", self.here()))
                        .at(self.span())
                        .also(after, "an operator ends here")
                        .hint("operators are separated by `;`");
                return self.fail_with(diagnostic);
            }
        }
        let id = then(self.terms, &operators);
        if operators.len() != 1 {
            let span = start.join(self.last_span());
            if self.terms.span(id).is_none() {
                self.terms.set_span(id, span);
            }
        }
        Ok(id)
    }

    /// Reads `( A )`.
    fn in_parentheses(&mut self) -> Read<Id> {
        self.expect_sign("(")?;
        let body = self.sequence()?;
        self.expect_sign(")")?;
        Ok(body)
    }

    /// Reads an operator.
    pub fn operator(&mut self) -> Read<Id> {
        let start = self.span();
        match self.peek() {
            Token::Phrase => self.phrase(),
            Token::Predicate => {
                let diagnostic = Diagnostic::error("E0104", "a predicate stands where something must act")
                    .at(start)
                    .hint("phrases stand in double quotes: \"…\"; to go on only if a predicate holds, write FILTER '…'");
                self.fail_with(diagnostic)
            }
            Token::Word(_) => self.keyword_operator(),
            _ => self.fail_expecting("an operator"),
        }
    }

    /// Reads a phrase.
    pub fn phrase(&mut self) -> Read<Id> {
        let start = self.span();
        self.advance();
        let (name, arguments) = self.quoted(start)?;
        let known = self.terms.as_text(name).and_then(|n| KNOWN_PHRASES.get(&n));
        if let (Some(&construct), [argument]) = (known, arguments.as_slice())
            && self.terms.as_atom(*argument).is_some()
        {
            return Ok(self.make(construct, &[*argument], start));
        }
        let mut all = vec![name];
        all.extend(arguments);
        Ok(self.make(Construct::Call, &all, start))
    }

    fn keyword_operator(&mut self) -> Read<Id> {
        let start = self.span();
        if self.take_keyword(Keyword::If) {
            let condition = self.expression()?;
            self.expect_keyword(Keyword::IfThen)?;
            let yes = self.sequence()?;
            let no = if self.take_keyword(Keyword::Else) {
                self.sequence()?
            } else {
                self.terms.atom(Construct::Empty.symbol())
            };
            self.expect_keyword(Keyword::EndIf)?;
            Ok(self.make(Construct::If, &[condition, yes, no], start))
        } else if self.take_keyword(Keyword::While) {
            let condition = self.expression()?;
            self.expect_keyword(Keyword::Loop)?;
            let body = self.sequence()?;
            self.expect_keyword(Keyword::EndOfLoop)?;
            Ok(self.make(Construct::While, &[condition, body], start))
        } else if self.take_keyword(Keyword::For) {
            self.for_loop()
        } else if self.take_keyword(Keyword::Parallel) {
            self.parallel()
        } else if self.take_keyword(Keyword::Lanes) {
            self.lanes(start)
        } else if self.take_keyword(Keyword::ControlPoint) {
            let text = self.expect_text("a text in quotes")?;
            Ok(self.make(Construct::ControlPoint, &[text], start))
        } else if self.take_keyword(Keyword::Wait) {
            let text = self.expect_text("a text in quotes")?;
            Ok(self.make(Construct::Wait, &[text], start))
        } else if self.take_keyword(Keyword::Filter) {
            let condition = self.expression()?;
            Ok(self.make(Construct::Filter, &[condition], start))
        } else if self.take_keyword(Keyword::Empty) {
            Ok(self.make(Construct::Empty, &[], start))
        } else if self.take_keyword(Keyword::Undefined) {
            Ok(self.make(Construct::Undefined, &[], start))
        } else if self.take_keyword(Keyword::Timed) {
            let body = self.in_parentheses()?;
            Ok(self.make(Construct::Timed, &[body], start))
        } else if self.take_keyword(Keyword::Recorded) {
            let body = self.in_parentheses()?;
            Ok(self.make(Construct::Recorded, &[body], start))
        } else if self.take_keyword(Keyword::RunKernel) {
            self.expect_sign("(")?;
            let blocks = self.expression()?;
            self.expect_sign(",")?;
            let threads = self.expression()?;
            self.expect_sign(")")?;
            let body = self.in_parentheses()?;
            Ok(self.make(Construct::Launch, &[blocks, threads, body], start))
        } else if self.take_keyword(Keyword::Array) {
            let mut parts = self.array_header()?;
            self.expect_keyword(Keyword::In)?;
            parts.push(self.in_parentheses()?);
            Ok(self.make(Construct::Array, &parts, start))
        } else {
            self.basic_operator()
        }
    }

    /// Reads an operator that has no operators in it and is no phrase.
    pub fn basic_operator(&mut self) -> Read<Id> {
        let start = self.span();
        if self.take_keyword(Keyword::Barrier) {
            Ok(self.make(Construct::Barrier, &[], start))
        } else if self.take_keyword(Keyword::Local) {
            let name = self.expect_name("the name of a variable")?;
            self.expect_sign(":")?;
            let ty = self.expect_name("a type")?;
            if !self.at_sign(":=") {
                let diagnostic =
                    Diagnostic::error("E0104", format!("expected `:=`, found {}", self.here()))
                        .at(self.span())
                        .hint("a LOCAL has a value from the start: LOCAL x : REAL := 0");
                return self.fail_with(diagnostic);
            }
            self.advance();
            let value = self.expression()?;
            Ok(self.make(Construct::Local, &[name, ty, value], start))
        } else if self.take_keyword(Keyword::Shared) {
            self.sized(Construct::Shared, start)
        } else if self.take_keyword(Keyword::Registers) {
            self.sized(Construct::Registers, start)
        } else if self.take_keyword(Keyword::Rotate) {
            self.of_names(Construct::Rotate, start)
        } else if self.take_keyword(Keyword::SumOverWarp) {
            self.of_names(Construct::SumOverWarp, start)
        } else if self.take_keyword(Keyword::Report) {
            let mut all = vec![self.expect_text("a label in quotes")?];
            self.expect_sign("(")?;
            self.list(&mut all)?;
            self.expect_sign(")")?;
            Ok(self.make(Construct::Report, &all, start))
        } else if self.take_keyword(Keyword::Save) {
            let label = self.expect_text("a label in quotes")?;
            self.expect_sign("(")?;
            let array = self.expect_name("the name of an array")?;
            self.expect_sign(")")?;
            Ok(self.make(Construct::Save, &[label, array], start))
        } else if self.take_keyword(Keyword::Atomic) {
            let target = self.target()?;
            self.expect_sign("+=")?;
            let value = self.expression()?;
            Ok(self.make(Construct::AtomicAdd, &[target, value], start))
        } else {
            let target = self.target()?;
            if self.take_sign("+=") {
                let value = self.expression()?;
                let sum = self.make(Construct::Plus, &[target, value], start);
                return Ok(self.make(Construct::Assign, &[target, sum], start));
            }
            if !self.at_sign(":=") {
                let diagnostic =
                    Diagnostic::error("E0104", format!("expected `:=`, found {}", self.here()))
                        .at(self.span())
                        .hint("values are assigned with `:=`; phrases stand in double quotes");
                return self.fail_with(diagnostic);
            }
            self.advance();
            let value = self.expression()?;
            Ok(self.make(Construct::Assign, &[target, value], start))
        }
    }

    /// Reads what can be assigned: a variable, a cell or a component.
    fn target(&mut self) -> Read<Id> {
        let start = self.span();
        let name = self.expect_name("an operator")?;
        let mut target = name;
        if self.take_sign("[") {
            let mut all = vec![name];
            self.list(&mut all)?;
            self.expect_sign("]")?;
            target = self.make(Construct::Index, &all, start);
        }
        while self.take_sign(".") {
            let field = self.expect_name("a component (x, y, z or w)")?;
            target = self.make(Construct::Field, &[target, field], start);
        }
        Ok(target)
    }

    fn for_loop(&mut self) -> Read<Id> {
        let start = self.last_span();
        self.expect_sign("(")?;
        let var = self.expect_name("the name of the loop's variable")?;
        self.expect_keyword(Keyword::From)?;
        let from = self.expression()?;
        self.expect_keyword(Keyword::To)?;
        let to = self.expression()?;
        let step = if self.take_keyword(Keyword::Step) {
            Some(self.expression()?)
        } else {
            None
        };
        self.expect_sign(")")?;
        self.expect_keyword(Keyword::Loop)?;
        let body = self.sequence()?;
        self.expect_keyword(Keyword::EndOfLoop)?;
        Ok(match step {
            Some(step) => self.make(Construct::ForStep, &[var, from, to, step, body], start),
            None => self.make(Construct::ForLoop, &[var, from, to, body], start),
        })
    }

    fn parallel(&mut self) -> Read<Id> {
        let start = self.last_span();
        self.expect_sign("(")?;
        // `(i FROM …)` is a loop; anything else is branches.
        let is_loop = matches!(self.peek(), Token::Word(_)) && {
            let second = self.peek_second();
            Keyword::From
                .all_spellings()
                .any(|s| second == Token::Word(Symbol::new(s)))
        };
        if is_loop {
            let var = self.expect_name("the name of the loop's variable")?;
            self.expect_keyword(Keyword::From)?;
            let from = self.expression()?;
            self.expect_keyword(Keyword::To)?;
            let to = self.expression()?;
            self.expect_sign(")")?;
            let body = self.in_parentheses()?;
            return Ok(self.make(Construct::Parallel, &[var, from, to, body], start));
        }
        let mut branches = vec![self.sequence()?];
        while self.take_sign("//") {
            branches.push(self.sequence()?);
        }
        self.expect_sign(")")?;
        Ok(self.make(Construct::Async, &branches, start))
    }

    /// `LANES (16) (i FROM a TO b) ( A )`
    fn lanes(&mut self, start: Span) -> Read<Id> {
        self.expect_sign("(")?;
        let width = self.expression()?;
        self.expect_sign(")")?;
        self.expect_sign("(")?;
        let var = self.expect_name("the name of the loop's variable")?;
        self.expect_keyword(Keyword::From)?;
        let from = self.expression()?;
        self.expect_keyword(Keyword::To)?;
        let to = self.expression()?;
        self.expect_sign(")")?;
        let body = self.in_parentheses()?;
        Ok(self.make(Construct::Lanes, &[var, from, to, width, body], start))
    }

    /// `x : T [n]`
    fn sized(&mut self, construct: Construct, start: Span) -> Read<Id> {
        let name = self.expect_name("the name of an array")?;
        self.expect_sign(":")?;
        let ty = self.expect_name("a type")?;
        self.expect_sign("[")?;
        let size = self.expression()?;
        self.expect_sign("]")?;
        Ok(self.make(construct, &[name, ty, size], start))
    }

    /// `x : T [n, m]`
    pub fn array_header(&mut self) -> Read<Vec<Id>> {
        let name = self.expect_name("the name of an array")?;
        self.expect_sign(":")?;
        let ty = self.expect_name("a type")?;
        Ok(vec![name, ty, self.dims()?])
    }

    /// `(x, y, …)`
    fn of_names(&mut self, construct: Construct, start: Span) -> Read<Id> {
        self.expect_sign("(")?;
        let mut names = vec![self.expect_name("the name of a variable")?];
        while self.take_sign(",") {
            names.push(self.expect_name("the name of a variable")?);
        }
        self.expect_sign(")")?;
        Ok(self.make(construct, &names, start))
    }

    /// Reads sizes in brackets.
    pub fn dims(&mut self) -> Read<Id> {
        let start = self.span();
        self.expect_sign("[")?;
        let mut dims = Vec::new();
        self.list(&mut dims)?;
        self.expect_sign("]")?;
        Ok(self.make(Construct::Dims, &dims, start))
    }
}
