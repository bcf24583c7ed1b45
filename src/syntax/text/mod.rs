//! Text form, formula form and graph form → terms, by the grammars in `grammar/`.
//!
//! `scan` looks over a text, `file` reads its parts by their rules and goes on after those that cannot be
//! read, the other files make terms of what rules matched, and `expected` makes diagnostics of what they
//! refuse.

mod basic;
mod broken;
mod data;
mod definitions;
mod dictionary;
mod expectation;
mod expected;
pub(in crate::syntax) mod expression;
mod file;
mod formula;
mod given;
pub(in crate::syntax) mod grammar;
mod graph;
mod keywords;
mod lexemes;
mod operator;
mod quoted;
mod reader;
mod recovery;
pub(in crate::syntax) mod scan;
mod slips;

pub use broken::Breaks;
pub use expectation::{Expectation, Expected, read_expectations};
pub use expression::signs_between;
pub use given::{Holed, holed, is_name};
pub use keywords::languages;
pub use lexemes::{Piece, lexemes, pieces};
pub use reader::is_reserved;

use crate::diagnostic::Diagnostic;
use crate::syntax::on_stack;
use crate::term::{Id, MOST_ERRORS, Sources, Span, Terms};
use grammar::{Grammar, Rule};
use pest::Parser;
use reader::{Form, Reader};
use rustc_hash::FxHashSet;

/// Reads a file of schemes. Gives its items (`Scheme`, `Graph` and `Use` terms) and everything that is wrong
/// with it. What could not be read is left out, or stands as `Empty`: where there are errors, the
/// items are good for finding more errors, and for nothing else.
pub fn read_file(sources: &Sources, file: u32, terms: &mut Terms) -> (Vec<Id>, Vec<Diagnostic>) {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let look = scan::look(text, file);
    let mut errors = look.errors;
    let mut items = Vec::new();
    if look.readable {
        let form = form(sources, file);
        let (read, more) = on_stack(look.depth, || {
            let mut reader = Reader::new(text, file, terms, form);
            (reader.file(), reader.errors)
        });
        items = read;
        errors = in_order(text, errors, more);
    }
    if items.is_empty() && errors.is_empty() {
        errors.push(
            Diagnostic::error("E0107", "there is no scheme in this file")
                .at(Span::new(file, text.len(), text.len()))
                .hint("a file holds schemes: SCHEME \"name\" ==== … END OF SCHEME \"name\""),
        );
    }
    (items, errors)
}

/// Reads a file of operators. Gives its definitions, and everything that is wrong with it.
pub fn read_operators(
    sources: &Sources,
    file: u32,
    terms: &mut Terms,
) -> (Vec<Id>, Vec<Diagnostic>) {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let look = scan::look(text, file);
    if !look.readable {
        return (Vec::new(), look.errors);
    }
    let (read, more) = on_stack(look.depth, || {
        let mut reader = Reader::new(text, file, terms, Form::Text);
        (reader.operators_alone(), reader.errors)
    });
    (read, in_order(text, look.errors, more))
}

/// Reads an expression or a predicate that is a text of its own.
///
/// # Errors
///
/// Everything that cannot be read.
pub fn read_expression(
    sources: &Sources,
    file: u32,
    terms: &mut Terms,
) -> Result<Id, Vec<Diagnostic>> {
    let read = read_alone(sources, file, terms, |reader| {
        match reader.part(Rule::whole_expression, 0, reader.text.len()) {
            Ok(mut pairs) => {
                let pair = pairs.next()?;
                reader.expression(pair).map(|made| made.id).ok()
            }
            Err(refusal) => {
                let diagnostic = reader.refused(&refusal, 0, 0);
                reader.tell(diagnostic);
                None
            }
        }
    })?;
    read.ok_or_else(Vec::new)
}

/// Reads operators that are a text of their own, as the body of a scheme or of a phrase.
///
/// # Errors
///
/// Everything that cannot be read.
pub fn read_operator(
    sources: &Sources,
    file: u32,
    terms: &mut Terms,
) -> Result<Id, Vec<Diagnostic>> {
    read_alone(sources, file, terms, |reader| reader.body_alone())
}

/// Reads items of DATA that are a text of their own.
///
/// # Errors
///
/// Everything that cannot be read.
pub fn read_data(
    sources: &Sources,
    file: u32,
    terms: &mut Terms,
) -> Result<Vec<Id>, Vec<Diagnostic>> {
    read_alone(sources, file, terms, |reader| reader.data_alone())
}

/// Reads a text by a part of the reader.
fn read_alone<T: Send>(
    sources: &Sources,
    file: u32,
    terms: &mut Terms,
    read: impl FnOnce(&mut Reader<'_>) -> T + Send,
) -> Result<T, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let look = scan::look(text, file);
    if !look.readable {
        return Err(look.errors);
    }
    let (read, errors) = on_stack(look.depth, || {
        let mut reader = Reader::new(text, file, terms, Form::Text);
        (read(&mut reader), reader.errors)
    });
    match in_order(text, look.errors, errors) {
        errors if errors.is_empty() => Ok(read),
        errors => Err(errors),
    }
}

/// Errors of a first look and of reading: those in a line with a character that has no meaning come of it.
fn in_order(text: &str, mut look: Vec<Diagnostic>, read: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let end_of_line = |d: &Diagnostic| {
        let from = d.span?.from as usize;
        Some(text[from..].find('\n').map_or(text.len(), |n| from + n))
    };
    let lines: FxHashSet<usize> = look.iter().filter_map(end_of_line).collect();
    let own = |d: &Diagnostic| end_of_line(d).is_none_or(|line| !lines.contains(&line));
    look.extend(read.into_iter().filter(own));
    look.truncate(MOST_ERRORS);
    look
}

/// The form of a text: its name says so, or, where it has none that says anything, a sign that no
/// text form has.
fn form(sources: &Sources, file: u32) -> Form {
    let Some(source) = sources.get(file) else {
        return Form::Text;
    };
    match source.name.rsplit_once('.').map(|(_, end)| end) {
        Some("saa") => Form::Text,
        Some("saaf") => Form::Formula,
        Some("saag") => Form::Graph,
        _ if Grammar::parse(Rule::tells_formula, &source.text).is_ok() => Form::Formula,
        _ => Form::Text,
    }
}
