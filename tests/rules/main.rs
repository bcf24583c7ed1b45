//! Every rule of the rule base, tested from its own file: its example, near misses, random schemes
//! before and after, a second run, and its conditions weakened in turn.
//!
//! `UPDATE=1 cargo test --release --test rules` writes the table of evidence in `docs/rules.md`.

mod apply;
mod cases;
mod laws;
mod mutants;
mod page;
mod random;

use glushkov::diagnostic::{Diagnostic, render};
use glushkov::term::Sources;

fn shown(errors: &[Diagnostic], sources: &Sources) -> String {
    errors.iter().map(|e| render(e, sources, false)).collect()
}
