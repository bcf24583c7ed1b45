//! Parts of schemes: where they stand, what occurs in them, of what type they are.

use crate::algebra::{
    Atomic, Binary, Construct, Expr, Inside, Operator, Signature, Type, bodies_of, expr, operator,
    signature,
};
use crate::check::Scheme;
use crate::rewrite::FloatClass;
use crate::term::{Id, Terms};
use rustc_hash::FxHashMap;

/// How much of a scheme has results that depend on where and when it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unsettled {
    /// Atomic sums of reals in iterations that run at once.
    sums: usize,
    /// Functions whose values are the hardware's, in launches and in LANES; elsewhere they are
    /// computed from exact ones.
    functions: usize,
}

/// How the iterations around an operator run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Runs {
    InTurn,
    AtOnce,
    /// At once, with the hardware's functions.
    OnHardware,
}

impl Unsettled {
    /// What there is of it in an operator, by how the iterations around it run. Each operator is looked at once, as long as
    /// `counted` is kept.
    pub(super) fn of(
        scheme: &Scheme,
        id: Id,
        around: Runs,
        counted: &mut FxHashMap<(Id, Runs), Unsettled>,
    ) -> Unsettled {
        if let Some(&known) = counted.get(&(id, around)) {
            return known;
        }
        let terms = &scheme.terms;
        let inside = match operator(terms, id) {
            Some(Operator::Launch { .. } | Operator::Parallel { lanes: Some(_), .. }) => {
                Runs::OnHardware
            }
            Some(view) if around == Runs::InTurn && view.inside() == Inside::AtOnce => Runs::AtOnce,
            _ => around,
        };
        let mut found = Unsettled {
            sums: at_once_sum(scheme, id, around != Runs::InTurn),
            functions: 0,
        };
        let mut bodies = bodies_of(terms, id).peekable();
        for (i, &part) in terms.args(id).iter().enumerate() {
            if bodies.next_if_eq(&i).is_some() {
                found.add(Unsettled::of(scheme, part, inside, counted));
            } else if inside == Runs::OnHardware {
                found.add(Unsettled::in_expression(scheme, part));
            }
        }
        counted.insert((id, around), found);
        found
    }

    fn add(&mut self, other: Unsettled) {
        self.sums += other.sums;
        self.functions += other.functions;
    }

    /// What there is of it in an expression, or in another part that is no operator, by the hardware's functions.
    fn in_expression(scheme: &Scheme, whole: Id) -> Unsettled {
        let terms = &scheme.terms;
        let mut found = Unsettled::default();
        for id in terms.subterms(whole) {
            match terms.functor(id).and_then(Construct::of) {
                Some(construct) if Atomic::of(construct).is_some() => {
                    found.sums += at_once_sum(scheme, id, true)
                }
                Some(Construct::Apply) => {
                    if let Some(Expr::Apply { function: name, .. }) = expr(terms, id) {
                        let approximate = signature(name).is_some_and(|s| s.near().is_some());
                        found.functions += usize::from(approximate);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// What a step is at least that makes one scheme another.
    pub(super) fn class(before: Unsettled, after: Unsettled) -> FloatClass {
        if after.functions > before.functions {
            FloatClass::Approximate
        } else if after.sums > before.sums {
            FloatClass::Unordered
        } else {
            FloatClass::Exact
        }
    }
}

/// Whether an operator is an indivisible action whose result depends on the order of iterations that run at once, as
/// a number.
fn at_once_sum(scheme: &Scheme, id: Id, at_once: bool) -> usize {
    let Some(Operator::Atomic {
        op, target, was, ..
    }) = operator(&scheme.terms, id)
    else {
        return 0;
    };
    let shows_order = match op {
        // What it gives shows the order, whatever the type.
        _ if was.is_some() => true,
        Atomic::Add => !scheme.type_of(target).is_integer(),
        Atomic::Min | Atomic::Max => false,
    };
    usize::from(at_once && shows_order)
}

/// Lengthens a path from `from` to the node `to` below it. False, with the path as it was, if it is
/// not there.
pub(super) fn way_to(terms: &Terms, from: Id, to: Id, path: &mut Vec<u32>) -> bool {
    if from == to {
        return true;
    }
    for (i, &argument) in terms.args(from).iter().enumerate() {
        path.push(i as u32);
        if way_to(terms, argument, to, path) {
            return true;
        }
        path.pop();
    }
    false
}

/// Whether a part occurs in a term.
pub(super) fn mentions(terms: &Terms, within: Id, part: Id) -> bool {
    terms.subterms(within).any(|t| terms.equal(t, part))
}

/// The same of an expression that a rule has made of parts of the scheme, as far as these say it.
pub(super) fn type_within(scheme: &Scheme, id: Id) -> Option<Type> {
    let terms = &scheme.terms;
    if let Some(ty) = type_of(scheme, id) {
        return Some(ty);
    }
    let of = |e: Id| type_within(scheme, e);
    match expr(terms, id)? {
        Expr::Field { vector, .. } => of(vector).map(Type::component),
        Expr::Negate(a) => of(a),
        Expr::Binary {
            op: Binary::Plus | Binary::Minus,
            left,
            right,
        } => of(left)?.join(of(right)?),
        Expr::Binary {
            op: Binary::Times | Binary::Div,
            left,
            right,
        } => {
            let (a, b) = (of(left)?, of(right)?);
            match (a.is_vector(), b.is_vector()) {
                (true, _) => a.scaled(b),
                (_, true) => b.scaled(a),
                _ => a.join(b),
            }
        }
        Expr::Apply {
            function,
            arguments,
        } => match (signature(function)?, arguments) {
            (Signature::Fma, &[a, b, c]) => {
                let (a, b, c) = (of(a)?, of(b)?, of(c)?);
                c.with_components(a.component().join(b.component())?.join(c.component())?)
            }
            (Signature::Select, &[_, a, b]) | (Signature::Join(_), &[a, b]) => of(a)?.join(of(b)?),
            (Signature::ToReal, &[a]) => of(a)?.with_components(scheme.precision.real()),
            (Signature::ToReal32, &[a]) => of(a)?.with_components(Type::F32),
            (Signature::ToReal64, &[a]) => of(a)?.with_components(Type::F64),
            (Signature::BitsAsReal | Signature::BitsAsInteger, &[a]) => of(a)?.of_same_width(),
            (Signature::Norm(_), &[a]) => of(a).map(Type::component),
            (Signature::Dot, &[a, b]) => of(a)?.join(of(b)?).map(Type::component),
            (Signature::Cross, &[a, b]) => of(a)?.join(of(b)?),
            _ => None,
        },
        _ => None,
    }
}

/// The type of a variable or of a cell, or of an expression of the scheme.
pub(super) fn type_of(scheme: &Scheme, id: Id) -> Option<Type> {
    let terms = &scheme.terms;
    if let Some(Expr::Field { vector, .. }) = expr(terms, id) {
        return type_of(scheme, vector).map(Type::component);
    }
    let name = match terms.functor(id).and_then(Construct::of) {
        Some(Construct::Index) if terms.arity(id) > 1 => terms.as_atom(terms.arg(id, 0)),
        _ => terms.as_atom(id),
    };
    // Numbers of threads and blocks are names of no variable.
    let ty = match name.and_then(|name| scheme.variable(name)) {
        Some(variable) => variable.ty,
        None => scheme.type_of(id),
    };
    (ty != Type::Unknown).then_some(ty)
}
