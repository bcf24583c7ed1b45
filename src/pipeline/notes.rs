//! A derivation → notes on what it left undone and why: a line for each loop that stays sequential, and
//! one note for a rule and a place.

use super::Change;
use super::in_order::{InOrder, in_order};
use crate::algebra::{Operator, operator, operators};
use crate::analysis::{Gather, ROUNDED, UNKNOWN_CONDITION, reductions};
use crate::check::Scheme;
use crate::derive::Derived;
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Derivation, NearMiss, Place, Status, Step};
use crate::term::Sources;

/// What is asked of the iterations of a loop. Rules that are tried one after the other at a loop are
/// stopped by one of these, and the last of them says it best.
const OF_ITERATIONS: [&str; 8] = [
    "independent",
    "independent_but",
    "independent_steps",
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

/// The rules that run the iterations of a loop at once, as threads of a processor or of a device, or without which no
/// other can; a loop that they leave stays sequential. What others leave may run at once all the same.
const AT_ONCE: [&str; 14] = [
    "parallel_loop",
    "count_steps",
    "any_steps_counted",
    "bounds_tested",
    "kernel",
    "kernel_of_parallel",
    "gathered_apart",
    "found_apart",
    "sums_apart",
    "scan_in_parts",
    "totals_apart",
    "real_totals_apart",
    "counted_atomically",
    "many_scattered",
];

/// The rules that run the iterations of a loop at once with all that is inside it.
const WITH_ALL_INSIDE: [&str; 15] = [
    "parallel_loop",
    "kernel",
    "kernel_plane",
    "kernel_space",
    "kernel_of_parallel",
    "block_for_each",
    "block_for_ring",
    "warp_for_each",
    "warp_sums",
    "gathered_by_warps",
    "tiled_plane",
    "tiled_row",
    "split_sums",
    "pairs_by_groups",
    "rectangle_by_groups",
];

/// The strategies that keep the order of sums, each with one that does not, by their names at the command line.
const FASTER: [(&str, &str); 2] = [("cpu", "cpu-fast"), ("gpu", "gpu-fast")];

/// What a derivation left undone.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// A line for each loop that stays sequential, with what would change that.
    pub loops: Vec<Diagnostic>,
    /// What stopped the rules, one for a rule and a place.
    pub rules: Vec<Diagnostic>,
    /// Settings of the user that change nothing.
    pub idle: Vec<Diagnostic>,
}

impl Notes {
    /// The notes on a derivation; `sources` are the texts that its places are in.
    pub(super) fn of(derived: &Derived, idle: Vec<Diagnostic>, sources: &Sources) -> Notes {
        Notes {
            loops: sequential_loops(derived, sources),
            rules: near_misses(&derived.derivation),
            idle,
        }
    }

    /// All notes but those on loops, which say less of the same.
    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.rules.iter().chain(&self.idle)
    }
}

/// The strategy that is usually faster than this one for what was derived, as it adds in another order what
/// this one kept in order: a loop that stays sequential for that, or one of sums within what runs at once.
pub(super) fn faster(strategy: &str, derived: &Derived) -> Option<&'static str> {
    let (_, faster) = FASTER.iter().find(|(name, _)| *name == strategy)?;
    let stays = || {
        news(&derived.derivation, would_run_at_once)
            .into_iter()
            .any(is_rounded)
    };
    (stays() || has_real_sums(&derived.scheme)).then_some(*faster)
}

/// Whether a loop adds up REALs, or vectors of them.
fn has_real_sums(scheme: &Scheme) -> bool {
    let of_loop = |id| match operator(&scheme.terms, id) {
        Some(Operator::For { body, .. }) => Some(body),
        _ => None,
    };
    let mut bodies = operators(&scheme.terms, scheme.body).filter_map(of_loop);
    bodies.any(|body| {
        let mut sums = reductions(scheme, body).into_iter();
        sums.any(|(name, gather)| {
            let variable = scheme.variable(name);
            gather == Gather::Sum && variable.is_some_and(|v| v.ty.component().is_real())
        })
    })
}

