//! Expressions over parameters, evaluated: defaults, sizes, WORK.

use super::Value;
use crate::algebra::{Construct, Expr, Type, expr};
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
                (Value::Bool(x), Value::Bool(y)) => Value::Bool(match op {
                    Construct::And => x && y,
                    Construct::Or => x || y,
                    Construct::Equal => x == y,
                    Construct::NotEqual => x != y,
                    _ => return None,
                }),
                _ => {
                    let (x, y) = (real(a), real(b));
                    match op {
                        Construct::Plus => narrow(x + y),
                        Construct::Minus => narrow(x - y),
                        Construct::Times => narrow(x * y),
                        Construct::Div => narrow(x / y),
                        Construct::Power => match b {
                            Value::Int(k) => narrow(x.powi(i32::try_from(k).ok()?)),
                            _ => narrow(x.powf(y)),
                        },
                        Construct::Equal => Value::Bool(x == y),
                        Construct::NotEqual => Value::Bool(x != y),
                        Construct::Less => Value::Bool(x < y),
                        Construct::LessOrEqual => Value::Bool(x <= y),
                        Construct::Greater => Value::Bool(x > y),
                        Construct::GreaterOrEqual => Value::Bool(x >= y),
                        _ => return None,
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
            apply(function.as_str(), &values, &real, &narrow)?
        }
        _ => return None,
    })
}

fn integers(op: Construct, x: i64, y: i64) -> Option<Value> {
    Some(match op {
        Construct::Plus => Value::Int(x.checked_add(y)?),
        Construct::Minus => Value::Int(x.checked_sub(y)?),
        Construct::Times => Value::Int(x.checked_mul(y)?),
        Construct::Div => Value::Int(x.checked_div(y)?),
        Construct::Mod => Value::Int(x.checked_rem(y)?),
        Construct::Power => Value::Int(x.checked_pow(u32::try_from(y).ok()?)?),
        Construct::Equal => Value::Bool(x == y),
        Construct::NotEqual => Value::Bool(x != y),
        Construct::Less => Value::Bool(x < y),
        Construct::LessOrEqual => Value::Bool(x <= y),
        Construct::Greater => Value::Bool(x > y),
        Construct::GreaterOrEqual => Value::Bool(x >= y),
        _ => return None,
    })
}

fn apply(
    name: &str,
    values: &[Value],
    real: &dyn Fn(Value) -> f64,
    narrow: &dyn Fn(f64) -> Value,
) -> Option<Value> {
    let first = *values.first()?;
    let whole = |x: f64| (x.abs() < 9e18).then_some(Value::Int(x as i64));
    Some(match (name, values) {
        ("min", &[Value::Int(a), Value::Int(b)]) => Value::Int(a.min(b)),
        ("max", &[Value::Int(a), Value::Int(b)]) => Value::Int(a.max(b)),
        ("ceil_div", &[Value::Int(a), Value::Int(b)]) => {
            let q = a.checked_div(b)?;
            Value::Int(q + i64::from(a % b != 0 && (a < 0) == (b < 0)))
        }
        ("abs", &[Value::Int(a)]) => Value::Int(a.checked_abs()?),
        ("select", &[Value::Bool(c), a, b]) => {
            if c {
                a
            } else {
                b
            }
        }
        ("min", &[a, b]) => narrow(if real(b) < real(a) { real(b) } else { real(a) }),
        ("max", &[a, b]) => narrow(if real(a) < real(b) { real(b) } else { real(a) }),
        ("pow" | "pow_approx", &[a, b]) => narrow(real(a).powf(real(b))),
        ("fma", &[a, b, c]) => narrow(real(a).mul_add(real(b), real(c))),
        ("int" | "int64", _) => whole(real(first).trunc())?,
        ("floor", _) => whole(real(first).floor())?,
        ("ceil", _) => whole(real(first).ceil())?,
        ("round", _) => whole(real(first).round())?,
        ("real" | "real32" | "real64", _) => narrow(real(first)),
        ("abs", _) => narrow(real(first).abs()),
        ("sqrt", _) => narrow(real(first).sqrt()),
        ("rsqrt" | "rsqrt_approx", _) => narrow(1.0 / real(first).sqrt()),
        ("exp", _) => narrow(real(first).exp()),
        ("log", _) => narrow(real(first).ln()),
        ("sin", _) => narrow(real(first).sin()),
        ("cos", _) => narrow(real(first).cos()),
        ("erfc", _) => narrow(super::math::erfc(real(first))),
        _ => return None,
    })
}
