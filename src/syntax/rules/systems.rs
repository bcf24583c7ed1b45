//! Domains and systems of rule files: what the grammar matched → systems with their imports.

use super::grammar::{Pair, Rule};
use super::items::{Attribute, Item, SystemEntry, SystemItem};
use super::names::OPERATOR;
use super::reader::{Reader, Refusal};
use crate::term::{Id, Span, Symbol};

/// What stands between the names of a path of domains.
pub const SCOPE: &str = "::";

impl<'a> Reader<'a> {
    /// `domain(Name, …)` within the domains of a path: its systems and domains.
    pub(super) fn domain(
        &mut self,
        pair: Pair<'a>,
        within: &str,
        items: &mut Vec<Item>,
    ) -> Result<(), Refusal> {
        let mut path = within.to_owned();
        let mut attributes = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name_of_domain => path = joined(&path, self.path(&part)?.0.as_str()),
                Rule::domain => {
                    self.no_operator(&attributes)?;
                    self.domain(part, &path, items)?;
                }
                Rule::system => {
                    let attributes = std::mem::take(&mut attributes);
                    items.push(Item::System(self.system(part, &path, attributes)?));
                }
                Rule::attribute => attributes.push(self.attribute(part)?),
                Rule::term => drop(self.term(part)?),
                _ => {}
            }
        }
        self.no_operator(&attributes)
    }

    /// `a::b`, as one name, with its place.
    fn path(&mut self, pair: &Pair<'a>) -> Result<(Symbol, Span), Refusal> {
        let span = self.span_of(pair);
        let mut names = Vec::new();
        for part in pair.clone().into_inner() {
            names.push(self.one_name(&part)?.as_str());
        }
        self.last = self.to(pair);
        Ok((Symbol::new(&names.join(SCOPE)), span))
    }

    fn one_name(&self, pair: &Pair<'a>) -> Result<Symbol, Refusal> {
        match pair.as_rule() {
            Rule::quoted_name | Rule::text => self.unquoted(pair),
            _ => Ok(Symbol::new(pair.as_str())),
        }
    }

    /// `system(Name, facts, ruleset(…), Strategy)`.
    pub(super) fn system(
        &mut self,
        pair: Pair<'a>,
        domain: &str,
        attributes: Vec<Attribute>,
    ) -> Result<SystemItem, Refusal> {
        let span = self.span_of(&pair);
        let (mut name, mut strategy, mut facts) = (None, None, None);
        let mut entries = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name_of_system => name = Some(self.path(&part)?),
                Rule::term => facts = Some(self.term(part)?),
                Rule::ruleset => entries = self.ruleset(part)?,
                Rule::name_of_strategy => strategy = Some(self.name(&part)?),
                _ => {}
            }
        }
        let (Some((name, span)), Some(strategy)) = (name, strategy) else {
            return self.refuse(span, "expected a system");
        };
        Ok(SystemItem {
            name: Symbol::new(&joined(domain, name.as_str())),
            span,
            attributes,
            java: facts.and_then(|facts| self.class(facts)),
            facts: facts
                .and_then(|facts| self.terms.as_atom(facts))
                .filter(|name| name.as_str() != "default"),
            entries,
            strategy,
        })
    }

    /// The class in `javaFacts(Name, "class")`.
    fn class(&self, facts: Id) -> Option<Symbol> {
        match (self.terms.functor(facts)?.as_str(), self.terms.args(facts)) {
            ("javaFacts", &[_, class]) => self.terms.as_text(class).or(self.terms.as_atom(class)),
            _ => None,
        }
    }

    fn ruleset(&mut self, pair: Pair<'a>) -> Result<Vec<SystemEntry>, Refusal> {
        let mut entries = Vec::new();
        for entry in pair.into_inner().filter(|p| p.as_rule() == Rule::entry) {
            entries.extend(self.entry(entry)?);
        }
        Ok(entries)
    }

    fn entry(&mut self, pair: Pair<'a>) -> Result<Option<SystemEntry>, Refusal> {
        let doc = self.doc(self.from(&pair));
        let mut attributes = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::attribute => attributes.push(self.attribute(part)?),
                Rule::import | Rule::transformed => {
                    self.no_operator(&attributes)?;
                    return self.import(part);
                }
                Rule::rule => {
                    let rule = self.rule(part, doc, attributes)?;
                    return Ok(Some(SystemEntry::Rule(rule)));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Refuses declarations of operators that stand before something else than a system.
    pub(super) fn no_operator(&self, attributes: &[Attribute]) -> Result<(), Refusal> {
        let is_one = |a: &&Attribute| a.name.as_str() == OPERATOR;
        match attributes.iter().find(is_one) {
            Some(attribute) => self.refuse(
                attribute.span,
                "an operator is declared before the system that has it",
            ),
            None => Ok(()),
        }
    }

    fn import(&mut self, pair: Pair<'a>) -> Result<Option<SystemEntry>, Refusal> {
        let (mut system, mut functor, mut by) = (None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name_of_system => system = Some(self.path(&part)?),
                Rule::functor => functor = Some(self.name(&part)?.0),
                Rule::ruleset => by = Some(self.ruleset(part)?),
                _ => {}
            }
        }
        Ok(system.map(|(system, span)| match by {
            Some(by) => SystemEntry::Transformed { system, by, span },
            None => SystemEntry::Import {
                system,
                functor: functor.map(|f| super::names::functor_of(f.as_str(), 2).into()),
                span,
            },
        }))
    }
}

/// A name within the domains of a path.
fn joined(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}{SCOPE}{name}"),
    }
}
