//! The patterns of the table of constructs, taken apart.

use super::printer::escape_latex;
use crate::algebra::{Construct, Keyword, Language, Sort, TABLE, in_twins};
use std::sync::LazyLock;

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text as it stands.
    Plain(String),
    /// A keyword.
    Keyword(Keyword),
    /// An argument, from 0.
    Argument(usize),
    /// All arguments that no piece names, separated by commas.
    Rest,
    /// A phrase's text with its arguments in their places.
    Phrase,
    /// A block that is indented.
    Block(Vec<Piece>),
    /// Left out where its argument is `Empty` or missing.
    Optional(Vec<Piece>),
}

/// Which column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// The text form.
    Text,
    /// The formula form.
    Formula,
    /// LaTeX.
    Latex,
    /// The formula form with twins for its signs.
    Typed,
}

impl Notation {
    /// Whether it is the formula form, by its signs or by their twins.
    pub fn is_formula(self) -> bool {
        matches!(self, Notation::Formula | Notation::Typed)
    }
}

/// By languages, constructs and notations.
static PATTERNS: LazyLock<[Vec<[Vec<Piece>; 4]>; 3]> =
    LazyLock::new(|| Language::ALL.map(patterns));

fn patterns(language: Language) -> Vec<[Vec<Piece>; 4]> {
    TABLE
        .iter()
        .map(|info| {
            if let Some(wording) = info.construct.wording()
                && language != Language::English
            {
                let text = wording.text(language);
                let [text, latex] = [text.to_owned(), in_latex(text)].map(|t| parse(&t, false));
                return [text.clone(), text.clone(), latex, text];
            }
            // DATA and WHERE stand as in text around a formula.
            let text = parse(info.text, true);
            if info.sort == Sort::Part {
                return [text.clone(), text.clone(), parse(info.latex, false), text];
            }
            [
                text,
                parse(info.formula, false),
                parse(info.latex, false),
                parse(&in_twins(info.formula), false),
            ]
        })
        .collect()
}

/// The pattern of a construct's wording in a language, for LaTeX.
fn in_latex(text: &str) -> String {
    let escaped = |text: &str| {
        let mut out = String::new();
        escape_latex(text, &mut out);
        out
    };
    match text.trim_matches('"').split_once("%1") {
        Some((before, after)) => format!(
            "\\saaphrase{{{}}}%1\\saaphrase{{{}}}",
            escaped(before),
            escaped(after)
        ),
        None => format!("\\saaphrase{{{}}}", escaped(text)),
    }
}

/// The pattern of a construct.
pub fn pattern(construct: Construct, notation: Notation, language: Language) -> &'static [Piece] {
    &PATTERNS[language as usize][construct as usize][notation as usize]
}

/// Takes a pattern apart; `layout` says whether braces are blocks.
fn parse(text: &str, layout: bool) -> Vec<Piece> {
    let mut stack: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    let push = |stack: &mut Vec<Vec<Piece>>, piece: Piece| {
        let top = stack.last_mut().expect("brackets of patterns are balanced");
        if let (Piece::Plain(new), Some(Piece::Plain(old))) = (&piece, top.last_mut()) {
            old.push_str(new);
        } else {
            top.push(piece);
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '%' => {
                let piece = match chars.next() {
                    Some('*') => Piece::Rest,
                    Some('p') => Piece::Phrase,
                    Some(d) => Piece::Argument(
                        d.to_digit(10).expect("patterns name arguments by a digit") as usize - 1,
                    ),
                    None => Piece::Plain("%".into()),
                };
                push(&mut stack, piece);
            }
            '@' => {
                let mut name = String::new();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphabetic()) {
                    name.push(c);
                }
                let keyword = Keyword::named(&name).expect("patterns name keywords of the table");
                push(&mut stack, Piece::Keyword(keyword));
            }
            '[' if layout && chars.peek() == Some(&'[') => {
                chars.next();
                stack.push(Vec::new());
            }
            ']' if layout && chars.peek() == Some(&']') && stack.len() > 1 => {
                chars.next();
                let pieces = stack.pop().expect("just looked at");
                push(&mut stack, Piece::Optional(pieces));
            }
            '{' if layout => stack.push(Vec::new()),
            '}' if layout => {
                let pieces = stack.pop().expect("braces of patterns are balanced");
                push(&mut stack, Piece::Block(pieces));
            }
            c => push(&mut stack, Piece::Plain(c.into())),
        }
    }
    stack.pop().expect("brackets of patterns are balanced")
}

/// The arguments that the pieces name.
pub fn named(pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .map(|p| match p {
            Piece::Argument(i) => i + 1,
            Piece::Block(inner) | Piece::Optional(inner) => named(inner),
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_parses() {
        for info in TABLE {
            let notations = [
                Notation::Text,
                Notation::Formula,
                Notation::Latex,
                Notation::Typed,
            ];
            for (notation, language) in notations
                .into_iter()
                .flat_map(|n| Language::ALL.map(|l| (n, l)))
            {
                let pieces = pattern(info.construct, notation, language);
                assert!(named(pieces) <= info.arguments.len() + usize::from(info.rest.is_some()));
            }
        }
    }
}
