//! Files of schemes → terms, part by part: what cannot be read is told of, and reading goes on with what
//! comes after it.

use super::expected::Before;
use super::grammar::{Grammar, Pair, Rule};
use super::operator::Order;
use super::reader::{Form, Read, Reader, Refusal};
use super::recovery::{begins_item, ends_body, ends_item};
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::term::Id;
use pest::Parser;

impl<'a> Reader<'a> {
    /// Reads a file: USE lines and schemes.
    pub(super) fn file(&mut self) -> Vec<Id> {
        let mut items = Vec::new();
        while self.at < self.text.len() && !self.gave_up() {
            match self.step(Rule::next_item) {
                Ok(pairs) => {
                    for pair in pairs {
                        items.push(match pair.as_rule() {
                            Rule::use_line => self.use_line(pair),
                            _ => self.opened_scheme(pair),
                        });
                    }
                }
                Err(refusal) => items.extend(self.not_an_item(&refusal)),
            }
        }
        items
    }

    fn use_line(&mut self, pair: Pair<'a>) -> Id {
        let from = self.from(&pair);
        let path = pair.into_inner().find(|p| p.as_rule() == Rule::path);
        let (text, to) = match path {
            Some(path) => (self.exact_text(&path), self.to(&path)),
            None => (self.terms.text("".into()), from),
        };
        self.make(Construct::Use, &[text], from, to)
    }

