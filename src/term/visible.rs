//! Escapes control characters in untrusted text.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character shows nothing or changes how others are shown: controls, ends of lines and
/// paragraphs, directions, and what Unicode calls ignorable by default, such as the soft hyphen,
/// letters without a shape and tags.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A text of lines with every hidden character as `\u{1b}`; ends of lines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// A text on one line, with every hidden character as `\u{1b}`: a title or a label.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    replaced(text, is_hidden)
}

fn replaced(text: &str, wanted: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&wanted) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match wanted(c) {
            // Writing to text cannot fail.
            true => drop(write!(out, "\\u{{{:x}}}", u32::from(c))),
            false => out.push(c),
        }
    }
    out.into()
}

/// The text of JSON with every hidden character as its escape. In JSON they stand in strings only,
/// but for the blanks between its parts.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    let wanted = |c| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(wanted) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match wanted(c) {
            true => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            false => out.push(c),
        }
    }
    out.into()
}

/// A text of lines in which only the colours of a terminal remain hidden: `ESC [ … m`.
pub fn visible_but_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (place, part) in text.split("\u{1b}[").enumerate() {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';');
        let is_colour = end.is_some_and(|end| part[end..].starts_with('m'));
        match (place, is_colour) {
            (0, _) => {}
            (_, true) => out.push_str("\u{1b}["),
            (_, false) => out.push_str("\\u{1b}["),
        }
        out.push_str(&visible(part));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        assert_eq!(visible("plain\n\tüж✓"), "plain\n\tüж✓");
        assert_eq!(
            visible("a\u{1b}[31mb\r\u{9b}"),
            "a\\u{1b}[31mb\\u{d}\\u{9b}"
        );
        assert_eq!(
            visible("so\u{ad}ft \u{202e}\u{e0041}"),
            "so\\u{ad}ft \\u{202e}\\u{e0041}"
        );
        assert_eq!(visible_line("a\nb"), "a\\u{a}b");
        assert_eq!(
            visible_json("\"\u{7f}\u{e0041}\"\n"),
            "\"\\u007f\\udb40\\udc41\"\n"
        );
        let coloured = "\u{1b}[1;31mred\u{1b}[0m \u{1b}[2J \u{1b}]0;x\u{7}";
        let wanted = "\u{1b}[1;31mred\u{1b}[0m \\u{1b}[2J \\u{1b}]0;x\\u{7}";
        assert_eq!(visible_but_colours(coloured), wanted);
    }
}
