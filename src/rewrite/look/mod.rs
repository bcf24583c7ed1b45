//! Rewriting looked at: step by step, and by all ways.

mod seen;
mod stepper;
mod traced;

pub use seen::Seen;
pub(super) use traced::traced;