    fn opened_scheme(&mut self, pair: Pair<'a>) -> Id {
        let from = self.from(&pair);
        let mut construct = Construct::Scheme;
        let mut name = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::GRAPH => construct = Construct::Graph,
                Rule::title => name = Some(self.text_in(part)),
                Rule::means => self.read_to(&part),
                _ => {}
            }
        }
        let name = match name {
            Some(name) => name,
            None => self.terms.text("".into()),
        };
        self.scheme(construct, name, from)
    }

    /// Tells what is wrong where no item could be read, and reads the scheme whose first line is broken.
    fn not_an_item(&mut self, refusal: &Refusal) -> Option<Id> {
        let found = self.found(self.at);
        let word = &self.text[found.from..found.to];
        let is = |keyword: Keyword| keyword.all_spellings().any(|s| s == word);
        let construct = match () {
            () if is(Keyword::Scheme) => Construct::Scheme,
            () if is(Keyword::Graph) => Construct::Graph,
            () => {
                let diagnostic = match is(Keyword::Use) {
                    true => self.refused(refusal, self.at, self.at),
                    false => {
                        let message = format!("expected SCHEME or GRAPH, found {}", found.shown);
                        Diagnostic::error("E0107", message)
                            .at(self.span(found.from, found.to))
                            .hint("a file holds schemes: SCHEME \"name\" ==== … END OF SCHEME \"name\"")
                    }
                };
                self.tell(diagnostic);
                self.at = found.next;
                self.skip(begins_item);
                return None;
            }
        };
        let diagnostic = self.refused(refusal, self.at, self.at);
        self.tell(diagnostic);
        self.at = found.next;
        let title = self.found(self.at);
        if !matches!(title.rule, Rule::phrase | Rule::predicate) {
            self.skip(|found, text| begins_item(found, text) || ends_item(found, text));
            let closing = self.step(Rule::next_part);
            drop(closing);
            return None;
        }
        self.at = title.next;
        self.last = (title.from, title.to);
        let name = self.text_between(title.from, title.to);
        Some(self.scheme(construct, name, found.from))
    }

    /// Reads a scheme or a graph after its first line.
    fn scheme(&mut self, construct: Construct, name: Id, from: usize) -> Id {
        let outer = self.form;
        if construct == Construct::Graph {
            // The first word says the form, whatever the file is called.
            self.form = Form::Graph;
        }
        let mut given = Vec::new();
        self.givens(&mut given);
        let begins = self.step(Rule::begin_data).unwrap_or_default();
        let data = match begins.first() {
            Some(data) => {
                self.read_to(data);
                self.data(self.last.0, given)
            }
            None if self.misspelt_data() => self.data(self.last.0, given),
            None => self.terms.apply(Construct::Data.symbol(), &given),
        };
        let body = self.operators(false);
        let mut parts = vec![name, data, body];
        let start = self.at;
        let mut definitions = Vec::new();
        if self.takes(Rule::WHERE) || self.lacks_where() {
            self.definitions(&mut definitions);
        }
        if self.takes(Rule::DICTIONARY) {
            self.entries(&mut definitions);
        }
        if !definitions.is_empty() {
            let id = self.make(Construct::Where, &definitions, start, self.last.1);
            parts.push(id);
        }
        self.closing(construct, name, from);
        self.form = outer;
        let to = self.last.1;
        self.make(construct, &parts, from, to)
    }

    /// Takes the word of a section if it stands here.
    fn takes(&mut self, rule: Rule) -> bool {
        let found = self.found(self.at);
        let here = found.section == Some(rule);
        if here {
            self.last = (found.from, found.to);
            self.at = found.next;
        }
        here
    }

    /// Reads the end of a scheme that begins at a byte.
    fn closing(&mut self, construct: Construct, name: Id, from: usize) {
        let (end, keyword) = match construct {
            Construct::Graph => (Rule::END_OF_GRAPH, Keyword::EndOfGraph),
            _ => (Rule::END_OF_SCHEME, Keyword::EndOfScheme),
        };
        if Grammar::parse(end, &self.text[self.at..]).is_err() {
            let found = self.found(self.at);
            let expected = keyword.text(Default::default());
            let message = format!("expected {expected}, found {}", found.shown);
            let opened = self.found(from);
            let diagnostic = Diagnostic::error("E0104", message)
                .at(self.span(found.from, found.to))
                .label(format!("expected {expected}"))
                .also(self.span(opened.from, opened.to), "this scheme starts here");
            self.tell(diagnostic);
            self.skip(|found, text| begins_item(found, text) || ends_item(found, text));
        }
        let closing = match self.step(Rule::next_part) {
            Ok(pairs) => pairs.into_iter().find(|p| p.as_rule() == Rule::closing),
            Err(_) => None,
        };
        for part in closing.into_iter().flat_map(Pair::into_inner) {
            self.read_to(&part);
            if part.as_rule() == Rule::phrase {
                let end = self.plain_text(&part);
                if !self.terms.equal(end, name) {
                    let diagnostic = Diagnostic::error("E0108", "the END names another scheme")
                        .at(self.span_of(&part))
                        .also(self.terms.span(name), "this scheme starts here")
                        .hint("both names must be the same");
                    self.tell(diagnostic);
                }
            }
        }
    }

    /// Reads the main body, or that of a definition, in the form of this text. One that could not be
    /// read is `Empty`.
    pub(super) fn operators(&mut self, in_definition: bool) -> Id {
        let read = match self.form {
            Form::Text => self.operators_in_words(in_definition),
            Form::Formula => self.one_formula(in_definition),
            Form::Graph => self.nodes(),
        };
        read.unwrap_or_else(|_| self.terms.atom(Construct::Empty.symbol()))
    }

    fn operators_in_words(&mut self, in_definition: bool) -> Read<Id> {
        let mut order = Order::new(self.at, self.last.0);
        let mut pending = Before::default();
        let mut read = Ok(());
        while !self.gave_up() && !self.ends_for_given() {
            let refusal = match self.step(Rule::next_operator) {
                Ok(pairs) if at_end(&pairs) => break,
                Ok(pairs) => {
                    for pair in pairs {
                        read = self.in_order(pair, &mut order).and(read);
                    }
                    self.last = (order.to - 1, order.to);
                    continue;
                }
                Err(refusal) => refusal,
            };
            let found = self.found(self.at);
            if ends_body(&found) || !in_definition && self.misspelt_where(&found).is_some() {
                break;
            }
            let open = !pending.open.is_empty();
            if pending.closed(found.rule) || open && matches!(found.rule, Rule::ELSE | Rule::branch)
            {
                self.at = found.next;
                continue;
            }
            read = Err(super::reader::Failed);
            let before = order.not_separated();
            let diagnostic = self.refused_after(&refusal, before, Rule::whole_operator);
            let place = diagnostic.span.map_or(self.at, |s| s.from as usize);
            self.tell(diagnostic);
            self.skip_operator(place, &mut pending);
            order.go_on();
        }
        read?;
        Ok(self.in_sequence(order))
    }

    fn one_formula(&mut self, in_definition: bool) -> Read<Id> {
        let read = match self.step(Rule::next_expression) {
            Ok(pairs) => {
                let mut read = Err(super::reader::Failed);
                for pair in pairs {
                    read = self.formula(pair);
                }
                read.map(|made| {
                    self.last = (made.to - 1, made.to);
                    made.id
                })
            }
            Err(refusal) => {
                let diagnostic = self.refused(&refusal, self.at, self.at);
                self.fail(diagnostic)
            }
        };
        let found = self.found(self.at);
        if !ends_body(&found)
            && !self.ends_for_given()
            && (in_definition || self.misspelt_where(&found).is_none())
        {
            if read.is_ok() {
                let others = match in_definition {
                    true => "an operator, a definition or END OF SCHEME",
                    false => "an operator, WHERE or END OF SCHEME",
                };
                let message = format!("expected {others}, found {}", found.shown);
                let diagnostic = Diagnostic::error("E0104", message)
                    .at(self.span(found.from, found.to))
                    .hint("operators in order are A * B, operators at once A ∨̇ B, typed A || B");
                self.tell(diagnostic);
            }
            self.skip(|found, _| ends_body(found));
        }
        read
    }

    fn nodes(&mut self) -> Read<Id> {
        let (from, before) = (self.at, self.last.0);
        let mut nodes = Vec::new();
        let mut read = Ok(());
        while !self.gave_up() && !self.ends_for_given() {
            match self.step(Rule::next_node) {
                Ok(pairs) if at_end(&pairs) => break,
                Ok(pairs) => {
                    for pair in pairs {
                        match self.node(pair) {
                            Ok((id, to)) => {
                                nodes.push(id);
                                self.last = (to - 1, to);
                            }
                            Err(failed) => read = Err(failed),
                        }
                    }
                }
                Err(refusal) => {
                    let found = self.found(self.at);
                    if ends_body(&found) {
                        break;
                    }
                    let diagnostic = self.refused(&refusal, self.at, self.at);
                    let place = diagnostic.span.map_or(self.at, |s| s.from as usize);
                    read = self.fail(diagnostic);
                    self.at = found.next;
                    let file = self.text;
                    self.skip(|found, _| {
                        let begins = Grammar::parse(Rule::begins_node, &file[found.from..]).is_ok();
                        ends_body(found) || found.from >= place && begins
                    });
                }
            }
        }
        read?;
        let (from, to) = match nodes.is_empty() {
            true => self.around(before, from),
            false => (from, self.last.1),
        };
        Ok(self.make(Construct::Flow, &nodes, from, to))
    }

    /// Reads operators alone, up to the end of the text.
    pub(super) fn body_alone(&mut self) -> Id {
        let read = self.operators_in_words(false);
        self.at_end_of("an operator");
        read.unwrap_or_else(|_| self.terms.atom(Construct::Empty.symbol()))
    }

    /// Reads items of DATA alone, up to the end of the text.
    pub(super) fn data_alone(&mut self) -> Vec<Id> {
        let mut items = Vec::new();
        while self.at < self.text.len() && !self.gave_up() {
            match self.step(Rule::next_data) {
                Ok(pairs) => {
                    for pair in pairs {
                        match pair.as_rule() {
                            Rule::semicolon | Rule::END_OF_DATA => self.read_to(&pair),
                            _ => drop(self.data_item(pair, &mut items)),
                        }
                    }
                }
                Err(refusal) => {
                    let diagnostic = self.refused(&refusal, self.at, self.at);
                    self.tell(diagnostic);
                    break;
                }
            }
        }
        items
    }

    /// Tells what stands here, if it is not the end of the text.
    fn at_end_of(&mut self, expected: &str) {
        let found = self.found(self.at);
        if found.rule != Rule::EOI && self.errors.is_empty() {
            let message = format!("expected {expected}, found {}", found.shown);
            let diagnostic =
                Diagnostic::error("E0104", message).at(self.span(found.from, found.to));
            self.tell(diagnostic);
        }
    }

    /// Reads a file of operators: definitions alone.
    pub(super) fn operators_alone(&mut self) -> Vec<Id> {
        let mut all = Vec::new();
        self.definitions(&mut all);
        let found = self.found(self.at);
        if found.rule != Rule::EOI && !self.gave_up() {
            let message = format!(
                "expected the definition of an operator, found {}",
                found.shown
            );
            let diagnostic = Diagnostic::error("E0104", message)
                .at(self.span(found.from, found.to))
                .hint(
                    "a file of operators holds definitions: \"phrase\" ==== BASIC … END OF BASIC",
                );
            self.tell(diagnostic);
        }
        all
    }
}

/// Whether nothing was read because a part ends.
pub(super) fn at_end(pairs: &[Pair]) -> bool {
    let ends = |p: &Pair| matches!(p.as_rule(), Rule::at_end | Rule::at_section);
    pairs.iter().any(ends)
}