/// Whether a loop stays sequential only since its sums would be rounded otherwise in another order.
fn is_rounded(miss: &NearMiss) -> bool {
    would_run_at_once(miss) && miss.stopped_by.sentence == ROUNDED
}

/// A loop that stays sequential.
pub(super) struct Stayed {
    /// Where it stands.
    pub(super) place: Place,
    /// Its variable, as its author calls it.
    pub(super) variable: &'static str,
    /// Why.
    pub(super) why: String,
    /// What would change that.
    pub(super) change: Option<Change>,
}

/// The loops that stay sequential. That a loop around loops that run at once does not do so itself is not news, nor is
/// that one inside a loop that runs at once does not, or a copy of that loop for bounds that are too large.
pub(super) fn stayed(derived: &Derived) -> Vec<Stayed> {
    let loops_in_order = in_order(&derived.scheme);
    let may_be_told = |miss: &NearMiss| {
        let told = |place| {
            let left = loops_in_order.get(&place);
            left.is_some_and(|left| !is_done_at_once(&derived.derivation, place, left))
        };
        would_run_at_once(miss) && miss.place.is_some_and(told)
    };
    let mut loops: Vec<(Place, &NearMiss)> = Vec::new();
    for miss in news(&derived.derivation, may_be_told) {
        let Some(place) = miss.place else { continue };
        match loops.iter_mut().find(|(other, _)| *other == place) {
            Some((_, said)) if rank(miss) < rank(said) => *said = miss,
            Some(_) => {}
            None => loops.push((place, miss)),
        }
    }
    let one = |(place, miss): (Place, &NearMiss)| {
        let variable = loops_in_order.get(&place)?.variable;
        let (why, change) = in_words(miss, variable);
        Some(Stayed {
            place,
            variable,
            why,
            change,
        })
    };
    loops.into_iter().filter_map(one).collect()
}

/// A line for each loop that stays sequential.
fn sequential_loops(derived: &Derived, sources: &Sources) -> Vec<Diagnostic> {
    let line = |left: Stayed| {
        let (line, _) = sources.line_column(left.place.file, left.place.from);
        let file = &sources.get(left.place.file)?.name;
        let change = left
            .change
            .map_or(String::new(), |change| format!("; {change}"));
        let (var, why) = (left.variable, left.why);
        Some(Diagnostic::note(
            "N0331",
            format!("the loop over {var} at {file}:{line} stays sequential: {why}{change}"),
        ))
    };
    stayed(derived).into_iter().filter_map(line).collect()
}

/// How useful a reason is, the best first: one that an option changes, one that a claim changes, others. That bounds may
/// be large is asked when the program runs, where nothing else is in the way. That a loop is no scan is the case for
/// most, and says nothing of the loop.
fn rank(miss: &NearMiss) -> u8 {
    match miss.stopped_by.answer.as_str() {
        _ if is_rounded(miss) => 0,
        _ if fact(miss) == "has_margin" => 3,
        _ if fact(miss) == "scans" => 4,
        "unknown" => 1,
        _ => 2,
    }
}

