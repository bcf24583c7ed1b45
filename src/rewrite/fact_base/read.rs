//! Files of facts: ground terms, each ended by `;`.

use super::FactBase;
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::{print_term_flat, read_terms};
use crate::term::{MOST_ERRORS, Terms};

/// Adds the facts of a text, the `file`-th of the sources: terms in the syntax of rules, with `;`
/// after each.
///
/// # Errors
///
/// What is not a term, and what is not a fact: literals, and terms with variables.
pub fn read_facts(base: &mut FactBase, file: u32, text: &str) -> Result<(), Vec<Diagnostic>> {
    let mut terms = Terms::new();
    let facts = read_terms(&mut terms, file, text)?;
    let mut refusals = Vec::new();
    for fact in facts {
        if let Err(why) = base.assert(&terms, fact) {
            let fact_text = print_term_flat(&terms, fact);
            let message = format!("`{fact_text}` is not a fact: {why}");
            refusals.push(Diagnostic::error("E0373", message).at(terms.span(fact)));
        }
    }
    refusals.truncate(MOST_ERRORS);
    match refusals.is_empty() {
        true => Ok(()),
        false => Err(refusals),
    }
}

/// The facts as a text that [`read_facts`] reads.
pub fn print_facts(base: &FactBase) -> String {
    let mut text = String::new();
    for fact in base.iter() {
        text.push_str(&print_term_flat(base.terms(), fact));
        text.push_str(";\n");
    }
    text
}
