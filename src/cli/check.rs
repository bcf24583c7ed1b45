//! `glushkov check`.

use super::common::Common;
use super::load::load_checked;
use super::output::{Done, Output, Stop};
use super::sizes::{Holder, check_sizes, machine_memory};
use crate::check::Scheme;
use crate::diagnostic::as_json;
use crate::machine::{Kind, Limits, Machine, MachineError, Value, compile, fold};
use crate::term::Symbol;
use serde_json::{Value as Json, json};

/// Accesses that a check may make at the default sizes.
const ACCESSES: u64 = 10_000_000;

/// Bytes that the reference machine may take: for arrays that are sized before, for those that it makes
/// on the way, and for what it knows of accesses.
const MOST_BYTES: u64 = 3 << 30;

/// Arguments of `check`.
#[derive(clap::Args)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print what is known of each loop: dependences, reductions, private scalars
    #[arg(long, conflicts_with = "json")]
    facts: bool,
    #[command(flatten)]
    common: Common,
}

/// What the machine said: an error, or what it ran with and why not at the default sizes.
pub type Ran = (Option<MachineError>, Option<String>);

pub fn run(args: &Args, output: &mut Output) -> Done {
    match check(args, output) {
        Err(Stop::Told(diagnostics, code)) if args.json => {
            let all: Vec<Json> = diagnostics
                .iter()
                .map(|d| as_json(d, &output.sources))
                .collect();
            output.json(&json!({"diagnostics": all, "machine": null}))?;
            Err(Stop::Code(code))
        }
        done => done,
    }
}

fn check(args: &Args, output: &mut Output) -> Done {
    let scheme = load_checked(&args.file, &args.common, output)?;
    if args.facts {
        let text = super::facts::facts(&scheme, &output.sources);
        return output.print(&text);
    }
    let given = args.common.parameters(&scheme)?;
    let ran = execute(&scheme, &given)?;
    let error = ran.as_ref().and_then(|r| r.0.as_ref());
    if let (Some((None, _)), Some(broken)) = (&ran, super::claims::broken(&scheme, &given)?) {
        return Err(Stop::Told(vec![broken], 1));
    }
    if args.json {
        let not_run = ran
            .is_none()
            .then(|| super::inputs::undefined_note(&scheme));
        let diagnostics: Vec<Json> = scheme
            .notes
            .iter()
            .chain(&not_run)
            .map(|d| as_json(d, &output.sources))
            .collect();
        let machine = ran.as_ref().map(|r| machine_json(r, output));
        output.json(&json!({"diagnostics": diagnostics, "machine": machine}))?;
    } else {
        output.tell_all(&scheme.notes);
        match (&ran, error) {
            (_, Some(error)) => output.tell(&error.diagnostic()),
            (None, _) => {
                output.tell(&super::inputs::undefined_note(&scheme));
                output.say("checked; not run");
            }
            (Some((_, note)), None) => {
                let note = note.as_ref().map(|n| format!(" ({n})")).unwrap_or_default();
                output.say(&format!(
                    "checked and run on the reference machine{note}: no error"
                ));
            }
        }
    }
    match error.map(|e| e.kind) {
        None => Ok(()),
        // Sizes that cannot be used are no answer about the scheme.
        Some(Kind::Data | Kind::Memory) => Err(Stop::Code(2)),
        Some(_) => Err(Stop::Code(1)),
    }
}

fn machine_json(ran: &Ran, output: &Output) -> Json {
    let (error, note) = ran;
    let error = error.as_ref().map(|e| {
        let accesses: Vec<Json> = e
            .accesses
            .iter()
            .map(|a| {
                json!({
                    "cell": a.cell,
                    "thread": a.thread,
                    "file": a.span.and_then(|s| output.sources.get(s.file)).map(|s| s.name.clone()),
                    "span": a.span.map(|s| [s.from, s.to]),
                })
            })
            .collect();
        json!({"kind": e.kind, "message": e.message, "accesses": accesses, "missing": e.missing})
    });
    json!({"ok": error.is_none(), "error": error, "note": note})
}

/// Runs a scheme on the reference machine: at the default sizes, else at those of CHECK, else small.
pub fn execute(scheme: &Scheme, given: &[(Symbol, Value)]) -> Result<Option<Ran>, Stop> {
    let Some(code) = compile(scheme) else {
        return Ok(None);
    };
    let attempt = |parameters: &[(Symbol, Value)]| -> Result<Option<MachineError>, Stop> {
        let mut machine = Machine::new(
            scheme,
            &code,
            Limits {
                accesses: ACCESSES,
                steps: 100 * ACCESSES,
                bytes: MOST_BYTES.min(machine_memory()),
            },
        );
        if let Err(error) = machine.start(parameters) {
            return Ok(Some(error));
        }
        super::inputs::fill(scheme, &mut machine, parameters)?;
        let ran = machine.run();
        Ok(ran.err().or_else(|| machine.unwritten_result()))
    };
    // Work that is known to be far beyond the bound is not begun.
    let values = super::inputs::parameter_values(scheme, given);
    let too_much = super::inputs::work(scheme, &values).is_some_and(|(_, w)| w > ACCESSES as f64);
    // Sizes without a value or below zero are wrong however small the others are made.
    check_sizes(scheme, &values, Holder::Nobody)?;
    let fits = check_sizes(scheme, &values, Holder::Check);
    if !too_much && fits.is_ok() {
        let first = attempt(given)?;
        let bounded = |e: &MachineError| matches!(e.kind, Kind::Steps | Kind::Memory);
        if !first.as_ref().is_some_and(bounded) {
            return Ok(Some((first, None)));
        }
    }
    let mut small: Vec<(Symbol, Value)> = given.to_vec();
    let mut shown = Vec::new();
    let sizes = if scheme.checks.is_empty() {
        super::inputs::small_sizes(scheme)
    } else {
        scheme
            .checks
            .iter()
            .filter_map(|&(name, e)| Some((name, fold(scheme, e, &values)?)))
            .collect()
    };
    for (name, value) in sizes {
        if !given.iter().any(|(n, _)| *n == name) {
            small.push((name, value));
            if let Value::Int(i) = value {
                shown.push(format!("{name} = {i}"));
            }
        }
    }
    let values = super::inputs::parameter_values(scheme, &small);
    check_sizes(scheme, &values, Holder::Check)?;
    let note = format!(
        "with {}, as the default sizes take too long",
        shown.join(", ")
    );
    Ok(Some((attempt(&small)?, Some(note))))
}
