//! Families: what is given before anything is checked, and parts that stand for a choice → terms.

use super::expected::Found;
use super::grammar::{Grammar, Pair, Rule};
use super::reader::{Read, Reader};
use super::recovery::ends_body;
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};
use pest::Parser;

impl<'a> Reader<'a> {
    /// Reads what is given before DATA.
    pub(super) fn givens(&mut self, items: &mut Vec<Id>) {
        while !self.gave_up() {
            match self.step(Rule::next_given) {
                Ok(pairs) => {
                    for pair in pairs {
                        match pair.as_rule() {
                            Rule::semicolon => self.read_to(&pair),
                            _ => drop(self.data_item(pair, items)),
                        }
                    }
                }
                Err(refusal) if self.stands_here(Rule::begins_given) => {
                    let diagnostic = self.refused(&refusal, self.at, self.at);
                    self.tell(diagnostic);
                    self.at = self.found(self.at).next;
                    let file = self.text;
                    let begins = |from: usize| {
                        [Rule::begins_data, Rule::begin_data_word]
                            .iter()
                            .any(|&rule| Grammar::parse(rule, &file[from..]).is_ok())
                    };
                    self.skip(|found, _| ends_body(found) || begins(found.from));
                }
                Err(_) => return,
            }
        }
    }

    /// Whether a part of the text begins here by a rule.
    pub(super) fn stands_here(&self, rule: Rule) -> bool {
        let here = &self.text[self.at..];
        // A refusal takes time with all that follows, so that nothing is tried where another word stands.
        let words: &[Keyword] = match rule {
            Rule::ends_given => &[Keyword::Else, Keyword::EndOfGiven],
            _ => &[Keyword::Given],
        };
        let mut words = words.iter().flat_map(|word| word.all_spellings());
        let first = |word: &str| word.split(' ').next().is_some_and(|w| here.starts_with(w));
        words.any(first) && Grammar::parse(rule, here).is_ok()
    }

