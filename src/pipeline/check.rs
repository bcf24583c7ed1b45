//! `Scheme` → what the reference machine says of it, at its sizes or at small ones.

use super::claims::broken;
use super::inputs::{Inputs, cells, inputs};
use super::options::shown;
use super::parameters::{parameter_values, small_sizes, work};
use super::sizes::{Holder, check_sizes, machine_memory};
use super::{Failure, Options, Values};
use crate::algebra::Construct;
use crate::check::{Expand, Scheme, with_meanings};
use crate::diagnostic::Diagnostic;
use crate::emit::support::{Runner, Support, support};
use crate::machine::{Kind, Limits, Machine, MachineError, Value, compile, fold};
use crate::term::{Sources, Symbol};
use serde_json::{Value as Json, json};
use std::sync::atomic::AtomicBool;

/// Accesses that a check may make at the default sizes.
const ACCESSES: u64 = 10_000_000;

/// Bytes that the reference machine may take: for arrays that are sized before, for those that it makes
/// on the way, and for what it knows of accesses.
const MOST_BYTES: u64 = 3 << 30;

/// So many names of what is not defined are told.
const MOST_NAMES: usize = 12;

/// What the machine said.
pub struct Tried {
    /// The first error.
    pub error: Option<MachineError>,
    /// What it ran with, and why not at the default sizes; none where it ran at these.
    pub note: Option<String>,
}

impl Tried {
    /// The object that `check --json` has of it.
    pub fn json(&self, sources: &Sources) -> Json {
        let Tried { error, note } = self;
        let error = error.as_ref().map(|e| {
            let accesses: Vec<Json> = e
                .accesses
                .iter()
                .map(|a| {
                    json!({
                        "cell": a.cell,
                        "thread": a.thread,
                        "file": a.span.and_then(|s| sources.get(s.file)).map(|s| s.name.clone()),
                        "span": a.span.map(|s| [s.from, s.to]),
                    })
                })
                .collect();
            json!({"kind": e.kind, "message": e.message, "accesses": accesses, "missing": e.missing})
        });
        json!({"ok": error.is_none(), "error": error, "note": note})
    }
}

/// Runs a scheme on the reference machine with the parameters of the options, and holds its claims
/// against the run. None where something that the scheme needs is not defined.
///
/// # Errors
///
/// Parameters or sizes that cannot be used and, as an answer, a claim that does not hold.
pub fn check(scheme: &Scheme, options: &Options) -> Result<Option<Tried>, Failure> {
    let given = options.parameters(scheme)?;
    let stop = options.stop.as_deref();
    let tried = execute(scheme, &given, stop)?;
    if let Some(Tried { error: None, .. }) = tried
        && let Some(broken) = broken(scheme, &given, stop)?
    {
        return Err(Failure::no(vec![broken]));
    }
    Ok(tried)
}

/// What the reference machine may take where nobody wants to wait for it.
pub(super) fn limits() -> Limits {
    Limits {
        accesses: ACCESSES,
        steps: 100 * ACCESSES,
        bytes: MOST_BYTES.min(machine_memory()),
    }
}

