//! What stands in quotes: plain text, and groups of arguments in parentheses.

use super::broken::{Hyphens, Sides, joined};
use super::grammar::{Pair, Rule};
use super::reader::{Read, Reader};
use crate::algebra::{Construct, Language, waited_for};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MOST_QUOTES, Symbol};

impl<'a> Reader<'a> {
    /// A phrase that acts.
    pub(super) fn phrase(&mut self, from: usize, to: usize) -> Read<Id> {
        let (name, arguments) = self.quoted(from, to)?;
        let known = self.terms.as_text(name);
        let known = known.and_then(|n| Construct::phrased(n.as_str()));
        if let (Some(construct), [argument]) = (known, arguments.as_slice())
            && self.terms.as_atom(*argument).is_some()
        {
            return Ok(self.make(construct, &[*argument], from, to));
        }
        let all: Vec<Id> = [name].into_iter().chain(arguments).collect();
        Ok(self.make(Construct::Call, &all, from, to))
    }

    /// The name of a quoted text as a text term, and its arguments.
    ///
    /// In the name, a group of k arguments leaves `(`, k - 1 commas and `)`; parentheses and
    /// backslashes of the plain text are escaped by a backslash.
    pub(super) fn quoted(&mut self, from: usize, to: usize) -> Read<(Id, Vec<Id>)> {
        let (inner, end) = inside(self.text, from, to);
        let mut name = String::new();
        let mut arguments = Vec::new();
        if !self.text[inner..end].contains('(') {
            let text = self.whole(inner, end);
            escape(&unescaped(&text), &mut name);
            let name = self.leaf(Head::Text(Symbol::new(&name)), from, to);
            return Ok((name, arguments));
        }
        // Whatever stands in quotes is read by this rule.
        let pieces = self.part(Rule::quoted, inner, end).into_iter().flatten();
        let hyphens = self.breaks.hyphens(self.text, inner, end);
        for piece in pieces.flat_map(|quoted| quoted.into_inner()) {
            match piece.as_rule() {
                Rule::plain => {
                    let (from, to) = (piece.as_span().start(), piece.as_span().end());
                    let sides = Sides {
                        begins: from == 0,
                        ends: to == end - inner,
                    };
                    let text = joined(piece.as_str(), sides, &hyphens);
                    escape(&unescaped(&text), &mut name);
                }
                Rule::unclosed => escape(piece.as_str(), &mut name),
                Rule::group_of_arguments => {
                    let span = piece.as_span();
                    let (from, to) = (inner + span.start() + 1, inner + span.end() - 1);
                    if self.text[from..to].trim().is_empty() {
                        name.push_str("\\(\\)");
                        continue;
                    }
                    let before = arguments.len();
                    self.arguments(from, to, &mut arguments)?;
                    name.push('(');
                    for _ in before + 1..arguments.len() {
                        name.push(',');
                    }
                    name.push(')');
                }
                _ => {}
            }
        }
        let name = self.leaf(Head::Text(Symbol::new(&name)), from, to);
        Ok((name, arguments))
    }

    /// Reads a group of arguments between two bytes.
    fn arguments(&mut self, from: usize, to: usize, into: &mut Vec<Id>) -> Read<()> {
        // Each level reads what is in it anew.
        if self.quotes == MOST_QUOTES {
            let message = format!("quoted texts stand in each other more than {MOST_QUOTES} deep");
            let diagnostic = Diagnostic::error("E0106", message)
                .at(self.span(from, from))
                .hint("give parts of it names: LOCALs for values");
            return self.fail(diagnostic);
        }
        let pairs = match self.part(Rule::arguments_in_quotes, from, to) {
            Ok(pairs) => pairs,
            Err(refusal) => {
                let diagnostic = self.refused(&refusal, from, from);
                return self.fail(diagnostic);
            }
        };
        let base = std::mem::replace(&mut self.base, from);
        self.quotes += 1;
        let read = pairs
            .filter(|p| p.as_rule() == Rule::expression)
            .try_for_each(|p| self.expression(p).map(|made| into.push(made.id)));
        self.quotes -= 1;
        self.base = base;
        read
    }

