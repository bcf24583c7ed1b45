//! DATA → terms, item by item.

use super::expected::Found;
use super::grammar::{Grammar, Pair, Rule};
use super::reader::{Read, Reader};
use super::slips;
use crate::algebra::Construct;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};
use pest::Parser;

impl<'a> Reader<'a> {
    /// Reads the items after DATA, which stands at a byte, up to END OF DATA; what is given before stands among
    /// them.
    pub(super) fn data(&mut self, from: usize, mut items: Vec<Id>) -> Id {
        let mut before = None;
        loop {
            let start = self.at;
            let found = match self.step(Rule::next_data) {
                Ok(pairs) => {
                    let mut ends = false;
                    before = Some(start);
                    for pair in pairs {
                        match pair.as_rule() {
                            Rule::semicolon => before = None,
                            Rule::END_OF_DATA => {
                                self.read_to(&pair);
                                ends = true;
                            }
                            _ => drop(self.data_item(pair, &mut items)),
                        }
                    }
                    match ends || self.gave_up() {
                        true => break,
                        false => continue,
                    }
                }
                Err(refusal) => {
                    let found = self.found(self.at);
                    if let Some((end, last)) = slips::near_end(self, &found, &[Rule::END_OF_DATA]) {
                        let diagnostic = slips::misspelt_end(self, end, (found.from, last.to))
                            .also(self.span(from, self.found(from).to), "DATA is opened here");
                        self.tell(diagnostic);
                        self.last = (last.from, last.to);
                        self.at = last.next;
                        break;
                    }
                    if self.operators_begin() && !self.data_ends() {
                        self.data_not_closed(&found, from);
                        break;
                    }
                    if !found.ends_part() {
                        let diagnostic =
                            self.refused_after(&refusal, before.take(), Rule::whole_data);
                        let at = diagnostic.span.map_or(self.at, |s| s.from as usize);
                        self.tell(diagnostic);
                        self.skip_to_data(at);
                    }
                    found
                }
            };
            if found.ends_part() || self.gave_up() {
                self.data_not_closed(&found, from);
                break;
            }
        }
        let to = self.last.1.max(from);
        self.make(Construct::Data, &items, from, to)
    }

    fn data_not_closed(&mut self, found: &Found, from: usize) {
        let message = format!("expected END OF DATA, found {}", found.shown);
        let diagnostic = Diagnostic::error("E0104", message)
            .at(self.span(found.from, found.to))
            .label("expected END OF DATA")
            .also(self.span(from, self.found(from).to), "DATA is opened here");
        self.tell(diagnostic);
    }

    /// Whether what stands here is an operator.
    fn operators_begin(&self) -> bool {
        acts_at_once(self.found(self.at).rule)
            || Grammar::parse(Rule::operator, &self.text[self.at..]).is_ok()
    }

    /// Whether END OF DATA follows in this part, as it is written or nearly so.
    fn data_ends(&self) -> bool {
        let mut found = self.found(self.at);
        while !found.ends_part() {
            if found.rule == Rule::END_OF_DATA
                || slips::near_end(self, &found, &[Rule::END_OF_DATA]).is_some()
            {
                return true;
            }
            found = self.found(found.next);
        }
        false
    }

    /// Goes to what looks like the next item after a place.
    fn skip_to_data(&mut self, after: usize) {
        let start = self.at;
        self.at = after.max(self.at);
        loop {
            let found = self.found(self.at);
            let begins = Grammar::parse(Rule::begins_data, &self.text[self.at..]).is_ok();
            let ends = found.ends_part() || found.rule == Rule::END_OF_DATA;
            if ends || begins && self.at > start {
                return;
            }
            self.at = found.next;
        }
    }

