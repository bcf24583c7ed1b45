//! A first look at a text, before its grammar: how deep it nests, how many words it has, quotes that are
//! not closed and characters that belong to nothing.
//!
//! The grammar recurses where brackets and blocks nest, so they are counted first; nothing else is known
//! here of how words and signs go together.

use super::grammar::{Grammar, Rule};
use super::reader::too_deep;
use crate::algebra::Keyword;
use crate::diagnostic::Diagnostic;
use crate::term::{MAX_DEPTH, MOST_ERRORS, MOST_QUOTES, MOST_TOKENS, Span};
use pest::Parser;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// What a first look finds.
pub(in crate::syntax) struct Look {
    /// How deep brackets and blocks nest.
    pub(in crate::syntax) depth: usize,
    /// What is wrong in any case.
    pub(super) errors: Vec<Diagnostic>,
    /// Whether the text can be given to the grammar.
    pub(super) readable: bool,
}

/// Words that open a block, and words that begin the END of something.
static BLOCKS: LazyLock<[FxHashSet<&str>; 2]> = LazyLock::new(|| {
    let opening = [Keyword::If, Keyword::Loop];
    let opening = opening.iter().flat_map(|k| k.all_spellings()).collect();
    let ends = [Keyword::EndIf, Keyword::EndOfLoop, Keyword::EndOfGiven];
    let ends = ends.iter().flat_map(|k| k.all_spellings());
    [opening, ends.filter_map(|s| s.split(' ').next()).collect()]
});

/// The words by which parts that stand for a choice begin and, after an END, end; and those that follow where
/// such a part holds others.
static GIVEN: LazyLock<[FxHashSet<&str>; 2]> = LazyLock::new(|| {
    let second = [Keyword::If, Keyword::For];
    let second = second.iter().flat_map(|k| k.all_spellings()).collect();
    let first = Keyword::Given.all_spellings();
    let ends = Keyword::EndOfGiven.all_spellings();
    let ends = ends.filter_map(|s| s.split(' ').nth(1));
    [first.chain(ends).collect(), second]
});

