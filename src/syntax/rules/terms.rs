//! Files of terms: text → terms, one after the other.

use super::grammar::Rule;
use super::reader::{Reader, Refusal};
use super::scan;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, MOST_ERRORS, Terms};

/// Reads terms in the syntax of rules, each ended by `;`; the last one need not be. `file` is the
/// number of the text among the sources.
///
/// # Errors
///
/// Everything that cannot be read.
pub fn read_terms(terms: &mut Terms, file: u32, text: &str) -> Result<Vec<Id>, Vec<Diagnostic>> {
    let depth = scan::depth(text, file).map_err(|refusal| vec![*refusal])?;
    crate::syntax::on_stack(depth, || {
        let mut reader = Reader::new(terms, file, text);
        let mut read = Vec::new();
        let mut refusals = Vec::new();
        while reader.at < text.len() && refusals.len() < MOST_ERRORS {
            let stepped = reader.step(Rule::next_term);
            let place = |refusal: &Refusal| refusal.span.map_or(0, |s| s.from as usize);
            let done = match stepped {
                Ok(pairs) => {
                    let mut found = pairs.into_iter().filter(|p| p.as_rule() == Rule::term);
                    found.try_for_each(|pair| reader.term(pair).map(|id| read.push(id)))
                }
                Err(refusal) => {
                    reader.skip_item(place(&refusal));
                    Err(refusal)
                }
            };
            refusals.extend(done.err().map(|refusal| *refusal));
        }
        match refusals.is_empty() {
            true => Ok(read),
            false => Err(refusals),
        }
    })
}
