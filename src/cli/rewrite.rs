//! `glushkov rewrite`.

use super::arguments::source;
use super::output::{Done, Output, Stop};
use crate::diagnostic::Diagnostic;
use crate::pipeline::read_systems;
use crate::rewrite::{DEFAULT_STEPS, Rewriting, RuleBase, run_rewrite_with};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `rewrite`.
#[derive(clap::Args)]
#[command(after_help = "Example: glushkov rewrite peano.rules --term 'plus(s(0), s(0))'")]
pub struct Args {
    /// The file of rules, `-` for standard input
    rules: String,
    /// The term, in the syntax of rules
    #[arg(
        long,
        value_name = "TERM",
        conflicts_with = "file",
        required_unless_present = "file"
    )]
    term: Option<String>,
    /// A file with the term
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// The system of the file, where it has several
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// FirstTop, TopDown or BottomTop (the system's own, if not given)
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// How often rules may fire
    #[arg(long, default_value_t = DEFAULT_STEPS)]
    steps: u64,
    /// How long rules may fire; then the term that was reached is told
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Print how often each rule fired, and how fast
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    facts: super::knowledge::FactArgs,
}

/// A time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "it is not a number".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// What is set after some time.
fn alarm(time: Duration) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    std::thread::spawn(move || {
        std::thread::sleep(time);
        set.store(true, Ordering::Relaxed);
    });
    stop
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let rules = source(&args.rules).read(&mut output.session)?;
    let term = match (&args.term, &args.file) {
        (Some(text), _) => output.session.sources.add("<term>", text.clone()),
        (None, Some(file)) => source(file).read(&mut output.session)?,
        (None, None) => {
            return Err(Diagnostic::error("E0006", "there is no term to rewrite")
                .hint("give --term or --file")
                .into());
        }
    };
    let beside = read_systems(source(&args.rules), rules, &mut output.session)?;
    let base = RuleBase::load_beside(&output.session.sources, &[rules], &beside)?;
    let stop = args.seconds.map(alarm);
    let options = Rewriting {
        system: args.system.as_deref(),
        strategy: args.strategy.as_deref(),
        steps: args.steps,
        stop: stop.as_deref(),
        ..Rewriting::default()
    };
    let system = args.system.as_deref();
    let mut known = args.facts.knowledge(&args.rules, &base, system, output)?;
    let start = Instant::now();
    let sources = &output.session.sources;
    let done = run_rewrite_with(&base, sources, term, &options, &mut known)?;
    let time = start.elapsed();
    args.facts.keep(&known)?;
    output.print(&done.text())?;
    if args.stats {
        output.say(&done.statistics(time));
    }
    output.tell_all(&done.diagnostics);
    match done.exit_code() {
        0 => Ok(()),
        code => Err(Stop::Code(code as u8)),
    }
}
