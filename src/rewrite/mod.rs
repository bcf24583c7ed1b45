//! Scheme + strategy → derivation: matching, rules, systems, strategies.

mod base;
mod build;
mod check;
mod command;
mod condition;
mod derivation;
mod derive;
mod evaluate;
mod fire;
mod host;
mod machine;
mod matching;
mod parameters;
mod pattern;
mod plan;
mod rule;
mod specificity;
mod step;
mod system;
mod traverse;

pub use base::{Order, RuleBase, System};
pub use build::substitute;
pub use command::{DEFAULT_STEPS, Rewriting, Rewritten, run_rewrite};
pub use derivation::{Asked, Derivation, NearMiss, Place, Step};
pub use derive::{DEFAULT_BOUND, Derived, Request, derive};
pub use evaluate::evaluate;
pub use host::{Answer, Evidence, Host, Plain, Redex, Status};
pub use parameters::{Setting, Tunable};
pub use plan::Strategy;
pub use rule::{FloatClass, Parameter, Rule};
