//! Text, formulas and rule files → terms with spans, and back.

pub mod print;
pub mod rules;
pub mod text;
