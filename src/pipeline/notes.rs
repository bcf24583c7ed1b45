//! A derivation → notes on what it left undone and why, one for a rule and a place.

use crate::diagnostic::Diagnostic;
use crate::rewrite::{Derivation, NearMiss, Place, Status};

/// What is asked of the iterations of a loop. Rules that are tried one after the other at a loop are
/// stopped by one of these, and the last of them says it best.
const OF_ITERATIONS: [&str; 7] = [
    "independent",
    "independent_but",
    "device_ok",
    "device_ok_but",
    "parallel_ok",
    "only_scalar_sums",
    "bounds_invariant",
];

/// The question of rules that make launches: no memory may be placed before them.
const BEFORE_LAUNCHES: &str = "memory_unplaced";

/// What questions about launches that were made already speak of.
const OF_LAUNCHES: &str = "CALL_GPU";

/// Near misses as notes: those that an analysis stopped. It is not news that a rule does not look at
/// what stands in a kernel already or has nothing to copy, that a loop around loops that became
/// launches did not become one itself, or that a loop inside one that stayed did not.
pub fn near_misses(derivation: &Derivation) -> Vec<Diagnostic> {
    let misses = &derivation.near_misses;
    let told: Vec<&NearMiss> = misses
        .iter()
        .filter(|miss| miss.stopped_by.status != Status::Decided || setting(miss).is_some())
        .filter(|miss| !(is_of_iterations(miss) && holds_launches(derivation, miss)))
        .filter(|miss| !miss.stopped_by.question.contains(OF_LAUNCHES))
        .collect();
    let news = told.iter().enumerate().filter(|&(number, miss)| {
        let (before, after) = (&told[..number], &told[number + 1..]);
        let same_place = |other: &&&NearMiss| other.place == miss.place;
        let again = before
            .iter()
            .filter(same_place)
            .any(|earlier| earlier.rule == miss.rule);
        let said_better = after.iter().filter(same_place).any(|later| {
            let iterations = is_of_iterations(miss) && is_of_iterations(later);
            later.rule != miss.rule
                && (iterations
                    || is_of_iterations(miss) && setting(later).is_some()
                    || later.stopped_by.sentence == miss.stopped_by.sentence)
        });
        let part = told.iter().any(|outer| {
            outer.rule == miss.rule
                && outer.stopped_by.question == miss.stopped_by.question
                && is_inside(miss.place, outer.place)
        });
        !again && !said_better && !part
    });
    news.map(|(_, miss)| note(miss)).collect()
}

fn note(miss: &NearMiss) -> Diagnostic {
    let mut note = Diagnostic::note("N0330", miss.reason())
        .at(miss.place.map(Into::into))
        .label("here");
    for (place, text) in &miss.stopped_by.places {
        note = note.also(place.map(Into::into), text.clone());
    }
    match setting(miss) {
        Some(setting) => note.hint(format!("to have it done: --with {setting}")),
        None => note,
    }
}

fn is_of_iterations(miss: &NearMiss) -> bool {
    let fact = miss.stopped_by.question.split('(').next();
    fact.is_some_and(|fact| OF_ITERATIONS.contains(&fact.trim_start_matches('!')))
}

/// Whether a part of what stands where a rule was stopped became a launch.
fn holds_launches(derivation: &Derivation, miss: &NearMiss) -> bool {
    derivation.steps.iter().any(|step| {
        let asked = |e: &crate::rewrite::Asked| e.question == BEFORE_LAUNCHES;
        is_inside(step.place, miss.place) && step.evidence.iter().any(asked)
    })
}

/// Whether a place is a part of another one.
fn is_inside(inner: Option<Place>, outer: Option<Place>) -> bool {
    matches!((inner, outer), (Some(i), Some(o))
        if i != o && i.file == o.file && o.from <= i.from && i.to <= o.to)
}

/// The setting under which a rule would have fired: what stopped it is the value of a parameter.
fn setting(miss: &NearMiss) -> Option<String> {
    let (name, value) = miss.stopped_by.question.split_once(" == ")?;
    let name = name.strip_prefix('$')?;
    value.parse::<i64>().ok()?;
    Some(format!("{name}={value}"))
}
