//! The exponential in 32 bits.

/// e to the power `x`, to within two units in the last place.
///
/// `x = k ln(2) + r` with a whole `k`, `|r| <= ln(2) / 2`, and the polynomial is
/// `(e^r - 1 - r) / r²`, found by exchange of extrema: e^r errs by 3e-9 of itself before it is rounded.
#[inline(always)]
pub fn exp_approx(x: f32) -> f32 {
    /// ln(2): its first bits, whose products with `k` are not rounded, and the rest.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    const EXP: [f32; 5] = [
        0.499_999_94,
        0.166_665_2,
        0.041_668_4,
        0.008_368_851,
        0.001_381_435,
    ];
    /// A sum with this is rounded to a whole number, which its last bits are.
    const WHOLE: f32 = 12_582_912.0;
    const MANTISSA: u32 = 0x007f_ffff;
    const ONE: u32 = 0x3f80_0000;

    // What is far outside of the range stays outside.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let n = x * std::f32::consts::LOG2_E + WHOLE;
    let k = n - WHOLE;
    let r = (x - k * LN_2[0]) - k * LN_2[1];

    let z = r * r;
    let even = (EXP[4] * z + EXP[2]) * z + EXP[0];
    let odd = EXP[3] * z + EXP[1];
    let power = 1.0 + (r + z * (even + odd * r));

    // 2^k is a product of two, for it may be out of the range that the value is in.
    let both = n.to_bits() << 23;
    let half = (n.to_bits() << 22) & !MANTISSA;
    let first = f32::from_bits(half.wrapping_add(ONE));
    power * first * f32::from_bits(both.wrapping_sub(half).wrapping_add(ONE))
}
