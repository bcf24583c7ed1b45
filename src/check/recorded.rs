//! What may be RECORDED: launches that are the same whenever they are met, and a WHILE loop of such
//! whose condition the device can evaluate.

use crate::algebra::{
    Construct, Operator, arrays_read, bound, is_loop, launched_operator, operator, written,
};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// The diagnostics of what is RECORDED in a body with unique names and must not be.
pub(super) fn refused(terms: &Terms, body: Id) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    // What is left to look at, each with the outermost loop around it.
    let mut work = vec![(body, None)];
    while let Some((id, around)) = work.pop() {
        if let Some(Operator::Recorded(recorded)) = operator(terms, id) {
            // What is still open may become launches.
            let is_open = |id: Id| terms.as_atom(id).is_some_and(super::is_open);
            if terms.subterms(recorded).any(is_open) {
                continue;
            }
            if let Some((at, why)) = unrecordable(terms, around, recorded) {
                let hint = "record launches only, for which nothing changes from time to time";
                let diagnostic = Diagnostic::error("E0217", why).at(terms.span(at));
                found.push(diagnostic.hint(hint));
            }
            continue;
        }
        let inside = around.or_else(|| is_loop(terms, id).then_some(id));
        work.extend(terms.args(id).iter().rev().map(|&a| (a, inside)));
    }
    found
}

/// The outermost loop among operators that stand inside each other: an operator in it is met again
/// and again there, and nowhere else.
pub fn outermost_loop(terms: &Terms, spine: &[Id]) -> Option<Id> {
    spine.iter().copied().find(|&id| is_loop(terms, id))
}

/// What keeps an operator from being recorded, which is met in the loop `around` or only once; and
/// why.
pub fn unrecordable(terms: &Terms, around: Option<Id>, body: Id) -> Option<(Id, String)> {
    let launches = match operator(terms, body) {
        Some(Operator::While { condition, .. }) => {
            let (launches, copies) = round(terms, body);
            let asks = |&id: &Id| terms.functor(id) == Some(Construct::Multiprocessors.symbol());
            if let Some(id) = terms.subterms(condition).find(asks) {
                let why = "the device evaluates the condition of a recorded loop, and only the host knows `multiprocessors`";
                return Some((id, why.to_owned()));
            }
            if let Some(id) = uncopied(terms, condition, copies) {
                let why = "the host's copy of this cell may be out of date: \
                           a recorded loop ends with copies of what its condition reads";
                return Some((id, why.to_owned()));
            }
            launches
        }
        _ => std::slice::from_ref(&body),
    };
    if let Some(id) = launches.iter().find_map(|&l| other_than_launches(terms, l)) {
        let what = terms.functor(id).map_or("this", Symbol::as_str);
        let why = format!(
            "{what} cannot be recorded: launches can, in sequences, choices and FOR loops, or in one WHILE"
        );
        return Some((id, why));
    }
    if let Some(id) = launches.iter().find_map(|&l| cell_on_host(terms, l)) {
        let why = "a cell of an array that the host reads may change until it is replayed";
        return Some((id, why.to_owned()));
    }
    let around = around?;
    let own = declared(terms, body, None);
    let outside = declared(terms, around, Some(body));
    let mut changed = FxHashSet::default();
    let mut moved = FxHashSet::default();
    for id in terms.subterms(around) {
        changed.extend(written(terms, id).filter_map(|target| scalar(terms, target)));
        if let Some(Operator::Allocate(name) | Operator::Free(name)) = operator(terms, id) {
            moved.insert(name);
        }
    }
    terms.subterms(body).find_map(|id| {
        let name = terms.as_atom(id).filter(|name| !own.contains(name))?;
        let shown = super::author_name(name);
        let why = if outside.contains(&name) {
            format!(
                "{shown} is a new variable in each iteration: it is declared in the enclosing loop"
            )
        } else if changed.contains(&name) {
            format!("{shown} is captured, and changes in the enclosing loop")
        } else if moved.contains(&name) {
            format!("{shown} is allocated again in the enclosing loop")
        } else {
            return None;
        };
        Some((id, why))
    })
}

