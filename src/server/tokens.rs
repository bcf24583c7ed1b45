//! The colours of words and signs.

use super::documents::{Document, Kind};
use super::index::{Class, Token};
use lsp_types::{
    Position, Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensLegend, SemanticTokensRangeResult, SemanticTokensResult,
};

/// The classes that have a colour; the number of a class is its place.
const TYPES: [(Class, SemanticTokenType); 12] = [
    (Class::Keyword, SemanticTokenType::KEYWORD),
    (Class::Variable, SemanticTokenType::VARIABLE),
    (Class::Constant, SemanticTokenType::ENUM_MEMBER),
    (Class::Argument, SemanticTokenType::PARAMETER),
    (Class::Phrase, SemanticTokenType::METHOD),
    (Class::Function, SemanticTokenType::FUNCTION),
    (Class::Type, SemanticTokenType::TYPE),
    (Class::Component, SemanticTokenType::PROPERTY),
    (Class::Text, SemanticTokenType::STRING),
    (Class::Number, SemanticTokenType::NUMBER),
    (Class::Comment, SemanticTokenType::COMMENT),
    (Class::Attribute, SemanticTokenType::DECORATOR),
];

const DECLARES: u32 = 1;
const READ_ONLY: u32 = 2;
const OF_THE_LANGUAGE: u32 = 4;

pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.iter().map(|(_, ty)| ty.clone()).collect(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::READONLY,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

pub(super) fn all(document: &Document) -> SemanticTokensResult {
    let tokens = document.index().tokens.iter();
    SemanticTokensResult::Tokens(encoded(document, tokens))
}

pub(super) fn within(document: &Document, range: Range) -> SemanticTokensRangeResult {
    let (from, to) = (
        document.text.byte(range.start),
        document.text.byte(range.end),
    );
    let tokens = document.index().tokens.iter();
    let tokens = tokens.filter(|t| t.place.end >= from && t.place.start <= to);
    SemanticTokensRangeResult::Tokens(encoded(document, tokens))
}

/// Tokens as the protocol has them: each on one line, and counted from the one before it.
fn encoded<'a>(document: &Document, tokens: impl Iterator<Item = &'a Token>) -> SemanticTokens {
    let text = document.text.as_str();
    let mut data = Vec::new();
    let (mut line, mut start, mut last) = (0, 0, 0);
    // The place reached: its byte and its position.
    let (mut at, mut here) = (0, Position::new(0, 0));
    for token in tokens {
        let Some(number) = TYPES.iter().position(|(class, _)| *class == token.class) else {
            continue;
        };
        // What was coloured already keeps its colour.
        let from = token.place.start.max(last).min(token.place.end);
        last = last.max(token.place.end);
        here = moved(here, &text[at.min(from)..from]);
        at = from;
        let declares = if token.declares { DECLARES } else { 0 };
        let own = match token.class {
            Class::Constant => READ_ONLY,
            Class::Function if document.kind == Kind::Schemes => OF_THE_LANGUAGE,
            Class::Type => OF_THE_LANGUAGE,
            _ => 0,
        };
        for part in text[from..token.place.end].split_inclusive('\n') {
            let shown = part.trim_end_matches(['\n', '\r']);
            let length: usize = shown.chars().map(char::len_utf16).sum();
            if length > 0 {
                let delta_line = here.line - line;
                data.push(SemanticToken {
                    delta_line,
                    delta_start: match delta_line {
                        0 => here.character - start,
                        _ => here.character,
                    },
                    length: length as u32,
                    token_type: number as u32,
                    token_modifiers_bitset: declares | own,
                });
                (line, start) = (here.line, here.character);
            }
            here = moved(here, part);
            at += part.len();
        }
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

/// The position behind a text that begins at one.
fn moved(from: Position, text: &str) -> Position {
    let lines = text.matches('\n').count() as u32;
    let last = text.rsplit('\n').next().unwrap_or_default();
    let units: usize = last.chars().map(char::len_utf16).sum();
    match lines {
        0 => Position::new(from.line, from.character + units as u32),
        _ => Position::new(from.line + lines, units as u32),
    }
}
