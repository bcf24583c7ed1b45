//! The complementary error function, which the machine and emitted programs share.

/// Coefficients of the Chebyshev expansion of `log(erfc(x) / t) + x²` in `4 t - 2`,
/// `t = 2 / (2 + x)`, for `x >= 0`.
const ERFC: [f64; 28] = [
    -1.302_653_719_781_709_4,
    6.419_697_923_564_902e-1,
    1.947_647_320_418_583_6e-2,
    -9.561_514_786_808_63e-3,
    -9.465_953_444_820_36e-4,
    3.668_394_978_527_61e-4,
    4.252_332_480_690_7e-5,
    -2.027_857_811_253_4e-5,
    -1.624_290_004_647e-6,
    1.303_655_835_58e-6,
    1.562_644_172_2e-8,
    -8.523_809_591_5e-8,
    6.529_054_439e-9,
    5.059_343_495e-9,
    -9.913_641_56e-10,
    -2.273_651_22e-10,
    9.646_791_1e-11,
    2.394_038e-12,
    -6.886_027e-12,
    8.944_87e-13,
    3.130_92e-13,
    -1.127_08e-13,
    3.81e-16,
    7.106e-15,
    -1.523e-15,
    -9.4e-17,
    1.21e-16,
    -2.8e-17,
];

/// The complementary error function, to within a few units in the last place of its value.
///
/// Emitted programs carry the same expansion, summed in the same order.
pub fn erfc(x: f64) -> f64 {
    let z = x.abs();
    let t = 2.0 / (2.0 + z);
    let y = 4.0 * t - 2.0;
    let (mut d, mut dd) = (0.0, 0.0);
    for &c in ERFC[1..].iter().rev() {
        (d, dd) = (y * d - dd + c, d);
    }
    let tail = t * (-z * z + 0.5 * (ERFC[0] + y * d) - dd).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}
