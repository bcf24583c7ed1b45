//! Reductions and private scalars.

use super::access::{Access, Around, accesses};
use super::simple::root_name;
use crate::algebra::{Construct, Expr, Operator, Type, expr, operator};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};

/// What a reduction gathers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// Sums; differences count, as they add the opposite.
    Sum,
    /// Products.
    Product,
}

/// Whether everything that a body does with a variable is to gather into it: `x := x + e`,
/// `x := x - e`, `x := e + x`, `x := x * e`, with nothing of `x` in `e`, or atomic additions.
pub fn reduction(scheme: &Scheme, name: Symbol, body: Id) -> Option<Gather> {
    let terms = &scheme.terms;
    let set = accesses(scheme, body);
    if set.unknown.is_some() {
        return None;
    }
    let mut gathers: Option<Gather> = None;
    let mut accounted = 0;
    for id in terms.subterms(body) {
        let gather = match operator(terms, id) {
            Some(Operator::Assign { target, value }) if root_name(scheme, target) == Some(name) => {
                gathered(scheme, name, target, value)?
            }
            Some(Operator::AtomicAdd { target, .. }) if root_name(scheme, target) == Some(name) => {
                Gather::Sum
            }
            _ => continue,
        };
        // Each gathering reads the variable once and writes it once.
        accounted += 2;
        if gathers.is_some_and(|g| g != gather) {
            return None;
        }
        gathers = Some(gather);
    }
    let all = set.all.iter().filter(|a| a.name == name).count();
    gathers.filter(|_| all == accounted)
}

/// How an assignment gathers, if it does.
fn gathered(scheme: &Scheme, name: Symbol, target: Id, value: Id) -> Option<Gather> {
    let terms = &scheme.terms;
    let Some(Expr::Binary { op, left, right }) = expr(terms, value) else {
        return None;
    };
    let free = |e: Id| !terms.subterms(e).any(|t| terms.as_atom(t) == Some(name));
    let same = |e: Id| terms.equal(e, target);
    let from_left = same(left) && free(right);
    let from_right = same(right) && free(left);
    match op {
        Construct::Plus if from_left || from_right => Some(Gather::Sum),
        Construct::Minus if from_left => Some(Gather::Sum),
        Construct::Times if from_left || from_right => Some(Gather::Product),
        _ => None,
    }
}

/// The variables of outside that a body gathers into, in order of declaration.
pub fn reductions(scheme: &Scheme, body: Id) -> Vec<(Symbol, Gather)> {
    let set = accesses(scheme, body);
    let mut names: Vec<Symbol> = Vec::new();
    for access in set
        .all
        .iter()
        .filter(|a| a.write && !set.own.contains(&a.name))
    {
        if !names.contains(&access.name) {
            names.push(access.name);
        }
    }
    names.sort_by_key(|n| scheme.variables.get_index_of(n));
    names
        .into_iter()
        .filter_map(|n| Some((n, reduction(scheme, n, body)?)))
        .collect()
}

/// The one scalar of outside that a body writes, if it is of floating point and the body only adds
/// to it.
pub fn real_sum(scheme: &Scheme, body: Id) -> Option<Symbol> {
    let set = accesses(scheme, body);
    let is_scalar = |name: Symbol| scheme.variable(name).is_some_and(|v| !v.is_array());
    let outer = |a: &&Access| a.write && !set.own.contains(&a.name) && is_scalar(a.name);
    let name = set.all.iter().find(outer)?.name;
    let alone = set.all.iter().filter(outer).all(|a| a.name == name);
    let real = !scheme.variable(name)?.ty.component().is_integer();
    let sum = reduction(scheme, name, body) == Some(Gather::Sum);
    (alone && real && sum).then_some(name)
}

/// Whether all that a body does with a variable of floating point, or with the cells of an array, is
/// to add to it.
pub fn is_real_sum(scheme: &Scheme, name: Symbol, body: Id) -> bool {
    let variable = scheme.variable(name);
    let real = variable.is_some_and(|v| v.ty.component().is_real());
    real && reduction(scheme, name, body) == Some(Gather::Sum)
}

/// The LOCALs of outside of 32-bit floating point, or vectors of such components, that a body only
/// adds to.
pub fn narrow_sums(scheme: &Scheme, body: Id, vectors: bool) -> Vec<Symbol> {
    let narrow = |name: Symbol| {
        scheme.variable(name).is_some_and(|v| {
            let vector = v.ty.components() > 1;
            v.role == Role::Local && v.ty.component() == Type::F32 && vector == vectors
        })
    };
    reductions(scheme, body)
        .into_iter()
        .filter(|&(name, gather)| gather == Gather::Sum && narrow(name))
        .map(|(name, _)| name)
        .collect()
}

/// Scalars of outside that each run of a body writes before it reads them: they could be its own.
///
/// That nobody reads them after the loop is not asked here.
pub fn private_scalars(scheme: &Scheme, body: Id) -> Vec<Symbol> {
    let set = accesses(scheme, body);
    let mut seen: Vec<Symbol> = Vec::new();
    let mut private = Vec::new();
    for access in &set.all {
        let Some(variable) = scheme.variable(access.name) else {
            continue;
        };
        if set.own.contains(&access.name) || variable.is_array() || seen.contains(&access.name) {
            continue;
        }
        seen.push(access.name);
        let always = !access
            .around
            .iter()
            .any(|a| matches!(a, Around::Loop(_) | Around::Branch(..) | Around::Maybe));
        let scalar = matches!(variable.role, Role::Local | Role::Data { .. });
        if access.write && access.component.is_none() && always && scalar {
            private.push(access.name);
        }
    }
    private
}