/// What a WHILE does in a round, and the copies from the device that the round ends with.
fn round(terms: &Terms, repeated: Id) -> (&[Id], &[Id]) {
    // The body is the loop's second argument.
    let body = &terms.args(repeated)[1..2];
    let parts = match operator(terms, body[0]) {
        Some(Operator::Then(parts)) => parts,
        _ => body,
    };
    let is_copy = |&id: &Id| matches!(operator(terms, id), Some(Operator::CopyFromDevice(_)));
    let copies = parts.iter().rev().take_while(|id| is_copy(id)).count();
    parts.split_at(parts.len() - copies)
}

/// A cell in a condition of an array that is not among those copied.
fn uncopied(terms: &Terms, condition: Id, copies: &[Id]) -> Option<Id> {
    let copied: Vec<Symbol> = copies
        .iter()
        .filter_map(|&id| match operator(terms, id) {
            Some(Operator::CopyFromDevice(name)) => Some(name),
            _ => None,
        })
        .collect();
    let mut read = arrays_read(terms, condition);
    read.find(|(_, array)| !copied.contains(array))
        .map(|(place, _)| place)
}

/// The first part of an operator that is not a launch, sequence, choice or FOR loop.
fn other_than_launches(terms: &Terms, id: Id) -> Option<Id> {
    match operator(terms, id) {
        Some(Operator::Then(parts)) => parts.iter().find_map(|&p| other_than_launches(terms, p)),
        Some(Operator::For { body, .. }) => other_than_launches(terms, body),
        Some(Operator::If { yes, no, .. }) => {
            other_than_launches(terms, yes).or_else(|| other_than_launches(terms, no))
        }
        // Code of the host may launch it, which would run once, while it is recorded.
        Some(Operator::Launch { .. }) => launched_operator(terms, id),
        Some(Operator::Empty) => None,
        _ => Some(id),
    }
}

/// A cell of an array among the grids of launches, the conditions of choices and the bounds of loops.
fn cell_on_host(terms: &Terms, body: Id) -> Option<Id> {
    let cell = |e: Id| arrays_read(terms, e).next().map(|(place, _)| place);
    match operator(terms, body)? {
        Operator::Then(parts) => parts.iter().find_map(|&p| cell_on_host(terms, p)),
        Operator::For {
            from,
            to,
            step,
            body,
            ..
        } => {
            let mut bounds = [Some(from), Some(to), step].into_iter().flatten();
            bounds.find_map(cell).or_else(|| cell_on_host(terms, body))
        }
        Operator::If { condition, yes, no } => cell(condition)
            .or_else(|| cell_on_host(terms, yes))
            .or_else(|| cell_on_host(terms, no)),
        Operator::Launch {
            blocks, threads, ..
        } => [blocks, threads].into_iter().find_map(cell),
        _ => None,
    }
}

/// The names that are declared in an operator, leaving out a part of it.
fn declared(terms: &Terms, id: Id, but: Option<Id>) -> FxHashSet<Symbol> {
    let mut names = FxHashSet::default();
    let mut work = vec![id];
    while let Some(id) = work.pop() {
        if Some(id) == but {
            continue;
        }
        names.extend(bound(terms, id));
        work.extend_from_slice(terms.args(id));
    }
    names
}

/// The scalar that an assignment reaches.
fn scalar(terms: &Terms, target: Id) -> Option<Symbol> {
    match terms.functor(target).and_then(Construct::of) {
        Some(Construct::Field) if terms.arity(target) > 0 => scalar(terms, terms.arg(target, 0)),
        Some(Construct::Index) if terms.arity(target) > 0 => None,
        _ => terms.as_atom(target),
    }
}
