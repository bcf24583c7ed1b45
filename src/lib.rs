//! Glushkov: a program synthesizer over Glushkov's algebra of algorithms.
//!
//! What `glushkov run` does: load a scheme, derive it by a strategy, run it, and compare the results
//! with those of the sequential scheme. Here the reference machine runs both; with target `Rust` or
//! `Cuda`, a program is emitted and built.
//!
//! ```
//! use glushkov::pipeline::{Options, Run, Session, Source, Target};
//!
//! let run = Run {
//!     target: Target::Interpreter,
//!     strategy: Some("gpu".to_owned()),
//!     reference: Some(Target::Interpreter),
//!     options: Options { set: vec!["N=16".to_owned()], ..Options::default() },
//!     ..Run::default()
//! };
//! let outcome = run.run(Source::Path("heat"), &mut Session::new())?;
//! assert!(outcome.compared.is_some_and(|compared| compared.is_identical()));
//! # Ok::<(), glushkov::pipeline::Failure>(())
//! ```
//!
//! The stages, bottom-up, are listed in `ARCHITECTURE.md`: each layer imports only lower ones; each module's first
//! line says what it turns into what.

pub mod algebra;
pub mod analysis;
pub mod certificate;
pub mod check;
pub mod cli;
pub mod construct;
pub mod data;
pub mod derive;
pub mod diagnostic;
pub mod emit;
pub mod equality;
pub mod evidence;
pub mod family;
pub mod flowgraph;
pub mod machine;
pub mod pipeline;
pub mod rewrite;
pub mod server;
pub mod syntax;
pub mod term;
pub mod toolchain;
pub mod trace;
