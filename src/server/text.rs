//! The text of a document, and places in it as the protocol counts them: lines, and in a line units of UTF-16.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// A text with the starts of its lines.
#[derive(Clone, Debug)]
pub(super) struct Text {
    text: String,
    lines: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: String) -> Text {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Text { text, lines }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The text of a line without its end; an empty one after the last.
    pub(super) fn line(&self, line: usize) -> &str {
        let Some(&from) = self.lines.get(line) else {
            return "";
        };
        let to = self.lines.get(line + 1).copied();
        let text = &self.text[from..to.unwrap_or(self.text.len())];
        text.trim_end_matches('\n').trim_end_matches('\r')
    }

    /// The line that a byte stands on, from 0.
    pub(super) fn line_of(&self, byte: usize) -> usize {
        self.lines.partition_point(|&start| start <= byte) - 1
    }

    /// The position of a byte; one inside of a character is that of the character.
    pub(super) fn position(&self, byte: usize) -> Position {
        let byte = self.text.floor_char_boundary(byte.min(self.text.len()));
        let line = self.line_of(byte);
        let before = &self.text[self.lines[line]..byte];
        let units: usize = before.chars().map(char::len_utf16).sum();
        Position::new(line as u32, units as u32)
    }

    pub(super) fn range(&self, from: usize, to: usize) -> Range {
        Range::new(self.position(from), self.position(to))
    }

    /// The byte at a position; one behind the end of its line or of the text is that end.
    pub(super) fn byte(&self, position: Position) -> usize {
        let Some(&start) = self.lines.get(position.line as usize) else {
            return self.text.len();
        };
        let mut units = 0;
        for (at, c) in self.line(position.line as usize).char_indices() {
            // A place between the two halves of a character is the one before it.
            units += c.len_utf16();
            if units > position.character as usize {
                return start + at;
            }
        }
        start + self.line(position.line as usize).len()
    }

    /// The text after a change of a part of it, or of the whole.
    pub(super) fn change(&mut self, change: TextDocumentContentChangeEvent) {
        let text = match change.range {
            None => change.text,
            Some(range) => {
                let from = self.byte(range.start);
                let to = self.byte(range.end).max(from);
                let mut text = std::mem::take(&mut self.text);
                text.replace_range(from..to, &change.text);
                text
            }
        };
        *self = Text::new(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position::new(line, character)
    }

    #[test]
    fn positions_count_units_of_utf_16() {
        let text = Text::new("ab\r\nтіло 🙂 x\nend".into());
        // Cyrillic letters are one unit and two bytes, the face is two units and four bytes.
        for (byte, position) in [
            (0, at(0, 0)),
            (2, at(0, 2)),
            (4, at(1, 0)),
            (6, at(1, 1)),
            (13, at(1, 5)),
            (17, at(1, 7)),
            (18, at(1, 8)),
            (20, at(2, 0)),
            (23, at(2, 3)),
        ] {
            assert_eq!(text.position(byte), position, "of byte {byte}");
            assert_eq!(text.byte(position), byte, "at {position:?}");
        }
    }

    #[test]
    fn positions_that_are_none_are_near_ones() {
        let text = Text::new("ab\r\n🙂x".into());
        assert_eq!(text.byte(at(0, 99)), 2);
        assert_eq!(text.byte(at(1, 1)), 4);
        assert_eq!(text.byte(at(9, 0)), 9);
        assert_eq!(text.position(6), at(1, 0));
        assert_eq!(text.position(99), at(1, 3));
        assert_eq!(Text::new(String::new()).byte(at(0, 5)), 0);
    }

    #[test]
    fn changes_are_made_in_place() {
        let mut text = Text::new("x := 🙂;\ny := 2".into());
        let change = |from: Position, to: Position, new: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(from, to)),
            range_length: None,
            text: new.into(),
        };
        text.change(change(at(0, 5), at(0, 7), "один\n"));
        assert_eq!(text.as_str(), "x := один\n;\ny := 2");
        text.change(change(at(1, 1), at(2, 0), ""));
        assert_eq!(text.as_str(), "x := один\n;y := 2");
        // An end before the start is taken for the start.
        text.change(change(at(1, 1), at(0, 0), " "));
        assert_eq!(text.as_str(), "x := один\n; y := 2");
        text.change(TextDocumentContentChangeEvent {
            range: None,
            range_length: None,
            text: "z".into(),
        });
        assert_eq!((text.as_str(), text.line_of(1)), ("z", 0));
    }
}
