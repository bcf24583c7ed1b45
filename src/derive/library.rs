//! The rule base and the schemes that come with the tool.

include!(concat!(env!("OUT_DIR"), "/library.rs"));
