//! Scheme + strategy → derivation: matching, rules, systems, strategies.

mod base;
mod build;
mod command;
mod condition;
mod evaluate;
mod fire;
mod host;
mod machine;
mod pattern;
mod plan;
mod rule;
mod specificity;
mod system;

pub use base::{Order, RuleBase, System};
pub use build::substitute;
pub use command::{DEFAULT_STEPS, Rewriting, Rewritten, run_rewrite};
pub use evaluate::evaluate;
pub use host::{Answer, Evidence, Host, Plain, Redex, Status};
pub use plan::Strategy;
pub use rule::{FloatClass, Parameter, Rule};
