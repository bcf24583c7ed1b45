//! Choices → `Term` of a scheme, from the outline down: nothing that does not check can be put anywhere.
//!
//! A scheme under construction is a term with *open places*, atoms such as `…1`. What is put at one brings open places
//! for its own parts, and is refused where [`check_open`](crate::check::check_open) finds an error, whatever those become.
//! So a scheme without open places is one that the check accepts. Knows no files and no terminal.
//!
//! ```
//! use glushkov::construct::{Choice, Constructor, Form};
//! use glushkov::term::Sources;
//!
//! let mut sources = Sources::default();
//! let mut scheme = Constructor::new("Count", &[]);
//! for (place, text) in [(1, "n : INTEGER OUTPUT"), (2, "n := 7")] {
//!     let choice = scheme.typed(place, text, &mut sources)?;
//!     scheme.apply(place, &choice)?;
//! }
//! let more_data = scheme.places()[0].number;
//! scheme.apply(more_data, &Choice::Nothing)?;
//! assert!(scheme.is_finished());
//! assert!(scheme.scheme(Form::Text, Default::default()).contains("n := 7"));
//! # Ok::<(), Vec<glushkov::diagnostic::Diagnostic>>(())
//! ```

mod candidates;
mod definitions;
mod made;
mod nested;
mod offers;
mod place;
mod put;
mod refine;
mod regions;
mod show;
mod state;
mod typed;

pub use made::Made;
pub use offers::{Asked, Choice, Offer};
pub use place::{Place, Wants};
pub use refine::{Folded, folded, folded_lines, refined};
pub use show::Form;
pub use state::Constructor;
