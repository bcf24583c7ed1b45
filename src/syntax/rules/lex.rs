//! Rule text → tokens.

use crate::diagnostic::Diagnostic;
use crate::term::{MOST_ERRORS, MOST_TOKENS, Span, Symbol};

/// A reader's refusal, boxed because it is rare and large.
pub(super) type Refusal = Box<Diagnostic>;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A name.
    Name(Symbol),
    /// A name in backquotes, which is never an alias or a keyword.
    Quoted(Symbol),
    /// `$x`
    Variable(Symbol),
    /// `$x..`
    Sequence(Symbol),
    /// The digits of an integer; the sign comes before.
    Int(u64),
    Real(f64),
    Text(Symbol),
    /// `#@name`
    Attribute(Symbol),
    Sign(&'static str),
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// A comment that has its line to itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment {
    pub(super) from: usize,
    pub(super) to: usize,
}

/// All tokens of a text, the last being `End`, and its whole-line comments.
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
    /// What could not be read. A number stands in its place, so that reading can go on.
    pub(super) refusals: Vec<Diagnostic>,
}

/// Signs, longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "!->", "..", "->", "<-", "<+", "<=", ">=", "<>", "==", "!=", "&&", "||", "+", "-", "*", "/",
    "%", "^", "<", ">", "!", "(", ")", "[", "]", "{", "}", ",", ";", ":", "|", "=",
];

/// Typographic twins of signs.
const TWINS: &[(char, &str)] = &[
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('¬', "!"),
    ('∧', "&&"),
    ('∨', "||"),
    ('→', "->"),
    ('←', "<-"),
];

pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(super) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Lexer<'a> {
    file: u32,
    text: &'a str,
    at: usize,
}

