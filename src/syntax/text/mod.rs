//! Text form and formula form → terms.

mod expression;
mod formula;
mod lexer;
mod operator;
mod parser;
mod scheme;

pub use parser::is_reserved;

use crate::diagnostic::Diagnostic;
use crate::term::{Id, Sources, Span, Terms};
use parser::Parser;

/// Reads a file of schemes. Gives its items (`Scheme` and `Use` terms) and everything that is wrong
/// with it. What could not be read is left out, or stands as `Empty`: where there are errors, the
/// items are good for finding more errors, and for nothing else.
pub fn read_file(sources: &Sources, file: u32, terms: &mut Terms) -> (Vec<Id>, Vec<Diagnostic>) {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let mut parser = Parser::new(text, file, terms, is_formula(sources, file));
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

/// Whether a text is in the formula form: its name says so, or, where it has none that says anything,
/// a sign that no text form has.
fn is_formula(sources: &Sources, file: u32) -> bool {
    let Some(source) = sources.get(file) else {
        return false;
    };
    if source.name.ends_with(".saaf") || source.name.ends_with(".saa") {
        return source.name.ends_with(".saaf");
    }
    lexer::has_signs_of_formulas(&source.text, file)
}

/// Reads an expression or a predicate that is a text of its own.
pub fn read_expression(
    sources: &Sources,
    file: u32,
    terms: &mut Terms,
) -> Result<Id, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let mut parser = Parser::new(text, file, terms, false);
    match parser.whole_expression() {
        Ok(id) if parser.errors.is_empty() => Ok(id),
        _ => Err(parser.errors),
    }
}
