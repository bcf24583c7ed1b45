//! The same as emitted Rust, by each kind of vectors.
