//! What a grammar matched → tokens and the comments between them.

use pest::RuleType;
use pest::iterators::{Pair, Pairs};

/// A comment, from its `#` to the end of its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
}

/// Where a token or a comment stands in the text that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Line ends between it and what stands before it.
    pub(super) lines: usize,
    /// Characters between it and the start of its line.
    pub(super) column: usize,
    /// Characters between it and what stands before it on its line.
    pub(super) blanks: usize,
}

/// A word or a sign.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// The first byte.
    pub(super) from: usize,
    /// The comments before it.
    pub(super) comments: Vec<Comment<'a>>,
    pub(super) place: Place,
}

/// The tokens of a text, and the comments behind the last one.
pub(super) struct Tokens<'a> {
    pub(super) all: Vec<Token<'a>>,
    pub(super) rest: Vec<Comment<'a>>,
}

impl Tokens<'_> {
    /// Its words and signs, in order.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|token| token.text)
    }

    /// Its comments, each with the number of the token that it stands before.
    pub(super) fn comments(&self) -> impl Iterator<Item = (usize, &str)> {
        let before = self.all.iter().enumerate();
        let before = before.flat_map(|(i, token)| token.comments.iter().map(move |c| (i, c.text)));
        let rest = self.rest.iter().map(|c| (self.all.len(), c.text));
        before.chain(rest)
    }
}

/// Takes a text apart. Leaves of the tree are words, signs and quoted texts; what no rule of its own matched
/// stands between them.
pub(super) fn tokens<'a, R: RuleType>(text: &'a str, tree: Pairs<'a, R>) -> Tokens<'a> {
    let mut scanner = Scanner {
        text,
        at: 0,
        last: 0,
        column: 0,
        comments: Vec::new(),
        all: Vec::new(),
    };
    for leaf in tree.flatten().filter(is_leaf) {
        let span = leaf.as_span();
        scanner.words(span.start());
        let is_quoted = span.as_str().starts_with(QUOTES) || span.as_str().starts_with("#@");
        match is_quoted {
            true => scanner.token(span.start(), span.end()),
            false => scanner.words(span.end()),
        }
    }
    scanner.words(text.len());
    Tokens {
        all: scanner.all,
        rest: scanner.comments,
    }
}

/// What begins a token that may hold blanks.
const QUOTES: [char; 8] = ['"', '\'', '`', '“', '„', '«', '‘', '”'];

fn is_leaf<R: RuleType>(pair: &Pair<'_, R>) -> bool {
    !pair.as_str().is_empty() && pair.clone().into_inner().next().is_none()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// One past the last token or comment.
    last: usize,
    /// The column of that.
    column: usize,
    comments: Vec<Comment<'a>>,
    all: Vec<Token<'a>>,
}

impl<'a> Scanner<'a> {
    /// Takes words, signs and comments up to a place.
    fn words(&mut self, to: usize) {
        while let Some(c) = self.text[self.at..to.max(self.at)].chars().next() {
            let from = self.at;
            if c == '#' {
                let end = self.text[from..].find('\n');
                let end = end.map_or(self.text.len(), |n| from + n);
                let comment = self.text[from..end].trim_end();
                let place = self.place(from);
                self.comments.push(Comment {
                    text: comment,
                    place,
                });
                self.pass(place, from, end);
            } else if is_blank(c) {
                self.at += c.len_utf8();
            } else {
                let part = |c: char| is_blank(c) || c == '#';
                let end = self.text[from..to].find(part).map_or(to, |n| from + n);
                self.token(from, end);
            }
        }
    }

    fn token(&mut self, from: usize, to: usize) {
        let place = self.place(from);
        self.all.push(Token {
            text: &self.text[from..to],
            from,
            comments: std::mem::take(&mut self.comments),
            place,
        });
        self.pass(place, from, to);
    }

    fn place(&self, from: usize) -> Place {
        let between = &self.text[self.last..from];
        let blanks = last_line(between).chars().count();
        let column = match between.contains('\n') {
            true => blanks,
            false => self.column + blanks,
        };
        Place {
            lines: between.matches('\n').count(),
            column,
            blanks,
        }
    }

    /// Goes on after what stands at a place.
    fn pass(&mut self, place: Place, from: usize, to: usize) {
        let text = &self.text[from..to];
        let characters = last_line(text).chars().count();
        self.column = match text.contains('\n') {
            true => characters,
            false => place.column + characters,
        };
        self.at = to;
        self.last = to;
    }
}

/// What stands on the last line of a text.
fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or(text)
}

/// A byte order mark stands for nothing.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The tree of a text without its blanks and comments: the rules in order, each with how many parts it has.
/// Texts with the same one and the same tokens mean the same.
pub(super) fn shape<R: RuleType>(tree: Pairs<'_, R>) -> Vec<(R, usize)> {
    let one = |pair: Pair<'_, R>| (pair.as_rule(), pair.into_inner().count());
    tree.flatten().map(one).collect()
}
