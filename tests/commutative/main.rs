//! Rewriting modulo associativity and commutativity.

mod cases;
#[path = "../maude/mod.rs"]
mod maude;
#[path = "../numbers/mod.rs"]
mod numbers;
mod random;
mod running;
mod tree;
