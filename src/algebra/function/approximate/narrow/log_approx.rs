//! The natural logarithm in 32 bits.

/// The natural logarithm of `x`, to within a unit in the last place.
///
/// `x = 2^e (1 + f)` with `sqrt(1/2) <= 1 + f < sqrt(2)`, and the polynomial is
/// `(log(1 + f) - f + f² / 2) / f³`, found by exchange of extrema: log(1 + f) errs by 6e-9 of itself
/// before it is rounded.
#[inline(always)]
pub fn log_approx(x: f32) -> f32 {
    /// ln(2): its first bits, whose products with `e` are not rounded, and the rest.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    const LOG: [f32; 8] = [
        0.333_333_3,
        -0.250_008_23,
        0.200_012_28,
        -0.166_233_58,
        0.142_017_3,
        -0.131_601_5,
        0.127_617_36,
        -0.076_347_66,
    ];
    /// The least mantissa, sqrt(1 / 2).
    const LEAST: u32 = 0x3f35_04f3;
    const MANTISSA: u32 = 0x007f_ffff;

    // Subnormal numbers are scaled by 2^24 first.
    let small = x < f32::MIN_POSITIVE;
    let scaled = if small { x * 16_777_216.0 } else { x };
    let bits = scaled.to_bits().wrapping_sub(LEAST);
    let whole = ((bits as i32) >> 23) as f32;
    let e = if small { whole - 24.0 } else { whole };
    let f = f32::from_bits((bits & MANTISSA) + LEAST) - 1.0;

    let z = f * f;
    let even = ((LOG[6] * z + LOG[4]) * z + LOG[2]) * z + LOG[0];
    let odd = ((LOG[7] * z + LOG[5]) * z + LOG[3]) * z + LOG[1];
    let low = (f * z) * (even + odd * f) + e * LN_2[1];
    let value = e * LN_2[0] + (f - (0.5 * z - low));

    // 0, infinity and what is not a number; the logarithm of a number below 0 is none.
    let value = if x == 0.0 { f32::NEG_INFINITY } else { value };
    let value = if x < 0.0 { f32::NAN } else { value };
    if x < f32::INFINITY { value } else { x }
}
