//! What is known of the sign of a number from what it is made of.

use crate::algebra::{self, Binary, Construct, Expr, Operator, Signature, expr, operator};
use crate::analysis;
use crate::check::{Role, Scheme};
use crate::term::Id;

/// What is known of a number's sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Positive,
    NotNegative,
}

pub(super) fn sign(scheme: &Scheme, e: Id) -> Option<Sign> {
    let terms = &scheme.terms;
    match expr(terms, e)? {
        Expr::Int(k) if k > 0 => Some(Sign::Positive),
        Expr::Int(0) => Some(Sign::NotNegative),
        Expr::Real(x) if x > 0.0 => Some(Sign::Positive),
        Expr::Index { array, .. } if analysis::is_positive(scheme, array) => Some(Sign::Positive),
        Expr::Name(name) => {
            // A LOCAL that keeps its value is what it was made from; a variable that counts up stays above
            // where it starts.
            let role = &scheme.variable(name)?.role;
            if matches!(role, Role::Loop) {
                let mut all = terms.subterms(scheme.body);
                return all.find_map(|t| match operator(terms, t) {
                    Some(Operator::For {
                        var,
                        from,
                        step: None,
                        ..
                    }) if var == name => sign(scheme, from),
                    _ => None,
                });
            }
            let local = matches!(role, Role::Local);
            let set = analysis::accesses(scheme, scheme.body);
            let &value = set.definitions.get(&name).filter(|_| local)?;
            sign(scheme, value)
        }
        Expr::Binary {
            op: Binary::Times | Binary::Plus | Binary::Div,
            left,
            right,
        } => match (sign(scheme, left)?, sign(scheme, right)?) {
            // Products and quotients of positive numbers may vanish by underflow.
            (Sign::Positive, Sign::Positive)
                if terms.functor(e) == Some(Construct::Plus.symbol()) =>
            {
                Some(Sign::Positive)
            }
            _ => Some(Sign::NotNegative),
        },
        Expr::Apply {
            function,
            arguments: &[_, yes, no],
        } if algebra::signature(function) == Some(Signature::Select) => {
            match (sign(scheme, yes)?, sign(scheme, no)?) {
                (Sign::Positive, Sign::Positive) => Some(Sign::Positive),
                _ => Some(Sign::NotNegative),
            }
        }
        Expr::Apply { function, .. } => {
            let signature = algebra::signature(function)?;
            let never_negative = match signature {
                Signature::Abs | Signature::Norm(_) => true,
                _ => signature.entry().is_some_and(|entry| entry.never_negative),
            };
            never_negative.then_some(Sign::NotNegative)
        }
        _ => None,
    }
}
