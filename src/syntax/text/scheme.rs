//! Reading schemes: DATA, the body, WHERE.

use super::lexer::Token;
use super::parser::{Form, Parser, Read};
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};

impl Parser<'_> {
    /// Reads a file: USE lines and schemes.
    pub fn file(&mut self) -> Vec<Id> {
        let mut items = Vec::new();
        while self.peek() != Token::End && !self.gave_up() {
            let start = self.span();
            if self.take_keyword(Keyword::Use) {
                if let Ok(path) = self.expect_text("a path in quotes") {
                    items.push(self.make(Construct::Use, &[path], start));
                }
                self.take_sign(";");
            } else if self.take_keyword(Keyword::Scheme) {
                if let Ok(scheme) = self.scheme(Construct::Scheme, Keyword::EndOfScheme) {
                    items.push(scheme);
                }
            } else if self.take_keyword(Keyword::Graph) {
                // Its first word says the form, whatever the file is called.
                let outer = std::mem::replace(&mut self.form, Form::Graph);
                if let Ok(graph) = self.scheme(Construct::Graph, Keyword::EndOfGraph) {
                    items.push(graph);
                }
                self.form = outer;
            } else {
                let diagnostic = Diagnostic::error(
                    "E0107",
                    format!("expected SCHEME or GRAPH, found {}", self.here()),
                )
                .at(self.span())
                .hint("a file holds schemes: SCHEME \"name\" ==== … END OF SCHEME \"name\"");
                let _ = self.fail_with::<()>(diagnostic);
                self.skip_to(&[Keyword::Scheme, Keyword::Graph]);
            }
        }
        items
    }

    /// Reads a scheme or a graph, up to the keyword that ends it.
    fn scheme(&mut self, construct: Construct, end: Keyword) -> Read<Id> {
        let start = self.last_span();
        let name = match self.expect_text("the scheme's name in quotes") {
            Ok(name) => name,
            Err(failed) => {
                self.skip_to(&[end, Keyword::Scheme, Keyword::Graph]);
                return Err(failed);
            }
        };
        let _ = self.expect_sign("====");
        let data = if self.take_keyword(Keyword::Data) {
            self.data()
        } else {
            self.terms.apply(Construct::Data.symbol(), &[])
        };
        let body = self.body();
        let mut parts = vec![name, data, body];
        let where_start = self.span();
        let mut definitions = Vec::new();
        if self.take_keyword(Keyword::Where) {
            loop {
                while self.take_sign(";") {}
                if self.peek() == Token::End
                    || self.at_end_of_scheme()
                    || self.at_keyword(Keyword::Dictionary)
                    || self.gave_up()
                {
                    break;
                }
                match self.definition() {
                    Ok(definition) => definitions.push(definition),
                    Err(_) => self.skip_to_definition(),
                }
            }
        }
        if self.take_keyword(Keyword::Dictionary) {
            self.dictionary(&mut definitions);
        }
        if !definitions.is_empty() {
            let id = self.make(Construct::Where, &definitions, where_start);
            parts.push(id);
        }
        if self.expect_keyword(end).is_err() {
            self.skip_to(&[end]);
            self.take_keyword(end);
        }
        if matches!(self.peek(), Token::Phrase)
            && let span = self.span()
            && let Ok(end) = self.expect_text("the scheme's name")
            && !self.terms.equal(end, name)
        {
            self.errors.push(
                Diagnostic::error("E0108", "the END names another scheme")
                    .at(span)
                    .also(self.terms.span(name), "this one is being read")
                    .hint("both names must be the same"),
            );
        }
        self.take_sign(";");
        Ok(self.make(construct, &parts, start))
    }

    /// Reads the main body; on an error goes on at WHERE, so that definitions are still read.
    fn body(&mut self) -> Id {
        match self.sequence() {
            Ok(body) => {
                let ends = [Keyword::Where, Keyword::Dictionary];
                if !ends.iter().any(|&k| self.at_keyword(k)) && !self.at_end_of_scheme() {
                    let _ = self.fail_expecting::<()>(match self.form {
                        Form::Graph => "a node, WHERE or END OF GRAPH",
                        _ => "an operator, WHERE or END OF SCHEME",
                    });
                    self.skip_to(&[Keyword::Where, Keyword::EndOfScheme, Keyword::EndOfGraph]);
                }
                body
            }
            Err(_) => {
                self.skip_to(&[Keyword::Where, Keyword::EndOfScheme, Keyword::EndOfGraph]);
                self.terms.atom(Construct::Empty.symbol())
            }
        }
    }

    fn at_end_of_scheme(&self) -> bool {
        self.at_keyword(Keyword::EndOfScheme) || self.at_keyword(Keyword::EndOfGraph)
    }

    fn skip_to(&mut self, keywords: &[Keyword]) {
        while self.peek() != Token::End && !keywords.iter().any(|&k| self.at_keyword(k)) {
            self.advance();
        }
    }

    /// Goes to the next equation.
    pub fn skip_to_definition(&mut self) {
        while self.peek() != Token::End
            && !self.at_end_of_scheme()
            && !self.at_keyword(Keyword::Dictionary)
        {
            if matches!(self.peek(), Token::Phrase | Token::Predicate)
                && self.peek_second() == Token::Sign("====")
            {
                return;
            }
            self.advance();
        }
    }

    fn definition(&mut self) -> Read<Id> {
        let start = self.span();
        let is_test = match self.peek() {
            Token::Phrase => false,
            Token::Predicate => true,
            _ => return self.fail_expecting("a definition: \"phrase\" ==== …"),
        };
        let (name, formals) = self.named()?;
        self.expect_sign("====")?;
        // A body that cannot be read stands as an empty one, so that calls of the phrase are not
        // taken for calls of an unknown one.
        if is_test {
            let condition = self.expression().unwrap_or_else(|_| {
                self.skip_to_definition();
                self.terms.atom(Construct::True.symbol())
            });
            return Ok(self.make(Construct::DefineTest, &[name, formals, condition], start));
        }
        let body = self.definition_body().unwrap_or_else(|_| {
            self.skip_to_definition();
            self.terms.atom(Construct::Empty.symbol())
        });
        Ok(self.make(Construct::Define, &[name, formals, body], start))
    }

    fn definition_body(&mut self) -> Read<Id> {
        let body = self.sequence()?;
        let ends = self.peek() == Token::End
            || self.at_end_of_scheme()
            || self.at_keyword(Keyword::Dictionary)
            || matches!(self.peek(), Token::Phrase | Token::Predicate);
        if ends {
            Ok(body)
        } else {
            self.fail_expecting("an operator, a definition or END OF SCHEME")
        }
    }

    fn data(&mut self) -> Id {
        let start = self.last_span();
        let mut items = Vec::new();
        loop {
            while self.take_sign(";") {}
            if self.take_keyword(Keyword::EndOfData) {
                break;
            }
            if self.peek() == Token::End || self.at_end_of_scheme() || self.gave_up() {
                let _ = self.expect_keyword(Keyword::EndOfData);
                break;
            }
            let from = self.position();
            if self.data_item(&mut items).is_err() {
                if self.position() == from {
                    self.advance();
                }
                self.skip_to_data_item();
            }
        }
        self.make(Construct::Data, &items, start)
    }

    /// Goes to what looks like the next item of DATA.
    fn skip_to_data_item(&mut self) {
        while self.peek() != Token::End {
            let begins = match self.peek() {
                Token::Word(_) if matches!(self.peek_second(), Token::Sign(":" | ",")) => true,
                Token::Word(_) => [
                    Keyword::EndOfData,
                    Keyword::EndOfScheme,
                    Keyword::DefaultInput,
                    Keyword::Work,
                    Keyword::Check,
                    Keyword::Assume,
                    Keyword::Use,
                ]
                .iter()
                .any(|&k| self.at_keyword(k)),
                _ => false,
            };
            if begins {
                return;
            }
            self.advance();
        }
    }

    fn data_item(&mut self, items: &mut Vec<Id>) -> Read<()> {
        let start = self.span();
        if self.take_keyword(Keyword::DefaultInput) {
            let mut all = vec![self.expect_text("a generator's name in quotes")?];
            if self.at_sign("(") {
                self.options(&mut all)?;
            }
            items.push(self.make(Construct::DefaultInput, &all, start));
        } else if self.take_keyword(Keyword::Work) {
            let unit = self.expect_text("a unit in quotes")?;
            self.expect_sign(":=")?;
            let amount = self.expression()?;
            items.push(self.make(Construct::Work, &[unit, amount], start));
        } else if self.take_keyword(Keyword::Check) {
            let mut all = Vec::new();
            self.options(&mut all)?;
            items.push(self.make(Construct::Check, &all, start));
        } else if self.take_keyword(Keyword::Assume) {
            let claim = self.expression()?;
            items.push(self.make(Construct::Assume, &[claim], start));
        } else if self.take_keyword(Keyword::Use) {
            let path = self.expect_text("a path in quotes")?;
            items.push(self.make(Construct::Use, &[path], start));
        } else {
            self.variables(items)?;
        }
        Ok(())
    }

    /// Reads `(name := value, …)`.
    fn options(&mut self, into: &mut Vec<Id>) -> Read<()> {
        self.expect_sign("(")?;
        while !self.at_sign(")") {
            let start = self.span();
            let name = self.expect_name("a name")?;
            self.expect_sign(":=")?;
            let value = self.expression()?;
            into.push(self.make(Construct::Option, &[name, value], start));
            if !self.take_sign(",") {
                break;
            }
        }
        self.expect_sign(")")
    }

    fn variables(&mut self, items: &mut Vec<Id>) -> Read<()> {
        let start = self.span();
        let mut names = vec![self.expect_name("the name of a variable")?];
        while self.take_sign(",") {
            names.push(self.expect_name("the name of a variable")?);
        }
        self.expect_sign(":")?;
        let ty = self.expect_name("a type")?;
        let dims = if self.at_sign("[") {
            self.dims()?
        } else {
            self.terms.apply(Construct::Dims.symbol(), &[])
        };
        let is_array = self.terms.arity(dims) > 0;
        let mut marks = Vec::new();
        loop {
            let mark = if self.take_keyword(Keyword::Input) {
                "INPUT"
            } else if self.take_keyword(Keyword::Output) {
                "OUTPUT"
            } else {
                break;
            };
            if !marks
                .iter()
                .any(|&m| self.terms.as_atom(m) == Some(Symbol::new(mark)))
            {
                let id = self.terms.atom(Symbol::new(mark));
                marks.push(id);
            }
        }
        let mut values = Vec::new();
        if self.take_sign(":=") {
            if is_array {
                self.expect_sign("[")?;
                self.list(&mut values)?;
                self.expect_sign("]")?;
            } else {
                values.push(self.expression()?);
            }
        }
        for name in names {
            let item = if !is_array && marks.is_empty() && values.len() == 1 {
                self.make(Construct::Parameter, &[name, ty, values[0]], start)
            } else {
                let marks = self.make(Construct::Marks, &marks, start);
                let values = self.make(Construct::Values, &values, start);
                self.make(Construct::Variable, &[name, ty, dims, marks, values], start)
            };
            items.push(item);
        }
        Ok(())
    }
}
