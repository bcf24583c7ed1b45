//! Schemes that are built from the outline down, refined and folded.

mod places;
mod prompt;
mod refining;
mod walks;
