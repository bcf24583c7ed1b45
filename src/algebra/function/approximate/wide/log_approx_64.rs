//! The natural logarithm in 64 bits.

use super::exponent_64::exponent_64;

/// The natural logarithm of `x`, to within a unit in the last place.
///
/// `x = 2^e (1 + f)` with `sqrt(1/2) <= 1 + f < sqrt(2)`, and `log(1 + f)` is `2 artanh(s)` with
/// `s = f / (2 + f)`, hence `f - s (f - R)` where `R = 2 s² (1/3 + s²/5 + …)`, and
/// `s f = f² / 2 - s f² / 2` (after the logarithm of fdlibm, Sun Microsystems, 1993). The polynomial is
/// `R / s²`, found by exchange of extrema: log(1 + f) errs by 2e-18 of itself before it is rounded.
#[inline(always)]
pub fn log_approx_64(x: f64) -> f64 {
    /// ln(2): its first 32 bits, whose products with `e` are not rounded, and the rest.
    const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    const LOG: [f64; 7] = [
        0.666_666_666_666_673_4,
        0.399_999_999_994_147_04,
        0.285_714_287_423_839_1,
        0.222_221_985_734_513_82,
        0.181_835_643_175_962_53,
        0.153_140_506_431_772_52,
        0.147_959_499_613_230_1,
    ];

    let (e, f) = exponent_64(x);

    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = ((LOG[6] * w + LOG[4]) * w + LOG[2]) * w + LOG[0];
    let odd = (LOG[5] * w + LOG[3]) * w + LOG[1];
    let series = z * (even + odd * z);
    let low = s * (half + series) + e * LN_2[1];
    let value = e * LN_2[0] - ((half - low) - f);

    // 0, infinity and what is not a number; the logarithm of a number below 0 is none.
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    let value = if x < 0.0 { f64::NAN } else { value };
    if x < f64::INFINITY { value } else { x }
}
