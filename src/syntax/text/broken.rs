//! Quoted texts that are broken over lines, as printed papers have them → what they say.
//!
//! A run of blanks with a line end is one blank, and none at either end of a text. A hyphen at the end of a line between
//! letters breaks a word. It belongs to the word if that stands with a hyphen, and not without one, in another quoted
//! text of the file; if it stands there in both ways, a whole phrase decides. Of a word that stands nowhere else, the
//! hyphen goes away, unless a single letter stands before it or a capital one after it.

use super::lexemes::{Piece, lexemes, pieces};
use crate::syntax::LexemeKind;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::rc::Rc;

/// What stands in quotes in a file without a break.
pub(super) struct Unbroken {
    /// The words.
    words: FxHashSet<String>,
    /// The texts, with `()` for each group of arguments.
    texts: FxHashSet<String>,
}

/// Which ends of its quoted text a piece has.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub(super) begins: bool,
    pub(super) ends: bool,
}

impl Sides {
    pub(super) const WHOLE: Sides = Sides {
        begins: true,
        ends: true,
    };
}

/// What a hyphen at the end of a line is.
pub(super) enum Hyphens {
    /// A sign like others.
    Signs,
    /// It breaks a word, if it stands between letters.
    Break {
        unbroken: Option<Rc<Unbroken>>,
        /// Whether one stays that may as well belong to its word.
        stay: bool,
    },
}

/// How quoted texts of a file are broken.
#[derive(Default)]
pub struct Breaks {
    /// What stands in quotes without a break, once that is asked.
    unbroken: Option<Rc<Unbroken>>,
}

impl Breaks {
    /// What hyphens are at the ends of the lines of what stands between quotes, from one byte to another.
    pub(super) fn hyphens(&mut self, all: &str, from: usize, to: usize) -> Hyphens {
        let text = &all[from..to];
        if !has_broken_word(text) {
            return Hyphens::Signs;
        }
        let unbroken = self
            .unbroken
            .get_or_insert_with(|| Rc::new(Unbroken::of(all)));
        let [without, with] = [false, true].map(|stay| {
            let hyphens = Hyphens::Break {
                unbroken: Some(unbroken.clone()),
                stay,
            };
            unbroken.texts.contains(&skeleton(text, &hyphens))
        });
        Hyphens::Break {
            unbroken: Some(unbroken.clone()),
            stay: with && !without,
        }
    }

    /// The plain pieces of the quoted text between two bytes, which are those of its quotes, their lines joined;
    /// nothing for a group.
    pub fn plain<'t>(
        &mut self,
        all: &'t str,
        (from, to): (usize, usize),
        pieces: &[Piece],
    ) -> Vec<Option<Cow<'t, str>>> {
        let (inner, end) = super::quoted::inside(all, from, to);
        let hyphens = self.hyphens(all, inner, end.max(inner));
        let one = |piece: &Piece| {
            let sides = Sides {
                begins: piece.from == inner,
                ends: piece.to == end,
            };
            (!piece.group).then(|| joined(&all[piece.from..piece.to], sides, &hyphens))
        };
        pieces.iter().map(one).collect()
    }
}

impl Unbroken {
    fn of(text: &str) -> Unbroken {
        let mut found = Unbroken {
            words: FxHashSet::default(),
            texts: FxHashSet::default(),
        };
        let plain = Hyphens::Break {
            unbroken: None,
            stay: false,
        };
        for lexeme in lexemes(text) {
            if !matches!(lexeme.kind, LexemeKind::Phrase | LexemeKind::Predicate) {
                continue;
            }
            let (from, to) = super::quoted::inside(text, lexeme.from, lexeme.to);
            for piece in pieces(text, lexeme.from, lexeme.to) {
                if !piece.group {
                    found.words(&text[piece.from..piece.to]);
                }
            }
            if !has_broken_word(&text[from..to]) {
                found.texts.insert(skeleton(&text[from..to], &plain));
            }
        }
        found
    }

