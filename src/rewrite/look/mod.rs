//! Rewriting looked at: step by step, and by all ways.

mod bench;
mod planned;
mod questions;
mod search;
mod seen;
mod shared;
mod states;
mod stepper;
mod traced;
mod why;

pub use bench::Bench;
pub use planned::strategy_text;
pub(super) use planned::{Planned, planned};
pub use search::{Found, SEARCHED_STEPS, Search, SearchStep, Searched, run_search, search_pattern};
pub use seen::Seen;
pub(super) use traced::traced;
