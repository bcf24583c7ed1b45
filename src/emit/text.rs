//! Text of programs: lines with indentation and origin, and what stands in comments and strings.

use crate::term::is_hidden;

/// Columns that calls keep within.
const WIDTH: usize = 100;

/// What stands around the number of a line's origin, at the line's start. Both are control
/// characters, which no program that is written has: [`comment`] and the strings let none through.
const MARK: [char; 2] = ['\u{1}', '\u{2}'];

/// Lines of a program being written.
#[derive(Debug, Default)]
pub struct Lines {
    out: String,
    indent: usize,
    origin: Option<u32>,
}

impl Lines {
    /// No lines yet, at a depth of indentation.
    pub fn new(indent: usize) -> Lines {
        Lines {
            out: String::new(),
            indent,
            origin: None,
        }
    }

    /// No lines yet, at the depth and with the origin of these.
    pub fn inner(&self) -> Lines {
        Lines {
            origin: self.origin,
            ..Lines::new(self.indent)
        }
    }

    /// Adds lines as they are.
    pub fn append(&mut self, lines: Lines) {
        self.out.push_str(&lines.out);
    }

    /// Sets the origin of the lines that follow, and gives what it was.
    pub fn set_origin(&mut self, origin: Option<u32>) -> Option<u32> {
        std::mem::replace(&mut self.origin, origin)
    }

    /// The origin of the lines that follow.
    pub fn origin(&self) -> Option<u32> {
        self.origin
    }

    /// Adds a line; an empty one gets no blanks.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if !text.is_empty() {
            if let Some(origin) = self.origin {
                let [from, to] = MARK;
                self.out.push_str(&format!("{from}{origin}{to}"));
            }
            for _ in 0..self.indent {
                self.out.push_str("    ");
            }
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    /// Adds a line and indents what follows.
    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.indent += 1;
    }

    /// Ends an indentation with a line.
    pub fn close(&mut self, text: impl AsRef<str>) {
        self.indent = self.indent.saturating_sub(1);
        self.line(text);
    }

    /// Ends one indentation and begins another: `} else {`.
    pub fn turn(&mut self, text: impl AsRef<str>) {
        self.indent = self.indent.saturating_sub(1);
        self.line(text);
        self.indent += 1;
    }

    /// Adds a call; one argument a line where they do not fit into one line, as rustfmt has it.
    pub fn call(&mut self, head: &str, arguments: &[String], tail: &str) {
        let one = format!("{head}{}{tail}", arguments.join(", "));
        if self.indent * 4 + one.chars().count() <= WIDTH {
            self.line(one);
            return;
        }
        self.open(head);
        for argument in arguments {
            self.line(format!("{argument},"));
        }
        self.close(tail);
    }

    /// Adds a call; its arguments fill as many lines as they need, as in C.
    pub fn filled_call(&mut self, head: &str, arguments: &[String], tail: &str) {
        let mut line = head.to_owned();
        for (k, argument) in arguments.iter().enumerate() {
            let end = match k + 1 == arguments.len() {
                true => tail,
                false => ",",
            };
            let blank = match line.ends_with('(') || line.trim().is_empty() {
                true => "",
                false => " ",
            };
            let width = self.indent * 4 + line.len() + blank.len() + argument.len() + end.len();
            if width > WIDTH && line.trim() != head.trim() && !line.trim().is_empty() {
                self.line(&line);
                line = "    ".into();
            } else {
                line.push_str(blank);
            }
            line.push_str(argument);
            line.push_str(end);
        }
        if arguments.is_empty() {
            line.push_str(tail);
        }
        self.line(line);
    }

    /// Indents what follows.
    pub fn open_silently(&mut self) {
        self.indent += 1;
    }

    /// Ends an indentation without a line.
    pub fn close_silently(&mut self) {
        self.indent = self.indent.saturating_sub(1);
    }

    /// The text, with the marks of its lines.
    pub fn finish(self) -> String {
        self.out
    }
}

