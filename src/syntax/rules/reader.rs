//! The state of a reader of rule files: where it stands in a text, and how it refuses.

use super::grammar::{Grammar, Pair, Rule};
use crate::diagnostic::Diagnostic;
use crate::term::{MOST_LEVELS, Span, Symbol, Terms};
use pest::Parser;

/// A reader's refusal, boxed because it is rare and large.
pub(in crate::syntax) type Refusal = Box<Diagnostic>;

/// A place in a text, and the arena that terms are read into.
pub(super) struct Reader<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) file: u32,
    pub(super) text: &'a str,
    /// Whether the text is one term.
    pub(super) is_term: bool,
    /// The next token.
    pub(super) at: usize,
    /// Where the part that is being read begins: places in pairs are counted from there.
    pub(super) base: usize,
    /// One past the last byte of the token that was built last.
    pub(super) last: usize,
}

impl<'a> Reader<'a> {
    /// A reader that stands before the first token of a text.
    pub(super) fn new(terms: &'a mut Terms, file: u32, text: &'a str) -> Reader<'a> {
        let mut reader = Reader {
            terms,
            file,
            text,
            is_term: false,
            at: 0,
            base: 0,
            last: 0,
        };
        let _ = reader.step(Rule::start);
        reader
    }

    /// Reads a part that stands here by its rule, and goes on to the token after it.
    pub(super) fn step(&mut self, by: Rule) -> Result<Vec<Pair<'a>>, Refusal> {
        let text: &'a str = &self.text[self.at..];
        let read = Grammar::parse(by, text);
        let mut pairs: Vec<Pair> = read.map_err(|e| self.not_expected(&e))?.collect();
        self.base = self.at;
        if let Some(here) = pairs.pop_if(|p| p.as_rule() == Rule::here) {
            self.at = self.base + here.as_span().start();
        }
        Ok(pairs)
    }

    /// The first byte of a pair.
    pub(super) fn from(&self, pair: &Pair) -> usize {
        self.base + pair.as_span().start()
    }

    /// One past the last byte of a pair that ends in a token.
    pub(super) fn to(&self, pair: &Pair) -> usize {
        self.base + pair.as_span().end()
    }

    /// A place in this text.
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.file, from, to)
    }

    /// The place of a pair that ends in a token.
    pub(super) fn span_of(&self, pair: &Pair) -> Span {
        self.span(self.from(pair), self.to(pair))
    }

    pub(super) fn refuse<T>(&self, span: Span, message: impl Into<String>) -> Result<T, Refusal> {
        Err(Box::new(Diagnostic::error("E0300", message).at(span)))
    }

    /// A name of something, with its place.
    pub(super) fn name(&mut self, pair: &Pair<'a>) -> Result<(Symbol, Span), Refusal> {
        let inner = pair.clone().into_inner().next();
        let pair = inner.as_ref().unwrap_or(pair);
        let span = self.span_of(pair);
        self.last = self.to(pair);
        let name = match pair.as_rule() {
            Rule::quoted_name | Rule::text => self.unquoted(pair)?,
            _ => Symbol::new(pair.as_str()),
        };
        Ok((name, span))
    }

    /// A text or a name without its quotes and escapes.
    pub(super) fn unquoted(&self, pair: &Pair<'a>) -> Result<Symbol, Refusal> {
        let text = pair.as_str();
        let inner = &text[1..text.len() - 1];
        if !inner.contains('\\') {
            return Ok(Symbol::new(inner));
        }
        let from = self.from(pair) + 1;
        let mut value = String::new();
        let mut rest = inner;
        while let Some(place) = rest.find('\\') {
            value.push_str(&rest[..place]);
            let at = from + inner.len() - rest.len() + place;
            let mut chars = rest[place + 1..].chars();
            let escape = chars.next();
            match escape {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('r') => value.push('\r'),
                Some(c @ ('"' | '\'' | '`' | '\\')) => value.push(c),
                Some('u') => match code_point(chars.as_str()) {
                    Some((c, after)) => {
                        value.push(c);
                        chars = after.chars();
                    }
                    None => {
                        let span = self.span(at, at + 2);
                        return self.refuse(span, "`\\u{…}` wants the number of a character");
                    }
                },
                _ => {
                    let span = self.span(at, at + 1 + escape.map_or(0, char::len_utf8));
                    return self.refuse(span, "after `\\` stands one of n t r u{…} \" ' ` \\");
                }
            }
            rest = chars.as_str();
        }
        value.push_str(rest);
        Ok(Symbol::new(&value))
    }
}

/// The character of `{hexadecimal}` at the start of a text, and what follows.
fn code_point(text: &str) -> Option<(char, &str)> {
    let (digits, rest) = text.strip_prefix('{')?.split_once('}')?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(value)?, rest))
}

/// The refusal of a term that nests too deep.
pub(super) fn too_deep(span: Span) -> Refusal {
    let message = format!("the term nests deeper than {MOST_LEVELS} levels");
    // The whole term is too much to show; its beginning is enough.
    let span = Span {
        to: span.to.min(span.from + 1),
        ..span
    };
    Box::new(Diagnostic::error("E0310", message).at(span))
}
