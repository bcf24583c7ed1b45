//! Schemes that cannot be emitted, and why.

use super::Target;
use super::support::{Absence, Support, support};
use crate::algebra::{Construct, Operator, Sort, bound, operator, root_name, text_of, written};
use crate::check::{Role, Scheme, author_name};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Span, Symbol};
use rustc_hash::FxHashSet;

/// What stands against emitting a scheme; nothing if it can be emitted.
pub fn refuse(scheme: &Scheme, target: Target) -> Vec<Diagnostic> {
    if let Some(too_deep) = too_deep(scheme) {
        return vec![too_deep];
    }
    let mut found: Vec<Diagnostic> = missing(scheme).into_iter().collect();
    absent(scheme, target, &mut found);
    if found.iter().any(|d| d.code == "E0501") {
        return found;
    }
    shared_sizes(scheme, &mut found);
    if target == Target::Rust {
        registers_and_barriers(scheme, &mut found);
    }
    match target {
        Target::Rust | Target::Cpp | Target::RustCuda => waits_in_loops(scheme, &mut found),
        // There are no control points to wait for.
        Target::Cuda => {}
    }
    found
}

/// Loops, conditions and the like inside one another in a program. Compilers need not take more
/// (C++17, annex B: 256 nesting levels of compound statements), and take minutes for fewer.
const MOST_LEVELS: usize = 256;

/// An operator that stands too deep for compilers. An `ELSE` that goes on with `IF` is not a level.
fn too_deep(scheme: &Scheme) -> Option<Diagnostic> {
    let terms = &scheme.terms;
    let of = |id| terms.functor(id).and_then(Construct::of);
    let mut work = vec![(scheme.body, 0)];
    while let Some((id, levels)) = work.pop() {
        let Some(construct) = of(id) else { continue };
        if levels > MOST_LEVELS {
            let message = format!("operators are nested more than {MOST_LEVELS} deep");
            let diagnostic = Diagnostic::error("E0510", message)
                .at(terms.span(id))
                .label("here it is too deep")
                .hint("compilers need not take such programs; put inner parts in sequence");
            return Some(diagnostic);
        }
        for (i, &inner) in terms.args(id).iter().enumerate() {
            if construct.info().argument(i) != Some(Sort::Operator) {
                continue;
            }
            let goes_on = match construct {
                Construct::Then => true,
                Construct::If => i == 2 && of(inner) == Some(Construct::If),
                _ => false,
            };
            work.push((inner, levels + usize::from(!goes_on)));
        }
    }
    None
}

/// As many places of a construct are shown.
const MOST_PLACES: usize = 4;

/// What the table of targets says is not there: of each construct once, with all its places.
fn absent(scheme: &Scheme, target: Target, found: &mut Vec<Diagnostic>) {
    let terms = &scheme.terms;
    let mut all: Vec<(Construct, Absence, Vec<Option<Span>>)> = Vec::new();
    for id in terms.subterms(scheme.body) {
        let Some(construct) = terms.functor(id).and_then(Construct::of) else {
            continue;
        };
        if !construct.info().takes(terms.arity(id)) {
            continue;
        }
        let Support::No(absence) = support(construct, target.into()) else {
            continue;
        };
        let span = terms.span(id);
        match all.iter_mut().find(|(other, ..)| *other == construct) {
            Some((_, _, places)) if places.contains(&span) => {}
            Some((_, _, places)) => places.push(span),
            None => all.push((construct, absence, vec![span])),
        }
    }
    found.extend(all.into_iter().map(|(construct, absence, places)| {
        let (target, text) = (target.name(), text_of(construct));
        let message = format!("target {target} has no `{text}`: {}", absence.reason);
        let more = places.len().saturating_sub(MOST_PLACES);
        let mut places = places.into_iter().take(MOST_PLACES);
        let first = Diagnostic::error(absence.code, message).at(places.next().flatten());
        let whole = places.fold(first, |whole, place| whole.also(place, "here, too"));
        match more {
            0 => whole.hint(absence.hint),
            _ => whole.hint(format!("{} (needed in {more} more places)", absence.hint)),
        }
    }));
}

/// Everything that a scheme lacks before it can run.
fn missing(scheme: &Scheme) -> Option<Diagnostic> {
    let mut all: Vec<String> = Vec::new();
    if !scheme.has_data {
        all.push("its DATA".into());
    }
    // Predictions are refused by the table of targets.
    let undefined = || scheme.undefined.iter().filter(|u| !u.prediction);
    all.extend(undefined().map(|u| u.text.clone()));
    if all.is_empty() {
        return None;
    }
    let mut diagnostic = Diagnostic::error(
        "E0501",
        format!("this scheme cannot be emitted: it lacks {}", all.join(", ")),
    );
    let mut spans = undefined().filter_map(|u| u.span.map(|s| (s, u)));
    if let Some((span, first)) = spans.next() {
        diagnostic = diagnostic
            .at(span)
            .label(format!("{}: not defined", first.text));
    }
    for (span, other) in spans {
        diagnostic = diagnostic.also(span, format!("{}: not defined", other.text));
    }
    let hint = match scheme.has_data {
        true => "define phrases and predicates after WHERE",
        false => "declare variables in DATA … END OF DATA, and define phrases after WHERE",
    };
    Some(diagnostic.hint(hint))
}