    /// `GIVEN d IN {1, 2} := 2 FREELY`
    pub(super) fn given(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, mut to) = (self.from(&pair), self.from(&pair));
        let (mut name, mut values) = (None, Vec::new());
        let (mut has_default, mut first, mut last) = (false, from, from);
        let mut marks = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() == Rule::becomes {
                (has_default, last) = (true, to);
                continue;
            }
            let before = std::mem::replace(&mut to, self.to(&part));
            match part.as_rule() {
                Rule::FREELY => {
                    marks.push(self.leaf(Head::Functor("FREELY".into()), before, to));
                }
                Rule::variable => name = Some(self.name(&part)?),
                Rule::IN => first = self.from(&part),
                Rule::given_range => values.push(self.given_range(part)?),
                Rule::given_value => values.push(self.given_value(part)?),
                _ => {}
            }
        }
        self.last = (from, to);
        // The value after `:=` is the last one that was read.
        let default = match has_default.then(|| values.pop()).flatten() {
            Some(value) => value,
            None => self.terms.atom(Construct::Empty.symbol()),
        };
        let end = if has_default { last } else { to };
        let among = self.make(Construct::Among, &values, first, end);
        let marks = self.make(Construct::Marks, &marks, from, to);
        match name {
            Some(name) => Ok(self.make(Construct::Given, &[name, among, default, marks], from, to)),
            None => self.fail(Diagnostic::error(
                "E0104",
                "expected the name of a variable",
            )),
        }
    }

    fn given_range(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let mut ends = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() == Rule::given_number {
                ends.push(self.given_number(part)?);
            }
        }
        Ok(self.make(Construct::Range, &ends, from, to))
    }

    fn given_value(&mut self, pair: Pair<'a>) -> Read<Id> {
        let inner = pair.clone().into_inner().next();
        match inner {
            Some(number) if number.as_rule() == Rule::given_number => self.given_number(number),
            _ => Ok(self.text_in(pair)),
        }
    }

    fn given_number(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let parts: Vec<Pair> = pair.into_inner().collect();
        let minus = parts.len() > 1;
        let Some(number) = parts.last() else {
            return self.fail(Diagnostic::error("E0103", "expected an integer"));
        };
        let read = self.number(number, minus)?;
        match self.terms.head(read) {
            Head::Int(i) if minus => Ok(self.leaf(Head::Int(i.wrapping_neg()), from, to)),
            Head::Int(_) => Ok(read),
            _ => {
                let diagnostic = Diagnostic::error(
                    "E0250",
                    "what is given is an integer or a word",
                )
                .at(self.span(from, to))
                .hint("a REAL that the user may change is a parameter of DATA: dt : REAL := 0.01");
                self.fail(diagnostic)
            }
        }
    }

    /// A condition over givens, in which words stand in quotes.
    pub(super) fn given_condition(&mut self, pair: Pair<'a>) -> Read<Id> {
        let Some(condition) = pair.clone().into_inner().next() else {
            let span = self.span_of(&pair);
            return self.fail(Diagnostic::error("E0104", "expected a condition").at(span));
        };
        let outer = std::mem::replace(&mut self.words, true);
        let read = self.expression(condition);
        self.words = outer;
        read.map(|made| {
            self.last = (made.from, made.to);
            made.id
        })
    }

    /// A part of DATA that stands for a choice.
    pub(super) fn given_data(&mut self, pair: Pair<'a>) -> Read<Id> {
        let from = self.from(&pair);
        let mut to = from;
        let mut parts = Vec::new();
        let mut construct = Construct::GivenIf;
        for part in pair.into_inner() {
            let at = self.from(&part);
            to = self.to(&part);
            match part.as_rule() {
                Rule::GIVEN_FOR => construct = Construct::GivenFor,
                Rule::given_condition => parts.push(self.given_condition(part)?),
                Rule::loop_variable => parts.push(self.name(&part)?),
                Rule::expression => parts.push(self.expression(part)?.id),
                Rule::data_items => {
                    let mut items = Vec::new();
                    for item in part.into_inner() {
                        if item.as_rule() != Rule::semicolon {
                            self.data_item(item, &mut items)?;
                        }
                    }
                    parts.push(self.make(Construct::Data, &items, at, to));
                }
                _ => {}
            }
        }
        self.last = (from, to);
        Ok(self.given_part(construct, parts, from, to))
    }

    /// The term of a part that stands for a choice; without ELSE, nothing stands there.
    pub(super) fn given_part(
        &mut self,
        construct: Construct,
        mut parts: Vec<Id>,
        from: usize,
        to: usize,
    ) -> Id {
        if construct == Construct::GivenIf && parts.len() == 2 {
            parts.push(self.terms.atom(Construct::Empty.symbol()));
        }
        self.make(construct, &parts, from, to)
    }

    /// Whether definitions or entries, some of which stand for a choice, begin or end here.
    pub(super) fn ends_for_given(&self) -> bool {
        self.stands_here(Rule::begins_given_definitions)
            || self.in_given > 0 && self.stands_here(Rule::ends_given)
    }

    /// Reads definitions or entries that stand for a choice; what is in them is read by `inner`.
    pub(super) fn given_list(&mut self, inner: fn(&mut Self, &mut Vec<Id>), into: &mut Vec<Id>) {
        let opening = self.found(self.at);
        let mut construct = Construct::GivenIf;
        let mut parts = Vec::new();
        let mut read = Ok(());
        match self.step(Rule::next_given_head) {
            Ok(pairs) => {
                for pair in pairs {
                    match pair.as_rule() {
                        Rule::GIVEN_FOR => construct = Construct::GivenFor,
                        Rule::given_condition => {
                            read = self
                                .given_condition(pair)
                                .map(|id| parts.push(id))
                                .and(read);
                        }
                        Rule::loop_variable => {
                            read = self.name(&pair).map(|id| parts.push(id)).and(read);
                        }
                        Rule::expression => {
                            read = self.expression(pair).map(|m| parts.push(m.id)).and(read);
                        }
                        _ => self.read_to(&pair),
                    }
                }
            }
            Err(refusal) => {
                let diagnostic = self.refused(&refusal, self.at, self.at);
                self.tell(diagnostic);
                self.at = opening.next;
                self.skip(|found, _| ends_body(found));
                return;
            }
        }
        self.in_given += 1;
        let mut one = |reader: &mut Self| {
            let start = reader.at;
            let mut all = Vec::new();
            inner(reader, &mut all);
            let to = reader.last.1.max(start);
            parts.push(reader.make(Construct::Where, &all, start, to));
        };
        one(self);
        let found = self.found(self.at);
        if construct == Construct::GivenIf && found.rule == Rule::ELSE {
            self.take(&found);
            one(self);
        }
        self.in_given -= 1;
        let found = self.found(self.at);
        match found.rule {
            Rule::END_OF_GIVEN => self.take(&found),
            _ => {
                let message = format!("expected END GIVEN, found {}", found.shown);
                let diagnostic = Diagnostic::error("E0104", message)
                    .at(self.span(found.from, found.to))
                    .label("expected END GIVEN")
                    .also(self.span(opening.from, opening.to), "opened here");
                self.tell(diagnostic);
            }
        }
        let to = self.last.1;
        let is_empty = |&id: &Id| self.terms.as_atom(id) == Some(Construct::Where.symbol());
        let lists = match construct {
            Construct::GivenIf => parts.get(1..),
            _ => parts.get(3..),
        };
        let says_something = lists.is_some_and(|lists| !lists.iter().all(is_empty));
        if read.is_ok() && says_something {
            into.push(self.given_part(construct, parts, opening.from, to));
        }
    }

    /// Goes on after a token.
    fn take(&mut self, found: &Found) {
        self.last = (found.from, found.to);
        self.at = found.next;
    }
}

/// A piece of a name or of a text of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holed<'a> {
    /// Text as it stands.
    Plain(&'a str),
    /// What stands in braces: names and numbers, each with whether it is taken off.
    Hole(Vec<(bool, &'a str)>),
}

/// The pieces of a name or of a text of a family: `x{k + 1}` is `x` and what `k + 1` is.
pub fn holed(text: &str) -> Vec<Holed<'_>> {
    let pairs = Grammar::parse(Rule::holed, text).into_iter().flatten();
    let pieces = pairs.flat_map(|pair| pair.into_inner());
    let piece = |pair: Pair<'_>| -> Option<Holed<'_>> {
        match pair.as_rule() {
            Rule::between_holes => Some(Holed::Plain(part_of(text, &pair))),
            Rule::hole_parts => {
                let mut taken_off = false;
                let mut terms = Vec::new();
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::hole_sign => taken_off = part.as_str() == "-",
                        _ => terms.push((taken_off, part_of(text, &part))),
                    }
                }
                Some(Holed::Hole(terms))
            }
            _ => None,
        }
    };
    pieces.filter_map(piece).collect()
}

fn part_of<'a>(text: &'a str, pair: &Pair<'_>) -> &'a str {
    &text[pair.as_span().start()..pair.as_span().end()]
}

/// Whether a text is a name that a variable may have.
pub fn is_name(text: &str) -> bool {
    let reserved = super::reader::is_index(text)
        || Construct::of(Symbol::new(text)).is_some_and(|c| c.info().takes(0));
    !reserved && Grammar::parse(Rule::whole_name, text).is_ok()
}
