//! Tokens with what may stand between them → lines.
//!
//! No token and no comment is changed: between two of them stand blanks or the end of a line, and that is
//! all that is chosen here. Lines end where the author ended them, as far as a gap allows it; where a
//! construct with a body takes several lines, its body has lines of its own; a line that is too long ends
//! at the outermost place that it has.

use super::tokens::{Comment, Tokens};

/// Lines are at most so wide, comments at their ends not counted.
const WIDTH: usize = 120;

/// What nests more deeply is not indented further, or the text would grow with the square of the depth.
const MOST_INDENT: usize = 80;

/// What may stand before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// No end of a line.
    Never,
    /// One where the author has it, or where the line is too long: the lowest level first.
    Soft(usize),
    /// One between operators, where the author has it and around those that take several lines.
    Between,
    /// One where the construct of this number takes several lines, and nowhere else.
    Block(usize),
    /// One in any case.
    Always,
}

/// Where a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indent {
    /// At a column.
    At(usize),
    /// So far behind what begins the line on which a token stands.
    Behind(usize, usize),
    /// Under the token after this one.
    Under(usize),
}

/// What stands before a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    pub(super) space: bool,
    pub(super) breaks: Break,
    pub(super) indent: Indent,
    /// Where comments begin that stand before it on lines of their own.
    pub(super) comments: Indent,
    /// Whether blanks that the author put before it to make columns stay.
    pub(super) column: bool,
}

/// The layout of a text: a gap for each token.
pub(super) struct Layout {
    pub(super) gaps: Vec<Gap>,
    /// The first and the last token of each construct that has a body.
    pub(super) blocks: Vec<(usize, usize)>,
    /// Operators in order: the first token of one, that of the next one, and the last token of that.
    pub(super) between: Vec<(usize, usize, usize)>,
    /// Tokens that do not count where a line's beginning is asked for, such as arrows.
    pub(super) skipped: Vec<bool>,
}

impl Layout {
    /// A layout of so many tokens, on one line.
    pub(super) fn new(tokens: usize) -> Layout {
        let gap = Gap {
            space: true,
            breaks: Break::Never,
            indent: Indent::At(0),
            comments: Indent::At(0),
            column: false,
        };
        Layout {
            gaps: vec![gap; tokens],
            blocks: Vec::new(),
            between: Vec::new(),
            skipped: vec![false; tokens],
        }
    }

    /// The text.
    pub(super) fn text(&self, tokens: &Tokens<'_>) -> String {
        let mut breaks: Vec<bool> = (0..self.gaps.len())
            .map(|i| i > 0 && self.author_breaks(tokens, i))
            .collect();
        loop {
            self.settle(tokens, &mut breaks);
            let writer = Writer::write(self, tokens, &breaks);
            let mut changed = false;
            for line in &writer.lines {
                changed |= line.width > WIDTH && self.shorten(tokens, line, &writer, &mut breaks);
            }
            if !changed {
                return writer.out;
            }
        }
    }

    fn author_breaks(&self, tokens: &Tokens<'_>, i: usize) -> bool {
        let token = &tokens.all[i];
        match self.gaps[i].breaks {
            _ if !token.comments.is_empty() => true,
            Break::Always => true,
            Break::Soft(_) | Break::Between | Break::Block(_) => token.place.lines > 0,
            Break::Never => false,
        }
    }

    /// Ends lines in what takes several lines, and around it.
    fn settle(&self, tokens: &Tokens<'_>, breaks: &mut [bool]) {
        loop {
            let mut before = vec![0usize; breaks.len() + 1];
            for (i, &breaks) in breaks.iter().enumerate() {
                // A line end in a quoted text counts as one behind it.
                let inside = tokens.all[i].text.contains('\n');
                before[i + 1] = before[i] + usize::from(breaks) + usize::from(inside);
            }
            // Before a token, and inside of it.
            let several = |first: usize, last: usize| {
                before[last + 1] - before[first] > usize::from(breaks[first])
            };
            let mut more = Vec::new();
            for (i, gap) in self.gaps.iter().enumerate() {
                if let Break::Block(block) = gap.breaks {
                    let (first, last) = self.blocks[block];
                    if !breaks[i] && several(first, last) {
                        more.push(i);
                    }
                }
            }
            for &(first, next, last) in &self.between {
                if !breaks[next] && (several(first, next - 1) || several(next, last)) {
                    more.push(next);
                }
            }
            if more.is_empty() {
                return;
            }
            for i in more {
                breaks[i] = true;
            }
        }
    }

    /// Ends a line that is too long somewhere on it; whether there is a place.
    fn shorten(
        &self,
        tokens: &Tokens<'_>,
        line: &Line,
        writer: &Writer,
        breaks: &mut [bool],
    ) -> bool {
        let on_line = |&i: &usize| !breaks[i];
        let inside = line.first + 1..line.end;
        // The outermost construct that begins here gives its body lines of its own.
        let block = inside.clone().filter(on_line).find_map(|i| {
            let Break::Block(block) = self.gaps[i].breaks else {
                return None;
            };
            (self.blocks[block].0 >= line.first).then_some(block)
        });
        if let Some(block) = block {
            let (first, last) = self.blocks[block];
            let gaps = self.gaps[first..=last].iter();
            for (breaks, gap) in breaks[first..=last].iter_mut().zip(gaps) {
                *breaks |= gap.breaks == Break::Block(block);
            }
            return true;
        }
        let level = |i: usize| match self.gaps[i].breaks {
            Break::Between => Some(0),
            Break::Soft(level) => Some(1 + level),
            _ => None,
        };
        let places: Vec<usize> = inside
            .filter(|i| on_line(i) && level(*i).is_some())
            .collect();
        let flat = places.iter().all(|&i| level(i) != Some(0));
        let end = |i: usize| writer.columns[i - 1] + tokens.all[i - 1].text.chars().count();
        // How much further to the left the rest of the line stands after the ends chosen so far.
        let (mut rest, mut left) = (&places[..], 0);
        let mut changed = false;
        while line.width > WIDTH + left {
            let fitting = rest.iter().take_while(|&&i| end(i) <= WIDTH + left);
            let best = fitting
                .copied()
                .min_by_key(|&i| (level(i), std::cmp::Reverse(i)));
            let Some(chosen) = best.or(rest.first().copied()) else {
                break;
            };
            breaks[chosen] = true;
            changed = true;
            // Ends within an operator ask for others around it, which are found before more is chosen.
            let Indent::At(column) = self.gaps[chosen].indent else {
                break;
            };
            if level(chosen) != Some(0) && !flat {
                break;
            }
            left = writer.columns[chosen].saturating_sub(column);
            rest = &rest[rest.partition_point(|&i| i <= chosen)..];
        }
        changed
    }
}

