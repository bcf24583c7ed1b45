//! Emitted programs called from other languages: libraries are built as the pipeline builds them, and
//! programs of those languages call them.

mod building;
mod c;
mod installed;
mod module;
mod rust;
mod survives;
