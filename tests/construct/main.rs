//! Schemes that are built from the outline down.

mod walks;
