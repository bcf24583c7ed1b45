//! Quick functions, which the machine and emitted Rust share: a function a file, for emitted crates
//! carry the files of those that they use.
//!
//! None of them branches, but for sines and cosines of what is far from 0, so that lanes do them side
//! by side; none has sums that are rounded once, so that they have the same bits everywhere.

pub(super) mod narrow;
pub(super) mod wide;

#[cfg(test)]
mod tests;
