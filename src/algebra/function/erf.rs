//! The error function, which the machine and emitted programs share.

use super::erfc::erfc;

/// Coefficients of the Maclaurin series of `erf(x) / x` in `x²`.
#[allow(clippy::approx_constant, reason = "C++ has the same numbers")]
const ERF: [f64; 20] = [
    1.128_379_167_095_512_6,
    -0.376_126_389_031_837_54,
    0.112_837_916_709_551_26,
    -0.026_866_170_645_131_252,
    0.005_223_977_625_442_188,
    -0.000_854_832_702_345_085_3,
    0.000_120_553_329_817_896_64,
    -1.492_565_035_840_625e-5,
    1.646_211_436_588_924_8e-6,
    -1.636_584_469_123_492_4e-7,
    1.480_719_281_587_921_8e-8,
    -1.229_055_530_171_792_8e-9,
    9.422_759_064_650_411e-11,
    -6.711_366_855_164_110_5e-12,
    4.463_224_263_286_477_5e-13,
    -2.783_516_207_210_921_5e-14,
    1.634_261_409_536_715_2e-15,
    -9.063_970_842_808_673e-17,
    4.763_348_040_515_068e-18,
    -2.378_459_885_277_429_3e-19,
];

/// The error function, to within a unit in the last place or two of its value.
///
/// Emitted programs carry the same series, summed in the same order.
pub fn erf(x: f64) -> f64 {
    let z = x.abs();
    if z < 1.0 {
        let mut sum = 0.0;
        for &c in ERF.iter().rev() {
            sum = sum * (x * x) + c;
        }
        return x * sum;
    }
    // Beyond, the complement is too small to take bits away.
    let rest = 1.0 - erfc(z);
    if x < 0.0 { -rest } else { rest }
}