/// Shared arrays are made before any thread runs, so their sizes cannot depend on a thread.
fn shared_sizes(scheme: &Scheme, found: &mut Vec<Diagnostic>) {
    let terms = &scheme.terms;
    for launch in terms.subterms(scheme.body) {
        let Some(Operator::Launch { body, .. }) = operator(terms, launch) else {
            continue;
        };
        let inside = declared_in(scheme, body);
        for id in terms.subterms(body) {
            let Some(Operator::Shared { name, size, .. }) = operator(terms, id) else {
                continue;
            };
            let varies = terms.subterms(size).find(|&t| {
                let varying = matches!(
                    terms.functor(t).and_then(Construct::of),
                    Some(
                        Construct::Index
                            | Construct::Holds
                            | Construct::ThreadIndex
                            | Construct::BlockIndex
                    )
                );
                varying || terms.as_atom(t).is_some_and(|n| inside.contains(&n))
            });
            if let Some(varies) = varies {
                let name = author_name(name);
                found.push(
                    Diagnostic::error(
                        "E0502",
                        format!("the size of the shared array `{name}` is not known at the launch"),
                    )
                    .at(terms.span(id))
                    .also(terms.span(varies), "this has a value only in the kernel")
                    .hint("use parameters, scalars of the host, `threads` and `blocks`"),
                );
            }
        }
    }
}

/// A kernel that is split at its barriers keeps single values for each thread, no arrays.
fn registers_and_barriers(scheme: &Scheme, found: &mut Vec<Diagnostic>) {
    let terms = &scheme.terms;
    for launch in terms.subterms(scheme.body) {
        let Some(Operator::Launch { body, .. }) = operator(terms, launch) else {
            continue;
        };
        let first = |is: fn(&Operator<'_>) -> bool| {
            let mut all = terms.subterms(body);
            all.find(|&id| operator(terms, id).is_some_and(|o| is(&o)))
        };
        let registers = first(|o| matches!(o, Operator::Registers { .. } | Operator::Array { .. }));
        let barrier = first(|o| matches!(o, Operator::Barrier));
        if let (Some(registers), Some(barrier)) = (registers, barrier) {
            found.push(
                Diagnostic::error(
                    "E0508",
                    "target rust has no arrays of threads in a kernel with barriers",
                )
                .at(terms.span(registers))
                .also(terms.span(barrier), "the kernel is split here")
                .hint("targets cuda and rust-cuda and the reference machine have them"),
            );
        }
    }
}

/// Variables that operators declare, or that a kernel assigns.
fn declared_in(scheme: &Scheme, body: Id) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let mut names = FxHashSet::default();
    for id in terms.subterms(body) {
        names.extend(bound(terms, id));
        names.extend(written(terms, id).filter_map(|target| root_name(terms, target)));
    }
    names.retain(|name| {
        let role = scheme.variable(*name).map(|v| &v.role);
        !matches!(role, Some(Role::Parameter { .. }))
    });
    names
}

fn control_points(scheme: &Scheme) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let point = |id| match operator(terms, id) {
        Some(Operator::ControlPoint(point)) => Some(point),
        _ => None,
    };
    terms.subterms(scheme.body).filter_map(point).collect()
}

/// An iteration that waits for another one would wait for ever where the other comes after it on
/// the same core.
fn waits_in_loops(scheme: &Scheme, found: &mut Vec<Diagnostic>) {
    let terms = &scheme.terms;
    let points = control_points(scheme);
    for id in terms.subterms(scheme.body) {
        let Some(Operator::Parallel { body, .. }) = operator(terms, id) else {
            continue;
        };
        for inner in terms.subterms(body) {
            let what = match operator(terms, inner) {
                Some(Operator::Wait(point)) if points.contains(&point) => "WAIT",
                Some(Operator::Async(_)) if !points.is_empty() => "PARALLEL ( A // B )",
                _ => continue,
            };
            found.push(
                Diagnostic::error(
                    "E0503",
                    format!("{what} inside a PARALLEL loop is not emitted: iterations share cores, and one that waits keeps others from running"),
                )
                .at(terms.span(inner))
                .hint("give each branch that waits a place of its own: PARALLEL ( A // B )"),
            );
        }
    }
}