/// Splits a text into tokens.
pub(super) fn tokens(file: u32, text: &str) -> Tokens {
    let mut found = Tokens {
        tokens: Vec::new(),
        comments: Vec::new(),
        refusals: Vec::new(),
    };
    let mut lexer = Lexer { file, text, at: 0 };
    loop {
        lexer.skip(char::is_whitespace);
        let from = lexer.at;
        if lexer.rest().starts_with('#') && !lexer.rest().starts_with("#@") {
            lexer.skip(|c| c != '\n');
            let line = text[..from].rfind('\n').map_or(0, |p| p + 1);
            if text[line..from].trim().is_empty() {
                let to = lexer.at;
                found.comments.push(Comment { from, to });
            }
            continue;
        }
        let kind = lexer.token().unwrap_or_else(|refusal| {
            found.refusals.push(*refusal);
            Kind::Int(0)
        });
        if found.refusals.len() >= MOST_ERRORS {
            lexer.at = lexer.text.len();
        }
        if found.tokens.len() == MOST_TOKENS && kind != Kind::End {
            let message = format!("this text has more than {MOST_TOKENS} words and signs");
            let refusal = Diagnostic::error("E0007", message)
                .at(Span::new(file, from, from))
                .hint("take it apart into several files");
            found.refusals.push(refusal);
            found.tokens.clear();
            lexer.at = text.len();
            continue;
        }
        let to = lexer.at;
        found.tokens.push(Token { kind, from, to });
        if kind == Kind::End {
            return found;
        }
    }
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, of: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !of(c)).unwrap_or(rest.len());
    }

    fn refuse<T>(&self, from: usize, message: impl Into<String>) -> Result<T, Refusal> {
        let to = self.at.max(from + 1).min(self.text.len().max(from));
        let span = Span::new(self.file, from, to);
        Err(Box::new(Diagnostic::error("E0300", message).at(span)))
    }

    fn name(&mut self) -> Option<Symbol> {
        let from = self.at;
        self.skip(is_name_part);
        (self.at > from).then(|| Symbol::new(&self.text[from..self.at]))
    }

    fn token(&mut self) -> Result<Kind, Refusal> {
        let from = self.at;
        let Some(c) = self.peek() else {
            return Ok(Kind::End);
        };
        if is_name_start(c) {
            self.skip(is_name_part);
            return Ok(Kind::Name(Symbol::new(&self.text[from..self.at])));
        }
        if c.is_ascii_digit() {
            return self.number();
        }
        match c {
            '$' => {
                self.at += 1;
                let Some(name) = self.name() else {
                    return self.refuse(from, "`$` wants the name of a variable after it");
                };
                if self.rest().starts_with("..") {
                    self.at += 2;
                    return Ok(Kind::Sequence(name));
                }
                return Ok(Kind::Variable(name));
            }
            '#' => {
                self.at += 2;
                return match self.name() {
                    Some(name) => Ok(Kind::Attribute(name)),
                    None => self.refuse(from, "`#@` wants the name of an attribute after it"),
                };
            }
            '"' => return Ok(Kind::Text(self.quoted('"', "text")?)),
            '`' => return Ok(Kind::Quoted(self.quoted('`', "name")?)),
            _ => {}
        }
        if let Some(sign) = SIGNS.iter().find(|s| self.rest().starts_with(**s)) {
            self.at += sign.len();
            return Ok(Kind::Sign(sign));
        }
        self.at += c.len_utf8();
        match TWINS.iter().find(|(twin, _)| *twin == c) {
            Some((_, sign)) => Ok(Kind::Sign(sign)),
            None => self.refuse(from, format!("the character {c:?} has no meaning here")),
        }
    }

    fn number(&mut self) -> Result<Kind, Refusal> {
        let from = self.at;
        let digit = |c: char| c.is_ascii_digit();
        self.skip(digit);
        let mut real = false;
        let after_dot = self.rest().strip_prefix('.');
        if after_dot.is_some_and(|r| r.starts_with(digit)) {
            real = true;
            self.at += 1;
            self.skip(digit);
        }
        if let Some(exponent) = self.rest().strip_prefix(['e', 'E']) {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.starts_with(digit) {
                real = true;
                self.at += 1 + (exponent.len() - digits.len());
                self.skip(digit);
            }
        }
        let text = &self.text[from..self.at];
        let suffixes: &[char] = if real { &['F', 'D', 'B'] } else { &['L', 'B'] };
        if self.rest().starts_with(suffixes) {
            self.at += 1;
        }
        if self.peek().is_some_and(is_name_part) {
            self.skip(is_name_part);
            return self.refuse(from, "a number and a name want a space between them");
        }
        if real {
            return match text.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Kind::Real(value)),
                _ => self.refuse(from, "the number is too large for a real"),
            };
        }
        match text.parse::<u64>() {
            Ok(value) if value <= 1 << 63 => Ok(Kind::Int(value)),
            _ => self.refuse(from, "the number is too large for a 64-bit integer"),
        }
    }

    /// A text or name between two `quote`s, with escapes.
    fn quoted(&mut self, quote: char, what: &str) -> Result<Symbol, Refusal> {
        let from = self.at;
        self.at += 1;
        let mut value = String::new();
        let mut wrong = Ok(());
        loop {
            let at = self.at;
            let Some(c) = self.peek() else {
                self.at = from;
                self.skip(|c| c != '\n');
                return self.refuse(from, format!("the {what} is not closed by {quote}"));
            };
            self.at += c.len_utf8();
            if c == quote {
                return wrong.map(|()| Symbol::new(&value));
            }
            if c != '\\' {
                value.push(c);
                continue;
            }
            let escape = self.peek();
            self.at += escape.map_or(0, char::len_utf8);
            match escape {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('r') => value.push('\r'),
                Some(c @ ('"' | '\'' | '`' | '\\')) => value.push(c),
                // The rest of the text is gone over, so that reading can go on after it.
                Some('u') => match self.code_point(at) {
                    Ok(c) => value.push(c),
                    Err(refusal) => wrong = wrong.and(Err(refusal)),
                },
                _ => {
                    let message = "after `\\` stands one of n t r u{…} \" ' ` \\";
                    wrong = wrong.and(self.refuse(at, message));
                }
            }
        }
    }

    /// The rest of `\u{hexadecimal}`.
    fn code_point(&mut self, from: usize) -> Result<char, Refusal> {
        let body = self
            .rest()
            .strip_prefix('{')
            .and_then(|r| r.split_once('}'));
        let found = body.and_then(|(digits, _)| {
            let value = u32::from_str_radix(digits, 16).ok()?;
            Some((digits.len(), char::from_u32(value)?))
        });
        match found {
            Some((length, c)) => {
                self.at += length + 2;
                Ok(c)
            }
            None => self.refuse(from, "`\\u{…}` wants the number of a character"),
        }
    }
}
