//! Reading the graph form: nodes by their labels.
//!
//! ```text
//! 1: "Read a page" NEXT 2
//! 2: IF 'the page is empty' THEN STOP ELSE 1
//! ```

use super::lexer::Token;
use super::parser::{Parser, Read};
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id};

impl Parser<'_> {
    /// Reads nodes up to what is none.
    pub fn flow(&mut self) -> Read<Id> {
        let start = self.span();
        let mut nodes = Vec::new();
        while matches!(self.peek(), Token::Int(_) | Token::Word(_))
            && self.peek_second() == Token::Sign(":")
        {
            nodes.push(self.deeper(|p| p.node())?);
        }
        Ok(self.make(Construct::Flow, &nodes, start))
    }

    fn node(&mut self) -> Read<Id> {
        let start = self.span();
        let label = self.label()?;
        self.expect_sign(":")?;
        if self.take_keyword(Keyword::If) {
            let condition = self.expression()?;
            self.expect_keyword(Keyword::IfThen)?;
            let yes = self.leads_to()?;
            self.expect_keyword(Keyword::Else)?;
            let no = self.leads_to()?;
            return Ok(self.make(Construct::Choice, &[label, condition, yes, no], start));
        }
        if self.at_keyword(Keyword::While) {
            let diagnostic = Diagnostic::error("E0110", "a graph has no WHILE")
                .at(self.span())
                .hint("a node IF … THEN … ELSE … and an edge back to it are a loop");
            return self.fail_with(diagnostic);
        }
        let operator = self.operator()?;
        if !self.take_keyword(Keyword::Next) {
            let diagnostic =
                Diagnostic::error("E0104", format!("expected NEXT, found {}", self.here()))
                    .at(self.span())
                    .hint("each node names the one after it: NEXT 2, or NEXT STOP");
            return self.fail_with(diagnostic);
        }
        let next = self.leads_to()?;
        Ok(self.make(Construct::Node, &[label, operator, next], start))
    }

    /// A number or a name.
    fn label(&mut self) -> Read<Id> {
        match self.peek() {
            Token::Int(i) => {
                self.advance();
                Ok(self.leaf(Head::Int(i)))
            }
            _ => self.expect_name("the label of a node"),
        }
    }

    /// Where an edge leads: a label, or the end.
    fn leads_to(&mut self) -> Read<Id> {
        let start = self.span();
        match self.take_keyword(Keyword::Stop) {
            true => Ok(self.make(Construct::Stop, &[], start)),
            false => self.label(),
        }
    }
}
