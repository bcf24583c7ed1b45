//! Powers by quick logarithms and exponentials, which the machine and emitted Rust share.

/// `x` to the power `y`, for `x` not below and `y` above 0; without branches, so that lanes do it side
/// by side, and without sums that are rounded once, so that it has the same bits everywhere.
///
/// It is 2^(y * log2(x)), and errs by less than 2e-7 where that exponent is within 1, by 1e-6 where
/// it is within 40, and by 4e-6 elsewhere.
#[inline(always)]
pub fn pow_approx(x: f32, y: f32) -> f32 {
    /// The least mantissa, sqrt(1 / 2).
    const LEAST: u32 = 0x3f35_04f3;
    const MANTISSA: u32 = 0x007f_ffff;
    const ONE: u32 = 0x3f80_0000;
    /// What is left of a number with 12 bits; the product of two such numbers is not rounded.
    const TWELVE_BITS: u32 = 0xffff_f000;
    /// 1 / ln(2) in 11 bits.
    const SLOPE: f32 = 1477.0 / 1024.0;
    // log2(1 + f) / f - SLOPE for f from sqrt(1/2) - 1 to sqrt(2) - 1, found by exchange of extrema:
    // log2(1 + f) errs by 4e-9 of itself, and by 1.1e-8 with the coefficients in 32 bits.
    const LOG: [f32; 10] = [
        0.00031222837,
        -0.72134733,
        0.48089823,
        -0.36069658,
        0.28856748,
        -0.23961842,
        0.20460053,
        -0.19105586,
        0.18617131,
        -0.10995878,
    ];
    // (2^r - 1) / r for r from -0.501 to 0.501, in the same way: 2^r errs by 2e-9 of itself, and by
    // 1.6e-8 with the coefficients in 32 bits.
    const EXP: [f32; 6] = [
        std::f32::consts::LN_2,
        0.24022648,
        0.05550332,
        0.00961844,
        0.0013399132,
        0.00015353158,
    ];
    /// Beyond this, the sum is rounded to a whole number.
    const WHOLE: f32 = 12_582_912.0;
    let cut = |x: f32| f32::from_bits(x.to_bits() & TWELVE_BITS);

    // x = 2^e * (1 + f); what is below the normal numbers is scaled first.
    let small = x < f32::MIN_POSITIVE;
    let scaled = if small { x * 16_777_216.0 } else { x };
    let bits = scaled.to_bits().wrapping_sub(LEAST);
    let whole = ((bits as i32) >> 23) as f32;
    let e = if small { whole - 24.0 } else { whole };
    let f = f32::from_bits((bits & MANTISSA) + LEAST) - 1.0;

    // log2(x) = begin + rest, where begin has 12 bits.
    let g = f * f;
    let odd = ((LOG[9] * g + LOG[7]) * g + LOG[5]) * g + LOG[3];
    let even = (LOG[8] * g + LOG[6]) * g + LOG[4];
    let tail = odd + even * f;
    let series = ((tail * f + LOG[2]) * f + LOG[1]) * f + LOG[0];
    let high = cut(f) * SLOPE;
    let low = (f - cut(f)) * SLOPE + series * f;
    let begin = cut(e + (high + low));
    let rest = (high - (begin - e)) + low;

    // y * log2(x) = n + r; what is far outside of the range stays outside.
    let y = if y > 1e30 { 1e30 } else { y };
    let product = cut(y) * begin;
    let product = if product > 200.0 { 200.0 } else { product };
    let product = if product < -200.0 { -200.0 } else { product };
    let n = product + WHOLE;
    let r = (product - (n - WHOLE)) + ((y - cut(y)) * begin + y * rest);
    let r = if r < -1.0 { -1.0 } else { r };

    // 2^n, whose last bits are those of n, is a product of two, for it may be out of the range that
    // the result is in.
    let g = r * r;
    let odd = (EXP[4] * g + EXP[2]) * g + EXP[0];
    let even = (EXP[5] * g + EXP[3]) * g + EXP[1];
    let two_to_r = (odd * r + even * g) + 1.0;
    let both = n.to_bits() << 23;
    let half = (n.to_bits() << 22) & !MANTISSA;
    let first = f32::from_bits(half.wrapping_add(ONE));
    let second = f32::from_bits(both.wrapping_sub(half).wrapping_add(ONE));

    // 0, without a sign, infinity and what is not a number stay what they are.
    let special = x.to_bits().wrapping_sub(1) >= 0x7f7f_ffff;
    if special {
        (x + 0.0) * y
    } else {
        two_to_r * first * second
    }
}
