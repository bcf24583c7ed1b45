//! The arena of terms: symbols, nodes, origins, positions, source texts. Knows no algebra.
//!
//! ```
//! use glushkov::term::{Symbol, Terms};
//!
//! let mut terms = Terms::new();
//! let one = terms.int(1);
//! let n = terms.atom(Symbol::new("N"));
//! let difference = terms.apply(Symbol::new("Minus"), &[n, one]);
//! assert_eq!(terms.args(difference), &[n, one]);
//! ```

mod arena;
mod limits;
mod path;
mod source;
mod stack;
mod symbol;
mod visible;

pub use arena::{Head, Id, Origin, Subterms, Terms, Words};
pub use limits::{
    MAX_DEPTH, MOST_BYTES, MOST_ERRORS, MOST_LEVELS, MOST_NODES, MOST_PRINTED, MOST_QUOTES,
    MOST_TOKENS, MOST_TOLD,
};
pub(crate) use path::shared_start;
pub use path::{Path, Way};
pub use source::{Source, Sources, Span};
pub use stack::with_deep_stack;
pub use symbol::Symbol;
pub use visible::{is_hidden, visible, visible_but_colours, visible_json, visible_line};
