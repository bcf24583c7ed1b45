//! Glushkov: a program synthesizer over Glushkov's algebra of algorithms.
//!
//! The stages, from the ground to the roof, are listed in `ARCHITECTURE.md`; each module's first
//! line says what it turns into what.

pub mod algebra;
pub mod analysis;
pub mod certificate;
pub mod check;
pub mod cli;
pub mod data;
pub mod derive;
pub mod diagnostic;
pub mod emit;
pub mod equality;
pub mod flowgraph;
pub mod machine;
pub mod rewrite;
pub mod syntax;
pub mod term;
pub mod toolchain;
pub mod trace;
