//! Comments that expect something of a run → what they expect.
//!
//! They stand in comments since a text that is to be refused may have no DATA that could be read. That a
//! misspelt one is not passed over is asked of each word in capitals that begins a comment.

use super::grammar::{Grammar, Pair, Rule};
use crate::diagnostic::Diagnostic;
use crate::term::{Sources, Span};
use pest::Parser;

/// What begins the comment.
const EXPECT: &str = "EXPECT";

/// Slips of so many letters are seen.
const SLIPS: usize = 2;

/// What a comment expects.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The comment, from its word on.
    pub span: Span,
    /// What is expected.
    pub kind: Expected,
}

/// What is expected of a scheme.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// That it is refused, with a diagnostic of this code.
    Refused(String),
    /// The last report with a label.
    Report {
        /// The label.
        label: String,
        /// Its values.
        values: Vec<f64>,
        /// How far off they may be.
        within: Option<f64>,
    },
    /// The cells of an OUTPUT.
    Cells {
        /// The variable.
        name: String,
        /// Its values, the last subscript running fastest.
        values: Vec<f64>,
        /// How far off they may be.
        within: Option<f64>,
    },
}

/// The expectations of a text.
///
/// # Errors
///
/// E0416: comments that begin like one and cannot be read.
pub fn read_expectations(
    sources: &Sources,
    file: u32,
) -> Result<Vec<Expectation>, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        // A file may begin with a mark of its encoding.
        let own = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let from = start + (line.len() - own.len());
        start += line.len();
        let own = own.trim_end();
        let Some(comment) = own.strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        let end = comment.find(|c: char| !c.is_alphanumeric());
        let word = &comment[..end.unwrap_or(comment.len())];
        let at = from + own.len() - comment.len();
        let span = Span::new(file, at, at + comment.len());
        let is_capitals = word.chars().all(char::is_uppercase);
        if word == EXPECT {
            match Grammar::parse(Rule::expectation, comment) {
                Ok(pairs) => found.extend(pairs.flat_map(Pair::into_inner).filter_map(|pair| {
                    expected(pair).map(|kind| Expectation { span, kind })
                })),
                Err(_) => errors.push(
                    Diagnostic::error("E0416", "this EXPECT cannot be read")
                        .at(span)
                        .hint("write EXPECT REFUSED E0203, EXPECT REPORT \"energy\" (1.5) WITHIN 1e-6, or EXPECT x = [1, 2]"),
                ),
            }
        } else if is_capitals
            && strsim::damerau_levenshtein(word, EXPECT) <= SLIPS
            && word.len() > 3
        {
            let message = format!("`{word}` begins no expectation");
            let error = Diagnostic::error("E0416", message).at(span);
            errors.push(error.hint(
                "did you mean EXPECT? A remark begins with another word or in small letters",
            ));
        }
    }
    match errors.is_empty() {
        true => Ok(found),
        false => Err(errors),
    }
}

fn expected(pair: Pair<'_>) -> Option<Expected> {
    let rule = pair.as_rule();
    let (mut name, mut values, mut within) = (String::new(), Vec::new(), None);
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::code | Rule::name => name = part.as_str().to_owned(),
            // Its quotes are of one byte or more, and are not part of it.
            Rule::mark => {
                let text = part.as_str().trim();
                let mut characters = text.chars();
                characters.next();
                characters.next_back();
                name = characters.as_str().to_owned();
            }
            Rule::value => values.push(value(&part)?),
            Rule::within => {
                let number = part.into_inner().find(|p| p.as_rule() == Rule::number)?;
                within = Some(number.as_str().parse().ok()?);
            }
            _ => {}
        }
    }
    match rule {
        Rule::refused => Some(Expected::Refused(name)),
        Rule::reported => Some(Expected::Report {
            label: name,
            values,
            within,
        }),
        Rule::cells => Some(Expected::Cells {
            name,
            values,
            within,
        }),
        _ => None,
    }
}

fn value(pair: &Pair<'_>) -> Option<f64> {
    let inner = pair.clone().into_inner().next()?;
    match inner.as_rule() {
        Rule::TRUE => Some(1.0),
        Rule::FALSE => Some(0.0),
        Rule::not_a_number => Some(f64::NAN),
        _ => inner.as_str().parse().ok(),
    }
}
