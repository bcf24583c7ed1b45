//! Going through tokens: what all parts of the reader share.

use super::lex::{Kind, Refusal, Token};
use crate::diagnostic::Diagnostic;
use crate::term::{Span, Terms};

/// A place in the tokens of a text, and the arena that terms are read into.
pub(super) struct Reader<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) file: u32,
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
}

impl Reader<'_> {
    pub(super) fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn kind(&self) -> Kind {
        self.token().kind
    }

    /// The token after so many others.
    pub(super) fn kind_after(&self, n: usize) -> Kind {
        self.tokens.get(self.at + n).map_or(Kind::End, |t| t.kind)
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.kind(), Kind::Sign(s) if s == sign)
    }

    /// Whether a word stands here with an opening parenthesis after it.
    pub(super) fn is_call(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Name(n) if n.as_str() == word)
            && self.kind_after(1) == Kind::Sign("(")
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Refusal> {
        if self.accept(sign) {
            return Ok(());
        }
        self.refuse(&format!("expected `{sign}`"))
    }

    /// Where a token stands.
    pub(super) fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.from, token.to)
    }

    pub(super) fn refuse<T>(&self, expected: &str) -> Result<T, Refusal> {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the text".to_string(),
            Kind::Sign("=") => "`=`".to_string(),
            _ => format!("`{}`", short(&self.text[token.from..token.to])),
        };
        let mut diagnostic = Diagnostic::error("E0300", format!("{expected}, found {found}"))
            .at(self.span_of(token));
        if token.kind == Kind::Sign("=") {
            diagnostic = diagnostic.hint("equality is written `==`");
        }
        Err(Box::new(diagnostic))
    }
}

/// The beginning of a text, for messages.
fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(40).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
