//! Scalars that a loop gathers into, and what of it may be gathered apart.

use super::access::{Access, Around, Loop, accesses};
use super::context::Context;
use super::dependence::independent_but;
use super::reduction::{Gather, reductions};
use super::simple::root_name;
use super::sums::keeps_range;
use super::{Answer, parallel_ok};
use crate::algebra::{
    Atomic, Binary, Expr, Operator, Signature, Type, expr, operator, signature, written,
};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};

/// Why sums of reals stay in order, where nothing else holds them there.
pub const ROUNDED: &str = "its rounding depends on grouping";

/// The scalars of outside that a body gathers into, and how, in order of declaration.
pub fn gathered_scalars(scheme: &Scheme, body: Id) -> Vec<(Symbol, Gather)> {
    let mut all = reductions(scheme, body);
    all.retain(|&(name, gather)| {
        // What is gathered into a component would be gathered into all of a vector; only a sum leaves the
        // others as they are, by adding zeros.
        let alone = |ty: Type| gather == Gather::Sum || ty.components() == 1;
        let variable = scheme.variable(name);
        variable.is_some_and(|v| !v.is_array() && alone(v.ty))
    });
    all
}

/// Whether what each iteration of a loop gathers into a scalar may be gathered by itself, and the
/// scalar then gathers these parts in their order: the results are the same, to the last bit.
///
/// A sum of INTEGERs is, if parts are INTEGER64: each is the difference of two values that the scalar
/// has on its way. One of INTEGER64 must be too short to leave their range.
pub fn gathers_in_order(scheme: &Scheme, name: Symbol, body: Id) -> Answer {
    let all = gathered_scalars(scheme, body);
    let Some(&(_, gather)) = all.iter().find(|g| g.0 == name) else {
        return Answer::no(format!("{} is not only gathered into", author_name(name)));
    };
    let ty = scheme.variable(name).map(|v| v.ty);
    match (gather, ty) {
        (
            Gather::Extreme(_) | Gather::All | Gather::Any | Gather::Bits(_) | Gather::Constant(_),
            _,
        ) => Answer::proved("it does not depend on grouping"),
        (Gather::Sum, Some(Type::I32)) => {
            Answer::proved("partial sums are differences of INTEGERs")
        }
        (Gather::Sum, Some(Type::I64)) if in_range(scheme, name, body, None) => {
            Answer::proved("partial sums stay in range")
        }
        (Gather::Sum | Gather::Product, Some(Type::I32 | Type::I64)) => {
            Answer::unknown("a partial sum may overflow where the whole does not")
        }
        (Gather::Sum | Gather::Product, _) => Answer::no(ROUNDED),
    }
}

/// Whether the iterations of a loop may be done in any order, but for the rounding of what they gather
/// into scalars: they share nothing else.
///
/// Of values that are equal, such as 0 and -0, an extreme may then have another one. An integer must not
/// leave its range on the way: sums of numbers of one sign do not, nor those that start from 0, as the
/// scalars in `zero` do, and are too short to.
pub fn any_order(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    body: Id,
    zero: &[Symbol],
) -> Answer {
    let ok = parallel_ok(scheme, body);
    if !ok.is_yes() {
        return ok;
    }
    let all = gathered_scalars(scheme, body);
    for &(name, gather) in &all {
        let stays = match gather {
            Gather::Sum => {
                keeps_range(scheme, name, body)
                    || zero.contains(&name) && in_range(scheme, name, body, Some(this))
            }
            Gather::Product => scheme.variable(name).is_some_and(|v| v.ty.is_real()),
            Gather::Extreme(_)
            | Gather::All
            | Gather::Any
            | Gather::Bits(_)
            | Gather::Constant(_) => true,
        };
        if !stays {
            return Answer::unknown(format!(
                "{} is an integer, and in another order it might leave its range on the way",
                author_name(name)
            ));
        }
    }
    let names: Vec<Symbol> = all.iter().map(|g| g.0).collect();
    independent_but(scheme, context, this, body, &names)
}

