//! Text, formulas and rule files → terms with spans, and back.
//!
//! Texts are read by the grammars in `grammar/`; `keywords.pest` there is made from the table of
//! keywords.

pub mod format;
mod keywords;
mod lexeme;
pub mod print;
pub mod rules;
pub mod text;

pub use keywords::{keyword_rules, reserved, rule_name, spellings};
pub use lexeme::{Lexeme, LexemeKind};

use crate::term::with_deep_stack;

/// Nesting that fits the stack of any thread.
const SHALLOW: usize = 30;

/// Reads on a stack that is deep enough.
fn on_stack<T: Send>(depth: usize, read: impl FnOnce() -> T + Send) -> T {
    match depth > SHALLOW {
        true => with_deep_stack(read),
        false => read(),
    }
}
