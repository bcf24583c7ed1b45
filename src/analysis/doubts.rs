//! `Scheme` → what is allowed in it, and most likely not meant.

use crate::algebra::{Atomic, Construct, Role, Type};
use crate::check::{Scheme, author_name};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// Notes on a scheme as its author wrote it: quotients of integers where REALs are wanted, arrays that
/// nothing reads.
pub fn doubts(scheme: &Scheme) -> Vec<Diagnostic> {
    let mut notes = whole_quotients(scheme);
    notes.extend(never_read(scheme));
    notes
}

/// Quotients of integers that become part of a REAL: they are rounded towards zero before they do.
fn whole_quotients(scheme: &Scheme) -> Vec<Diagnostic> {
    let terms = &scheme.terms;
    let is_real = |ty: Type| ty.is_real() || matches!(ty, Type::Vector(..));
    let mut notes = Vec::new();
    let mut told = FxHashSet::default();
    // Each with whether what it gives becomes a REAL by itself.
    let mut work = vec![(scheme.body, false)];
    while let Some((id, real)) = work.pop() {
        let construct = terms.functor(id).and_then(Construct::of);
        let arguments = terms.args(id);
        match (construct, arguments) {
            (Some(construct), &[target, value])
                if construct == Construct::Assign || Atomic::of(construct).is_some() =>
            {
                work.push((value, is_real(scheme.type_of(target))));
                work.push((target, false));
            }
            (Some(Construct::Local), &[name, _, value]) => {
                let variable = terms.as_atom(name).and_then(|name| scheme.variable(name));
                work.push((value, variable.is_some_and(|v| is_real(v.ty))));
            }
            (
                Some(
                    Construct::Plus
                    | Construct::Minus
                    | Construct::Times
                    | Construct::Div
                    | Construct::Negate,
                ),
                _,
            ) => {
                let own = scheme.type_of(id);
                let becomes_real = match own.is_integer() {
                    true => real,
                    false => is_real(own),
                };
                if construct == Some(Construct::Div)
                    && own.is_integer()
                    && real
                    && is_slip(scheme, arguments)
                    && told.insert(terms.span(id))
                {
                    notes.push(whole_quotient(scheme, id));
                }
                work.extend(arguments.iter().map(|&a| (a, becomes_real)));
            }
            _ => work.extend(arguments.iter().map(|&a| (a, false))),
        }
    }
    notes.sort_by_key(|note| note.span.map(|span| (span.file, span.from)));
    notes
}

/// Whether a quotient of integers leaves out what it was written for. One of something that counts, such
/// as `i / 2`, may be meant; one whose dividend is a number, such as `1 / N`, is not, unless it is exact.
fn is_slip(scheme: &Scheme, arguments: &[Id]) -> bool {
    let number = |&id: &Id| scheme.terms.as_int(id);
    match arguments {
        [dividend, divisor] => match (number(dividend), number(divisor)) {
            (Some(a), Some(b)) => b != 0 && a % b != 0,
            (Some(_), None) => true,
            _ => false,
        },
        _ => false,
    }
}

fn whole_quotient(scheme: &Scheme, id: Id) -> Diagnostic {
    let message =
        "the quotient of two integers is rounded towards zero, and becomes a REAL after that";
    Diagnostic::note("N0240", message)
        .at(scheme.terms.span(id))
        .label("a whole number")
        .hint("write one of both as a REAL: 1.0 / 2, real(1) / N")
}

/// Arrays of DATA that are assigned, or not even that, and neither read nor OUTPUT.
fn never_read(scheme: &Scheme) -> Vec<Diagnostic> {
    let read = names_read(scheme);
    let silent = |(name, v): &(Symbol, &crate::check::Variable)| {
        v.is_array() && !v.is_input() && !v.is_output() && !read.contains(name)
    };
    // What is not defined may read everything.
    let known = scheme.undefined.is_empty();
    let arrays = scheme.data().filter(|_| known).filter(silent);
    let note = |(name, variable): (Symbol, &crate::check::Variable)| {
        let what = match scheme.assigned.contains(&name) {
            true => "is assigned, and nothing reads it",
            false => "is not used",
        };
        Diagnostic::note("N0241", format!("the array `{}` {what}", author_name(name)))
            .at(variable.span)
            .hint("if it is a result, declare it as OUTPUT; otherwise leave it out")
    };
    arrays.map(note).collect()
}

/// The names that stand in a scheme but as what is assigned.
fn names_read(scheme: &Scheme) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let mut read = FxHashSet::default();
    let options = scheme.work.iter().map(|&(_, amount)| (amount, false));
    let mut work: Vec<(Id, bool)> = options.chain([(scheme.body, false)]).collect();
    while let Some((id, target)) = work.pop() {
        if let Some(name) = terms.as_atom(id) {
            if !target {
                read.insert(name);
            }
            continue;
        }
        let construct = terms.functor(id).and_then(Construct::of);
        for (i, &argument) in terms.args(id).iter().enumerate() {
            let within = match construct {
                Some(Construct::Index | Construct::Field) => target && i == 0,
                Some(construct) => construct.info().role(i) == Some(Role::Target),
                None => false,
            };
            work.push((argument, within));
        }
    }
    read
}
