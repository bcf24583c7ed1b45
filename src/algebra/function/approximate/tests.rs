//! How near quick functions are to the functions that they are near to.

use super::super::{Bivariate, Elementary};

/// By how many units in the last place a number of 32 bits differs from a value.
fn units(found: f32, value: f64) -> f64 {
    let nearest = value as f32;
    let same = found == nearest || found.is_nan() && nearest.is_nan();
    if same || !found.is_finite() || !nearest.is_finite() {
        // What is infinite may be the largest number, which is a unit less.
        let at_end = found.abs().max(nearest.abs()) == f32::INFINITY
            && found.abs().min(nearest.abs()) == f32::MAX;
        return if same || at_end { 0.0 } else { f64::INFINITY };
    }
    let exponent = (value.abs().to_bits() >> 52) as i32 - 1023;
    (f64::from(found) - value).abs() / 2f64.powi((exponent - 23).max(-149))
}

/// Numbers of 32 bits of all sizes.
fn numbers() -> impl Iterator<Item = f32> {
    (0..=u32::MAX).step_by(99_991).map(f32::from_bits)
}

/// Those that are next to quarters of a turn.
fn quarters() -> impl Iterator<Item = f32> {
    let quarter = |k: u32| (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32;
    let around = |x: f32| (x.to_bits() - 2..=x.to_bits() + 2).map(f32::from_bits);
    (1..=5216).map(quarter).flat_map(around)
}

#[test]
fn functions_of_32_bits_are_near_to_those_of_64() {
    let functions = [
        (Elementary::ExpApprox, Elementary::Exp, 1.1),
        (Elementary::LogApprox, Elementary::Log, 0.9),
        (Elementary::SinApprox, Elementary::Sin, 1.2),
        (Elementary::CosApprox, Elementary::Cos, 1.2),
        (Elementary::ErfcApprox, Elementary::Erfc, 0.6),
    ];
    for (function, exact, most) in functions {
        for x in numbers().chain(quarters()) {
            let found = function.in_f32()(x);
            let error = units(found, exact.in_f64()(f64::from(x)));
            let name = function.entry().name;
            assert!(error <= most, "{name}({x:e}) = {found:e}: {error} units");
        }
    }
}

/// Against values of more than 64 bits.
#[test]
fn functions_of_64_bits_are_near() {
    let mut lines = 0;
    for line in include_str!("values.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let mut words = line.split(' ');
        let name = words.next().expect("a function");
        let numbers = words.map(|w| f64::from_bits(u64::from_str_radix(w, 16).expect("bits")));
        let numbers: Vec<f64> = numbers.collect();
        let x = numbers[0];
        let (found, most) = match name {
            "exp" => (Elementary::ExpApprox.in_f64()(x), 1.0),
            "log" => (Elementary::LogApprox.in_f64()(x), 1.0),
            "sin" => (Elementary::SinApprox.in_f64()(x), 1.2),
            "cos" => (Elementary::CosApprox.in_f64()(x), 1.2),
            "erfc" => (Elementary::ErfcApprox.in_f64()(x), 5.0),
            "power" => (Bivariate::PowApprox.in_f64()(x, numbers[1]), 1.2),
            other => panic!("{other}"),
        };
        let [.., high, low] = numbers[..] else {
            panic!("{line}");
        };
        let exponent = (high.abs().to_bits() >> 52) as i32 - 1023;
        // 2^-1074 is made in two steps.
        let unit = 2f64.powi((exponent - 52).max(-1074) + 60) * 2f64.powi(-60);
        let error = ((found - high) - low).abs() / unit;
        assert!(error <= most, "{line}: {found:e}, {error} units");
        lines += 1;
    }
    assert_eq!(lines, 6 * 48);
}

/// Where an exact function is special, the quick one has the same bits.
#[test]
fn special_values_are_those_of_the_functions() {
    let pairs = [
        (Elementary::ExpApprox, Elementary::Exp),
        (Elementary::LogApprox, Elementary::Log),
        (Elementary::SinApprox, Elementary::Sin),
        (Elementary::CosApprox, Elementary::Cos),
        (Elementary::ErfcApprox, Elementary::Erfc),
    ];
    let numbers = [0.0, 1e6, 1e30, f64::INFINITY, f64::NAN];
    for (quick, exact) in pairs {
        for x in numbers.into_iter().flat_map(|x| [x, -x]) {
            let (found, wanted) = (quick.in_f64()(x), exact.in_f64()(x));
            let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
            let near = (found - wanted).abs() <= 3e-16 * wanted.abs();
            let is_special = wanted == 0.0 || !wanted.is_finite();
            let name = quick.entry().name;
            assert!(same || near && !is_special, "{name}({x:e}) = {found:e}");
            let x = x as f32;
            let (found, wanted) = (quick.in_f32()(x), exact.in_f32()(x));
            let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
            let near = (found - wanted).abs() <= 2e-7 * wanted.abs();
            let is_special = wanted == 0.0 || !wanted.is_finite();
            assert!(same || near && !is_special, "{name}({x:e}) = {found:e}");
        }
    }
    let power = Bivariate::PowApprox.in_f64();
    assert_eq!((power(0.0, 0.5), power(0.0, f64::INFINITY)), (0.0, 0.0));
    assert_eq!((power(1.0, f64::INFINITY), power(1.0, 1e300)), (1.0, 1.0));
    assert_eq!(
        (power(2.0, 1024.0), power(2.0, 1023.0)),
        (f64::INFINITY, 2f64.powi(1023))
    );
    assert_eq!((power(0.5, 1074.0), power(0.5, 1076.0)), (5e-324, 0.0));
    assert_eq!(
        (power(f64::INFINITY, 0.1), power(0.5, f64::INFINITY)),
        (f64::INFINITY, 0.0)
    );
    assert!(power(f64::NAN, 2.0).is_nan() && power(2.0, f64::NAN).is_nan());
}
