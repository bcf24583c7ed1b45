//! Reductions and private scalars.

use super::access::{Access, Accesses, Around, accesses};
use super::simple::root_name;
use crate::algebra::{
    Atomic, Binary, Bits, Expr, Extreme, Operator, Signature, Type, expr, names, operator,
    signature,
};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};

/// What a reduction gathers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// Sums; differences count, as they add the opposite.
    Sum,
    /// Products.
    Product,
    /// Minima and maxima, `x := min(x, e)` or `IF e < x THEN x := e END IF`: of values that are equal or
    /// cannot be compared the first stays.
    Extreme(Extreme),
    /// Whether all are TRUE.
    All,
    /// Whether one of them is TRUE.
    Any,
    /// The bits that all values have, that one of them has, or that an odd number of them have:
    /// `bit_and`, `bit_or` and `bit_xor`.
    Bits(Bits),
    /// An integer that is assigned, always the same.
    Constant(i64),
}

/// Whether everything that a body does with a variable is to gather into it in one way, with nothing
/// of the variable in what is gathered.
pub fn reduction(scheme: &Scheme, name: Symbol, body: Id) -> Option<Gather> {
    let set = accesses(scheme, body);
    reduction_among(scheme, &set, &gatherings(scheme, body), name)
}

/// The operators in a body that may gather, in order.
fn gatherings(scheme: &Scheme, body: Id) -> Vec<Id> {
    let terms = &scheme.terms;
    let may_gather = |id: &Id| {
        use Operator::{Assign, Atomic, If};
        let found = operator(terms, *id);
        matches!(found, Some(If { .. } | Assign { .. } | Atomic { .. }))
    };
    terms.subterms(body).filter(may_gather).collect()
}