/// Takes the marks out of a line, and gives the origin that it has.
pub fn unmarked(line: &str) -> (Option<u32>, String) {
    let [from, to] = MARK;
    let mut origin = None;
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, marked)) = rest.split_once(from) {
        let (number, after) = marked.split_once(to).unwrap_or(("", marked));
        origin = number.parse().ok().or(origin);
        text.push_str(before);
        rest = after;
    }
    text.push_str(rest);
    (origin, text)
}

/// A text whose lines have origins that come `by` later.
pub fn shifted(text: &str, by: u32) -> String {
    let [from, to] = MARK;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, marked)) = rest.split_once(from) {
        let (number, after) = marked.split_once(to).unwrap_or(("", marked));
        out.push_str(before);
        if let Ok(number) = number.parse::<u32>() {
            out.push_str(&format!("{from}{}{to}", number + by));
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A text for a line comment of Rust, C or CMake: one line that no compiler reads beyond.
///
/// Control characters become blanks (a line end would end the comment), the bidirectional controls
/// and other invisible characters go (they could show text in another order than it has), and what
/// could continue or end a comment is parted: a backslash or `??/` at the end of the line, `*/`.
pub fn comment(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_control() => clean.push(' '),
            '\u{2028}' | '\u{2029}' => clean.push(' '),
            c if is_hidden(c) => {}
            c => clean.push(c),
        }
    }
    let mut clean = clean.replace("*/", "* /").replace("/*", "/ *");
    clean = clean.replace("??", "? ?").trim_end().to_owned();
    if clean.ends_with('\\') {
        clean.push('.');
    }
    clean
}

/// A text as a string literal of Rust, quotes included.
pub fn rust_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if is_hidden(c) => {
                literal.push_str(&format!("\\u{{{:x}}}", c as u32));
            }
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// A text as a string literal of C and C++, quotes included: what is not plain ASCII stands as
/// octal escapes of its UTF-8 bytes, which nothing after them can lengthen.
pub fn c_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' => literal.push_str("\\\""),
            b'\\' => literal.push_str("\\\\"),
            b'?' => literal.push_str("\\?"),
            b' '..=b'~' => literal.push(byte as char),
            _ => literal.push_str(&format!("\\{byte:03o}")),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_leave_no_trace_in_the_text() {
        let mut lines = Lines::new(1);
        lines.line("a");
        lines.set_origin(Some(7));
        lines.open("b \u{e000} {");
        lines.line("");
        let text = lines.finish();
        let all: Vec<_> = text.lines().map(unmarked).collect();
        let plain = |text: &str| text.to_owned();
        assert_eq!(
            all,
            [
                (None, plain("    a")),
                (Some(7), plain("    b \u{e000} {")),
                (None, plain(""))
            ]
        );
        assert!(!comment("\u{1}3\u{2}").contains(MARK));
        assert!(!rust_string("\u{1}3\u{2}").contains(MARK));
        assert!(!c_string("\u{1}3\u{2}").contains(MARK));
    }

    #[test]
    fn origins_are_shifted_and_texts_stay() {
        let mut lines = Lines::new(0);
        lines.line("a");
        lines.set_origin(Some(7));
        lines.line("b");
        let later = shifted(&lines.finish(), 10);
        let all: Vec<_> = later.lines().map(unmarked).collect();
        assert_eq!(all, [(None, "a".to_owned()), (Some(17), "b".to_owned())]);
    }

    #[test]
    fn nothing_leaves_a_comment() {
        assert_eq!(comment("a */ b"), "a * / b");
        assert_eq!(comment("a\nint main() {}"), "a int main() {}");
        assert_eq!(comment("ends in \\"), "ends in \\.");
        assert_eq!(comment("ends in ??/"), "ends in ? ?/");
        assert_eq!(comment("a\u{2028}b\u{202e}c"), "a bc");
        assert_eq!(comment("so\u{ad}ft\u{e0041}\u{3164}\u{9b}x"), "soft x");
    }

    #[test]
    fn nothing_leaves_a_string() {
        assert_eq!(rust_string("a\"b\\\n\0"), "\"a\\\"b\\\\\\n\\u{0}\"");
        assert_eq!(c_string("a\"??/é1"), "\"a\\\"\\?\\?/\\303\\2511\"");
    }
}