/// A line that was written.
struct Line {
    /// The first token on it, and one past the last one.
    first: usize,
    end: usize,
    width: usize,
}

struct Writer {
    out: String,
    /// Characters on the line that is being written.
    column: usize,
    /// The column of each token.
    columns: Vec<usize>,
    /// The first token on the line of each token that counts.
    starts: Vec<usize>,
    lines: Vec<Line>,
}

impl Writer {
    fn write(layout: &Layout, tokens: &Tokens<'_>, breaks: &[bool]) -> Writer {
        let mut writer = Writer {
            out: String::new(),
            column: 0,
            columns: Vec::with_capacity(breaks.len()),
            starts: Vec::with_capacity(breaks.len()),
            lines: Vec::new(),
        };
        let mut first = 0;
        for (i, token) in tokens.all.iter().enumerate() {
            let gap = &layout.gaps[i];
            let blank_lines = matches!(gap.breaks, Break::Always | Break::Between);
            for (n, comment) in token.comments.iter().enumerate() {
                if comment.place.lines == 0 && !writer.out.is_empty() {
                    writer.at_end(comment);
                } else {
                    let blank = comment.place.lines > 1 && (blank_lines || n > 0);
                    writer.end_line(blank);
                    let column = writer.place(gap.comments);
                    writer.begin(column);
                    writer.out.push_str(comment.text);
                }
            }
            let begins = i == 0 || breaks[i];
            if begins {
                let may = blank_lines || !token.comments.is_empty();
                writer.end_line(may && token.place.lines > 1);
                let column = writer.place(gap.indent);
                writer.begin(column);
                first = i;
            } else if gap.column && token.place.blanks > 1 && token.comments.is_empty() {
                let line = &tokens.all[first];
                let wanted = match token.place.lines {
                    0 => token.place.column.saturating_sub(line.place.column),
                    _ => 0,
                };
                let wanted = wanted + writer.columns[first];
                writer.pad(wanted.max(writer.column + 1));
            } else if gap.space {
                writer.pad(writer.column + 1);
            }
            writer.columns.push(writer.column);
            let start = match layout.skipped[first] && first < i {
                true => first + 1,
                false => first,
            };
            writer.starts.push(start);
            writer.token(token.text, first, i);
        }
        for (n, comment) in tokens.rest.iter().enumerate() {
            match comment.place.lines == 0 && !writer.out.is_empty() {
                true => writer.at_end(comment),
                false => {
                    let blank = comment.place.lines > 1 && (n > 0 || !tokens.all.is_empty());
                    writer.end_line(blank);
                    writer.begin(0);
                    writer.out.push_str(comment.text);
                }
            }
        }
        writer.end_line(false);
        writer
    }

    /// Writes a token; `first` is the first one of its line.
    fn token(&mut self, text: &str, first: usize, i: usize) {
        self.out.push_str(text);
        let mut pieces = text.split('\n');
        let piece = pieces.next().unwrap_or_default();
        self.column += piece.chars().count();
        match self.lines.last_mut().filter(|line| line.first == first) {
            Some(line) => {
                line.end = i + 1;
                line.width = line.width.max(self.column);
            }
            None => self.lines.push(Line {
                first,
                end: i + 1,
                width: self.column,
            }),
        }
        if let Some(last) = pieces.next_back() {
            self.column = last.chars().count();
        }
    }

    /// Ends the line that is being written, if there is one, and leaves one line blank if that is wanted.
    fn end_line(&mut self, blank: bool) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        if blank && !self.out.is_empty() {
            self.out.push('\n');
        }
        self.column = 0;
    }

    fn begin(&mut self, column: usize) {
        self.pad(column);
    }

    fn pad(&mut self, column: usize) {
        while self.column < column {
            self.out.push(' ');
            self.column += 1;
        }
    }

    /// A comment behind what stands on its line. One that stands in a column stays there.
    fn at_end(&mut self, comment: &Comment<'_>) {
        let blanks = comment.place.blanks;
        let column = match blanks > 2 {
            true => comment.place.column.max(self.column + 1),
            false => self.column + blanks.max(1),
        };
        self.pad(column);
        self.out.push_str(comment.text);
    }

    fn place(&self, indent: Indent) -> usize {
        let column = match indent {
            Indent::At(column) => column,
            Indent::Behind(token, more) => self
                .starts
                .get(token)
                .and_then(|&start| self.columns.get(start))
                .map_or(more, |column| column + more),
            Indent::Under(token) => self.columns.get(token + 1).copied().unwrap_or_default(),
        };
        column.min(MOST_INDENT)
    }
}
