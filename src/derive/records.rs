//! What the rule engine may ask and compute about arrays that are read together.

use super::host::{SchemeHost, decided};
use super::parts::type_of;
use crate::algebra::{Construct, Expr, Extreme, Signature, Type, build, expr, signature};
use crate::analysis;
use crate::check::{Role, Scheme, Variable, author_name};
use crate::rewrite::{Answer, Evidence, Redex, Status};
use crate::term::{Id, Symbol, Terms};

impl SchemeHost {
    pub(super) fn ask_of_records(
        &self,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        let scheme = &self.scheme;
        let terms = &scheme.terms;
        Some(match (name.as_str(), args) {
            ("filled", arrays) => {
                let empty = arrays.iter().find(|&&a| {
                    terms
                        .as_atom(a)
                        .is_none_or(|name| !analysis::filled(scheme, at.path, name))
                });
                match empty {
                    None => decided(true, "each of their cells has a value here", ""),
                    Some(&a) => Answer::Unknown(Evidence::new(
                        Status::Proved,
                        format!(
                            "it was not shown that each cell of {} has a value here",
                            analysis::text(scheme, a)
                        ),
                    )),
                }
            }
            ("is_size", all) => decided(
                all.iter().all(|&n| is_size(scheme, n)),
                "a number or the size of an array of DATA",
                "no number and no size of an array of DATA",
            ),
            _ => return None,
        })
    }

    pub(super) fn compute_of_records(
        &mut self,
        terms: &mut Terms,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        Some(match (name.as_str(), args) {
            ("read_together", &[body]) => {
                let body = self.own(terms, body);
                let found = analysis::read_together(&self.scheme, body);
                let names = found.map_or(Vec::new(), |(v, m)| vec![terms.atom(v), terms.atom(m)]);
                Ok(names)
            }
            ("size_of", &[array, ..]) => {
                let own = terms.as_atom(array)?;
                let size = self
                    .scheme
                    .variable(own)
                    .and_then(|v| v.dims.first().copied());
                match size {
                    Some(size) => Ok(vec![terms.import(&self.scheme.terms, size)]),
                    None => Err(format!("{} has no size", author_name(own))),
                }
            }
            ("in_record", &[body, array, record, ref fields @ ..]) => {
                let own = self.own(terms, array);
                let vector = type_of(&self.scheme, own).is_some_and(|t: Type| t.components() > 1);
                let name = terms.as_atom(array)?;
                Ok(vec![in_record(terms, body, name, vector, record, fields)])
            }
            _ => return None,
        })
    }
}

/// Whether a size is a number, or that of an array of DATA, which has been made already.
fn is_size(scheme: &Scheme, n: Id) -> bool {
    let terms = &scheme.terms;
    if let Some(Expr::Apply {
        function,
        arguments: &[a, b],
    }) = expr(terms, n)
    {
        return signature(function) == Some(Signature::Join(Extreme::Max))
            && terms.as_int(b) == Some(0)
            && is_size(scheme, a);
    }
    let is_dim = |v: &Variable| {
        matches!(v.role, Role::Data { .. }) && v.dims.iter().any(|&d| terms.equal(d, n))
    };
    terms.as_int(n).is_some() || scheme.variables.values().any(is_dim)
}

/// A term with the cells of an array as components of the cells of another one: a number as the one
/// field, a vector as a vector of the fields, and its components as these.
fn in_record(
    terms: &mut Terms,
    within: Id,
    array: Symbol,
    vector: bool,
    record: Id,
    fields: &[Id],
) -> Id {
    let cell = |terms: &Terms, id: Id| match expr(terms, id) {
        Some(Expr::Index {
            array: of,
            subscripts,
        }) if of == array => Some(subscripts.to_vec()),
        _ => None,
    };
    let component = match expr(terms, within) {
        Some(Expr::Field { vector, field }) => cell(terms, vector).map(|at| (at, Some(field))),
        _ => cell(terms, within).map(|at| (at, None)),
    };
    if let Some((subscripts, component)) = component {
        let mut all = vec![record];
        for at in subscripts {
            all.push(in_record(terms, at, array, vector, record, fields));
        }
        let index = build(terms, Construct::Index.symbol(), &all);
        if let Some(field) = component {
            let field = terms.atom(field);
            return build(terms, Construct::Field.symbol(), &[index, field]);
        }
        let mut parts: Vec<Id> = Vec::new();
        for &field in fields {
            parts.push(build(terms, Construct::Field.symbol(), &[index, field]));
        }
        if !vector {
            return parts[0];
        }
        parts.insert(0, terms.atom("vector".into()));
        return build(terms, Construct::Apply.symbol(), &parts);
    }
    let args = terms.args(within).to_vec();
    let mut new = Vec::with_capacity(args.len());
    for &a in &args {
        new.push(in_record(terms, a, array, vector, record, fields));
    }
    match new == args {
        true => within,
        false => terms.with_args(within, &new),
    }
}
