//! Text form and formula form → terms.

mod dictionary;
mod expression;
mod formula;
mod graph;
mod lexer;
mod operator;
mod parser;
mod scheme;

pub use parser::is_reserved;

use crate::diagnostic::Diagnostic;
use crate::term::{Id, Sources, Span, Terms};
use parser::{Form, Parser};

/// Reads a file of schemes. Gives its items (`Scheme`, `Graph` and `Use` terms) and everything that is wrong
/// with it. What could not be read is left out, or stands as `Empty`: where there are errors, the
/// items are good for finding more errors, and for nothing else.
pub fn read_file(sources: &Sources, file: u32, terms: &mut Terms) -> (Vec<Id>, Vec<Diagnostic>) {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let mut parser = Parser::new(text, file, terms, form(sources, file));
    let items = parser.file();
    let mut errors = parser.errors;
    if items.is_empty() && errors.is_empty() {
        errors.push(
            Diagnostic::error("E0107", "there is no scheme in this file")
                .at(Span::new(file, text.len(), text.len()))
                .hint("a file holds schemes: SCHEME \"name\" ==== … END OF SCHEME \"name\""),
        );
    }
    (items, errors)
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
        _ if lexer::has_signs_of_formulas(&source.text, file) => Form::Formula,
        _ => Form::Text,
    }
}

/// Reads an expression or a predicate that is a text of its own.
pub fn read_expression(
    sources: &Sources,
    file: u32,
    terms: &mut Terms,
) -> Result<Id, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let mut parser = Parser::new(text, file, terms, Form::Text);
    match parser.whole_expression() {
        Ok(id) if parser.errors.is_empty() => Ok(id),
        _ => Err(parser.errors),
    }
}
