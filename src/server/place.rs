//! What may be written at a place, by what stands before it.

use super::index::Section;
use crate::algebra::Keyword;
use crate::syntax::{Lexeme, LexemeKind};
use std::ops::Range;

/// What a place is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Operator,
    Expression,
    Condition,
    Type,
    Component,
    Data,
    Outside,
    /// Inside of quotes, or right behind the first.
    Quoted,
    Nothing,
}

/// The word that is being written, and what stands before it.
pub(super) fn around<'a>(
    text: &'a str,
    lexemes: &[Lexeme],
    byte: usize,
) -> (Range<usize>, Vec<(LexemeKind, &'a str)>) {
    let shown = |l: &Lexeme| (l.kind, l.text(text));
    let is_word = |l: &&Lexeme| {
        let letters = matches!(
            l.kind,
            LexemeKind::Word
                | LexemeKind::Keyword(_)
                | LexemeKind::Variable
                | LexemeKind::Attribute
        );
        letters && l.from < byte && byte <= l.to && !l.text(text).contains([' ', '\n'])
    };
    let word = lexemes.iter().find(is_word);
    let place = word.map_or(byte..byte, |l| l.from..l.to);
    let before = lexemes.iter().filter(|l| l.from < place.start);
    let mut before: Vec<_> = before
        .filter(|l| l.kind != LexemeKind::Comment)
        .map(shown)
        .collect();
    before.reverse();
    before.truncate(8);
    let in_comment = lexemes
        .iter()
        .any(|l| l.kind == LexemeKind::Comment && l.from < byte && byte <= l.to);
    if in_comment {
        before = vec![(LexemeKind::Comment, "")];
    }
    (place, before)
}

/// What a place is for, by what stands before it, the nearest first.
pub(super) fn place(section: Section, before: &[(LexemeKind, &str)], is_quoted: bool) -> Place {
    let texts = |n: usize| before.get(n).map_or("", |(_, text)| *text);
    let keyword = |n: usize| match before.get(n).map(|(kind, _)| *kind) {
        Some(LexemeKind::Keyword(keyword)) => Some(keyword),
        _ => None,
    };
    if before
        .first()
        .is_some_and(|(kind, _)| *kind == LexemeKind::Comment)
    {
        return Place::Nothing;
    }
    if is_quoted {
        return match section {
            Section::Body | Section::Where | Section::Dictionary => Place::Quoted,
            Section::Outside | Section::Data => Place::Nothing,
        };
    }
    let last = before.first().map(|(kind, _)| *kind);
    match texts(0) {
        "." if matches!(texts(1), "]")
            || before.get(1).is_some_and(|(k, _)| *k == LexemeKind::Word) =>
        {
            return Place::Component;
        }
        ":" => return Place::Type,
        _ => {}
    }
    use Keyword::*;
    match (section, keyword(0)) {
        (Section::Outside, _) => Place::Outside,
        (Section::Dictionary, _) => Place::Quoted,
        (_, Some(If | While | Filter | Not | And | Or | Assume)) => Place::Condition,
        (_, Some(From | To | Step | Mod)) => Place::Expression,
        (
            _,
            Some(Local | Array | Shared | Registers | For | Report | Save | Wait | ControlPoint),
        ) => Place::Nothing,
        (Section::Data, _) => match texts(0) {
            ":=" | "(" | "[" | "," | "+" | "-" | "*" | "/" | "^" | "=" | "<" | ">" => {
                Place::Expression
            }
            _ => Place::Data,
        },
        (_, Some(_)) => Place::Operator,
        _ => match (last, texts(0)) {
            (Some(LexemeKind::Phrase | LexemeKind::Predicate), _) => Place::Operator,
            (_, ";" | "====" | "//") => Place::Operator,
            // A block begins behind the header of one, or the word for it.
            (_, "(") => match keyword(1) {
                Some(Timed | Recorded | Parallel | In) => Place::Operator,
                _ if texts(1) == ")" => Place::Operator,
                _ => Place::Expression,
            },
            (_, ")") => Place::Operator,
            (Some(LexemeKind::Sign), _) => Place::Expression,
            // Behind a word or a number.
            _ => Place::Condition,
        },
    }
}
