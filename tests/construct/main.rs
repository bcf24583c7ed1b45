//! Schemes that are built from the outline down, refined and folded.

mod families;
mod places;
mod prompt;
mod refining;
mod walks;
