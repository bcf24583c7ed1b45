//! Documents of an editor → diagnostics, answers on what stands where, and changes: a language server for schemes
//! and rule files.
//!
//! | file | does |
//! |---|---|
//! | `stream`, `serve`, `requests`, `capabilities` | messages in and out, one after the other; which feature answers which |
//! | `documents`, `text` | what the editor has open, and places in it |
//! | `index` | the names of a document: where they are declared and used |
//! | `place`, `snippets` | what may be written where, for completion |
//! | `work`, `shown` | checks on threads of their own, and diagnostics as the editor shows them |
//! | `grammars` | the tables, for the grammars that editors have of their own |
//! | the others | a feature each |
//!
//! What is told of a scheme comes from the [pipeline](crate::pipeline); nothing here reads a scheme's meaning from
//! its text. The index is made from lexemes, so that there is one while a text is being written.

mod actions;
mod capabilities;
mod completion;
mod documents;
mod formatting;
pub mod grammars;
mod hover;
mod index;
mod inlays;
mod navigate;
mod outline;
mod place;
mod rename;
mod requests;
mod serve;
mod shown;
mod snippets;
mod stream;
mod text;
mod tokens;
mod work;

pub use serve::serve;
