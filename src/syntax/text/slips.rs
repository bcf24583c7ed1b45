//! Slips of the pen, and what other languages write: what was meant.

use super::expected::{Before, Found};
use super::grammar::Rule;
use super::reader::Reader;
use crate::diagnostic::Diagnostic;

/// Signs of other languages, and what is written here.
const SIGNS: &[(&str, &str)] = &[
    ("==", "equality is written `=`"),
    ("!=", "inequality is written `<>` or `≠`"),
    ("&&", "write AND"),
    ("&", "write AND"),
    ("||", "write OR"),
    ("∨", "write OR"),
    ("\\/", "write OR"),
    ("∧", "write AND"),
    ("/\\", "write AND"),
    ("!", "write NOT"),
    ("¬", "write NOT"),
    ("%", "the remainder is written MOD"),
    ("mod", "the remainder is written MOD"),
];

/// What is written here for a sign of another language.
pub(super) fn sign(sign: &str) -> Option<String> {
    let found = SIGNS.iter().find(|(s, _)| *s == sign);
    found.map(|(_, hint)| (*hint).to_owned())
}

/// The diagnostic for a slip that is known.
pub(super) fn slip(
    _reader: &Reader,
    _expected: &[Rule],
    _before: &Before,
    _found: &Found,
) -> Option<Diagnostic> {
    None
}
