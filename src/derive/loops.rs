//! What the rule engine may ask about loops that are written out.

use super::host::{SchemeHost, decided};
use super::parts::mentions;
use crate::algebra::{Construct, Expr, Operator, expr, operator};
use crate::analysis;
use crate::check::Role;
use crate::rewrite::{Answer, Redex};
use crate::term::{Id, Symbol};

impl SchemeHost {
    pub(super) fn ask_of_loops(&self, at: Redex<'_>, name: Symbol, args: &[Id]) -> Option<Answer> {
        let scheme = &self.scheme;
        let terms = &scheme.terms;
        Some(match (name.as_str(), args) {
            ("repeatable", &[body]) => {
                let recorded = Some(Construct::Recorded.symbol());
                let spine = at.path.spine(terms, scheme.root).unwrap_or_default();
                if spine.iter().any(|&t| terms.functor(t) == recorded) {
                    return Some(decided(
                        false,
                        "",
                        "it is recorded, where no LOCAL may stand",
                    ));
                }
                let alone = |o: Operator| match o {
                    Operator::Wait(point) => analysis::is_control_point(scheme, point),
                    Operator::ControlPoint(_)
                    | Operator::Timed(_)
                    | Operator::Shared { .. }
                    | Operator::Call { .. } => true,
                    _ => false,
                };
                let found = terms
                    .subterms(body)
                    .find(|&t| operator(terms, t).is_some_and(alone));
                let what = found.and_then(|t| terms.functor(t));
                decided(
                    found.is_none(),
                    "nothing in it must stand alone",
                    format!("{} must stand alone", what.map_or("", Symbol::as_str)),
                )
            }
            ("loops", &[body]) => {
                let is_loop = |&t: &Id| {
                    matches!(
                        operator(terms, t),
                        Some(
                            Operator::For { .. }
                                | Operator::While { .. }
                                | Operator::Parallel { .. }
                                | Operator::Launch { .. }
                        )
                    )
                };
                decided(
                    terms.subterms(body).any(|t| is_loop(&t)),
                    "there is a loop in it",
                    "there is no loop in it",
                )
            }
            ("at_registers", &[var, body]) => {
                let registers = |name: Symbol| {
                    scheme
                        .variable(name)
                        .is_some_and(|v| v.role == Role::Registers)
                };
                let at = |t: Id| match expr(terms, t) {
                    Some(Expr::Index { array, subscripts }) => {
                        registers(array) && subscripts.iter().any(|&s| mentions(terms, s, var))
                    }
                    _ => false,
                };
                decided(
                    terms.subterms(body).any(at),
                    "it is a subscript of REGISTERS",
                    "it is no subscript of REGISTERS",
                )
            }
            _ => return None,
        })
    }
}