    /// A quoted text that has no arguments.
    pub(super) fn plain_text(&mut self, pair: &Pair<'a>) -> Id {
        self.text_between(self.from(pair), self.to(pair))
    }

    /// The quoted text in a pair that holds nothing else.
    pub(super) fn text_in(&mut self, pair: Pair<'a>) -> Id {
        self.plain_text(&only_text(pair))
    }

    /// A quoted text that has no arguments, between two bytes.
    pub(super) fn text_between(&mut self, from: usize, to: usize) -> Id {
        let (inner, end) = inside(self.text, from, to);
        let text = self.whole(inner, end);
        self.leaf(Head::Text(Symbol::new(&unescaped(&text))), from, to)
    }

    /// A quoted text as it stands, such as a path.
    pub(super) fn exact_text(&mut self, pair: &Pair<'a>) -> Id {
        let (from, to) = (self.from(pair), self.to(pair));
        let (inner, end) = inside(self.text, from, to);
        let text = Symbol::new(&unescaped(&self.text[inner..end]));
        self.leaf(Head::Text(text), from, to)
    }

    /// A quoted text in which a hyphen is a sign, such as one for LaTeX.
    pub(super) fn formula_text(&mut self, pair: &Pair<'a>) -> Id {
        let (from, to) = (self.from(pair), self.to(pair));
        let (inner, end) = inside(self.text, from, to);
        let text = joined(&self.text[inner..end], Sides::WHOLE, &Hyphens::Signs);
        self.leaf(Head::Text(Symbol::new(&unescaped(&text))), from, to)
    }

    /// What a control point is called and an operator waits for: what rules write, in English.
    pub(super) fn waited_for(&mut self, pair: Pair<'a>) -> Id {
        let id = self.text_in(pair);
        let text = self.terms.as_text(id).map_or("", |text| text.as_str());
        match waited_for(text, Language::English) {
            Some(known) if known != text => {
                let known = self.terms.text(known.into());
                self.terms.copy_origin(id, known);
                known
            }
            _ => id,
        }
    }

    /// Plain text between two bytes, its lines joined.
    fn whole(&mut self, from: usize, to: usize) -> String {
        let hyphens = self.breaks.hyphens(self.text, from, to);
        joined(&self.text[from..to], Sides::WHOLE, &hyphens).into_owned()
    }
}

/// The text in a pair that holds nothing else, or is one.
fn only_text(pair: Pair<'_>) -> Pair<'_> {
    match pair.as_rule() {
        Rule::phrase | Rule::predicate => pair,
        _ => {
            let inner = pair.clone().into_inner().next();
            inner.unwrap_or(pair)
        }
    }
}

/// The bytes between the quotes.
pub(super) fn inside(text: &str, from: usize, to: usize) -> (usize, usize) {
    let mut chars = text[from..to].chars();
    let open = chars.next().map_or(0, char::len_utf8);
    let close = chars.next_back().map_or(0, char::len_utf8);
    (from + open, to - close)
}

/// Writes plain text as it stands in the name of a phrase.
fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        if matches!(c, '(' | ')' | '\\') {
            into.push('\\');
        }
        into.push(c);
    }
}

/// Plain text without its escapes; a backslash at the very end stands for nothing.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mut chars = rest[at + 1..].chars();
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('u') => match numbered(chars.as_str()) {
                Some((c, after)) => {
                    out.push(c);
                    chars = after.chars();
                }
                None => out.push('u'),
            },
            Some(c) => out.push(c),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// The character of `{1b}` at the start of a text, and what follows.
fn numbered(text: &str) -> Option<(char, &str)> {
    let (digits, rest) = text.strip_prefix('{')?.split_once('}')?;
    let few = (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| few)?;
    Some((char::from_u32(number)?, rest))
}
