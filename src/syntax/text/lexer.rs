//! Text → tokens.

use crate::algebra::SIGNS;
use crate::diagnostic::Diagnostic;
use crate::term::{MOST_ERRORS, MOST_TOKENS, Span, Symbol};
use std::sync::LazyLock;

/// A token of the text form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token {
    /// A word: a keyword's or a name.
    Word(Symbol),
    /// An integer literal.
    Int(i64),
    /// A real literal.
    Real(f64),
    /// A text in double quotes; its span holds the quotes.
    Phrase,
    /// A text in single quotes; its span holds the quotes.
    Predicate,
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end.
    End,
}

/// What the token of the literal 2^63 holds, which is an integer only after a minus.
pub const LEAST: i64 = i64::MIN;

/// Signs of ASCII characters, longer ones first.
const TYPED: &[&str] = &[
    "====", ":=", "+=", "<>", "<=", ">=", "//", "(", ")", "[", "]", ",", ";", ":", ".", "=", "<",
    ">", "+", "-", "*", "/", "^",
];

/// Those of formulas, besides the twins of the table of signs.
const TYPED_IN_FORMULAS: &[&str] = &["{", "}"];

/// The signs that one form reads, each with its name; longer ones first.
fn signs(formula: bool) -> Vec<(&'static str, &'static str)> {
    let mut all: Vec<(&str, &str)> = TYPED.iter().map(|&s| (s, s)).collect();
    for sign in SIGNS.iter().filter(|s| s.is_read(formula)) {
        all.push((sign.sign, sign.twin));
        all.push((sign.twin, sign.twin));
    }
    if formula {
        all.extend(TYPED_IN_FORMULAS.iter().map(|&s| (s, s)));
    }
    all.sort_by_key(|(shown, _)| std::cmp::Reverse(shown.len()));
    all
}

static TEXT_SIGNS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| signs(false));
static FORMULA_SIGNS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| signs(true));

/// What a character opens, and what closes it.
fn quote(c: char) -> Option<(Token, &'static [char])> {
    Some(match c {
        '"' => (Token::Phrase, &['"']),
        '“' | '„' => (Token::Phrase, &['”', '“']),
        '«' => (Token::Phrase, &['»']),
        '\'' => (Token::Predicate, &['\'']),
        '‘' => (Token::Predicate, &['’']),
        _ => return None,
    })
}

/// Whether quotes that open with this character may stand inside each other.
fn nests(c: char) -> bool {
    matches!(c, '«' | '‘')
}

fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == 'ʼ'
}

/// Cuts `text[from..to]` of source `file` into tokens; the last one is [`Token::End`].
///
/// A formula has signs that a text has not.
///
/// Characters that belong to no token are reported and skipped. A text with too many errors is left
/// there, and one with too many tokens has none.
pub fn lex(
    text: &str,
    file: u32,
    from: usize,
    to: usize,
    formula: bool,
    errors: &mut Vec<Diagnostic>,
) -> Vec<(Token, Span)> {
    let signs: &[(&str, &str)] = match formula {
        true => &FORMULA_SIGNS,
        false => &TEXT_SIGNS,
    };
    let mut tokens = Vec::new();
    let mut at = from;
    let text = &text[..to];
    while at < to && errors.len() < MOST_ERRORS {
        if tokens.len() == MOST_TOKENS {
            errors.push(too_large().at(Span::new(file, at, at)));
            tokens.clear();
            break;
        }
        let rest = &text[at..];
        let c = rest
            .chars()
            .next()
            .expect("at stands before the end, on a character");
        let start = at;
        if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
        } else if c == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if is_word_start(c) {
            at += rest.find(|c| !is_word_part(c)).unwrap_or(rest.len());
            tokens.push((
                Token::Word(Symbol::new(&text[start..at])),
                Span::new(file, start, at),
            ));
        } else if c.is_ascii_digit() {
            let (token, length) = number(rest);
            at += length;
            let span = Span::new(file, start, at);
            match token {
                Some(token) => tokens.push((token, span)),
                None => {
                    errors.push(
                        Diagnostic::error("E0103", "this number is too large to be represented")
                            .at(span)
                            .hint("integers have 64 bits, reals reach 1.8e308"),
                    );
                    tokens.push((Token::Int(0), span));
                }
            }
        } else if let Some((token, closing)) = quote(c) {
            at += c.len_utf8();
            match end_of_quote(&text[at..], c, closing) {
                Some(length) => at += length,
                None => {
                    let line = rest.find('\n').unwrap_or(rest.len());
                    errors.push(
                        Diagnostic::error("E0102", "this quoted text has no end")
                            .at(Span::new(file, start, start + c.len_utf8()))
                            .label("opened here")
                            .hint("close the quote; inside a text, write \\\" or \\' for a quote"),
                    );
                    at = start + line.max(c.len_utf8());
                    continue;
                }
            }
            tokens.push((token, Span::new(file, start, at)));
        } else if let Some((shown, sign)) = signs.iter().find(|(s, _)| rest.starts_with(s)) {
            at += shown.len();
            tokens.push((Token::Sign(sign), Span::new(file, start, at)));
        } else {
            // A run of rubbish is one error, not one a character.
            let mut length = 0;
            for c in rest.chars() {
                let known = c.is_whitespace()
                    || is_word_start(c)
                    || c.is_ascii_digit()
                    || c == '#'
                    || quote(c).is_some()
                    || signs.iter().any(|(s, _)| s.starts_with(c));
                if known {
                    break;
                }
                length += c.len_utf8();
            }
            at += length.max(c.len_utf8());
            errors.push(
                Diagnostic::error("E0101", format!("the character {c:?} has no meaning here"))
                    .at(Span::new(file, start, at))
                    .hint("phrases stand in \"…\", predicates in '…', comments after #"),
            );
        }
    }
    tokens.push((Token::End, Span::new(file, to, to)));
    tokens
}

