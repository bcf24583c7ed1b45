//! The exponential in 64 bits.

/// e to the power `x + rest`, where `rest` is less than 1/2 and much smaller than `x`.
///
/// `x + rest = k ln(2) + r` with a whole `k`, `|r| <= ln(2) / 2`, and the polynomial is
/// `(e^r - 1 - r) / r²`, found by exchange of extrema: e^r errs by 4e-18 of itself before it is rounded.
#[inline(always)]
pub fn exp_of_sum_64(x: f64, rest: f64) -> f64 {
    /// ln(2): its first 32 bits, whose products with `k` are not rounded, and the rest.
    const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    const EXP: [f64; 10] = [
        0.500_000_000_000_001_1,
        0.166_666_666_666_664_08,
        0.041_666_666_666_528_1,
        0.008_333_333_333_496_857,
        0.001_388_888_894_425_018_7,
        0.000_198_412_695_028_576_68,
        2.480_149_238_719_462_8e-5,
        2.755_758_833_348_141_6e-6,
        2.763_052_388_887_924_7e-7,
        2.499_988_238_123_563_4e-8,
    ];
    /// A sum with this is rounded to a whole number, which its last bits are.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;
    const ONE: u64 = 0x3ff0_0000_0000_0000;

    // What is far outside of the range stays outside.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let n = (x + rest) * std::f64::consts::LOG2_E + WHOLE;
    let k = n - WHOLE;
    let r = (x - k * LN_2[0]) + (rest - k * LN_2[1]);

    let z = r * r;
    let w = z * z;
    let first = (EXP[0] + EXP[1] * r) + (EXP[2] + EXP[3] * r) * z;
    let second = (EXP[4] + EXP[5] * r) + (EXP[6] + EXP[7] * r) * z;
    let series = first + (second + (EXP[8] + EXP[9] * r) * w) * w;
    let power = 1.0 + (r + z * series);

    // 2^k is a product of two, for it may be out of the range that the value is in.
    let both = n.to_bits() << 52;
    let half = (n.to_bits() << 51) & !MANTISSA;
    let first = f64::from_bits(half.wrapping_add(ONE));
    power * first * f64::from_bits(both.wrapping_sub(half).wrapping_add(ONE))
}