/// The same as [`reduction`] of a body with these accesses and these operators that may gather.
fn reduction_among(
    scheme: &Scheme,
    set: &Accesses,
    gatherings: &[Id],
    name: Symbol,
) -> Option<Gather> {
    let terms = &scheme.terms;
    if set.unknown.is_some() {
        return None;
    }
    let variable = scheme.variable(name);
    let is_integer_scalar = variable.is_some_and(|v| v.ty.is_integer() && !v.is_array());
    let mut gathers: Option<Gather> = None;
    let mut accounted = 0;
    // Assignments under an IF that makes an extreme of them.
    let mut seen: Vec<Id> = Vec::new();
    for &id in gatherings {
        let is_target = |target| root_name(scheme, target) == Some(name);
        // Each gathering reads the variable once and writes it once, but for constants.
        let (gather, reached) = match operator(terms, id) {
            Some(Operator::If { condition, yes, no }) => {
                let Some(extreme) = tested(scheme, name, condition, yes, no) else {
                    continue;
                };
                seen.push(yes);
                (Gather::Extreme(extreme), 2)
            }
            Some(Operator::Assign { target, value })
                if is_target(target) && !seen.contains(&id) =>
            {
                match assigned(scheme, target, value) {
                    Some(constant) => (constant, 1),
                    None => (gathered(scheme, name, target, value)?, 2),
                }
            }
            Some(Operator::Atomic {
                op,
                target,
                was: None,
                ..
            }) if is_target(target) => match op {
                // Atomic sums of integers wrap, and others do not leave their range.
                Atomic::Add if is_integer_scalar => return None,
                Atomic::Add => (Gather::Sum, 2),
                Atomic::Min => (Gather::Extreme(Extreme::Min), 2),
                Atomic::Max => (Gather::Extreme(Extreme::Max), 2),
            },
            _ => continue,
        };
        accounted += reached;
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
    let free = |e: Id| !mentions(scheme, e, name);
    let same = |e: Id| terms.equal(e, target);
    match expr(terms, value)? {
        Expr::Binary { op, left, right } => {
            let from_left = same(left) && free(right);
            let from_right = same(right) && free(left);
            match op {
                Binary::Plus if from_left || from_right => Some(Gather::Sum),
                Binary::Minus if from_left => Some(Gather::Sum),
                Binary::Times if from_left || from_right => Some(Gather::Product),
                // What stands behind AND and OR is not looked at where the first decides: there it
                // must be something that can always be looked at.
                Binary::And if from_right || from_left && is_total(scheme, right) => {
                    Some(Gather::All)
                }
                Binary::Or if from_right || from_left && is_total(scheme, right) => {
                    Some(Gather::Any)
                }
                _ => None,
            }
        }
        Expr::Apply {
            function,
            arguments: &[left, right],
        } => match signature(function)? {
            Signature::Join(extreme) if same(left) && free(right) => Some(Gather::Extreme(extreme)),
            Signature::Bits(bits @ (Bits::And | Bits::Or | Bits::Xor))
                if same(left) && free(right) || same(right) && free(left) =>
            {
                Some(Gather::Bits(bits))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What an assignment of a literal gathers.
fn assigned(scheme: &Scheme, target: Id, value: Id) -> Option<Gather> {
    let ty = scheme.type_of(target);
    match expr(&scheme.terms, value)? {
        Expr::True => Some(Gather::Any),
        Expr::False => Some(Gather::All),
        Expr::Int(k) if ty.is_integer() => Some(Gather::Constant(k)),
        _ => None,
    }
}

/// The extreme that `IF e < x THEN x := e END IF` gathers.
fn tested(scheme: &Scheme, name: Symbol, condition: Id, yes: Id, no: Id) -> Option<Extreme> {
    let terms = &scheme.terms;
    let Some(Operator::Assign { target, value }) = operator(terms, yes) else {
        return None;
    };
    let alone = matches!(operator(terms, no), Some(Operator::Empty));
    let is_scalar = terms.as_atom(target) == Some(name);
    if !alone || !is_scalar || mentions(scheme, value, name) {
        return None;
    }
    let Some(Expr::Binary { op, left, right }) = expr(terms, condition) else {
        return None;
    };
    let value_first = terms.equal(left, value) && terms.equal(right, target);
    let value_last = terms.equal(left, target) && terms.equal(right, value);
    match op {
        Binary::Less if value_first => Some(Extreme::Min),
        Binary::Greater if value_last => Some(Extreme::Min),
        Binary::Greater if value_first => Some(Extreme::Max),
        Binary::Less if value_last => Some(Extreme::Max),
        _ => None,
    }
}

fn mentions(scheme: &Scheme, e: Id, name: Symbol) -> bool {
    names(&scheme.terms, e).any(|n| n == name)
}

/// Whether an expression has a value wherever it is looked at: it computes nothing that can leave its
/// range, and reaches no cell.
fn is_total(scheme: &Scheme, e: Id) -> bool {
    let terms = &scheme.terms;
    match expr(terms, e) {
        Some(Expr::Name(_) | Expr::Int(_) | Expr::Real(_) | Expr::True | Expr::False) => true,
        Some(Expr::Not(a)) => is_total(scheme, a),
        Some(Expr::Binary { op, left, right }) => {
            let compares = matches!(
                op,
                Binary::And
                    | Binary::Or
                    | Binary::Equal
                    | Binary::NotEqual
                    | Binary::Less
                    | Binary::LessOrEqual
                    | Binary::Greater
                    | Binary::GreaterOrEqual
            );
            compares && is_total(scheme, left) && is_total(scheme, right)
        }
        _ => false,
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
    let gatherings = gatherings(scheme, body);
    names
        .into_iter()
        .filter_map(|n| Some((n, reduction_among(scheme, &set, &gatherings, n)?)))
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

/// The REGISTERS of outside with so many cells that a body only adds to.
pub fn register_sums(scheme: &Scheme, size: Id, body: Id) -> Vec<Symbol> {
    let of_size = |name: Symbol| {
        scheme.variable(name).is_some_and(|v| {
            let registers = v.role == Role::Registers;
            registers && matches!(v.dims[..], [only] if scheme.terms.equal(only, size))
        })
    };
    reductions(scheme, body)
        .into_iter()
        .filter(|&(name, gather)| gather == Gather::Sum && of_size(name))
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
