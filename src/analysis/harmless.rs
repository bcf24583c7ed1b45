//! Expressions that may be computed where nothing asks for them: whatever they read exists, has a value and is written by
//! nothing that runs at once with them, and no integer in them can leave its range.

use super::context::Context;
use super::definite::is_inside;
use super::filled::filled;
use super::{Answer, text};
use crate::algebra::{
    Expr, Kind, Operator, Signature, expr, names, operator, operators, root_name, signature,
    written,
};
use crate::check::{Role, Scheme, author_name};
use crate::term::{Id, Path, Symbol};
use rustc_hash::FxHashSet;

/// Whether computing an expression at a place, whose surroundings are `context`, neither stops the program nor meets
/// what others write meanwhile. REALs never stop it: they become infinite, or no numbers.
pub fn harmless(scheme: &Scheme, path: &Path, context: &Context, e: Id) -> Answer {
    if let Some(name) = written_meanwhile(scheme, path, e) {
        let name = author_name(name);
        return Answer::unknown(format!("{name} may be written by others meanwhile"));
    }
    let mut work = vec![e];
    while let Some(id) = work.pop() {
        if let Some(why) = may_fail(scheme, path, context, id) {
            return Answer::unknown(format!("{}: {why}", text(scheme, id)));
        }
        work.extend(parts(scheme, id));
    }
    Answer::proved("all that is read exists and has a value, and nothing writes it meanwhile")
}

/// Whether nothing else reaches a variable while the operator at a position runs: REGISTERS, or a LOCAL of the iteration,
/// branch or thread that comes there.
pub fn is_own(scheme: &Scheme, path: &Path, name: Symbol) -> bool {
    let terms = &scheme.terms;
    let Some(spine) = path.spine(terms, scheme.root) else {
        return false;
    };
    match scheme.variable(name).map(|v| &v.role) {
        Some(Role::Registers) => true,
        Some(Role::Local) => {
            let mut is_own = false;
            for (&id, &step) in spine.iter().zip(&path.0) {
                match operator(terms, id) {
                    Some(Operator::Then(parts)) => {
                        let mut before = parts[..(step as usize).min(parts.len())].iter();
                        is_own |= before.any(|&part| {
                            let declared = operator(terms, part);
                            matches!(declared, Some(Operator::Local { name: own, .. }) if own == name)
                        });
                    }
                    _ if runs_at_once(scheme, id) => is_own = false,
                    _ => {}
                }
            }
            is_own
        }
        _ => false,
    }
}

/// Whether parts of an operator run at once.
fn runs_at_once(scheme: &Scheme, id: Id) -> bool {
    matches!(
        operator(&scheme.terms, id),
        Some(Operator::Parallel { .. } | Operator::Async(_) | Operator::Launch { .. })
    )
}

/// The first variable of an expression that something may write that runs at once with the operator at a position.
fn written_meanwhile(scheme: &Scheme, path: &Path, e: Id) -> Option<Symbol> {
    let terms = &scheme.terms;
    let spine = path.spine(terms, scheme.root)?;
    let outermost = spine.iter().find(|&&id| runs_at_once(scheme, id))?;
    let all = operators(terms, *outermost);
    let targets =
        all.flat_map(|id| written(terms, id).filter_map(|target| root_name(terms, target)));
    let targets: FxHashSet<Symbol> = targets.collect();
    let mut read = names(terms, e).filter(|name| targets.contains(name));
    read.find(|&name| !is_own(scheme, path, name))
}

/// Whether a subscript is in range, and so is all that is computed on the way to it: what the system says of sums and
/// products holds where none leaves the range of its type.
fn is_computed_inside(scheme: &Scheme, context: &Context, subscript: Id, size: Id) -> bool {
    let terms = &scheme.terms;
    let mut parts = terms.subterms(subscript);
    parts.all(|part| match expr(terms, part) {
        Some(Expr::Name(_) | Expr::Int(_)) => true,
        Some(Expr::Binary { .. }) => is_inside(scheme, context, part, size),
        _ => false,
    }) && is_inside(scheme, context, subscript, size)
}

/// What an expression is computed from. Subscripts are looked at with their cell.
fn parts(scheme: &Scheme, id: Id) -> Vec<Id> {
    match expr(&scheme.terms, id) {
        Some(Expr::Binary { left, right, .. }) => vec![left, right],
        Some(Expr::Not(of) | Expr::Negate(of) | Expr::Field { vector: of, .. }) => vec![of],
        Some(Expr::Apply { arguments, .. }) => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// Why an expression may stop the program by itself, if its parts do not.
fn may_fail(scheme: &Scheme, path: &Path, context: &Context, id: Id) -> Option<&'static str> {
    let is_integer = scheme.type_of(id).is_integer();
    // Whatever is not listed as harmless may fail: calls of operators, and functions that give integers.
    let computes = "an integer that is computed may leave its range";
    match expr(&scheme.terms, id) {
        Some(Expr::Name(name)) => {
            let variable = scheme.variable(name);
            let has_value = match variable.map(|v| &v.role) {
                Some(Role::Data { .. }) => filled(scheme, path, name),
                Some(Role::Parameter { .. } | Role::Local | Role::Loop) => true,
                _ => false,
            };
            (!has_value).then_some("it may have no value")
        }
        Some(Expr::Index { array, subscripts }) => {
            let variable = scheme.variable(array);
            let dims = variable.map_or(&[][..], |v| &v.dims);
            let is_in_range = subscripts.len() == dims.len()
                && subscripts
                    .iter()
                    .zip(dims)
                    .all(|(&at, &size)| is_computed_inside(scheme, context, at, size));
            match is_in_range {
                true if filled(scheme, path, array) => None,
                true => Some("the array may have cells without values"),
                false => Some("it was not shown to be in range"),
            }
        }
        Some(Expr::Binary { op, .. }) => match op.kind() {
            Kind::Arithmetic(_) if is_integer => Some(computes),
            Kind::Arithmetic(_) | Kind::Comparison(_) | Kind::Logic(_) => None,
        },
        Some(Expr::Negate(_)) => is_integer.then_some(computes),
        Some(Expr::Apply { function, .. }) => match signature(function) {
            Some(Signature::Abs) => is_integer.then_some(computes),
            Some(
                Signature::Real(_)
                | Signature::RealReal(_)
                | Signature::Join(_)
                | Signature::ToReal
                | Signature::ToReal32
                | Signature::ToReal64
                | Signature::Select
                | Signature::Dot
                | Signature::Cross
                | Signature::Norm(_)
                | Signature::Vector
                | Signature::BitsAsReal
                | Signature::BitsAsInteger
                | Signature::Fma,
            ) => None,
            Some(
                Signature::ToInteger(_)
                | Signature::Int
                | Signature::Int64
                | Signature::CeilDiv
                | Signature::Bits(_),
            )
            | None => Some(computes),
        },
        Some(
            Expr::Int(_)
            | Expr::Real(_)
            | Expr::True
            | Expr::False
            | Expr::Not(_)
            | Expr::Field { .. }
            | Expr::BlockIndex
            | Expr::ThreadIndex
            | Expr::BlockCount
            | Expr::ThreadCount
            | Expr::Multiprocessors,
        ) => None,
        Some(Expr::Test { .. } | Expr::Holds { .. } | Expr::After { .. }) | None => {
            Some("it is not known what it does")
        }
    }
}
