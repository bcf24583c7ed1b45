//! Readers and printers: text → `Term`, `Term` → text.

pub mod rules;
