//! Emitted programs: built, run, and held against the reference machine.

mod cores;
mod cuda;
mod driver;
mod harness;
mod overlap;
mod processes;
mod rust;
mod rust_cuda;
mod snapshots;
mod variants;
