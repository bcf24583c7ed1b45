//! A text made of pieces of others, and where its places were in those.

use crate::syntax::text::lexemes;
use crate::syntax::{Lexeme, LexemeKind};
use crate::term::Span;
use std::ops::Range;

/// A text that was made of others.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The text.
    pub text: String,
    /// What was copied, in order.
    pieces: Vec<Piece>,
}

/// So many bytes that were copied.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: usize,
    length: usize,
    file: u32,
    from: usize,
}

impl Made {
    /// Adds a text of nobody's.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a range of a file.
    pub(super) fn copy(&mut self, file: u32, text: &str, range: Range<usize>) {
        self.pieces.push(Piece {
            at: self.text.len(),
            length: range.len(),
            file,
            from: range.start,
        });
        self.text.push_str(&text[range]);
    }

    /// Adds a text whose tokens, from one on, are those of a range of a file, in order, with other space between.
    pub(super) fn push_tokens(
        &mut self,
        text: &str,
        skipped: usize,
        (file, original, range): (u32, &str, Range<usize>),
    ) {
        let is_token = |l: &Lexeme| l.kind != LexemeKind::Comment;
        let here = lexemes(text).into_iter().filter(is_token).skip(skipped);
        let here: Vec<Lexeme> = here.collect();
        let there = lexemes(&original[range.clone()]).into_iter();
        let there: Vec<Lexeme> = there.filter(is_token).collect();
        let pairs = here.iter().zip(&there);
        // Of what was laid out in other words nothing is said.
        let same = |(a, b): (&Lexeme, &Lexeme)| a.text(text) == b.text(&original[range.clone()]);
        if here.len() == there.len() && pairs.clone().all(same) {
            let piece = |(a, b): (&Lexeme, &Lexeme)| Piece {
                at: self.text.len() + a.from,
                length: a.to - a.from,
                file,
                from: range.start + b.from,
            };
            let pieces: Vec<Piece> = pairs.map(piece).collect();
            self.pieces.extend(pieces);
        }
        self.text.push_str(text);
    }

    /// The same text, where one of those that it was made of was made itself.
    pub(super) fn through(self, file: u32, made: &Made) -> Made {
        let mut pieces = Vec::new();
        for piece in self.pieces {
            if piece.file != file {
                pieces.push(piece);
                continue;
            }
            for earlier in &made.pieces {
                let from = piece.from.max(earlier.at);
                let to = (piece.from + piece.length).min(earlier.at + earlier.length);
                if from < to {
                    pieces.push(Piece {
                        at: piece.at + (from - piece.from),
                        length: to - from,
                        file: earlier.file,
                        from: earlier.from + (from - earlier.at),
                    });
                }
            }
        }
        Made { pieces, ..self }
    }

    /// Where a part of the text was, if its ends were in one file and in this order.
    pub fn origin(&self, from: u32, to: u32) -> Option<Span> {
        let (from, to) = (from as usize, to as usize);
        let holds = |at: usize| move |p: &&Piece| p.at <= at && at < p.at + p.length;
        let first = self.pieces.iter().find(holds(from))?;
        let last = self
            .pieces
            .iter()
            .find(holds(to.saturating_sub(1).max(from)))?;
        let (begin, end) = (
            first.from + (from - first.at),
            last.from + (to.max(from) - last.at),
        );
        (first.file == last.file && begin <= end).then(|| Span::new(first.file, begin, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_texts_it_was_made_of() {
        let mut first = Made::default();
        let text = "one two three";
        first.copy(7, text, 0..4);
        first.push("new ");
        first.copy(7, text, 8..13);
        assert_eq!(first.text, "one new three");
        assert_eq!(first.origin(8, 13), Some(Span::new(7, 8, 13)));
        assert_eq!(first.origin(4, 7), None);
        assert_eq!(first.origin(0, 13), Some(Span::new(7, 0, 13)));
        let mut second = Made::default();
        second.push("before: ");
        second.copy(9, &first.text, 0..13);
        let second = second.through(9, &first);
        assert_eq!(second.origin(16, 21), Some(Span::new(7, 8, 13)));
        assert_eq!(second.origin(12, 15), None);
        assert_eq!(second.origin(0, 3), None);
    }

    #[test]
    fn tokens_are_found_with_other_space_between() {
        let mut made = Made::default();
        let body = "x:=1;\n# A comment.\n  y := x";
        made.push_tokens(
            "\"P\" ====\n  x := 1;\n  y := x",
            2,
            (3, body, 0..body.len()),
        );
        let at = made.text.find("y").expect("it is there") as u32;
        let from = body.find("y").expect("it is there");
        assert_eq!(made.origin(at, at + 1), Some(Span::new(3, from, from + 1)));
        assert_eq!(made.origin(0, 3), None);
    }
}
