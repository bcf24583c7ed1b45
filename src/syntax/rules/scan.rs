//! A first look at rule text, before its grammar: how deep brackets nest, `? :` and `let` with them, and
//! how many words there are.

use super::grammar::{Grammar, Rule};
use super::reader::{Refusal, too_deep};
use crate::diagnostic::Diagnostic;
use crate::term::{MOST_LEVELS, MOST_TOKENS, Span};
use pest::Parser;

/// How deep the brackets of a text nest; refused where that is too deep, or the text too large.
pub(in crate::syntax) fn depth(text: &str, file: u32) -> Result<usize, Refusal> {
    let (mut at, mut most, mut tokens) = (0, 0, 0usize);
    // What is open, each by its first character.
    let mut open: Vec<char> = Vec::new();
    while let Some(c) = text[at..].chars().next() {
        let from = at;
        at += c.len_utf8();
        match c {
            _ if c.is_whitespace() => continue,
            '#' if !text[at..].starts_with('@') => {
                at = text[from..].find('\n').map_or(text.len(), |n| from + n);
                continue;
            }
            _ if c.is_alphanumeric() || c == '_' => {
                let end = text[from..].find(|c: char| !c.is_alphanumeric() && c != '_');
                at = end.map_or(text.len(), |n| from + n);
                if &text[from..at] == "let" {
                    open.push('l');
                }
            }
            '"' | '`' => {
                let token = Grammar::parse(Rule::quotes, &text[from..]);
                let end = token.ok().and_then(|pairs| pairs.last());
                at = from + end.map_or(1, |p| p.as_span().end());
                if at == from + 1 {
                    // It has no end, so its line is all that is lost.
                    at = text[from..].find('\n').map_or(text.len(), |n| from + n);
                }
            }
            '(' | '[' | '{' | '?' => open.push(c),
            ')' | ']' | '}' => while let Some('l' | '?') = open.pop() {},
            ':' if text[at..].starts_with(':') => at += 1,
            ':' => drop(open.pop_if(|c| *c == '?')),
            ';' | ',' => while open.pop_if(|c| *c == 'l' || *c == '?').is_some() {},
            _ => {}
        }
        tokens += 1;
        let depth = open.len();
        most = depth.max(most);
        let span = Span::new(file, from, at);
        if depth > MOST_LEVELS {
            return Err(too_deep(span));
        }
        if tokens > MOST_TOKENS {
            let message = format!("this text has more than {MOST_TOKENS} words and signs");
            let refusal = Diagnostic::error("E0007", message)
                .at(Span::new(file, from, from))
                .hint("take it apart into several files");
            return Err(Box::new(refusal));
        }
    }
    Ok(most)
}
