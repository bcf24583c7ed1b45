//! The author's claims, held against a run: what an analysis may take for true, the reference machine
//! tests.

use super::Failure;
use super::check::execute;
use super::parameters::parameter_values;
use crate::algebra::{Construct, Expr, Inside, Operator, expr, operator};
use crate::analysis::text;
use crate::check::{Scheme, author_name, check};
use crate::diagnostic::Diagnostic;
use crate::machine::{Kind, Value, fold};
use crate::term::{Id, Symbol, Terms};
use std::sync::atomic::AtomicBool;

/// The first claim of a scheme that does not hold for a run: loops claimed to be independent are run
/// as PARALLEL, where races are found; comparisons of parameters are evaluated.
///
/// That an array is injective is not tested here: it is seen by the races of the loops that rest on
/// it, once they are derived.
pub(super) fn broken(
    scheme: &Scheme,
    given: &[(Symbol, Value)],
    stop: Option<&AtomicBool>,
) -> Result<Option<Diagnostic>, Failure> {
    let values = parameter_values(scheme, given);
    for &claim in &scheme.assumptions {
        let refuse = || {
            let message = format!("the claim `{}` does not hold", text(scheme, claim));
            Diagnostic::error("E0415", message).at(scheme.terms.span(claim))
        };
        let found = match expr(&scheme.terms, claim) {
            Some(Expr::Apply {
                function,
                arguments: &[var],
            }) => match scheme.terms.as_atom(var) {
                Some(var) if function.as_str() == "independent" => {
                    let ran = match at_once(scheme, var) {
                        Some(at_once) => execute(&at_once, given, stop)?,
                        None => None,
                    };
                    let error = ran.and_then(|ran| ran.error);
                    error.filter(|e| e.kind == Kind::Race).map(|error| {
                        let mut found = refuse().hint(error.message.clone());
                        for access in &error.accesses {
                            found = found.also(access.span, access.thread.clone());
                        }
                        found
                    })
                }
                _ => None,
            },
            _ => match fold(scheme, claim, &values) {
                Some(Value::Bool(false)) => Some(refuse().hint("these are the parameters' values")),
                _ => None,
            },
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The scheme with the outermost loops over a variable, by its author's name, run at once; none where
/// they hold what PARALLEL may not: then no rule runs them at once, either.
fn at_once(scheme: &Scheme, var: Symbol) -> Option<Scheme> {
    let mut terms = scheme.terms.clone();
    let root = replaced(scheme, &mut terms, scheme.root, var);
    check(&terms, root, scheme.precision).ok()
}

fn replaced(scheme: &Scheme, terms: &mut Terms, id: Id, claimed: Symbol) -> Id {
    let arguments = terms.args(id).to_vec();
    match operator(&scheme.terms, id) {
        Some(Operator::For {
            var,
            from,
            to,
            step: None,
            body,
        }) if author_name(var) == author_name(claimed) => {
            let parallel = Construct::Parallel.symbol();
            return terms.apply(parallel, &[arguments[0], from, to, body]);
        }
        // What runs at once already is not looked into.
        Some(other) if other.inside() == Inside::AtOnce => return id,
        Some(_) | None => {}
    }
    let new: Vec<Id> = arguments
        .iter()
        .map(|&argument| replaced(scheme, terms, argument, claimed))
        .collect();
    match new == arguments {
        true => id,
        false => terms.with_args(id, &new),
    }
}
