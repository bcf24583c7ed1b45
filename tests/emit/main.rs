//! Emitted programs: built, run, and held against the reference machine.

mod harness;
mod rust;
