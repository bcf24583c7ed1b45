//! Simplifying the integer arithmetic that rules build: bounds, counts and subscripts.

use crate::algebra::{Binary, Construct, Expr, Signature, expr, signature};
use crate::check::Scheme;
use crate::term::{Id, Terms};

/// Simplifies sums and products of integers: constants are gathered at the end, opposite terms
/// cancel. Anything that is not made of integers alone stays as it is, since `0 + x` is not `x` for
/// every floating-point `x`.
pub fn simplify(scheme: &Scheme, terms: &mut Terms, id: Id) -> Id {
    match is_integer(scheme, terms, id) {
        true => rewrite(scheme, terms, id),
        false => id,
    }
}

/// Whether an expression is an integer: a literal, a variable or a cell of integers, what a function gives as one, or what
/// operations make of these.
fn is_integer(scheme: &Scheme, terms: &Terms, id: Id) -> bool {
    match expr(terms, id) {
        Some(
            Expr::Int(_)
            | Expr::BlockIndex
            | Expr::ThreadIndex
            | Expr::BlockCount
            | Expr::ThreadCount
            | Expr::Multiprocessors,
        ) => true,
        Some(Expr::Name(name)) => match scheme.variable(name) {
            Some(v) => v.ty.is_integer(),
            // A variable that the rule is about to bind: loops have integer variables.
            None => name.as_str().contains('′') || !scheme.has_data,
        },
        Some(Expr::Index { array, .. }) => {
            scheme.variable(array).is_some_and(|v| v.ty.is_integer())
        }
        Some(Expr::Negate(a)) => is_integer(scheme, terms, a),
        Some(Expr::Binary { op, left, right }) => {
            matches!(
                op,
                Binary::Plus | Binary::Minus | Binary::Times | Binary::Div | Binary::Mod
            ) && is_integer(scheme, terms, left)
                && is_integer(scheme, terms, right)
        }
        Some(Expr::Apply {
            function,
            arguments: &[_, yes, no],
        }) if signature(function) == Some(Signature::Select) => {
            [yes, no].iter().all(|&a| is_integer(scheme, terms, a))
        }
        Some(Expr::Apply {
            function,
            arguments,
        }) => match signature(function) {
            Some(
                Signature::Int
                | Signature::Int64
                | Signature::ToInteger(_)
                | Signature::Bits(_)
                | Signature::BitsAsInteger
                | Signature::CeilDiv,
            ) => true,
            Some(Signature::Abs | Signature::Join(_)) => {
                arguments.iter().all(|&a| is_integer(scheme, terms, a))
            }
            _ => false,
        },
        _ => false,
    }
}

/// A sum: terms with their signs, and a constant.
#[derive(Default)]
struct Sum {
    terms: Vec<(bool, Id)>,
    constant: i64,
}

fn rewrite(scheme: &Scheme, terms: &mut Terms, id: Id) -> Id {
    let sum = collect(scheme, terms, id, true);
    let Some(sum) = sum else { return id };
    let mut result: Option<Id> = None;
    // What is positive first, so that no sum begins with a minus if it need not.
    let mut order: Vec<(bool, Id)> = sum.terms.clone();
    let mut constant = sum.constant;
    if let Some(first) = order.iter().position(|t| t.0) {
        let positive = order.remove(first);
        order.insert(0, positive);
    } else if constant > 0 {
        result = Some(terms.int(std::mem::take(&mut constant)));
    }
    for (positive, term) in order {
        result = Some(match (result, positive) {
            (None, true) => term,
            (None, false) => terms.apply(Construct::Negate.symbol(), &[term]),
            (Some(left), true) => terms.apply(Construct::Plus.symbol(), &[left, term]),
            (Some(left), false) => terms.apply(Construct::Minus.symbol(), &[left, term]),
        });
    }
    match (result, constant) {
        (None, k) => terms.int(k),
        (Some(left), 0) => left,
        (Some(left), k) if k > 0 => {
            let k = terms.int(k);
            terms.apply(Construct::Plus.symbol(), &[left, k])
        }
        (Some(left), k) => {
            let k = terms.int(-k);
            terms.apply(Construct::Minus.symbol(), &[left, k])
        }
    }
}

