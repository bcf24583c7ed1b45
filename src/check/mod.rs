//! `Term` → `Scheme`: phrases expanded, names, sorts, types and shapes resolved, binders unique.

mod again;
mod atomic;
mod basic;
mod claims;
mod conversions;
mod data;
mod definitions;
mod device;
mod effects;
mod elaborate;
mod expressions;
mod functions;
mod known;
mod levels;
mod meanings;
mod names;
mod open;
mod operators;
mod outline;
mod part;
mod phrases;
mod recorded;
mod scheme;
mod scope;
mod told;
mod unique;

pub use again::{check_again, check_first};
pub use basic::{Expand, LAUNCH, value_of_device};
pub use claims::unfounded;
pub use device::{MOST_PRIVATE, private_cells};
pub use elaborate::{check, expanded, with_meanings};
pub use known::Known;
pub use names::author_names;
pub use open::{Named, OPEN, Opened, Seen, check_open, is_open};
pub use part::{Undo, check_part};
pub use recorded::{outermost_loop, unrecordable};
pub use scheme::{
    Basic, Code, DefaultInput, Formal, OptionValue, Reached, Role, Scheme, Undefined, Variable,
    author_name, is_over_parameters, unique_name,
};
