//! The stages as a library: for programs, servers and tests that use no command line.
//!
//! | function or method | from → to |
//! |---|---|
//! | [`load`], [`read`] | [`Source`] → checked `Scheme` |
//! | [`look_over`], [`lint_rules`] | [`Source`], rule files → all that is said of them without running |
//! | [`check`], [`facts`] | `Scheme` → findings of the reference machine and of the analyses |
//! | [`derive`](derive::derive), [`derive::save`] | `Scheme` + strategy → derived `Scheme`, its record |
//! | [`loop_fates`] | derived `Scheme` → what became of each loop |
//! | [`why`](why()) | a line of a [`Source`] → its loops, and why each became what it did |
//! | [`Show::show`] | `Source` → a text or a drawing of it |
//! | [`refine`], [`fold`], [`fold_lines`] | [`Source`] + phrase → its text with or without the definition |
//! | [`lay_out`] | [`Source`] → its text in one layout |
//! | [`test`] | [`Source`] → whether it does what its comments expect |
//! | [`replay`] | record → whether every step can be replayed, and follows |
//! | [`equal`] | two schemes → equal, or what tells them apart |
//! | [`emit`] | `Scheme` + [`Target`] → [`Emission`], a project that can be written |
//! | [`module`] | `Scheme` → a module of somebody's crate |
//! | [`program`] | `Scheme` + [`Target`] → [`Program`], built |
//! | [`library`] | `Scheme` + [`Target`] → [`Library`], a shared library for callers of C |
//! | [`Job::run`] | `Scheme` with sizes and [`Inputs`], `Program` → [`Ran`] |
//! | [`Compared::of`] | OUTPUT arrays of two runs → how far they differ |
//! | [`Run::run`] | all of these: [`Source`] → [`Outcome`] |
//! | [`Bench::measure`] | several targets, strategies and sizes → [`Measured`] |
//! | [`Tune::search`] | a strategy's parameters → [`Found`], which later runs take up |
//!
//! What is read is kept in a [`Session`], since the spans of diagnostics refer to its texts. Whoever
//! wants to be told of [`Event`]s while work goes on gives it an [`Observer`]. How a scheme is read,
//! derived and emitted are [`Options`], plain data with the defaults of the command line. What stops
//! a stage is a [`Failure`]: diagnostics, and whether they are an answer to the question. Nothing here
//! prints, ends the process or knows of a terminal.
//!
//! Work on schemes that may be nested deeply belongs on a thread with room for it:
//! [`with_deep_stack`](crate::term::with_deep_stack). Folders of builds are removed by
//! [`toolchain::tidy`](crate::toolchain::tidy) before the process ends.

mod change;
mod check;
mod claims;
mod compare;
mod emit;
mod equal;
mod expect;
mod fact_files;
mod facts;
mod failure;
mod format;
mod freely;
mod idle;
mod in_order;
mod inputs;
mod interpret;
mod job;
mod library;
mod load;
mod look;
mod loops;
mod members;
mod notes;
mod operators;
mod options;
mod oracle;
mod outcome;
mod parameters;
mod program;
mod reading;
mod recipe;
mod recorded;
mod reference;
mod refine;
mod replay;
mod report;
mod rule_files;
mod rule_lint;
mod run;
mod session;
mod show;
mod sizes;
mod source;
mod stages;
mod systems;
mod target;
mod tested;
mod tuned;
mod unmoved;
mod unreported;
mod why;

mod basics;
pub mod bench;
pub mod derive;
pub mod files;
pub mod tune;

pub use crate::emit::Module;
pub use basics::{TriedBasic, try_basics};
pub use bench::{Bench, Measured};
pub use change::Change;
pub use check::{Tried, check, undefined_note};
pub use compare::{Compared, Elsewhere};
pub use emit::{Emission, emit, module, nothing};
pub use equal::{Differences, Equality, equal};
pub use expect::{Judged, TestedScheme, test};
pub use fact_files::{read_fact_file, read_facts_beside};
pub use facts::facts;
pub use failure::{Class, Failure};
pub use format::{Laid, lay_out, schemes_below, texts_below};
pub use inputs::{Inputs, inputs};
pub use job::{Job, Ran, run_built};
pub use library::{Library, library};
pub use load::{load, load_declared, meant};
pub use look::{Looked, look_over, used_paths, used_texts};
pub use loops::{Becomes, LoopFate, loop_fates};
pub use members::{ALL, members};
pub use notes::Notes;
pub use options::{Options, Values, parse};
pub use oracle::start_oracle;
pub use outcome::Outcome;
pub use parameters::parameter_values;
pub use program::{Program, program};
pub use reading::{Loaded, Pick, read, read_family};
pub use recorded::phrasebook;
pub use reference::Patience;
pub use refine::{Edited, database, fold, fold_lines, refine};
pub use replay::{Replay, replay};
pub use rule_files::rule_files;
pub use rule_lint::{LintedRules, lint_rules};
pub use run::Run;
pub use session::{Event, Observer, Session};
pub use show::{Form, Level, Show};
pub use sizes::{Holder, values};
pub use source::{Source, is_scheme};
pub use systems::read_systems;
pub use target::Target;
pub use tested::{Tested, test_rules};
pub use tune::{Found, TUNED_WITHIN, Tune};
pub use tuned::Tuning;
pub use why::{Under, Why, WhyLoop, why};