/// Looks over a text.
pub(in crate::syntax) fn look(text: &str, file: u32) -> Look {
    let mut found = Look {
        depth: 0,
        errors: Vec::new(),
        readable: true,
    };
    let [opening, ends] = &*BLOCKS;
    let (mut at, mut depth, mut tokens) = (0, 0usize, 0usize);
    // Quoted texts that go on over the end of their lines: the one that lacks a quote, perhaps.
    let mut over_lines = OverLines::default();
    // After the first word of an END, the word of its block opens none.
    let mut ending = false;
    let [given, of_given] = &*GIVEN;
    let mut after_given = false;
    while let Some(c) = text[at..].chars().next() {
        let from = at;
        at += c.len_utf8();
        let mut deeper = false;
        match c {
            '#' => {
                at = text[from..].find('\n').map_or(text.len(), |n| from + n);
                continue;
            }
            // Code of another language is not looked into.
            '`' if text[at..].starts_with("``") => {
                let inside = at + 2;
                match text[inside..].find("```") {
                    Some(length) => at = inside + length + 3,
                    None => {
                        let diagnostic = Diagnostic::error("E0102", "this code has no end")
                            .at(Span::new(file, from, inside))
                            .label("opened here")
                            .hint("code stands between ``` and ```");
                        found.errors.push(diagnostic);
                        found.readable = false;
                        return found;
                    }
                }
            }
            '`' => {
                let diagnostic =
                    Diagnostic::error("E0101", "the character '`' has no meaning here")
                        .at(Span::new(file, from, at))
                        .hint("phrases stand in \"…\", predicates in '…', code in ```…```");
                found.errors.push(diagnostic);
            }
            _ if c.is_whitespace() => continue,
            '_' | 'a'..='z' | '0'..='9' => at = word_end(text, from),
            _ if c.is_alphanumeric() => {
                at = word_end(text, from);
                let word = &text[from..at];
                if ends.contains(word) {
                    ending = true;
                    depth = depth.saturating_sub(1);
                } else if given.contains(word) {
                    after_given = !ending;
                    ending = false;
                } else if std::mem::take(&mut after_given) && of_given.contains(word) {
                    deeper = true;
                } else if opening.contains(word) {
                    deeper = !ending;
                    ending = false;
                }
            }
            '(' | '[' | '{' | '⟨' => deeper = true,
            '<' if text[at..].starts_with('<') => deeper = true,
            ')' | ']' | '}' | '⟩' => depth = depth.saturating_sub(1),
            '>' if text[at..].starts_with('>') => depth = depth.saturating_sub(1),
            '"' | '\'' | '“' | '„' | '«' | '‘' => {
                let inner = match Grammar::parse(Rule::text, &text[from..]) {
                    Ok(pairs) => pairs.last().map_or(0, |p| p.as_span().end()),
                    Err(_) => 0,
                };
                match inner {
                    0 => {
                        found.readable = false;
                        // From the one that lacks a quote on, all is turned inside out.
                        if let Some(suspect) = over_lines.suspect() {
                            let diagnostic = not_closed(text, file, suspect)
                                .label("opened here, and not closed on this line");
                            found.errors.push(diagnostic);
                            return found;
                        }
                        found.errors.push(not_closed(text, file, from));
                        let line = text[from..].find('\n');
                        at = line.map_or(text.len(), |n| from + n).max(at);
                    }
                    length => {
                        at = from + length;
                        over_lines.add(text, from, at);
                        let inside = nesting(&text[from..at]);
                        if quotes_in_quotes(&text[from..at]) > MOST_QUOTES {
                            let message = format!(
                                "quoted texts stand in each other more than {MOST_QUOTES} deep"
                            );
                            let diagnostic = Diagnostic::error("E0106", message)
                                .at(Span::new(file, from, from + c.len_utf8()))
                                .hint("give parts of it names: LOCALs for values");
                            found.errors.push(diagnostic);
                            found.readable = false;
                            return found;
                        }
                        deeper = depth + inside > MAX_DEPTH;
                        found.depth = found.depth.max(depth + inside);
                    }
                }
            }
            // No sign and no operand of any form begins so.
            '/' if text[at..].starts_with('*') && !text[..from].ends_with('/') => {
                let end = text[at..].find("*/").map_or(text.len(), |n| at + n + 2);
                let diagnostic = Diagnostic::error("E0101", "`/*` has no meaning here")
                    .at(Span::new(file, from, at + 1))
                    .hint("a comment begins with # and ends with its line");
                found.errors.push(diagnostic);
                found.readable = false;
                at = end;
                continue;
            }
            '=' | '/' | '>' | ':' | '+' | '-' | '*' | ',' | ';' | '.' | '^' | '<' => {}
            _ => {
                let rubbish = Grammar::parse(Rule::meaningless_here, &text[from..])
                    .into_iter()
                    .flatten();
                if let Some(run) = rubbish.last() {
                    at = from + run.as_str().len();
                    let message = format!("the character {c:?} has no meaning here");
                    let diagnostic = Diagnostic::error("E0101", message)
                        .at(Span::new(file, from, at))
                        .hint(match c {
                            '?' => "a choice of values is select(u, a, b), of operators IF u THEN A ELSE B END IF",
                            _ => "phrases stand in \"…\", predicates in '…', comments after #",
                        });
                    found.errors.push(diagnostic);
                }
            }
        }
        if deeper {
            depth += 1;
            found.depth = found.depth.max(depth);
            if found.depth > MAX_DEPTH {
                found.errors.push(too_deep().at(Span::new(file, from, at)));
                found.readable = false;
                return found;
            }
        }
        // Signs of two characters count once.
        let second =
            matches!(c, '=' | '>' | '/') && text[..from].ends_with([':', '=', '<', '>', '/', '+']);
        tokens += usize::from(!second);
        if tokens > MOST_TOKENS {
            let message = format!("this text has more than {MOST_TOKENS} words and signs");
            let diagnostic = Diagnostic::error("E0007", message)
                .at(Span::new(file, from, from))
                .hint("take it apart into several files");
            found.errors.push(diagnostic);
            found.readable = false;
            return found;
        }
        if found.errors.len() >= MOST_ERRORS {
            found.readable = false;
            return found;
        }
    }
    found
}

/// Quoted texts that go on over the end of their lines.
#[derive(Default)]
struct OverLines {
    first: Option<usize>,
    /// The first one after whose end a word follows at once, as if a quoted text began there.
    telling: Option<usize>,
}

impl OverLines {
    /// Adds a quoted text, if it is one of them.
    fn add(&mut self, text: &str, from: usize, to: usize) {
        if text[from..to].contains('\n') {
            self.first.get_or_insert(from);
            if begins_word(&text[to..]) {
                self.telling.get_or_insert(from);
            }
        }
    }

    /// The one that lacks a quote, if there is one.
    fn suspect(&self) -> Option<usize> {
        self.telling.or(self.first)
    }
}

/// Whether a word stands at the start of a text.
fn begins_word(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric)
}

/// One past the last byte of a word.
fn word_end(text: &str, from: usize) -> usize {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let length = text[from..].find(|c| !part(c));
    length.map_or(text.len(), |n| from + n)
}

/// How deep parentheses and brackets nest in a quoted text.
fn nesting(text: &str) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    for b in text.bytes() {
        match b {
            b'(' | b'[' => {
                depth += 1;
                most = depth.max(most);
            }
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// How deep quotes that nest stand in each other in a quoted text.
fn quotes_in_quotes(text: &str) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    for c in text.chars() {
        match c {
            '‘' | '«' => {
                depth += 1;
                most = depth.max(most);
            }
            '’' | '»' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most.saturating_sub(1)
}

pub(super) fn not_closed(text: &str, file: u32, from: usize) -> Diagnostic {
    let quote = text[from..].chars().next().map_or(1, char::len_utf8);
    Diagnostic::error("E0102", "this quoted text has no end")
        .at(Span::new(file, from, from + quote))
        .label("opened here")
        .hint("close the quote; inside a text, write \\\" or \\' for a quote")
}