    pub(super) fn data_item(&mut self, pair: Pair<'a>, items: &mut Vec<Id>) -> Read<()> {
        let from = self.from(&pair);
        let construct = match pair.as_rule() {
            Rule::given => {
                items.push(self.given(pair)?);
                return Ok(());
            }
            Rule::given_data => {
                items.push(self.given_data(pair)?);
                return Ok(());
            }
            Rule::given_that => Construct::GivenThat,
            Rule::default_input => Construct::DefaultInput,
            Rule::work => Construct::Work,
            Rule::check => Construct::Check,
            Rule::assume => Construct::Assume,
            Rule::use_data => Construct::Use,
            _ => return self.variables(pair, items),
        };
        let mut parts = Vec::new();
        let mut to = from;
        for part in pair.into_inner() {
            to = self.to(&part);
            match part.as_rule() {
                Rule::expression => {
                    let made = self.expression(part)?;
                    to = made.to;
                    parts.push(made.id);
                }
                Rule::given_condition => {
                    parts.push(self.given_condition(part)?);
                    to = self.last.1;
                }
                Rule::options => self.options(part, &mut parts)?,
                Rule::path => parts.push(self.exact_text(&part)),
                Rule::generator | Rule::unit => {
                    let text = self.text_in(part);
                    parts.push(text);
                }
                _ => {}
            }
        }
        self.last = (from, to);
        let id = self.make(construct, &parts, from, to);
        items.push(id);
        Ok(())
    }

    /// `(name := value, …)`
    fn options(&mut self, pair: Pair<'a>, into: &mut Vec<Id>) -> Read<()> {
        for option in pair.into_inner().filter(|p| p.as_rule() == Rule::option) {
            let from = self.from(&option);
            let mut inner = option.into_inner().filter(|p| !p.as_rule().is_mark());
            if let (Some(name), Some(value)) = (inner.next(), inner.next()) {
                let name = self.name(&name)?;
                let value = self.expression(value)?;
                into.push(self.make(Construct::Option, &[name, value.id], from, value.to));
            }
        }
        Ok(())
    }

    /// Variables of a type. A scalar with a value is a parameter.
    fn variables(&mut self, pair: Pair<'a>, items: &mut Vec<Id>) -> Read<()> {
        let from = self.from(&pair);
        let mut to = from;
        let (mut names, mut marks, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let (mut ty, mut dims) = (None, None);
        for part in pair.into_inner() {
            to = self.to(&part);
            match part.as_rule() {
                Rule::variable => names.push(self.name(&part)?),
                Rule::type_name => ty = Some(self.type_name(part)?),
                Rule::dims => dims = Some(self.dims(part)?),
                Rule::INPUT | Rule::OUTPUT => {
                    let mark = match part.as_rule() {
                        Rule::INPUT => "INPUT",
                        _ => "OUTPUT",
                    };
                    if !marks
                        .iter()
                        .any(|&m| self.terms.as_atom(m) == Some(Symbol::new(mark)))
                    {
                        marks.push(self.terms.atom(Symbol::new(mark)));
                    }
                }
                Rule::values if dims.is_none() => {
                    let diagnostic = Diagnostic::error("E0104", "values in brackets are those of an array")
                        .at(self.span_of(&part))
                        .hint("a variable of one value has no brackets; an array has sizes before its values");
                    return self.fail(diagnostic);
                }
                Rule::values => self.list(part, &mut values)?,
                Rule::expression if dims.is_some() => {
                    let found = self.found(self.from(&part));
                    let message = format!("expected `[`, found {}", found.shown);
                    let diagnostic = Diagnostic::error("E0104", message)
                        .at(self.span(found.from, found.to))
                        .hint("the values of an array stand in brackets: := [1, 2, 3]");
                    return self.fail(diagnostic);
                }
                Rule::expression => {
                    let made = self.expression(part)?;
                    to = made.to;
                    values.push(made.id);
                }
                _ => {}
            }
        }
        self.last = (from, to);
        let Some(ty) = ty else { return Ok(()) };
        let is_array = dims.is_some();
        let dims = match dims {
            Some(dims) => dims,
            None => self.terms.apply(Construct::Dims.symbol(), &[]),
        };
        for name in names {
            let item = if !is_array && marks.is_empty() && values.len() == 1 {
                self.make(Construct::Parameter, &[name, ty, values[0]], from, to)
            } else {
                let marks = self.make(Construct::Marks, &marks, from, to);
                let values = self.make(Construct::Values, &values, from, to);
                let parts = [name, ty, dims, marks, values];
                self.make(Construct::Variable, &parts, from, to)
            };
            items.push(item);
        }
        Ok(())
    }
}

/// Whether a token begins an operator and nothing else.
fn acts_at_once(rule: Rule) -> bool {
    matches!(rule, Rule::IF | Rule::FOR | Rule::WHILE | Rule::phrase)
}
