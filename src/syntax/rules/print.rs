//! Term → rule syntax, in prefix form, wrapped. Does not recurse.

use super::names::{ANY_ARITY, CONS, NIL, SET, SET_PATTERN, is_alias};
use crate::term::{Head, Id, Terms, is_hidden};
use pest::unicode::{ALPHABETIC, NUMBER};
use std::fmt::Write;

/// Lines are broken before they become longer than this, where they can be.
const WIDTH: usize = 100;
/// Nesting beyond this is not indented further, so that deep terms stay linear in size.
const MOST_INDENT: usize = 60;

/// The text of a term, on lines of about a hundred columns. `read_term` reads it back.
pub fn print_term(terms: &Terms, id: Id) -> String {
    let mut printer = Printer::new(terms, WIDTH, usize::MAX);
    printer.run(id);
    printer.out
}

/// The text of a term on one line.
pub fn print_term_flat(terms: &Terms, id: Id) -> String {
    let mut printer = Printer::new(terms, usize::MAX, usize::MAX);
    printer.run(id);
    printer.out
}

/// The beginning of a term's text on one line, at most about `most` bytes, for messages.
pub fn print_term_short(terms: &Terms, id: Id, most: usize) -> String {
    let mut printer = Printer::new(terms, usize::MAX, most);
    printer.run(id);
    let mut out = printer.out;
    if out.len() > most {
        let mut cut = most;
        while !out.is_char_boundary(cut) {
            cut -= 1;
        }
        out.truncate(cut);
        out.push('…');
    }
    out
}

enum Piece {
    Term(Id, usize),
    Sign(&'static str),
    /// A break of the line, with the levels to indent.
    Line(usize),
}

struct Printer<'a> {
    terms: &'a Terms,
    width: usize,
    most: usize,
    /// By terms, their widths on one line and one more, at most `WIDTH + 2`; 0 where none was measured. Memory that is never
    /// written costs nothing.
    widths: Vec<u8>,
    out: String,
    column: usize,
}

