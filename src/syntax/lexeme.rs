//! Text → its words and signs, whether or not it can be read: what an editor works on.

use crate::algebra::Keyword;

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// A keyword, of one word or of several.
    Keyword(Keyword),
    /// A word that is no keyword.
    Word,
    /// A number.
    Number,
    /// A text in double quotes: a phrase, or a text of a rule file.
    Phrase,
    /// A text in single quotes.
    Predicate,
    /// A variable of rules: `$x`, `$x..`.
    Variable,
    /// The name of an attribute: `#@rule`.
    Attribute,
    /// A comment, with its `#`.
    Comment,
    /// A sign or a bracket.
    Sign,
}

/// A word or a sign, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// What it is.
    pub kind: LexemeKind,
    /// Its first byte.
    pub from: usize,
    /// One past its last byte.
    pub to: usize,
}

impl Lexeme {
    /// What stands there.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.from..self.to]
    }

    /// The lexeme in a text that begins so many bytes further on.
    #[must_use]
    pub fn moved(self, by: usize) -> Lexeme {
        Lexeme {
            from: self.from + by,
            to: self.to + by,
            ..self
        }
    }
}
