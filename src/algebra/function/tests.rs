//! Values of the functions that are not the standard library's.

use super::{Bits, Elementary, erf::erf, erfc::erfc};
use crate::algebra::Type;

fn near(name: &str, x: f64, value: f64, want: f64) {
    let error = (value - want).abs();
    let allowed = 4e-16 * want.abs().max(1e-3) + 2e-15 * want.abs();
    assert!(error <= allowed, "{name}({x}) = {value}");
}

#[test]
fn known_values_of_error_functions() {
    // Abramowitz and Stegun, table 7.1, and 50-digit values rounded.
    for (x, want) in [
        (0.0, 1.0),
        (0.5, 0.479_500_122_186_953_5),
        (1.0, 0.157_299_207_050_285_13),
        (2.0, 4.677_734_981_047_265e-3),
        (5.0, 1.537_459_794_428_034_8e-12),
        (-1.0, 1.842_700_792_949_715),
    ] {
        near("erfc", x, erfc(x), want);
    }
    for (x, want) in [
        (1e-300, 1.128_379_167_095_512_6e-300),
        (0.5, 0.520_499_877_813_046_5),
        (1.0, 0.842_700_792_949_714_9),
        (-2.0, -0.995_322_265_018_952_7),
        (7.0, 1.0),
    ] {
        near("erf", x, erf(x), want);
    }
}

#[test]
fn error_functions_of_special_values() {
    assert_eq!(erf(-0.0).to_bits(), (-0.0_f64).to_bits());
    assert_eq!((erf(f64::INFINITY), erfc(f64::INFINITY)), (1.0, 0.0));
    assert_eq!(
        (erf(f64::NEG_INFINITY), erfc(f64::NEG_INFINITY)),
        (-1.0, 2.0)
    );
    assert!(erf(f64::NAN).is_nan() && erfc(f64::NAN).is_nan());
}

/// What the table says of opposites and of signs is so for many numbers.
#[test]
fn values_have_the_parity_and_the_sign_of_the_table() {
    use super::Parity;
    let numbers = [
        0.0, 5e-324, 1e-40, 0.3, 0.5, 0.99, 1.0, 1.5, 7.25, 700.0, 1e300,
    ];
    for &function in Elementary::ALL {
        let entry = function.entry();
        for x in numbers {
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            let (value, opposite) = (function.in_f64()(x), function.in_f64()(-x));
            let holds = match entry.parity {
                [Parity::Even] => same(opposite, value),
                [Parity::Odd] => same(opposite, -value),
                _ => true,
            };
            assert!(holds, "{}({x}) = {value}, of -x {opposite}", entry.name);
            // 1 / sqrt(-0) is the infinity below, and -0 is not in its domain.
            let below = value < 0.0 || x != 0.0 && opposite < 0.0;
            let signed = entry.never_negative && below;
            assert!(!signed, "{}({x})", entry.name);
        }
    }
}

#[test]
fn bits_move_within_their_type() {
    let (left, right) = (Bits::ShiftLeft, Bits::ShiftRight);
    assert_eq!(left.value(Type::I32, 1, 31), i64::from(i32::MIN));
    assert_eq!(left.value(Type::I64, 1, 31), 1 << 31);
    assert_eq!(left.value(Type::I32, -3, 30), 1 << 30);
    assert_eq!(left.value(Type::I64, 1, 63), i64::MIN);
    assert_eq!(right.value(Type::I32, -5, 1), -3);
    assert_eq!(right.value(Type::I64, i64::MIN, 63), -1);
    for by in [-1, i64::MIN, 64, 65, i64::MAX] {
        for ty in [Type::I32, Type::I64] {
            assert_eq!(left.value(ty, 7, by), 0);
            assert_eq!(right.value(ty, 7, by), 0);
            assert_eq!(right.value(ty, -7, by), -1);
        }
    }
    assert_eq!(left.value(Type::I32, 1, 32), 0);
    assert_eq!(Bits::Count.value(Type::I32, -1, 0), 32);
    assert_eq!(Bits::Count.value(Type::I64, -1, 0), 64);
}