/// The sum that an expression is; nothing if a constant would leave the range of integers.
fn collect(scheme: &Scheme, terms: &mut Terms, id: Id, positive: bool) -> Option<Sum> {
    let mut sum = Sum::default();
    add(scheme, terms, id, positive, &mut sum)?;
    Some(sum)
}

fn add(scheme: &Scheme, terms: &mut Terms, id: Id, positive: bool, sum: &mut Sum) -> Option<()> {
    match expr(terms, id) {
        Some(Expr::Int(i)) => {
            sum.constant = if positive {
                sum.constant.checked_add(i)?
            } else {
                sum.constant.checked_sub(i)?
            };
        }
        Some(Expr::Negate(a)) => add(scheme, terms, a, !positive, sum)?,
        Some(Expr::Binary {
            op: Binary::Plus,
            left,
            right,
        }) => {
            add(scheme, terms, left, positive, sum)?;
            add(scheme, terms, right, positive, sum)?;
        }
        Some(Expr::Binary {
            op: Binary::Minus,
            left,
            right,
        }) => {
            add(scheme, terms, left, positive, sum)?;
            add(scheme, terms, right, !positive, sum)?;
        }
        _ => {
            let term = inner(scheme, terms, id);
            if is_negated(terms, term) {
                let opposite = opposite(terms, term);
                return add(scheme, terms, opposite, !positive, sum);
            }
            if let Some(i) = terms.as_int(term) {
                sum.constant = if positive {
                    sum.constant.checked_add(i)?
                } else {
                    sum.constant.checked_sub(i)?
                };
            } else if let Some(k) = sum
                .terms
                .iter()
                .position(|&(p, t)| p != positive && terms.equal(t, term))
            {
                sum.terms.remove(k);
            } else {
                sum.terms.push((positive, term));
            }
        }
    }
    Some(())
}

/// Whether a term is a product with a negative number, or a quotient by -1.
fn is_negated(terms: &Terms, term: Id) -> bool {
    match expr(terms, term) {
        Some(Expr::Binary {
            op: Binary::Times,
            left,
            ..
        }) => terms.as_int(left).is_some_and(|k| k < 0 && k > i64::MIN),
        Some(Expr::Binary {
            op: Binary::Div,
            right,
            ..
        }) => terms.as_int(right) == Some(-1),
        _ => false,
    }
}

/// The opposite of a term that [`is_negated`].
fn opposite(terms: &mut Terms, term: Id) -> Id {
    let [left, right] = terms.args(term)[..] else {
        return term;
    };
    match terms.as_int(left) {
        Some(-1) => right,
        Some(k) if terms.functor(term) == Some(Construct::Times.symbol()) => {
            let k = terms.int(-k);
            terms.with_args(term, &[k, right])
        }
        _ => left,
    }
}

/// A term of a sum, its own parts simplified.
fn inner(scheme: &Scheme, terms: &mut Terms, id: Id) -> Id {
    let construct = terms.functor(id).and_then(Construct::of);
    let arguments = terms.args(id).to_vec();
    match construct {
        Some(Construct::Times) => {
            let a = rewrite(scheme, terms, arguments[0]);
            let b = rewrite(scheme, terms, arguments[1]);
            match (terms.as_int(a), terms.as_int(b)) {
                (Some(x), Some(y)) if x.checked_mul(y).is_some() => terms.int(x * y),
                (Some(0), _) | (_, Some(0)) => terms.int(0),
                (Some(1), _) => b,
                (_, Some(1)) => a,
                _ => terms.with_args(id, &[a, b]),
            }
        }
        Some(Construct::Div | Construct::Mod) => {
            let a = rewrite(scheme, terms, arguments[0]);
            let b = rewrite(scheme, terms, arguments[1]);
            terms.with_args(id, &[a, b])
        }
        Some(Construct::Apply) => {
            let mut new = vec![arguments[0]];
            for &argument in &arguments[1..] {
                // A function may take REALs, and make an integer of them.
                new.push(simplify(scheme, terms, argument));
            }
            terms.with_args(id, &new)
        }
        _ => id,
    }
}
