//! `glushkov rewrite`.

use super::arguments::source;
use super::output::{Done, Output, Stop};
use super::{prompt, search};
use crate::diagnostic::{Diagnostic, as_json};
use crate::pipeline::read_systems;
use crate::rewrite::{
    DEFAULT_STEPS, Rewriting, Rewritten, RuleBase, SEARCHED_STEPS, TRACED_STEPS, run_rewrite_with,
    strategy_text,
};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `rewrite`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov rewrite peano.rules --term 'plus(s(0), s(0))'\n          glushkov rewrite peano.rules --term 'plus(s(0), s(0))' --trace\n          glushkov rewrite river.rules --term 'bank(left)' --search 'bank($side) [$side != left]'"
)]
pub struct Args {
    /// The file of rules, `-` for standard input
    rules: String,
    /// The term, in the syntax of rules
    #[arg(
        long,
        value_name = "TERM",
        conflicts_with = "file",
        required_unless_present_any = ["file", "prompt"]
    )]
    term: Option<String>,
    /// A file with the term
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// The system of the file, where it has several
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// FirstTop, NFirstTops, TopDown or BottomTop (the system's own, if not given); or a strategy or
    /// a rule of the file, or both combined: 'topdown(a); try(b)'
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<String>,
    /// How often rules may fire (10,000,000 times, if not given; with --search 100,000, with --trace 1,000)
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// How long rules may fire; then the term that was reached is told
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Print how often each rule fired, and how fast
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    facts: super::knowledge::FactArgs,
    /// Print each step: rule, place, redex and result, and the answers its condition got
    #[arg(long)]
    trace: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Rewrite step by step, by commands on standard input; `help` lists them
    #[arg(short = 'i', long, conflicts_with_all = ["json", "trace", "stats", "search", "steps", "seconds"])]
    prompt: bool,
    #[command(flatten)]
    search: search::Sought,
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
    match rewrite(args, output) {
        Err(Stop::Failed(failure)) if args.json => {
            let told = listed(&failure.diagnostics, output);
            output.json(&json!({"result": null, "finished": false, "diagnostics": told}))?;
            Err(Stop::Code(failure.exit_code()))
        }
        done => done,
    }
}

fn rewrite(args: &Args, output: &mut Output) -> Done {
    let term = match (&args.term, &args.file) {
        (Some(text), _) => Some(output.session.sources.add("<term>", text.clone())),
        (None, Some(file)) => Some(source(file).read(&mut output.session)?),
        (None, None) => None,
    };
    if args.prompt {
        let (system, strategy) = (args.system.as_deref(), args.strategy.as_deref());
        return prompt::run(&args.rules, term, system, strategy, &args.facts, output);
    }
    let rules = source(&args.rules).read(&mut output.session)?;
    let Some(term) = term else {
        return Err(Diagnostic::error("E0006", "there is no term to rewrite")
            .hint("give --term or --file")
            .into());
    };
    let beside = read_systems(source(&args.rules), rules, &mut output.session)?;
    let mut files = vec![rules];
    let mut strategy = args.strategy.as_deref();
    if let Some((text, name)) = strategy.and_then(strategy_text) {
        files.push(output.session.sources.add("<strategy>", text));
        strategy = Some(name);
    }
    let base = RuleBase::load_beside(&output.session.sources, &files, &beside)?;
    let stop = args.seconds.map(alarm);
    let options = Rewriting {
        system: args.system.as_deref(),
        strategy,
        steps: args.steps.unwrap_or(match args.trace {
            _ if args.search.is_asked() => SEARCHED_STEPS,
            true => TRACED_STEPS,
            false => DEFAULT_STEPS,
        }),
        trace: args.trace,
        stop: stop.as_deref(),
        ..Rewriting::default()
    };
    let system = args.system.as_deref();
    let mut known = args.facts.knowledge(&args.rules, &base, system, output)?;
    if args.search.is_asked() {
        let shows = search::Shows {
            ways: args.trace,
            json: args.json,
        };
        return search::run(&args.search, &base, term, &options, known, shows, output);
    }
    let start = Instant::now();
    let sources = &output.session.sources;
    let done = run_rewrite_with(&base, sources, term, &options, &mut known);
    let time = start.elapsed();
    if !args.json {
        for line in &known.printed {
            output.print(&format!("{line}\n"))?;
        }
    }
    let done = done?;
    args.facts.keep(&known)?;
    match args.json {
        true => output.json(&as_object(&done, &known.printed, args, output))?,
        false => {
            for step in &done.steps {
                output.print(&step.text())?;
            }
            output.print(&done.text())?;
            output.tell_all(&done.diagnostics);
        }
    }
    if args.stats {
        output.say(&done.statistics(time));
    }
    match done.exit_code() {
        0 => Ok(()),
        code => Err(Stop::Code(code as u8)),
    }
}

/// What came of a run as an object of JSON.
fn as_object(done: &Rewritten, printed: &[String], args: &Args, output: &Output) -> Json {
    let told = listed(&done.diagnostics, output);
    let counts = done.counts.iter();
    let counts: serde_json::Map<String, Json> = counts
        .map(|(rule, count)| (rule.to_string(), json!(count)))
        .collect();
    let mut object = json!({
        "result": done.text().trim_end(),
        "rewrites": done.rewrites,
        "counts": counts,
        "finished": done.exit_code() == 0,
        "diagnostics": told,
    });
    if !printed.is_empty() {
        object["printed"] = json!(printed);
    }
    if args.trace {
        object["steps"] = json!(done.steps);
    }
    object
}

/// Diagnostics as objects of JSON.
pub fn listed(diagnostics: &[Diagnostic], output: &Output) -> Vec<Json> {
    let sources = &output.session.sources;
    diagnostics.iter().map(|d| as_json(d, sources)).collect()
}
