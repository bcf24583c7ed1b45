//! What the rule engine may ask and compute about vectors and their components.

use super::host::{SchemeHost, decided};
use super::parts::{mentions, type_of};
use crate::algebra::{
    Construct, Expr, Operator, Signature, Type, build, expr, operator, signature,
};
use crate::analysis;
use crate::check::{Role, Scheme, author_name};
use crate::rewrite::{Answer, substitute};
use crate::term::{Head, Id, Symbol, Terms};

/// The names of components, in order.
const FIELDS: [&str; 4] = ["x", "y", "z", "w"];

impl SchemeHost {
    pub(super) fn ask_of_vectors(&self, name: Symbol, args: &[Id]) -> Option<Answer> {
        let scheme = &self.scheme;
        let terms = &scheme.terms;
        Some(match (name.as_str(), args) {
            ("is_local", &[e]) => {
                let variable = terms.as_atom(e).and_then(|n| scheme.variable(n));
                decided(
                    variable.is_some_and(|v| v.role == Role::Local && !v.is_array()),
                    "it is a LOCAL",
                    "it is no LOCAL",
                )
            }
            ("is_vector", &[e]) => decided(
                type_of(scheme, e).is_some_and(|t| t.components() > 1),
                "it is a vector",
                "it is no vector",
            ),
            ("is_plainly_real", all) => decided(
                all.iter().all(|&e| is_plainly_real(scheme, e)),
                "REALs wherever they stand",
                "not all of them are REALs wherever they stand",
            ),
            ("keeps_components", &[v, e]) => decided(
                keeps_components(scheme, v, e),
                "each component is made from the same one, or from none",
                "a component may be made from another one",
            ),
            ("by_components", &[v, ref operators @ ..]) => {
                let name = terms.as_atom(v)?;
                by_components(scheme, name, operators)
            }
            _ => return None,
        })
    }

    pub(super) fn compute_of_vectors(
        &mut self,
        terms: &mut Terms,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        Some(match (name.as_str(), args) {
            ("fields", &[v]) => {
                let own = self.own(terms, v);
                let fields = self.fields(own);
                Ok(fields.into_iter().map(|f| terms.atom(f)).collect())
            }
            ("components", cells) => {
                let mut all = Vec::new();
                for &cell in cells {
                    let own = self.own(terms, cell);
                    let fields = self.fields(own);
                    if fields.len() < 2 {
                        all.push(cell);
                        continue;
                    }
                    for field in fields {
                        let field = terms.atom(field);
                        all.push(build(terms, Construct::Field.symbol(), &[cell, field]));
                    }
                }
                Ok(all)
            }
            ("distinct", all) => {
                let mut found: Vec<Id> = Vec::new();
                for &e in all {
                    if !found.iter().any(|&f| terms.equal(f, e)) {
                        found.push(e);
                    }
                }
                Ok(found)
            }
            ("pick", &[field, ref all @ ..]) => {
                let field = terms.as_atom(field)?;
                let at = FIELDS.iter().position(|&f| f == field.as_str());
                match at.and_then(|at| all.get(at)) {
                    Some(&found) => Ok(vec![found]),
                    None => Err(format!("there is no component {field}")),
                }
            }
            ("sum", &[first, ref rest @ ..]) => {
                let plus = Construct::Plus.symbol();
                let add = |sum, &e: &Id| build(terms, plus, &[sum, e]);
                Ok(vec![rest.iter().fold(first, add)])
            }
            ("in_components", &[body, v]) => {
                let own = self.own(terms, v);
                let mut names = Vec::new();
                let mut new = body;
                for field in self.fields(own) {
                    let name = self.beside(terms.as_atom(v)?, field);
                    let (name, field) = (terms.atom(name), terms.atom(field));
                    let component = build(terms, Construct::Field.symbol(), &[v, field]);
                    new = substitute(terms, new, component, name);
                    names.push(name);
                }
                Ok(vec![in_lists(terms, new, v, &names)])
            }
            _ => return None,
        })
    }

