//! What follows WHERE: definitions of phrases and predicates, and the entries of dictionaries.

use super::file::at_end;
use super::grammar::{Pair, Rule};
use super::reader::{Failed, Reader};
use super::recovery::ends_body;
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::term::Id;

impl<'a> Reader<'a> {
    pub(super) fn definitions(&mut self, into: &mut Vec<Id>) {
        while !self.gave_up() {
            let found = self.found(self.at);
            match found.rule {
                Rule::semicolon => {
                    self.last = (found.from, found.to);
                    self.at = found.next;
                }
                Rule::definition_head => into.extend(self.definition()),
                _ if found.ends_part() => return,
                Rule::GIVEN_IF | Rule::GIVEN_FOR => self.given_list(Self::definitions, into),
                Rule::ELSE | Rule::END_OF_GIVEN if self.in_given > 0 => return,
                _ => {
                    let message = format!(
                        "expected a definition: \"phrase\" ==== …, found {}",
                        found.shown
                    );
                    let diagnostic = Diagnostic::error("E0104", message)
                        .at(self.span(found.from, found.to))
                        .label("expected a definition");
                    self.tell(diagnostic);
                    self.at = found.next;
                    self.skip(|found, _| ends_body(found));
                }
            }
        }
    }

    /// Reads a definition whose head stands here. A body that cannot be read stands as an empty one, so
    /// that calls of the phrase are not taken for calls of an unknown one.
    fn definition(&mut self) -> Option<Id> {
        let mut head = self
            .step(Rule::next_part)
            .ok()?
            .into_iter()
            .flat_map(Pair::into_inner);
        let (text, means) = (head.next()?, head.next()?);
        let from = self.from(&text);
        self.read_to(&means);
        let Ok((name, formals)) = self.with_names(&text) else {
            self.skip(|found, _| ends_body(found));
            return None;
        };
        let next = self.found(self.at);
        let word = &self.text[next.from..next.to];
        if Keyword::Basic.all_spellings().any(|s| s == word) {
            return self.declaration(text.as_rule() == Rule::predicate, [name, formals], from);
        }
        let (construct, body) = match text.as_rule() {
            Rule::predicate => (Construct::DefineTest, self.condition()),
            _ => (Construct::Define, self.operators(true)),
        };
        let to = self.last.1;
        Some(self.make(construct, &[name, formals, body], from, to))
    }

    /// Reads what a predicate means.
    fn condition(&mut self) -> Id {
        let read = match self.step(Rule::next_expression) {
            Ok(pairs) => {
                let mut read = Err(Failed);
                for pair in pairs {
                    read = self.expression(pair);
                }
                read
            }
            Err(refusal) => {
                let diagnostic = self.refused(&refusal, self.at, self.at);
                self.fail(diagnostic)
            }
        };
        match read {
            Ok(made) => {
                self.last = (made.to - 1, made.to);
                made.id
            }
            Err(_) => {
                self.skip(|found, _| ends_body(found));
                self.terms.atom(Construct::True.symbol())
            }
        }
    }

    /// Reads the entries of a dictionary.
    pub(super) fn entries(&mut self, into: &mut Vec<Id>) {
        while !self.gave_up() {
            if self.ends_for_given() {
                let found = self.found(self.at);
                if matches!(found.rule, Rule::ELSE | Rule::END_OF_GIVEN) {
                    return;
                }
                self.given_list(Self::entries, into);
                continue;
            }
            match self.step(Rule::next_entry) {
                Ok(pairs) if at_end(&pairs) => return,
                Ok(pairs) => {
                    for pair in pairs {
                        match pair.as_rule() {
                            Rule::entry => {
                                let inner = pair.clone().into_inner().last();
                                inner.iter().for_each(|last| self.read_to(last));
                                into.extend(self.entry(pair).ok());
                            }
                            _ => self.read_to(&pair),
                        }
                    }
                }
                Err(refusal) => {
                    let found = self.found(self.at);
                    if found.ends_part() {
                        return;
                    }
                    let diagnostic = self.refused(&refusal, self.at, self.at);
                    self.tell(diagnostic);
                    self.at = found.next;
                    self.skip(|found, _| ends_body(found));
                }
            }
        }
    }
}