/// Whether a text has a sign, outside of quotes and comments, that only formulas have, a phrase
/// before a `*`, or a choice in parentheses.
pub fn has_signs_of_formulas(text: &str, file: u32) -> bool {
    let tokens = lex(text, file, 0, text.len(), true, &mut Vec::new());
    // What both forms read tells nothing, though they read it differently.
    let is_text = |shown: &str| SIGNS.iter().any(|s| s.sign == shown && s.is_read(false));
    let only = |sign: &str| {
        TYPED_IN_FORMULAS.contains(&sign)
            || SIGNS
                .iter()
                .any(|s| s.twin == sign && !s.is_read(false) && !is_text(s.sign))
    };
    let is = |(token, _): &(Token, Span)| matches!(token, Token::Sign(sign) if only(sign));
    let begins = |pair: &[(Token, Span)]| {
        matches!(
            (pair[0].0, pair[1].0),
            (Token::Phrase, Token::Sign("*")) | (Token::Sign("("), Token::Sign("["))
        )
    };
    tokens.iter().any(is) || tokens.windows(2).any(begins)
}

/// The refusal of a text with too many tokens.
fn too_large() -> Diagnostic {
    let message = format!("this text has more than {MOST_TOKENS} words and signs");
    Diagnostic::error("E0007", message).hint("take it apart into several files")
}

/// Bytes up to and with the closing quote, which a backslash hides.
fn end_of_quote(text: &str, opening: char, closing: &[char]) -> Option<usize> {
    let mut escaped = false;
    let mut inner = 0usize;
    for (i, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if closing.contains(&c) {
            if inner == 0 {
                return Some(i + c.len_utf8());
            }
            inner -= 1;
        } else if c == opening && nests(c) {
            inner += 1;
        }
    }
    None
}

/// A number at the start of a text, and its length; no token if it is out of range.
fn number(text: &str) -> (Option<Token>, usize) {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let mut length = digits(0);
    let mut real = false;
    if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        real = true;
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        if bytes.len() > length + 1 + sign && digits(length + 1 + sign) > 0 {
            real = true;
            length += 1 + sign + digits(length + 1 + sign);
        }
    }
    let token = if real {
        text[..length]
            .parse::<f64>()
            .ok()
            .filter(|x| x.is_finite())
            .map(Token::Real)
    } else {
        match text[..length].parse::<u64>() {
            // The opposite of the least integer: only a minus before it makes it one.
            Ok(i) if i == LEAST.unsigned_abs() => Some(Token::Int(LEAST)),
            Ok(i) => i64::try_from(i).ok().map(Token::Int),
            Err(_) => None,
        }
    };
    (token, length)
}

/// A piece of a quoted text.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Plain text, escapes resolved.
    Text(String),
    /// What stands in parentheses: byte offsets in the source, parentheses left out.
    Group(usize, usize),
}

/// Takes a quoted token apart. `span` covers the quotes.
pub fn pieces(text: &str, span: Span) -> Vec<Piece> {
    let inner = &text[span.from as usize..span.to as usize];
    let open = inner.chars().next().map_or(0, char::len_utf8);
    let close = inner.chars().next_back().map_or(0, char::len_utf8);
    let base = span.from as usize + open;
    let inner = &inner[open..inner.len() - close];
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut chars = inner.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, 'n')) => plain.push('\n'),
                Some((at, 'u')) => match numbered(&inner[at + 1..]) {
                    Some((c, rest)) => {
                        plain.push(c);
                        let end = inner.len() - rest.len();
                        while chars.next_if(|&(at, _)| at < end).is_some() {}
                    }
                    None => plain.push('u'),
                },
                Some((_, c)) => plain.push(c),
                None => plain.push('\\'),
            },
            '(' => {
                let mut depth = 1;
                let start = i + 1;
                let mut end = None;
                let mut escaped = false;
                for (j, c) in chars.by_ref() {
                    match c {
                        _ if escaped => escaped = false,
                        '\\' => escaped = true,
                        '(' => depth += 1,
                        ')' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        end = Some(j);
                        break;
                    }
                }
                match end {
                    Some(end) => {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                        pieces.push(Piece::Group(base + start, base + end));
                    }
                    None => {
                        plain.push('(');
                        plain.push_str(&inner[start..]);
                    }
                }
            }
            c => plain.push(c),
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

/// The character of `{1b}` at the start of a text, and what follows.
fn numbered(text: &str) -> Option<(char, &str)> {
    let (digits, rest) = text.strip_prefix('{')?.split_once('}')?;
    let few = (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| few)?;
    Some((char::from_u32(number)?, rest))
}

/// The whole text of a quoted token as plain text, escapes resolved.
pub fn plain(text: &str, span: Span) -> String {
    let inner = &text[span.from as usize..span.to as usize];
    let mut chars = inner.chars();
    chars.next();
    chars.next_back();
    let mut out = String::new();
    let mut chars = chars.as_str().chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('u') => match numbered(chars.as_str()) {
                    Some((c, rest)) => {
                        out.push(c);
                        chars = rest.chars();
                    }
                    None => out.push('u'),
                },
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}