    /// The names of the components of a vector of the scheme.
    fn fields(&self, own: Id) -> Vec<Symbol> {
        let count = type_of(&self.scheme, own).map_or(0, Type::components);
        FIELDS[..count].iter().map(|f| Symbol::new(f)).collect()
    }
}

/// Whether an expression is a REAL of the chosen precision wherever it stands: literals take the type
/// of what stands beside them.
fn is_plainly_real(scheme: &Scheme, e: Id) -> bool {
    let terms = &scheme.terms;
    let says_its_type = terms.subterms(e).any(|t| {
        matches!(
            expr(terms, t),
            Some(Expr::Name(_) | Expr::Index { .. } | Expr::Apply { .. } | Expr::Field { .. })
        )
    });
    says_its_type && type_of(scheme, e) == Some(scheme.precision.real())
}

/// Whether each component of an expression is made from the same component of a vector, or of none.
fn keeps_components(scheme: &Scheme, v: Id, e: Id) -> bool {
    let terms = &scheme.terms;
    if !mentions(terms, e, v) || terms.equal(e, v) {
        return true;
    }
    let parts = match expr(terms, e) {
        Some(Expr::Negate(a)) => vec![a],
        Some(Expr::Binary {
            op: Construct::Plus | Construct::Minus | Construct::Times | Construct::Div,
            left,
            right,
        }) => vec![left, right],
        Some(Expr::Apply {
            function,
            arguments: &[a, b, c],
        }) if matches!(
            signature(function),
            Some(Signature::Fma | Signature::Select)
        ) =>
        {
            vec![a, b, c]
        }
        _ => return false,
    };
    // A number or a condition that is made from the vector is made from all of its components.
    let is_vector = |e: Id| type_of(scheme, e).is_some_and(|t| t.components() > 1);
    let keeps = |&e: &Id| !mentions(terms, e, v) || is_vector(e) && keeps_components(scheme, v, e);
    is_vector(e) && parts.iter().all(keeps)
}

fn by_components(scheme: &Scheme, name: Symbol, operators: &[Id]) -> Answer {
    let terms = &scheme.terms;
    let shown = author_name(name);
    for &body in operators {
        let set = analysis::accesses(scheme, body);
        if let Some(unknown) = set.unknown {
            let what = analysis::text(scheme, unknown);
            return Answer::Unknown(crate::rewrite::Evidence::new(
                crate::rewrite::Status::Decided,
                format!("what {what} does is not known"),
            ));
        }
        for id in terms.subterms(body) {
            let whole = match operator(terms, id) {
                Some(Operator::Assign { target, .. }) => terms.as_atom(target) == Some(name),
                Some(Operator::AtomicAdd { target, .. }) => root(terms, target) == Some(name),
                _ => false,
            };
            if whole {
                return decided(false, "", format!("{shown} is assigned as a whole"));
            }
        }
    }
    decided(
        true,
        format!("{shown} is read, assigned by components or passed round a warp"),
        "",
    )
}

/// The variable of a place.
fn root(terms: &Terms, place: Id) -> Option<Symbol> {
    match expr(terms, place)? {
        Expr::Name(name) => Some(name),
        Expr::Field { vector, .. } => root(terms, vector),
        _ => None,
    }
}

/// A term with several names for one in what stands for a list of names.
fn in_lists(terms: &mut Terms, within: Id, name: Id, names: &[Id]) -> Id {
    if terms.arity(within) == 0 {
        return within;
    }
    let args = terms.args(within).to_vec();
    let list = matches!(
        terms.head(within),
        Head::Functor(f) if f == Construct::Rotate.symbol() || f == Construct::SumOverWarp.symbol()
    );
    let mut new = Vec::with_capacity(args.len());
    for argument in &args {
        match list && terms.equal(*argument, name) {
            true => new.extend_from_slice(names),
            false => new.push(in_lists(terms, *argument, name, names)),
        }
    }
    match (new == args, terms.functor(within)) {
        (false, Some(functor)) => build(terms, functor, &new),
        _ => within,
    }
}
