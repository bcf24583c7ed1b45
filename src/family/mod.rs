//! Families of schemes: one text and a choice of its givens → the term of one scheme, its member.
//!
//! A family is read like any scheme. What is `GIVEN` is chosen and put in its place right after that, so that
//! neither the check nor anything behind it knows of families. Parts keep their origins: messages point to the
//! text of the family.

mod choice;
mod declared;
mod evaluate;
mod expand;
mod holes;

pub use choice::{Choice, all_members, choose, first_members};
pub use declared::{Family, Given, family};
pub use expand::{by_default, member, title};

use crate::diagnostic::Diagnostic;
use crate::term::Symbol;
use std::fmt;

/// Why a choice is none, or a family is wrong.
pub type Refusal = Box<Diagnostic>;

/// Values of one given, and members of a family, of which more are refused.
pub const MOST_MEMBERS: usize = 10_000;

/// What a given may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A word, or several.
    Word(Symbol),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(i) => write!(f, "{i}"),
            Value::Word(word) => f.write_str(word.as_str()),
        }
    }
}
