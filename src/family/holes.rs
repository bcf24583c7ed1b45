//! Names and texts with braces → what they are for a member: `x{k + 1}` is `x3` where `k` is 2.

use super::evaluate::{Known, not_given};
use super::{Refusal, Value};
use crate::diagnostic::Diagnostic;
use crate::syntax::text::{Holed, holed};
use crate::term::Symbol;

/// A text with what its braces stand for; none where nothing in it does.
pub(super) fn filled(text: &str, known: &Known) -> Result<Option<String>, Refusal> {
    if !text.contains('{') {
        return Ok(None);
    }
    let mut out = String::new();
    let mut is_filled = false;
    for piece in holed(text) {
        match piece {
            Holed::Plain(plain) => out.push_str(plain),
            Holed::Hole(terms) => {
                out.push_str(&value(&terms, known)?.to_string());
                is_filled = true;
            }
        }
    }
    Ok(is_filled.then_some(out))
}

fn value(terms: &[(bool, &str)], known: &Known) -> Result<Value, Refusal> {
    let of = |name: &str| match known.get(&Symbol::new(name)) {
        Some(&value) => Ok(value),
        None => Err(Box::new(not_given(name, known))),
    };
    let starts_with_digit = |term: &str| term.starts_with(|c: char| c.is_ascii_digit());
    if let [(false, term)] = terms
        && !starts_with_digit(term)
    {
        return of(term);
    }
    let too_large = || Diagnostic::error("E0252", "this is no integer of 64 bits");
    let mut sum = 0i64;
    for &(taken_off, term) in terms {
        let value = match starts_with_digit(term) {
            true => term.parse().map_err(|_| too_large())?,
            false => match of(term)? {
                Value::Int(i) => i,
                Value::Word(word) => {
                    let message = format!("\"{word}\" is a word, and nothing can be added to it");
                    return Err(Box::new(Diagnostic::error("E0252", message)));
                }
            },
        };
        let next = match taken_off {
            true => sum.checked_sub(value),
            false => sum.checked_add(value),
        };
        sum = next.ok_or_else(too_large)?;
    }
    Ok(Value::Int(sum))
}
