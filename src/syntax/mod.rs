//! Text, formulas and rule files → terms with spans, and back.
//!
//! Texts are read by the grammars in `grammar/`; `keywords.pest` there is made from the table of
//! keywords.

mod keywords;
pub mod print;
pub mod rules;
pub mod text;

pub use keywords::keyword_rules;
