//! Iterations side by side: whether vectors of numbers can do what a loop's body does.

use super::Answer;
use super::access::names_in;
use super::simple::root_name;
use super::varying::varying;
use crate::algebra::{
    Binary, Construct, Expr, Operator, Signature, Type, expr, operator, signature,
};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// Whether iterations over a variable do the same operations, so that they can be done side by side:
/// the body only computes, with reals of the scheme's precision or of 64 bits and integers that count,
/// and how often its FOR loops go round does not depend on the iteration. Where a predicate does, or a
/// WHILE loop's, lanes that it leaves out rest. Integers of 64 bits may change where `sums` says so, if only
/// integers of 32 bits are added to them.
pub fn lanes_ok(scheme: &Scheme, var: Symbol, body: Id, sums: bool) -> Answer {
    let terms = &scheme.terms;
    let here = |id: Id, why: &str| vec![(terms.span(id), why.to_owned())];
    for id in terms.subterms(body) {
        let seen = operator(terms, id);
        let ty = match seen {
            Some(Operator::Local { name, .. }) => scheme.variables[&name].ty,
            Some(_) => Type::Bool,
            // Names of types and other parts of operators have no type.
            None => scheme.type_of(id),
        };
        if !is_lane_type(scheme, ty) {
            let text = "it computes with reals of 32 bits, in a scheme whose own have 64";
            return Answer::No(text.into(), here(id, "here"));
        }
        if terms.functor(id) == Some(Construct::Holds.symbol()) {
            let text = format!("{} cannot be vectorized", super::text(scheme, id));
            return Answer::No(text, here(id, "this"));
        }
        let Some(seen) = seen else {
            continue;
        };
        let fits = matches!(
            seen,
            Operator::Then(_)
                | Operator::If { .. }
                | Operator::While { .. }
                | Operator::For { .. }
                | Operator::Assign { .. }
                | Operator::Local { .. }
                | Operator::Empty
        );
        if !fits {
            let text = match (seen, terms.functor(id)) {
                (Operator::Parallel { lanes: Some(_), .. }, _) => {
                    "an inner loop is already vectorized".to_owned()
                }
                (_, what) => format!("{} cannot be vectorized", what.map_or("", Symbol::as_str)),
            };
            return Answer::No(text, here(id, "this"));
        }
    }
    let varying = varying(scheme, [var], body);
    for id in terms.subterms(body) {
        if let Some(Operator::Assign { target, value }) = operator(terms, id)
            && scheme.type_of(target).is_integer()
            && let Some(name) = root_name(scheme, target)
            && varying.contains(&name)
            && scheme.variable(name).is_some_and(|v| !v.is_array())
        {
            let wide =
                scheme.type_of(target) != Type::I32 && !(sums && is_long_sum(scheme, name, value));
            let other = not_counted(scheme, value, &varying);
            if wide || other.is_some() {
                let text = format!(
                    "{} varies between iterations; {}",
                    author_name(name),
                    match wide {
                        true if sums =>
                            "of 64-bit integers, only sums of 32-bit ones can be vectorized",
                        true => "only 32-bit integers can be vectorized",
                        false =>
                            "of integers, only sums, differences and comparisons can be vectorized",
                    }
                );
                return Answer::No(text, here(other.unwrap_or(id), "here"));
            }
        }
        if let Some(Operator::For { from, to, step, .. }) = operator(terms, id) {
            let bounds = [Some(from), Some(to), step];
            let differs = bounds.into_iter().flatten().find_map(|e| {
                let names = names_in(scheme, e);
                names
                    .into_iter()
                    .filter(|n| varying.contains(n))
                    .min_by_key(|n| n.as_str())
            });
            if let Some(name) = differs {
                let text = format!(
                    "the trip count of a loop depends on {}, which varies between iterations",
                    author_name(name)
                );
                return Answer::No(text, here(id, "this loop"));
            }
        }
    }
    Answer::proved("its iterations do the same operations")
}

/// Whether an integer of 64 bits is assigned itself and one of 32 bits, or less one.
fn is_long_sum(scheme: &Scheme, name: Symbol, value: Id) -> bool {
    let terms = &scheme.terms;
    match expr(terms, value) {
        Some(Expr::Binary {
            op: Binary::Plus | Binary::Minus,
            left,
            right,
        }) => terms.as_atom(left) == Some(name) && scheme.type_of(right) == Type::I32,
        _ => false,
    }
}

/// What vectors of integers do not do, in an integer that differs between iterations: all but sums,
/// differences, choices and cells.
fn not_counted(scheme: &Scheme, value: Id, varying: &FxHashSet<Symbol>) -> Option<Id> {
    let all = |of: &[Id]| of.iter().find_map(|&e| not_counted(scheme, e, varying));
    if names_in(scheme, value).is_disjoint(varying) {
        return None;
    }
    match expr(&scheme.terms, value) {
        Some(Expr::Name(_) | Expr::Index { .. }) => None,
        Some(Expr::Binary {
            op: Binary::Plus | Binary::Minus,
            left,
            right,
        }) => all(&[left, right]),
        Some(Expr::Apply {
            function,
            arguments,
        }) => match (signature(function), arguments) {
            (Some(Signature::Select), [_, values @ ..]) => all(values),
            (Some(Signature::Join(_)), values) => all(values),
            _ => Some(value),
        },
        _ => Some(value),
    }
}

/// Whether lanes hold values of a type: reals of 64 bits beside the scheme's own, none of 32 beside
/// those of 64.
fn is_lane_type(scheme: &Scheme, ty: Type) -> bool {
    ty.component() != Type::F32 || scheme.precision.real() == Type::F32
}
