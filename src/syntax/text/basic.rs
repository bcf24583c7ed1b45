//! Basic operators and predicates → terms.
//!
//! ```text
//! "Add (a) times (x) to (y)" ==== BASIC (a : REAL; x, y : REAL [n])
//!   READS a, x, y
//!   WRITES y
//!   MEANS FOR (i FROM 0 TO n - 1) LOOP y[i] := y[i] + a * x[i] END OF LOOP
//!   UK "Додати (a) разів (x) до (y)"
//! END OF BASIC
//! ```

use super::grammar::{Pair, Rule};
use super::reader::{Form, Read, Reader};
use super::recovery::ends_body;
use crate::algebra::{Construct, LATEX, SIGN};
use crate::term::{Head, Id, Symbol};

impl<'a> Reader<'a> {
    /// Reads the declaration whose head, a phrase and its arguments, begins at a byte.
    pub(super) fn declaration(&mut self, is_test: bool, head: [Id; 2], from: usize) -> Option<Id> {
        let (rule, construct) = match is_test {
            true => (Rule::next_declares_test, Construct::BasicTest),
            false => (Rule::next_declares, Construct::Basic),
        };
        // What operators mean is written in words, whatever the form of the text.
        let outer = std::mem::replace(&mut self.form, Form::Text);
        let read = match self.step(rule) {
            Ok(pairs) => {
                let mut parts = head.to_vec();
                let mut read = Ok(());
                for declared in pairs {
                    self.read_to(&declared);
                    for part in declared.into_inner() {
                        read = self.clause(part, is_test, &mut parts).and(read);
                    }
                }
                read.map(|()| parts)
            }
            Err(refusal) => {
                let diagnostic = self.refused(&refusal, self.at, self.at);
                self.tell(diagnostic);
                self.at = self.found(self.at).next;
                self.skip(|found, _| ends_body(found) || found.rule == Rule::END_OF_BASIC);
                if self.found(self.at).rule == Rule::END_OF_BASIC {
                    self.at = self.found(self.at).next;
                }
                Err(super::reader::Failed)
            }
        };
        self.form = outer;
        let to = self.last.1;
        // What cannot be read stands as it is named, so that its uses are not taken for unknown ones.
        Some(self.make(construct, &read.unwrap_or(head.to_vec()), from, to))
    }

    fn clause(&mut self, part: Pair<'a>, is_test: bool, parts: &mut Vec<Id>) -> Read<()> {
        let (from, to) = (self.from(&part), self.to(&part));
        let id = match part.as_rule() {
            Rule::formals => {
                for formal in part.into_inner().filter(|p| p.as_rule() == Rule::formal) {
                    self.formal(formal, parts)?;
                }
                return Ok(());
            }
            Rule::reads | Rule::writes => {
                let construct = match part.as_rule() {
                    Rule::reads => Construct::Reads,
                    _ => Construct::Writes,
                };
                let mut all = Vec::new();
                for one in part.into_inner() {
                    match one.as_rule() {
                        Rule::expression => all.push(self.expression(one)?.id),
                        Rule::target => all.push(self.target(one)?.id),
                        _ => {}
                    }
                }
                self.make(construct, &all, from, to)
            }
            Rule::sequence | Rule::flow => {
                let body = self.body(part, from)?;
                self.make(Construct::Meaning, &[body], from, to)
            }
            Rule::expression if is_test => {
                let made = self.expression(part)?;
                self.make(Construct::MeaningTest, &[made.id], from, made.to)
            }
            Rule::wording | Rule::wording_test => self.wording(part)?,
            Rule::code_of => self.code(part)?,
            _ => return Ok(()),
        };
        parts.push(id);
        Ok(())
    }

    /// `x, y : REAL [n]`
    fn formal(&mut self, pair: Pair<'a>, parts: &mut Vec<Id>) -> Read<()> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let (mut names, mut ty) = (Vec::new(), None);
        let mut dims = self.terms.apply(Construct::Dims.symbol(), &[]);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::variable => names.push(self.name(&part)?),
                Rule::type_name => ty = Some(self.type_name(part)?),
                Rule::dims => dims = self.dims(part)?,
                _ => {}
            }
        }
        let Some(ty) = ty else { return Ok(()) };
        for name in names {
            let marks = self.make(Construct::Marks, &[], from, to);
            let values = self.make(Construct::Values, &[], from, to);
            let all = [name, ty, dims, marks, values];
            parts.push(self.make(Construct::Variable, &all, from, to));
        }
        Ok(())
    }

    /// The phrase in a language, as a sign or in LaTeX.
    fn wording(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let mut inner = pair.into_inner();
        let (Some(way), Some(text)) = (inner.next(), inner.next()) else {
            return Err(super::reader::Failed);
        };
        let (text, names) = match way.as_rule() {
            // What is printed in LaTeX is a text in which `$x` stands for an argument.
            Rule::LATEX => {
                let text = self.formula_text(&text);
                (text, self.terms.apply(Construct::Formals.symbol(), &[]))
            }
            _ => self.with_names(&text)?,
        };
        let code = match way.clone().into_inner().next().unwrap_or(way).as_rule() {
            Rule::UKRAINIAN => "uk",
            Rule::RUSSIAN => "ru",
            Rule::SIGN => SIGN,
            Rule::LATEX => LATEX,
            _ => "en",
        };
        let code = self.terms.atom(Symbol::new(code));
        Ok(self.make(Construct::Translation, &[code, text, names], from, to))
    }

    /// Code for a target, between the signs that fence it.
    fn code(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            let (at, end) = (self.from(&part), self.to(&part));
            match part.as_rule() {
                Rule::target_name => {
                    let name = Head::Functor(Symbol::new(part.as_str()));
                    parts.push(self.leaf(name, at, end));
                }
                Rule::fenced => {
                    let code = part
                        .as_str()
                        .trim_start_matches("```")
                        .trim_end_matches("```");
                    parts.push(self.leaf(Head::Text(Symbol::new(code)), at, end));
                }
                _ => {}
            }
        }
        Ok(self.make(Construct::Code, &parts, from, to))
    }
}