/// Runs a scheme on the reference machine: at the default sizes, else at those of CHECK, else small.
pub(super) fn execute(
    scheme: &Scheme,
    given: &[(Symbol, Value)],
    stop: Option<&AtomicBool>,
) -> Result<Option<Tried>, Failure> {
    if !scheme.basics.is_empty() && scheme.is_meant() {
        return execute(&with_meanings(scheme, Expand::All)?, given, stop);
    }
    let Some(code) = compile(scheme) else {
        return Ok(None);
    };
    let limits = limits();
    let seeded = Inputs {
        seeded: true,
        ..Inputs::default()
    };
    let attempt = |parameters: &[(Symbol, Value)]| -> Result<Option<MachineError>, Failure> {
        let mut machine = Machine::new(scheme, &code, limits);
        machine.stop_at(stop);
        if let Err(error) = machine.start(parameters) {
            return Ok(Some(error));
        }
        let values = parameter_values(scheme, parameters);
        for (name, array) in inputs(scheme, &values, &seeded)? {
            machine.set(name, &cells(&array));
        }
        let ran = machine.run();
        Ok(ran.err().or_else(|| machine.unwritten_result()))
    };
    // Work that is known to be far beyond the bound is not begun.
    let values = parameter_values(scheme, given);
    let too_much = work(scheme, &values).is_some_and(|(_, w)| w > ACCESSES as f64);
    // Sizes without a value or below zero are wrong however small the others are made.
    check_sizes(scheme, &values, Holder::Nobody)?;
    let fits = check_sizes(scheme, &values, Holder::Check);
    if !too_much && fits.is_ok() {
        let first = attempt(given)?;
        let bounded = |e: &MachineError| matches!(e.kind, Kind::Steps | Kind::Memory);
        if !first.as_ref().is_some_and(bounded) {
            return Ok(Some(Tried {
                error: first,
                note: None,
            }));
        }
    }
    let mut sizes: Values = match scheme.checks.is_empty() {
        true => small_sizes(scheme),
        false => {
            let checks = scheme.checks.iter();
            let value = |&(name, e)| Some((name, fold(scheme, e, &values)?));
            checks.filter_map(value).collect()
        }
    };
    sizes.retain(|(name, _)| !given.iter().any(|(n, _)| n == name));
    let mut small = given.to_vec();
    small.extend(&sizes);
    sizes.retain(|(_, value)| matches!(value, Value::Int(_)));
    check_sizes(scheme, &parameter_values(scheme, &small), Holder::Check)?;
    let with = shown(&sizes);
    Ok(Some(Tried {
        error: attempt(&small)?,
        note: Some(format!("with {with}, as the default sizes take too long")),
    }))
}

/// The failure of a scheme that cannot run: everything that nothing defines.
pub(super) fn undefined(scheme: &Scheme) -> Failure {
    let mut error = lacking(scheme);
    error.message.insert_str(0, "this scheme cannot run: ");
    error.into()
}

/// The same as a note, for a check that went well otherwise.
pub fn undefined_note(scheme: &Scheme) -> Diagnostic {
    let Diagnostic {
        message,
        span,
        hint,
        ..
    } = lacking(scheme);
    let message = format!("this scheme was not run: {message}");
    Diagnostic {
        span,
        hint,
        ..Diagnostic::note("N0414", message)
    }
}

/// What a scheme lacks, as an error: where it shows first, and what to do.
fn lacking(scheme: &Scheme) -> Diagnostic {
    let prediction = scheme.undefined.iter().find(|u| u.prediction);
    if let (Some(prediction), Support::No(absence)) =
        (prediction, support(Construct::After, Runner::Interpreter))
    {
        let what = format!("it holds a prediction (AFTER), and {}", absence.reason);
        return Diagnostic::error(absence.code, what)
            .at(prediction.span)
            .hint(absence.hint);
    }
    let mut names: Vec<&str> = scheme.undefined.iter().map(|u| u.text.as_str()).collect();
    if let Some(basic) = scheme.basics.values().find(|b| !b.has_meaning)
        && names.is_empty()
        && scheme.has_data
    {
        let message = format!(
            "\"{}\" is declared by what it reads and writes, and has no meaning",
            basic.title()
        );
        return Diagnostic::error("E0414", message)
            .at(basic.span)
            .hint("say what it does after MEANS, in the algebra");
    }
    if names.len() > MOST_NAMES {
        names.truncate(MOST_NAMES);
        names.push("…");
    }
    let names = names.join(", ");
    let first = scheme.undefined.first().and_then(|u| u.span);
    if scheme.has_data {
        return Diagnostic::error("E0414", format!("nothing defines {names}"))
            .at(first)
            .hint("define phrases and predicates after WHERE");
    }
    let and = match names.is_empty() {
        true => String::new(),
        false => format!(", and nothing defines {names}"),
    };
    let title = scheme.terms.span(scheme.terms.arg(scheme.root, 0));
    Diagnostic::error("E0414", format!("it has no DATA{and}"))
        .at(first.or(title))
        .hint("declare its data after ====: DATA N : INTEGER := 100 … END OF DATA")
}
