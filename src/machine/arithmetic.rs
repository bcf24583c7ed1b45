//! What the operations of the machine compute.

use super::code::{Arithmetic, Unary};
use super::error::Kind;
use crate::algebra::{Atomic, Comparison, Type};

/// A failure: its kind and one sentence.
pub type Failure = (Kind, String);

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn of_f32(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// An integer result, if it is in the type's range.
fn integer(value: Option<i64>, ty: Type) -> Result<u64, Failure> {
    match value {
        Some(v) if ty == Type::I64 || i32::try_from(v).is_ok() => Ok(v as u64),
        _ => Err((
            Kind::Overflow,
            format!(
                "an integer is out of the range of {}",
                ty.name(Default::default())
            ),
        )),
    }
}

/// What a value becomes when another one is gathered into it as one indivisible action.
pub fn gathered(op: Atomic, ty: Type, old: u64, value: u64) -> Result<u64, Failure> {
    match (op, ty) {
        // Sums of integers wrap, so that they do not depend on their order.
        (Atomic::Add, Type::I32) => Ok((old as i32).wrapping_add(value as i32) as i64 as u64),
        (Atomic::Add, Type::I64) => Ok((old as i64).wrapping_add(value as i64) as u64),
        (Atomic::Add, _) => arithmetic(Arithmetic::Add, ty, old, value),
        (Atomic::Min, _) if compare(Comparison::Less, ty, value, old) => Ok(value),
        (Atomic::Max, _) if compare(Comparison::Less, ty, old, value) => Ok(value),
        (Atomic::Min | Atomic::Max, _) => Ok(old),
    }
}

/// An arithmetic operation on two values of a type.
pub fn arithmetic(op: Arithmetic, ty: Type, a: u64, b: u64) -> Result<u64, Failure> {
    match ty {
        Type::F32 => {
            let (x, y) = (f32_of(a), f32_of(b));
            Ok(of_f32(match op {
                Arithmetic::Add => x + y,
                Arithmetic::Subtract => x - y,
                Arithmetic::Multiply => x * y,
                Arithmetic::Divide | Arithmetic::CeilDivide => x / y,
                Arithmetic::Remainder => x % y,
                Arithmetic::Of(function) => function.in_f32()(x, y),
            }))
        }
        Type::F64 => {
            let (x, y) = (f64_of(a), f64_of(b));
            Ok(match op {
                Arithmetic::Add => x + y,
                Arithmetic::Subtract => x - y,
                Arithmetic::Multiply => x * y,
                Arithmetic::Divide | Arithmetic::CeilDivide => x / y,
                Arithmetic::Remainder => x % y,
                Arithmetic::Of(function) => function.in_f64()(x, y),
            }
            .to_bits())
        }
        _ => {
            let (x, y) = (a as i64, b as i64);
            let divides = matches!(
                op,
                Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::CeilDivide
            );
            if divides && y == 0 {
                return Err((Kind::Division, "an integer is divided by zero".into()));
            }
            let value = match op {
                Arithmetic::Add => x.checked_add(y),
                Arithmetic::Subtract => x.checked_sub(y),
                Arithmetic::Multiply => x.checked_mul(y),
                Arithmetic::Divide => x.checked_div(y),
                // The least integer has no quotient by -1, and no remainder either.
                Arithmetic::Remainder if ty == Type::I32 && y == -1 => {
                    (x != i64::from(i32::MIN)).then_some(0)
                }
                Arithmetic::Remainder => x.checked_rem(y),
                Arithmetic::CeilDivide => x.checked_div(y).map(|q| {
                    // Towards plus infinity where the quotient is positive and not whole.
                    q + i64::from(x % y != 0 && (x < 0) == (y < 0))
                }),
                // A checked scheme has none: its arguments become reals.
                Arithmetic::Of(_) => None,
            };
            integer(value, ty)
        }
    }
}

/// A comparison of two values of a type.
pub fn compare(op: Comparison, ty: Type, a: u64, b: u64) -> bool {
    match ty {
        Type::F32 => op.holds(f32_of(a), f32_of(b)),
        Type::F64 => op.holds(f64_of(a), f64_of(b)),
        _ => op.holds(a as i64, b as i64),
    }
}

/// a * b + c of reals, rounded once.
pub fn multiply_add(ty: Type, a: u64, b: u64, c: u64) -> u64 {
    match ty {
        Type::F32 => of_f32(f32_of(a).mul_add(f32_of(b), f32_of(c))),
        _ => f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits(),
    }
}

/// A function of one value of a type.
pub fn unary(op: Unary, ty: Type, a: u64) -> Result<u64, Failure> {
    match ty {
        Type::F32 => {
            let x = f32_of(a);
            Ok(of_f32(match op {
                Unary::Negate => -x,
                Unary::Abs => x.abs(),
                Unary::Of(function) => function.in_f32()(x),
            }))
        }
        Type::F64 => {
            let x = f64_of(a);
            Ok(match op {
                Unary::Negate => -x,
                Unary::Abs => x.abs(),
                Unary::Of(function) => function.in_f64()(x),
            }
            .to_bits())
        }
        _ => {
            let x = a as i64;
            integer(
                match op {
                    Unary::Negate => x.checked_neg(),
                    Unary::Abs => x.checked_abs(),
                    Unary::Of(_) => Some(x),
                },
                ty,
            )
        }
    }
}

/// The value of a type that has the bits of a value of another type of its width.
pub fn same_bits(into: Type, a: u64) -> u64 {
    match into {
        Type::I32 => i64::from(a as u32 as i32) as u64,
        Type::F32 => u64::from(a as u32),
        _ => a,
    }
}

/// A value of one type as a value of another; reals are cut towards zero.
pub fn convert(from: Type, into: Type, a: u64) -> Result<u64, Failure> {
    let cut = |x: f64| {
        // Both bounds are exact in f64; the upper one is the first value out of range.
        let (low, high) = match into {
            Type::I64 => (-9_223_372_036_854_775_808.0, 9_223_372_036_854_775_808.0),
            _ => (-2_147_483_648.0, 2_147_483_648.0),
        };
        let whole = x.trunc();
        let inside = whole >= low && whole < high;
        integer(inside.then_some(whole as i64), into)
    };
    match (from, into) {
        (Type::F32, Type::F64) => Ok(f64::from(f32_of(a)).to_bits()),
        (Type::F64, Type::F32) => Ok(of_f32(f64_of(a) as f32)),
        (Type::F32, Type::I32 | Type::I64) => cut(f64::from(f32_of(a))),
        (Type::F64, Type::I32 | Type::I64) => cut(f64_of(a)),
        (Type::I32 | Type::I64, Type::F32) => Ok(of_f32(a as i64 as f32)),
        (Type::I32 | Type::I64, Type::F64) => Ok((a as i64 as f64).to_bits()),
        (Type::I64, Type::I32) => integer(Some(a as i64), Type::I32),
        _ => Ok(a),
    }
}

#[cfg(test)]
mod tests {
    use super::same_bits;
    use crate::algebra::Type;

    /// Each INTEGER comes back from the REAL32 of its bits, signalling ones among these, in whatever a register
    /// holds above them.
    #[test]
    fn bits_come_back() {
        let ends = [
            0,
            1,
            i32::MAX,
            i32::MIN,
            -1,
            0x7f80_0000,
            0x7f80_0001,
            0x7fa0_0000,
            0x7fc0_0000,
        ];
        for k in ends.into_iter().chain((i32::MIN..i32::MAX).step_by(65_521)) {
            let k = i64::from(k) as u64;
            let real = same_bits(Type::F32, k);
            assert_eq!(real, k & 0xffff_ffff);
            assert_eq!(same_bits(Type::I32, real), k);
            assert_eq!(same_bits(Type::I64, same_bits(Type::F64, k)), k);
        }
    }
}
