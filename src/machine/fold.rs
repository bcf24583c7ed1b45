//! Expressions over parameters, evaluated: defaults, sizes, WORK.

use super::Value;
use crate::algebra::{
    self, Arithmetic, Binary, Comparison, Expr, Extreme, Kind, Signature, Type, expr,
};
use crate::check::Scheme;
use crate::term::{Id, Symbol};

/// The value of an expression over parameters; nothing if it has none.
///
/// Integers are evaluated in 64 bits and reals in 64 bits; a value of type REAL32 is rounded.
pub fn fold(scheme: &Scheme, id: Id, parameters: &[(Symbol, Value)]) -> Option<Value> {
    let real = |v: Value| match v {
        Value::Int(i) => i as f64,
        Value::Real(x) => x,
        Value::Bool(b) => f64::from(u8::from(b)),
    };
    let narrow = |x: f64| {
        Value::Real(if scheme.type_of(id) == Type::F32 {
            f64::from(x as f32)
        } else {
            x
        })
    };
    Some(match expr(&scheme.terms, id)? {
        Expr::Int(i) if scheme.type_of(id).is_real() => Value::Real(i as f64),
        Expr::Int(i) => Value::Int(i),
        Expr::Real(x) => narrow(x),
        Expr::True => Value::Bool(true),
        Expr::False => Value::Bool(false),
        Expr::Name(name) => parameters.iter().find(|(n, _)| *n == name)?.1,
        Expr::Negate(a) => match fold(scheme, a, parameters)? {
            Value::Int(i) => Value::Int(i.checked_neg()?),
            v => narrow(-real(v)),
        },
        Expr::Not(a) => match fold(scheme, a, parameters)? {
            Value::Bool(b) => Value::Bool(!b),
            _ => return None,
        },
        Expr::Binary { op, left, right } => {
            let (a, b) = (
                fold(scheme, left, parameters)?,
                fold(scheme, right, parameters)?,
            );
            match (a, b) {
                (Value::Int(x), Value::Int(y)) => integers(op, x, y)?,
                (Value::Bool(x), Value::Bool(y)) => Value::Bool(match op.kind() {
                    Kind::Logic(op) => op.holds(x, y),
                    Kind::Comparison(op @ (Comparison::Equal | Comparison::NotEqual)) => {
                        op.holds(x, y)
                    }
                    Kind::Comparison(_) | Kind::Arithmetic(_) => return None,
                }),
                _ => {
                    let (x, y) = (real(a), real(b));
                    match op.kind() {
                        Kind::Arithmetic(op) => narrow(match (op, b) {
                            (Arithmetic::Plus, _) => x + y,
                            (Arithmetic::Minus, _) => x - y,
                            (Arithmetic::Times, _) => x * y,
                            (Arithmetic::Div, _) => x / y,
                            (Arithmetic::Power, Value::Int(k)) => x.powi(i32::try_from(k).ok()?),
                            (Arithmetic::Power, _) => x.powf(y),
                            (Arithmetic::Mod, _) => return None,
                        }),
                        Kind::Comparison(op) => Value::Bool(op.holds(x, y)),
                        Kind::Logic(_) => return None,
                    }
                }
            }
        }
        Expr::Apply {
            function,
            arguments,
        } => {
            let values: Option<Vec<Value>> = arguments
                .iter()
                .map(|&a| fold(scheme, a, parameters))
                .collect();
            let values = values?;
            match (algebra::signature(function)?, values.as_slice()) {
                // Bits are those of the type.
                (Signature::Bits(function), &[Value::Int(a)]) => {
                    Value::Int(function.value(scheme.type_of(id), a, 0))
                }
                (Signature::Bits(function), &[Value::Int(a), Value::Int(b)]) => {
                    Value::Int(function.value(scheme.type_of(id), a, b))
                }
                (signature, values) => apply(signature, values, &real, &narrow)?,
            }
        }
        _ => return None,
    })
}

fn integers(op: Binary, x: i64, y: i64) -> Option<Value> {
    Some(match op.kind() {
        Kind::Arithmetic(op) => Value::Int(match op {
            Arithmetic::Plus => x.checked_add(y)?,
            Arithmetic::Minus => x.checked_sub(y)?,
            Arithmetic::Times => x.checked_mul(y)?,
            Arithmetic::Div => x.checked_div(y)?,
            Arithmetic::Mod => x.checked_rem(y)?,
            Arithmetic::Power => x.checked_pow(u32::try_from(y).ok()?)?,
        }),
        Kind::Comparison(op) => Value::Bool(op.holds(x, y)),
        Kind::Logic(_) => return None,
    })
}

fn apply(
    signature: Signature,
    values: &[Value],
    real: &dyn Fn(Value) -> f64,
    narrow: &dyn Fn(f64) -> Value,
) -> Option<Value> {
    let first = *values.first()?;
    let whole = |x: f64| (x.abs() < 9e18).then_some(Value::Int(x as i64));
    Some(match (signature, values) {
        (Signature::Join(extreme), &[Value::Int(a), Value::Int(b)]) => Value::Int(match extreme {
            Extreme::Min => a.min(b),
            Extreme::Max => a.max(b),
        }),
        (Signature::Join(extreme), &[a, b]) => {
            let (a, b) = (real(a), real(b));
            let second = match extreme {
                Extreme::Min => b < a,
                Extreme::Max => a < b,
            };
            narrow(if second { b } else { a })
        }
        (Signature::CeilDiv, &[Value::Int(a), Value::Int(b)]) => {
            let q = a.checked_div(b)?;
            Value::Int(q + i64::from(a % b != 0 && (a < 0) == (b < 0)))
        }
        (Signature::Abs, &[Value::Int(a)]) => Value::Int(a.checked_abs()?),
        (Signature::Abs, _) => narrow(real(first).abs()),
        (Signature::Select, &[Value::Bool(c), a, b]) => match c {
            true => a,
            false => b,
        },
        (Signature::RealReal(function), &[a, b]) => narrow(function.in_f64()(real(a), real(b))),
        (Signature::Fma, &[a, b, c]) => narrow(real(a).mul_add(real(b), real(c))),
        (Signature::Int | Signature::Int64, _) => whole(real(first).trunc())?,
        (Signature::ToInteger(rounding), _) => whole(rounding.in_f64()(real(first)))?,
        (Signature::ToReal | Signature::ToReal32 | Signature::ToReal64, _) => narrow(real(first)),
        (Signature::Real(function), _) => narrow(function.in_f64()(real(first))),
        // Of vectors, of bits that a REAL32 would not keep as a number of 64, or of values that are not of its types.
        (
            Signature::RealReal(_)
            | Signature::Join(_)
            | Signature::Select
            | Signature::CeilDiv
            | Signature::Bits(_)
            | Signature::BitsAsReal
            | Signature::BitsAsInteger
            | Signature::Fma
            | Signature::Dot
            | Signature::Cross
            | Signature::Norm(_)
            | Signature::Vector,
            _,
        ) => return None,
    })
}
