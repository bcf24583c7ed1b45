//! Terms → text, formula and LaTeX.

mod pattern;
mod printer;

pub use pattern::Notation;
pub use printer::{Style, phrase_as_written, phrase_with_arguments, print, print_typeset};