/// A term's text as head, arguments and brackets.
struct Shape {
    open: &'static str,
    close: &'static str,
    items: Vec<Id>,
    /// The sign before the last item, where it is not a comma.
    last: &'static str,
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, width: usize, most: usize) -> Printer<'a> {
        Printer {
            terms,
            width,
            most,
            widths: Vec::new(),
            out: String::new(),
            column: 0,
        }
    }

    fn is_cell(&self, id: Id) -> bool {
        self.terms.arity(id) == 2 && self.terms.functor(id).is_some_and(|f| f.as_str() == CONS)
    }

    fn shape(&self, id: Id) -> Shape {
        let plain = |items: Vec<Id>| Shape {
            open: "(",
            close: ")",
            items,
            last: ", ",
        };
        let args = self.terms.args(id);
        let Some(functor) = self.terms.functor(id) else {
            return plain(Vec::new());
        };
        if self.is_cell(id) {
            let mut items = Vec::new();
            let mut rest = id;
            while self.is_cell(rest) {
                items.push(self.terms.arg(rest, 0));
                rest = self.terms.arg(rest, 1);
            }
            let ends = self.terms.as_atom(rest).is_some_and(|a| a.as_str() == NIL);
            if !ends {
                items.push(rest);
            }
            return Shape {
                open: "[",
                close: "]",
                items,
                last: if ends { ", " } else { " : " },
            };
        }
        match functor.as_str() {
            SET => Shape {
                open: "{",
                close: "}",
                ..plain(args.to_vec())
            },
            SET_PATTERN => Shape {
                open: "{",
                close: "}",
                items: args.to_vec(),
                last: " : ",
            },
            ANY_ARITY if args.len() == 2 => Shape {
                open: "..(",
                ..plain(args[1..].to_vec())
            },
            _ => plain(args.to_vec()),
        }
    }

    /// The text before the brackets.
    fn head(&self, id: Id) -> String {
        match self.terms.head(id) {
            Head::Int(value) => value.to_string(),
            Head::Real(value) => format!("{value:?}"),
            Head::Text(value) => quote(value.as_str(), '"'),
            Head::Variable(name) => format!("${name}"),
            Head::Sequence(name) => format!("${name}.."),
            Head::Functor(name) => match name.as_str() {
                SET | SET_PATTERN => String::new(),
                ANY_ARITY if self.terms.arity(id) == 2 => self.head(self.terms.arg(id, 0)),
                _ if self.is_cell(id) => String::new(),
                text if is_plain(text) => text.to_string(),
                text => quote(text, '`'),
            },
        }
    }

    /// Whether the term's text has brackets.
    fn has_brackets(&self, id: Id) -> bool {
        self.terms.arity(id) > 0
            || self
                .terms
                .functor(id)
                .is_some_and(|f| matches!(f.as_str(), SET | SET_PATTERN))
    }

    /// The width of a term on one line, if it was measured.
    fn width_of(&self, id: Id) -> Option<usize> {
        usize::from(self.widths[id.index()]).checked_sub(1)
    }

    /// Measures a term on one line; the result is exact up to the width of a line.
    fn measure(&mut self, id: Id) {
        self.widths = vec![0; self.terms.len()];
        let mut work = vec![(id, false)];
        while let Some((id, measured)) = work.pop() {
            if self.width_of(id).is_some() {
                continue;
            }
            let shape = self.shape(id);
            if !measured {
                work.push((id, true));
                work.extend(shape.items.iter().map(|&item| (item, false)));
                continue;
            }
            let mut width = self.head(id).chars().count();
            if self.has_brackets(id) {
                width += shape.open.len() + shape.close.len();
            }
            for (i, item) in shape.items.iter().enumerate() {
                width += self.width_of(*item).unwrap_or(0);
                width += if i > 0 { 2 } else { 0 };
            }
            width += usize::from(shape.last == " : ");
            self.widths[id.index()] = width.min(WIDTH + 1) as u8 + 1;
        }
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn run(&mut self, id: Id) {
        let wraps = self.width < usize::MAX;
        if wraps {
            self.measure(id);
        }
        let mut work = vec![Piece::Term(id, 0)];
        while let Some(piece) = work.pop() {
            if self.out.len() > self.most {
                return;
            }
            match piece {
                Piece::Sign(sign) => self.write(sign),
                Piece::Line(indent) => {
                    while self.out.ends_with(' ') {
                        self.out.pop();
                    }
                    self.out.push('\n');
                    self.column = 2 * indent.min(MOST_INDENT);
                    let _ = write!(self.out, "{:1$}", "", self.column);
                }
                Piece::Term(id, indent) => {
                    let head = self.head(id);
                    if !self.has_brackets(id) {
                        self.write(&head);
                        continue;
                    }
                    let shape = self.shape(id);
                    let flat = !wraps || self.column + self.width_of(id).unwrap_or(0) <= self.width;
                    // A chain of single arguments stays on its line: breaking it helps nobody.
                    let broken = !flat && shape.items.len() > 1;
                    self.write(&head);
                    self.write(shape.open);
                    work.push(Piece::Sign(shape.close));
                    if broken {
                        work.push(Piece::Line(indent));
                    }
                    let count = shape.items.len();
                    for (i, &item) in shape.items.iter().enumerate().rev() {
                        let inner = indent + usize::from(broken);
                        work.push(Piece::Term(item, inner));
                        if broken {
                            work.push(Piece::Line(inner));
                        }
                        if i > 0 {
                            let last = i + 1 == count;
                            work.push(Piece::Sign(if last { shape.last } else { ", " }));
                        }
                    }
                }
            }
        }
    }
}

/// Whether a name can be read back without quotes.
fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = |c| c == '_' || ALPHABETIC(c);
    let goes_on = |c| c == '_' || ALPHABETIC(c) || NUMBER(c);
    chars.next().is_some_and(starts) && chars.all(goes_on) && !is_alias(name)
}

fn quote(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if is_hidden(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
