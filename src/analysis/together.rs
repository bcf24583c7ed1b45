//! Arrays that are read at the same subscripts, so that records of their cells are read at once.

use super::simple::root_name;
use crate::algebra::{Expr, Operator, Signature, Type, expr, operator, signature, written};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};

/// A vector and a number array of the same sizes that an operator reads at the same subscripts and
/// does not write. REALs come before INTEGERs, which are carried by their bits.
pub fn read_together(scheme: &Scheme, body: Id) -> Option<(Symbol, Symbol)> {
    let terms = &scheme.terms;
    let is_written = |name: Symbol| {
        let mut targets = terms.subterms(body).flat_map(|id| written(terms, id));
        targets.any(|target| root_name(scheme, target) == Some(name))
    };
    let in_memory = |name: Symbol| {
        let variable = scheme.variable(name);
        variable.is_some_and(|v| {
            matches!(v.role, Role::Data { .. } | Role::Scoped)
                && matches!(v.dims[..], [size] if scheme.type_of(size) == Type::I32)
        }) && !is_written(name)
    };
    let vectors = cells(scheme, body, 3, scheme.precision.real());
    for ty in [scheme.precision.real(), Type::I32] {
        let numbers = cells(scheme, body, 1, ty);
        for &(vector, at) in &vectors {
            for &(number, other) in &numbers {
                let sizes = [vector, number].map(|name| scheme.variable(name).map(|v| v.dims[0]));
                if terms.equal(at, other)
                    && matches!(sizes, [Some(a), Some(b)] if terms.equal(a, b))
                    && in_memory(vector)
                    && in_memory(number)
                {
                    return Some((vector, number));
                }
            }
        }
    }
    None
}

/// The cells with one subscript that an operator names, with their subscripts, of arrays of a type.
fn cells(scheme: &Scheme, body: Id, components: usize, of: Type) -> Vec<(Symbol, Id)> {
    let terms = &scheme.terms;
    let is_of = |name: Symbol| {
        let variable = scheme.variable(name);
        variable.is_some_and(|v| v.ty.components() == components && v.ty.component() == of)
    };
    let cell = |id: Id| match expr(terms, id) {
        Some(Expr::Index {
            array,
            subscripts: &[at],
        }) if is_of(array) => Some((array, at)),
        _ => None,
    };
    terms.subterms(body).filter_map(cell).collect()
}

/// Of two SHARED arrays the one of vectors and the one of numbers, where operators have cells of both at the same
/// subscripts and do nothing with either array but read cells and assign them, vectors as what has
/// components: a cell of another array, a LOCAL, or what is made of numbers.
pub fn shared_together(
    scheme: &Scheme,
    parts: &[Id],
    [a, b]: [Symbol; 2],
) -> Option<(Symbol, Symbol)> {
    let real = scheme.precision.real();
    let is_of = |name: Symbol, components: usize, of: &[Type]| {
        scheme.variable(name).is_some_and(|v| {
            v.role == Role::Shared
                && v.ty.components() == components
                && of.contains(&v.ty.component())
        })
    };
    let ordered = [(a, b), (b, a)].into_iter();
    let mut ordered =
        ordered.filter(|&(v, m)| is_of(v, 3, &[real]) && is_of(m, 1, &[real, Type::I32]));
    let (vector, number) = ordered.next()?;
    let of = |name: Symbol, components: usize| {
        let ty = scheme
            .variable(name)
            .map_or(Type::Unknown, |v| v.ty.component());
        let all = parts
            .iter()
            .flat_map(move |&part| cells(scheme, part, components, ty));
        all.filter(move |&(array, _)| array == name)
            .map(|(_, at)| at)
    };
    let together = of(vector, 3).any(|at| of(number, 1).any(|other| scheme.terms.equal(at, other)));
    let may_move = |&part: &Id| {
        only_cells(scheme, part, [vector, number]) && only_assigned(scheme, part, vector, number)
    };
    (together && parts.iter().all(may_move)).then_some((vector, number))
}

/// Whether nothing but assignments writes two arrays, and whole vectors are assigned by components.
fn only_assigned(scheme: &Scheme, part: Id, vector: Symbol, number: Symbol) -> bool {
    let terms = &scheme.terms;
    terms.subterms(part).all(|id| {
        written(terms, id).all(|target| match root_name(scheme, target) {
            Some(name) if name == vector || name == number => match operator(terms, id) {
                Some(Operator::Assign { target, value }) => {
                    let whole = matches!(expr(terms, target), Some(Expr::Index { .. }));
                    name == number || !whole || has_components(scheme, value, vector)
                }
                _ => false,
            },
            _ => true,
        })
    })
}

/// Whether a value of the type of an array of vectors has components that can be named, none of which is read from
/// that array.
fn has_components(scheme: &Scheme, value: Id, array: Symbol) -> bool {
    let terms = &scheme.terms;
    let has = match expr(terms, value) {
        Some(Expr::Index { .. } | Expr::Name(_)) => true,
        Some(Expr::Apply { function, .. }) => signature(function) == Some(Signature::Vector),
        _ => false,
    };
    let same_type = scheme
        .variable(array)
        .is_some_and(|v| v.ty == scheme.type_of(value));
    has && same_type
        && !terms
            .subterms(value)
            .any(|t| terms.as_atom(t) == Some(array))
}

/// Whether arrays are named by their cells only.
fn only_cells(scheme: &Scheme, id: Id, arrays: [Symbol; 2]) -> bool {
    let terms = &scheme.terms;
    match expr(terms, id) {
        Some(Expr::Index { subscripts, .. }) => {
            subscripts.iter().all(|&at| only_cells(scheme, at, arrays))
        }
        _ if terms.as_atom(id).is_some_and(|name| arrays.contains(&name)) => false,
        _ => terms
            .args(id)
            .iter()
            .all(|&part| only_cells(scheme, part, arrays)),
    }
}
