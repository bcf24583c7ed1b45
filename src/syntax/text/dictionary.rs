//! Phrases whose parentheses hold names, in definitions and in dictionaries → terms.
//!
//! ```text
//! DICTIONARY
//!   "Kick body (i) by (a)" ==== UK "Штовхнути на (a) тіло (i)" RU "Толкнуть на (a) тело (i)"
//! ```

use super::grammar::{Pair, Rule};
use super::reader::{Read, Reader};
use crate::algebra::{Construct, Language};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};

impl<'a> Reader<'a> {
    /// A phrase or a predicate, and the names in its parentheses.
    pub(super) fn with_names(&mut self, pair: &Pair<'a>) -> Read<(Id, Id)> {
        let (from, to) = (self.from(pair), self.to(pair));
        let (name, arguments) = self.quoted(from, to)?;
        for (i, &argument) in arguments.iter().enumerate() {
            let span = self.terms.span(argument).unwrap_or(self.span(from, to));
            let Some(formal) = self.terms.as_atom(argument) else {
                let diagnostic =
                    Diagnostic::error("E0109", "in a definition the parentheses hold names")
                        .at(span)
                        .hint("write \\( for a parenthesis that belongs to the text");
                return self.fail(diagnostic);
            };
            let twice = arguments[..i]
                .iter()
                .any(|&a| self.terms.as_atom(a) == Some(formal));
            if twice {
                let message = format!("`{formal}` stands twice in this definition's parentheses");
                let diagnostic = Diagnostic::error("E0109", message)
                    .at(span)
                    .hint("give each argument its own name");
                return self.fail(diagnostic);
            }
        }
        let formals = self.make(Construct::Formals, &arguments, from, to);
        Ok((name, formals))
    }

    /// Reads an entry of a dictionary.
    pub(super) fn entry(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, mut to) = (self.from(&pair), self.from(&pair));
        let mut construct = Construct::Entry;
        let mut parts = Vec::new();
        let mut formals = None;
        let mut code = None;
        for part in pair.into_inner() {
            match (part.as_rule(), code.take()) {
                (Rule::language, _) => {
                    let start = self.from(&part);
                    code = language(&part).map(|l| (l, start));
                }
                (Rule::phrase | Rule::predicate, None) => {
                    if part.as_rule() == Rule::predicate {
                        construct = Construct::EntryTest;
                    }
                    let (name, names) = self.with_names(&part)?;
                    formals = Some(names);
                    parts.extend([name, names]);
                }
                (Rule::phrase | Rule::predicate, Some((language, start))) => {
                    to = self.to(&part);
                    let code = self.terms.atom(Symbol::new(language.code()));
                    let (text, names) = self.with_names(&part)?;
                    if let Some(formals) = formals {
                        self.same_names(formals, names)?;
                    }
                    let all = [code, text, names];
                    parts.push(self.make(Construct::Translation, &all, start, to));
                }
                _ => {}
            }
        }
        Ok(self.make(construct, &parts, from, to))
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
        self.fail(diagnostic)
    }
}

/// The language that a keyword of dictionaries names.
fn language(pair: &Pair) -> Option<Language> {
    let word = pair.as_str();
    let named = |l: &Language| l.keyword().all_spellings().any(|s| s == word);
    Language::ALL.into_iter().find(named)
}
