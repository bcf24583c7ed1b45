//! The language server, driven over pipes as an editor drives it.

mod client;
mod completing;
mod diagnosing;
mod layout;
mod naming;
mod neovim;
mod protocol;
#[path = "../slips/table.rs"]
mod slips;