/// Why a loop stays sequential, and what would change it.
fn in_words(miss: &NearMiss, var: &'static str) -> (String, Option<Change>) {
    let said = &miss.stopped_by;
    if is_rounded(miss) {
        return (
            "its sums are kept in order, since another order rounds otherwise".to_owned(),
            Some(Change::Setting {
                name: "split_reductions",
                value: 1,
                allows: "allows another order",
            }),
        );
    }
    let change = match (fact(miss), said.answer.as_str()) {
        // Iterations share a scalar, whatever is claimed: only cells of an array may be each one's own. Where all that
        // is not known is a condition, they share a cell as soon as it holds.
        ("independent" | "independent_but", "unknown")
            if said.sentence.contains('[') && !said.sentence.ends_with(UNKNOWN_CONDITION) =>
        {
            Change::Claim(var)
        }
        ("device_ok" | "device_ok_but", "no") if said.sentence.contains(" scalar ") => {
            Change::Rewrite(
                "a LOCAL in the loop can hold it, if no iteration needs that of another",
            )
        }
        ("device_ok" | "device_ok_but", "no") if said.sentence.starts_with("the ARRAY ") => {
            Change::Rewrite(
                "an array before the loop, with a row for each iteration, can take its place",
            )
        }
        ("parallel_ok" | "device_ok" | "parallel_ok_but" | "device_ok_but", "no") => {
            Change::Rewrite("in a loop of its own, it would not hold up the rest")
        }
        ("bounds_invariant", _) => Change::Rewrite("a LOCAL before the loop can hold the bound"),
        _ => return (said.sentence.clone(), None),
    };
    (said.sentence.clone(), Some(change))
}

/// Near misses as notes.
pub fn near_misses(derivation: &Derivation) -> Vec<Diagnostic> {
    news(derivation, |_| true).into_iter().map(note).collect()
}

/// Whether it stopped a rule that would have run a loop at once. Rules that are tried afterwards, at what is left in order,
/// are stopped for reasons that say less.
fn would_run_at_once(miss: &NearMiss) -> bool {
    AT_ONCE.contains(&miss.rule.as_str())
}

/// The near misses of a kind that are news: those that an analysis stopped. It is not news that a rule does not look at
/// what stands in a kernel already or has nothing to copy, that a loop around loops that became
/// launches did not become one itself, or that a loop inside one that stayed did not.
fn news(derivation: &Derivation, of_kind: impl Fn(&NearMiss) -> bool) -> Vec<&NearMiss> {
    let misses = derivation.near_misses.iter();
    let told: Vec<&NearMiss> = misses
        .filter(|miss| of_kind(miss))
        .filter(|miss| miss.stopped_by.status != Status::Decided || setting(miss).is_some())
        .filter(|miss| !(is_of_iterations(miss) && holds_launches(derivation, miss)))
        .filter(|miss| !speaks_of_launches(miss))
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
    news.map(|(_, miss)| *miss).collect()
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

/// Whether what stopped a rule is, or is about, a launch that was made.
fn speaks_of_launches(miss: &NearMiss) -> bool {
    let asked = &miss.stopped_by;
    asked.question.contains(OF_LAUNCHES) || asked.sentence.starts_with(OF_LAUNCHES)
}

fn is_of_iterations(miss: &NearMiss) -> bool {
    OF_ITERATIONS.contains(&fact(miss))
}

/// The fact that was asked for.
fn fact(miss: &NearMiss) -> &str {
    let fact = miss.stopped_by.question.split('(').next();
    fact.unwrap_or_default().trim_start_matches('!')
}

/// Whether a part of what stands where a rule was stopped became a launch; all of it, where the rule is none
/// that makes launches.
fn holds_launches(derivation: &Derivation, miss: &NearMiss) -> bool {
    let whole = !would_run_at_once(miss);
    let mut steps = derivation.steps.iter();
    steps.any(|step| {
        let there = is_inside(step.place, miss.place) || whole && step.place == miss.place;
        there && launches(step)
    })
}

/// Whether a loop at a place runs at once, or one that it is left in as a copy. A loop that was made of several has the place
/// of all that stood between them, which others may be left in.
fn is_done_at_once(derivation: &Derivation, place: Place, left: &InOrder) -> bool {
    let mut steps = derivation.steps.iter();
    let is_done = |at: Place| at == place || left.around.contains(&at);
    steps.any(|step| {
        step.place.is_some_and(is_done) && WITH_ALL_INSIDE.contains(&step.rule.as_str())
    })
}

/// Whether a step made a launch.
fn launches(step: &Step) -> bool {
    let mut asked = step.evidence.iter();
    asked.any(|asked| asked.question == BEFORE_LAUNCHES)
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
