//! The standard systems, and the standard functors that look at the form of terms.
//!
//! What a functor gives on literals is the table of `evaluate.rs`, which every engine reads. The table
//! here is for systems alone: a scheme's conditions are no terms that a rule of a system may decide.

pub(super) mod active;
pub(super) mod bindings;
pub(super) mod rule_terms;
mod strings;
pub(super) mod systems;
pub(super) mod table;
