//! Reading phrases whose parentheses hold names: in definitions and in dictionaries.
//!
//! ```text
//! DICTIONARY
//!   "Kick body (i) by (a)" ==== UK "Штовхнути на (a) тіло (i)" RU "Толкнуть на (a) тело (i)"
//! ```

use super::lexer::Token;
use super::parser::{Parser, Read};
use crate::algebra::{Construct, Language};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};

impl Parser<'_> {
    /// Reads a phrase or a predicate, and the names in its parentheses.
    pub fn named(&mut self) -> Read<(Id, Id)> {
        let start = self.span();
        self.advance();
        let (name, arguments) = self.quoted(start)?;
        for (i, &argument) in arguments.iter().enumerate() {
            let span = self.terms.span(argument).unwrap_or(start);
            let Some(formal) = self.terms.as_atom(argument) else {
                let diagnostic =
                    Diagnostic::error("E0109", "in a definition the parentheses hold names")
                        .at(span)
                        .hint("write \\( for a parenthesis that belongs to the text");
                return self.fail_with(diagnostic);
            };
            let twice = arguments[..i]
                .iter()
                .any(|&a| self.terms.as_atom(a) == Some(formal));
            if twice {
                let diagnostic = Diagnostic::error(
                    "E0109",
                    format!("`{formal}` stands twice in this definition's parentheses"),
                )
                .at(span)
                .hint("give each argument its own name");
                return self.fail_with(diagnostic);
            }
        }
        let formals = self.make(Construct::Formals, &arguments, start);
        Ok((name, formals))
    }

    /// Reads the entries of a dictionary.
    pub fn dictionary(&mut self, into: &mut Vec<Id>) {
        while !self.gave_up() {
            while self.take_sign(";") {}
            if !matches!(self.peek(), Token::Phrase | Token::Predicate) {
                return;
            }
            match self.entry() {
                Ok(entry) => into.push(entry),
                Err(_) => self.skip_to_definition(),
            }
        }
    }

    fn entry(&mut self) -> Read<Id> {
        let start = self.span();
        let quote = self.peek();
        let (name, formals) = self.named()?;
        self.expect_sign("====")?;
        let mut parts = vec![name, formals];
        while let Some(language) = Language::ALL
            .into_iter()
            .find(|l| self.at_keyword(l.keyword()))
        {
            let from = self.span();
            self.take_keyword(language.keyword());
            let code = self.terms.atom(Symbol::new(language.code()));
            if self.peek() != quote {
                return self.fail_expecting(match quote {
                    Token::Phrase => "a phrase in double quotes",
                    _ => "a predicate in single quotes",
                });
            }
            let (text, names) = self.named()?;
            self.same_names(formals, names)?;
            parts.push(self.make(Construct::Translation, &[code, text, names], from));
        }
        if parts.len() == 2 {
            return self.fail_expecting("a language: EN, UK or RU");
        }
        let construct = match quote {
            Token::Phrase => Construct::Entry,
            _ => Construct::EntryTest,
        };
        Ok(self.make(construct, &parts, start))
    }

    /// A translation has the arguments of the phrase, in any order.
    fn same_names(&mut self, formals: Id, names: Id) -> Read<()> {
        let sorted = |id: Id| {
            let mut all: Vec<&str> = self
                .terms
                .args(id)
                .iter()
                .filter_map(|&a| self.terms.as_atom(a))
                .map(|a| a.as_str())
                .collect();
            all.sort_unstable();
            all
        };
        if sorted(formals) == sorted(names) {
            return Ok(());
        }
        let diagnostic = Diagnostic::error("E0114", "a translation has other arguments")
            .at(self.terms.span(names))
            .also(self.terms.span(formals), "the phrase")
            .hint("the same names stand in the parentheses of both, in any order");
        self.fail_with(diagnostic)
    }
}
