//! What the rule engine may ask about loops that are written out.

use super::host::{SchemeHost, decided};
use super::parts::{mentions, type_of};
use crate::algebra::{Construct, Expr, Operator, Type, expr, operator};
use crate::analysis::{self, Answer as Known, Context, Loop};
use crate::check::Role;
use crate::rewrite::{Answer, Redex};
use crate::term::{Id, Path, Symbol};
use std::collections::HashSet;

/// Above so many bytes of values a lane, registers hold those of few lanes only: of 32 registers with
/// 16 numbers of 32 bits, two for each of ten values leave a third for what an iteration computes.
const CROWDED: usize = 40;

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
            ("crowded", &[body]) => {
                let bytes = self.bytes_kept(body);
                decided(
                    bytes > CROWDED,
                    format!("a loop in it keeps {bytes} bytes of values"),
                    format!("loops in it keep {bytes} bytes of values at most"),
                )
            }
            ("inside_independent", []) => decided(
                self.is_inside_independent(at),
                "a loop around it is independent",
                "no loop around it is independent",
            ),
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

    /// A loop with those that stand directly inside it, as far as their bounds are the same in all of
    /// its iterations: what type each counts in, and its bounds.
    pub(super) fn nest(&self, var: Id, from: Id, to: Id, body: Id) -> Option<Vec<(Type, Id, Id)>> {
        let scheme = &self.scheme;
        let terms = &scheme.terms;
        let mut loops = vec![(type_of(scheme, var)?, from, to)];
        let mut outer = vec![var];
        let mut body = body;
        while let Some(Operator::For {
            var,
            from,
            to,
            step: None,
            body: inner,
        }) = operator(terms, body)
        {
            let own = outer
                .iter()
                .any(|&v| mentions(terms, from, v) || mentions(terms, to, v));
            if own || !analysis::bounds_invariant(scheme, &[from, to], inner).is_yes() {
                break;
            }
            loops.push((scheme.variable(var)?.ty, from, to));
            outer.push(terms.arg(body, 0));
            body = inner;
        }
        Some(loops)
    }

    /// The most bytes of LOCALs of reals and vectors, declared outside of it, that a loop reaches.
    fn bytes_kept(&self, body: Id) -> usize {
        let scheme = &self.scheme;
        let terms = &scheme.terms;
        let locals = |within: Id| -> HashSet<Symbol> {
            let all = terms.subterms(within);
            all.filter_map(|t| match operator(terms, t) {
                Some(Operator::Local { name, .. }) => Some(name),
                _ => None,
            })
            .collect()
        };
        let all = locals(body);
        let kept = |inner: Id| -> usize {
            let own = locals(inner);
            let names = analysis::names_in(scheme, inner);
            let outside = names.iter().filter(|n| all.contains(n) && !own.contains(n));
            let types = outside.filter_map(|&n| scheme.variable(n).map(|v| v.ty));
            types
                .filter(|ty| !ty.is_integer() && *ty != Type::Bool)
                .map(Type::bytes)
                .sum()
        };
        let loops = terms
            .subterms(body)
            .filter_map(|t| match operator(terms, t) {
                Some(Operator::For { body, .. } | Operator::While { body, .. }) => Some(kept(body)),
                _ => None,
            });
        loops.max().unwrap_or(0)
    }

    /// Whether a FOR loop around a place is shown to be independent.
    fn is_inside_independent(&self, at: Redex<'_>) -> bool {
        let scheme = &self.scheme;
        let spine = at.path.spine(&scheme.terms, scheme.root);
        spine
            .unwrap_or_default()
            .iter()
            .enumerate()
            .any(|(depth, &id)| {
                let Some(Operator::For {
                    var,
                    from,
                    to,
                    step,
                    body,
                }) = operator(&scheme.terms, id).filter(|_| depth < at.path.0.len())
                else {
                    return false;
                };
                let outer = Loop {
                    var,
                    from,
                    to,
                    step,
                };
                let context = Context::at(scheme, scheme.root, &Path(at.path.0[..depth].to_vec()));
                let answer = analysis::independent(scheme, &context, outer, body);
                matches!(answer, Known::Yes(..))
            })
    }
}
