//! The complementary error function in 64 bits.

use super::exp_of_sum_64::exp_of_sum_64;

/// The complementary error function, to within five units in the last place.
///
/// `e^(-x²) P(q) / (x + 4)` for `x >= 0`, `q = (x - 4) / (x + 4)`, where the polynomial errs by 2e-17
/// (after M. M. Shepherd and J. G. Laframboise, Mathematics of Computation 36 (1981) 249, who
/// approximate `(1 + 2 x) e^(x²) erfc(x)` so); and `2 - erfc(-x)` below. The square is a sum of two
/// numbers: rounded to one, it would cost about `2 x²` units.
#[inline(always)]
pub fn erfc_approx_64(x: f64) -> f64 {
    const TAIL: [f64; 22] = [
        1.095_995_661_000_491,
        -0.976_548_729_080_882_4,
        0.773_208_702_265_240_9,
        -0.540_853_831_313_188,
        0.330_851_587_877_791_1,
        -0.174_010_937_241_476_95,
        0.076_381_514_914_223_54,
        -0.026_370_053_316_615_14,
        0.006_112_055_601_945_71,
        -0.000_280_959_071_093_134,
        -0.000_455_052_357_400_546_5,
        0.000_176_813_917_753_425_88,
        -3.636_327_227_903_515e-6,
        -1.886_465_371_820_086e-5,
        4.696_756_365_290_999e-6,
        1.432_489_994_399_946e-6,
        -8.485_383_002_596_977e-7,
        -8.687_257_776_927_191e-8,
        1.243_538_743_222_934e-7,
        9.614_897_250_755_107e-9,
        -1.384_042_888_645_343e-8,
        -2.766_519_112_248_112_3e-9,
    ];
    /// What is left of a number with 26 bits; the square of such a number is not rounded.
    const BITS_26: u64 = 0xffff_ffff_f800_0000;

    let z = x.abs();
    // The values beyond are less than half of the least number.
    let z = if z > 27.3 { 27.3 } else { z };
    let below = z + 4.0;
    let q = (z - 4.0) / below;
    let w = q * q;
    let v = w * w;
    let first =
        ((((TAIL[20] * v + TAIL[16]) * v + TAIL[12]) * v + TAIL[8]) * v + TAIL[4]) * v + TAIL[0];
    let third = (((TAIL[18] * v + TAIL[14]) * v + TAIL[10]) * v + TAIL[6]) * v + TAIL[2];
    let second =
        ((((TAIL[21] * v + TAIL[17]) * v + TAIL[13]) * v + TAIL[9]) * v + TAIL[5]) * v + TAIL[1];
    let fourth = (((TAIL[19] * v + TAIL[15]) * v + TAIL[11]) * v + TAIL[7]) * v + TAIL[3];
    let even = first + third * w;
    let tail = (even + (second + fourth * w) * q) / below;

    let cut = f64::from_bits(z.to_bits() & BITS_26);
    let value = tail * exp_of_sum_64(-(cut * cut), (cut - z) * (cut + z));
    if x < 0.0 { 2.0 - value } else { value }
}
