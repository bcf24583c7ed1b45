//! Every rule of the rule base, tested from its own file: its example, near misses, random schemes
//! before and after, a second run, and its conditions weakened in turn.
//!
//! `UPDATE=1 cargo test --release --test rules` writes the table of evidence in `docs/rules.md`.

mod again;
mod apply;
mod batches;
mod cases;
mod evidence;
mod gathers;
mod laws;
mod maker;
mod memory;
mod misses;
mod mutants;
#[path = "../random/maker.rs"]
mod nests;
mod numeric;
mod page;
mod random;
mod rectangles;
mod rounds;
mod scans;
mod searches;
mod strategies;
mod systems;
mod values;
mod wishes;

use glushkov::diagnostic::{Diagnostic, render};
use glushkov::term::Sources;

fn shown(errors: &[Diagnostic], sources: &Sources) -> String {
    errors.iter().map(|e| render(e, sources, false)).collect()
}
