//! Scheme + strategy → derivation: matching, rules, systems, strategies.
//!
//! - [`RuleBase::load`] reads and checks rule files. [`run_rewrite`] rewrites any term by a system
//!   as TermWare does; [`derive()`] follows a strategy and records every step; [`replay()`] takes
//!   recorded steps again.
//! - What a rule asks is answered by a [`Host`]; nothing here knows any algebra.
//! - A condition is yes, no or unknown. `->` fires where its own condition is yes, the first such
//!   alternative from the left; `!->` fires where all conditions of the rule are no.
//! - `let` is computed after the match and before the conditions, `where` after them and only
//!   where the result uses it. A function without a value stops the rule, which is then told.
//! - In results and conditions, unless rules of the files are about these names:
//!   `each($x, elements…, t)`, `copies($k, n, t)`, `substitute(t, old, new)`, `count(elements…)`,
//!   and the condition `nonempty(elements…)`.
//! - A strategy's `once`, `all`, `at`, `outside`, rules and `fail` can fail; `try`, `repeat`, `topdown`,
//!   `bottomup` and `innermost` cannot. What fails is undone.
//! - Traversals of `s` in `outside(place, s)` stay out of the places, and do not apply anything to them; what they
//!   apply elsewhere goes anywhere.
//! - In `a; b`, where `a` puts a sequence into the one around it, `b` is applied to each operator of
//!   it, and succeeds where it does so for one.
//!
//! Strategies recurse as deep as terms are, and results and conditions are built as deep as they
//! are written: work within [`with_deep_stack`](crate::term::with_deep_stack). Readers, printers,
//! matching and systems do not recurse on the term that is rewritten.
//!
//! ```
//! use glushkov::rewrite::{Rewriting, RuleBase, run_rewrite};
//! use glushkov::term::Sources;
//!
//! let mut sources = Sources::default();
//! let rules = sources.add("sum.rules", "sum([]) -> 0; sum([$h : $t]) -> $h + sum($t)");
//! let term = sources.add("term", "sum([1, 2, N])");
//! let base = RuleBase::load(&sources, &[rules]).expect("well-formed rules");
//! let done = run_rewrite(&base, &sources, term, &Rewriting::default()).expect("a term");
//! assert_eq!(done.text(), "Plus(1, Plus(2, Plus(N, 0)))\n");
//! ```

mod among;
mod any_order;
mod base;
mod build;
mod cases;
mod check;
mod clauses;
mod command;
mod condition;
mod derivation;
mod derive;
mod evaluate;
mod fact_base;
mod fire;
mod generations;
mod graph;
mod groups;
mod host;
mod imports;
mod lint;
mod loading;
mod look;
mod machine;
mod marks;
mod matching;
mod needs;
mod operators;
mod page;
mod parameters;
mod pattern;
mod plan;
mod predicate;
mod replay;
mod rule;
mod scope;
mod specificity;
mod standard;
mod step;
mod system;
mod traverse;

pub use base::{Order, RuleBase, System};
pub use build::{builders, substitute};
pub use cases::{Case, Shows};
pub use command::{
    DEFAULT_STEPS, Rewriting, Rewritten, TRACED_STEPS, name_of_facts, run_rewrite, run_rewrite_with,
};
pub use condition::counted_arguments;
pub use derivation::{Asked, Derivation, NearMiss, Place, Step};
pub use derive::{Bound, Derived, Request, derive};
pub use evaluate::{evaluate, standard_functors};
pub use fact_base::{FactBase, Knowledge, Oracle, Reply, print_facts, read_facts, unanswered};
pub use groups::Group;
pub use host::{Answer, Evidence, Host, Known, Plain, Redex, Status};
pub use imports::{Wanted, wanted_systems};
pub use lint::{Ends, Overlaps, Report, Set, lint};
pub use loading::ReadFiles;
pub use look::{
    Bench, Found, SEARCHED_STEPS, Search, SearchStep, Searched, Seen, run_search, search_pattern,
    strategy_text,
};
pub use page::summary;
pub use parameters::{Setting, Tunable};
pub use plan::Strategy;
pub use predicate::{Predicate, Predicates};
pub use replay::{Difference, Replayed, replay};
pub use rule::{Again, FloatClass, Law, Parameter, Rule};
pub use scope::Effect;
pub use standard::table::standard_forms;