    /// Adds the words of a plain text that are not broken.
    fn words(&mut self, text: &str) {
        for word in text.split(|c| !in_word(c)) {
            let word = with_hyphens(word);
            if !word.is_empty() && !word.starts_with('-') && !word.ends_with('-') {
                self.words.insert(word);
            }
        }
    }
}

/// A quoted text, its lines joined, with `()` for each group of arguments.
fn skeleton(text: &str, hyphens: &Hyphens) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    let mut plain = String::new();
    let mut begins = true;
    for c in text.chars() {
        match c {
            '(' => {
                if depth == 0 {
                    let sides = Sides {
                        begins,
                        ends: false,
                    };
                    out.push_str(&joined(&plain, sides, hyphens));
                    out.push_str("()");
                    (plain, begins) = (String::new(), false);
                }
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let sides = Sides { begins, ends: true };
    out.push_str(&joined(&plain, sides, hyphens));
    with_hyphens(&out)
}

/// A plain text, escapes and all, its lines joined.
pub(super) fn joined<'t>(text: &'t str, sides: Sides, hyphens: &Hyphens) -> Cow<'t, str> {
    if !text.contains(is_line_end) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            let length = rest.chars().take(2).map(char::len_utf8).sum();
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        if !c.is_whitespace() {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let after = rest.trim_start();
        let blanks = &rest[..rest.len() - after.len()];
        rest = after;
        if !blanks.contains(is_line_end) {
            out.push_str(blanks);
        } else if let (Hyphens::Break { unbroken, stay }, true) =
            (hyphens, breaks_word(&out, blanks, after))
        {
            if !belongs(&out, after, unbroken.as_deref(), *stay) {
                out.pop();
            }
        } else if !(sides.begins && out.is_empty() || sides.ends && after.is_empty()) {
            out.push(' ');
        }
    }
    Cow::Owned(out)
}

/// Whether the hyphen at the end of a text belongs to the word that goes on after it.
fn belongs(before: &str, after: &str, unbroken: Option<&Unbroken>, stay: bool) -> bool {
    if before.ends_with(SOFT) {
        return false;
    }
    let hyphen = before.chars().next_back().map_or(0, char::len_utf8);
    let first = &before[..before.len() - hyphen];
    let from = first.rfind(|c| !in_word(c));
    let from = from.map_or(0, |at| {
        at + first[at..].chars().next().map_or(0, char::len_utf8)
    });
    let first = with_hyphens(&first[from..]);
    let second = with_hyphens(&after[..after.find(|c| !in_word(c)).unwrap_or(after.len())]);
    let has = |word: &str| unbroken.is_some_and(|all| all.words.contains(word));
    match (
        has(&format!("{first}-{second}")),
        has(&format!("{first}{second}")),
    ) {
        (true, true) => stay,
        (with, without) if with || without => with,
        _ => first.chars().count() == 1 || after.starts_with(char::is_uppercase),
    }
}

/// The hyphen that stands only where a word is broken.
const SOFT: char = '\u{ad}';

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐' | SOFT)
}

/// Whether a character stands in words, hyphens among them.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() || is_hyphen(c) || matches!(c, 'ʼ' | '’')
}

/// A text with one sign for all hyphens, and none where a soft one stands.
fn with_hyphens(text: &str) -> String {
    text.replace('‐', "-").replace(SOFT, "")
}

/// Whether a word is broken between two texts by a hyphen at the end of a line.
fn breaks_word(before: &str, blanks: &str, after: &str) -> bool {
    let mut back = before.chars().rev();
    let has_hyphen = back.next().is_some_and(is_hyphen);
    // Blanks before the end of the line are not seen.
    has_hyphen
        && blanks.contains(is_line_end)
        && back.next().is_some_and(char::is_alphanumeric)
        && after.starts_with(char::is_alphabetic)
}

/// Whether a word of a text is broken at the end of a line.
fn has_broken_word(text: &str) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].find(is_hyphen) {
        let at = from + at;
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
        let after = text[from..].trim_start();
        let blanks = &text[from..text.len() - after.len()];
        if breaks_word(&text[..from], blanks, after) {
            return true;
        }
    }
    false
}
