//! Powers in 64 bits.

use super::exp_of_sum_64::exp_of_sum_64;
use super::exponent_64::exponent_64;

/// `x` to the power `y`, for `x` not below and `y` above 0, to within a unit in the last place.
///
/// It is `e^(y log(x))`, where the logarithm and the product are sums of two numbers each: `x = 2^e
/// (1 + f)` with `sqrt(1/2) <= 1 + f < sqrt(2)`, and `log(1 + f) = 2 artanh(s)` with `s = f / (2 + f)`.
/// The polynomial is `(artanh(s) - s - s³ / 3) / s⁵` in `s²`, found by exchange of extrema: artanh errs by
/// 1e-20 of itself before it is rounded.
#[inline(always)]
pub fn pow_approx_64(x: f64, y: f64) -> f64 {
    /// ln(2): its first 32 bits, whose products with whole exponents are not rounded, and the rest.
    const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    const LOG: [f64; 7] = [
        0.200_000_000_000_011_28,
        0.142_857_142_850_500_52,
        0.111_111_112_599_096_53,
        0.090_908_921_884_791_92,
        0.076_933_784_224_385_56,
        0.066_284_148_911_399_65,
        0.065_981_054_967_039_04,
    ];
    /// What is left of a number with 26 bits; the product of two such numbers is not rounded.
    const BITS_26: u64 = 0xffff_ffff_f800_0000;
    let cut = |x: f64| f64::from_bits(x.to_bits() & BITS_26);

    let (e, f) = exponent_64(x);

    // f / (2 + f) is the sum of `s` and `s_rest`.
    let below = 2.0 + f;
    let below_rest = f - (below - 2.0);
    let s = f / below;
    let (s_cut, below_cut) = (cut(s), cut(below));
    let s_low = s - s_cut;
    let short = f - s_cut * below_cut;
    let short = short - s_cut * ((below - below_cut) + below_rest);
    let s_rest = (short - s_low * (below + below_rest)) / below;
    // artanh(s) = s + s (s² / 3) + s^5 / 5 + …, of which the second term is a sum of two, too.
    let z = s * s;
    let z_rest = ((s_cut * s_cut - z) + 2.0 * s_cut * s_low + s_low * s_low) + 2.0 * s * s_rest;
    let third = cut(z * (1.0 / 3.0));
    let third_rest = ((z - 3.0 * third) + z_rest) * (1.0 / 3.0);
    let w = z * z;
    let even = ((LOG[6] * w + LOG[4]) * w + LOG[2]) * w + LOG[0];
    let odd = (LOG[5] * w + LOG[3]) * w + LOG[1];
    let product = s_cut * third;
    let series = s * w * (even + odd * z) + (s * third_rest + s_low * third + s_rest * third);
    let sum = s + product;
    let sum_rest = ((s - sum) + product) + (s_rest + series);
    // log(x) = e ln(2) + log(1 + f); the first is 0 or the larger one.
    let begin = e * LN_2[0];
    let log = begin + 2.0 * sum;
    let log_rest = ((begin - log) + 2.0 * sum) + (2.0 * sum_rest + e * LN_2[1]);

    // y log(x); what is far outside of the range stays outside.
    let y = if y > 1e20 { 1e20 } else { y };
    let (log_cut, y_cut) = (cut(log), cut(y));
    let high = y_cut * log_cut;
    let low = (y - y_cut) * log_cut + y * ((log - log_cut) + log_rest);
    let is_large = high > 710.0;
    let is_small = high < -746.0;
    let high = if is_large { 710.0 } else { high };
    let high = if is_small { -746.0 } else { high };
    let low = if is_large | is_small { 0.0 } else { low };

    // 0, without a sign, infinity and what is not a number stay what they are.
    let special = x.to_bits().wrapping_sub(1) >= 0x7fef_ffff_ffff_ffff;
    let value = exp_of_sum_64(high, low);
    if special { (x + 0.0) * y } else { value }
}