/// Whether the iterations of a loop may be gathered in any order and in any groups, but for rounding: as
/// [`any_order`] has it, and what some of them add to an INTEGER64 stays in its range by itself.
///
/// It does if the scalar starts from 0: then the sum of some iterations is a value that it may have in another order.
pub fn any_grouping(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    body: Id,
    zero: &[Symbol],
) -> Answer {
    let order = any_order(scheme, context, this, body, zero);
    if !order.is_yes() {
        return order;
    }
    let sums = gathered_scalars(scheme, body).into_iter();
    let mut sums = sums.filter(|&(name, gather)| {
        gather == Gather::Sum && scheme.variable(name).is_some_and(|v| v.ty == Type::I64)
    });
    match sums.find(|(name, _)| !zero.contains(name) && !in_range(scheme, *name, body, Some(this)))
    {
        Some((name, _)) => Answer::unknown(format!(
            "a part of what is added to {} may leave the range of INTEGER64",
            author_name(name)
        )),
        None => order,
    }
}

/// Whether what a body adds to an INTEGER64 fits into it: one run, or those of a loop.
fn in_range(scheme: &Scheme, name: Symbol, body: Id, around: Option<Loop>) -> bool {
    if scheme.variable(name).is_none_or(|v| v.ty != Type::I64) {
        return false;
    }
    let set = accesses(scheme, body);
    let (mut least, mut most) = (0i128, 0i128);
    for id in scheme.terms.subterms(body) {
        let targets = written(&scheme.terms, id);
        for target in targets.filter(|&target| root_name(scheme, target) == Some(name)) {
            let written = set.all.iter().find(|a| a.write && a.id == target);
            let times = written.and_then(|access| times(scheme, access, around));
            let (Some(times), Some((low, high))) = (times, added(scheme, id)) else {
                return false;
            };
            let (Some(low), Some(high)) = (low.checked_mul(times), high.checked_mul(times)) else {
                return false;
            };
            least = least.saturating_add(low.min(0));
            most = most.saturating_add(high.max(0));
        }
    }
    least >= i64::MIN.into() && most <= i64::MAX.into()
}

/// What an operator may add: the least and the most.
fn added(scheme: &Scheme, id: Id) -> Option<(i128, i128)> {
    let terms = &scheme.terms;
    let (value, opposite) = match operator(terms, id)? {
        Operator::Atomic {
            op: Atomic::Add,
            value,
            was: None,
            ..
        } => (value, false),
        Operator::Assign { target, value } => match expr(terms, value)? {
            Expr::Binary {
                op: Binary::Plus,
                left,
                right,
            } => match terms.equal(left, target) {
                true => (right, false),
                false => (left, false),
            },
            Expr::Binary {
                op: Binary::Minus,
                right,
                ..
            } => (right, true),
            _ => return None,
        },
        _ => return None,
    };
    let (low, high) = match terms.as_int(value) {
        Some(k) => (k.into(), k.into()),
        None => ends(narrowest(scheme, value))?,
    };
    Some(match opposite {
        true => (-high, -low),
        false => (low, high),
    })
}

/// The type of an integer before it was made an INTEGER64.
fn narrowest(scheme: &Scheme, e: Id) -> Type {
    match expr(&scheme.terms, e) {
        Some(Expr::Apply {
            function,
            arguments: &[inner],
        }) if signature(function) == Some(Signature::Int64) => scheme.type_of(inner),
        _ => scheme.type_of(e),
    }
}

/// The ends of an integer type.
fn ends(ty: Type) -> Option<(i128, i128)> {
    match ty {
        Type::I32 => Some((i32::MIN.into(), i32::MAX.into())),
        Type::I64 => Some((i64::MIN.into(), i64::MAX.into())),
        _ => None,
    }
}

/// How often an access happens at most, in a body or in a loop with it.
fn times(scheme: &Scheme, access: &Access, around: Option<Loop>) -> Option<i128> {
    let mut times = match around {
        Some(outer) => iterations(scheme, outer)?,
        None => 1,
    };
    for around in access.around.iter() {
        match *around {
            Around::Loop(inner) => times = times.checked_mul(iterations(scheme, inner)?)?,
            Around::Branch(..) => {}
            Around::Maybe | Around::Launch(..) => return None,
        }
    }
    Some(times)
}

/// How many iterations a loop has at most.
fn iterations(scheme: &Scheme, this: Loop) -> Option<i128> {
    let (least, most) = ends(scheme.variable(this.var)?.ty)?;
    let first = scheme.terms.as_int(this.from).map_or(least, i128::from);
    let step = match this.step {
        None => 1,
        Some(step) => scheme.terms.as_int(step).filter(|&s| s > 0)?.into(),
    };
    Some((most - first) / step + 1)
}
