//! Sines and cosines of 32 bits, of an eighth of a turn.

/// `x = k pi/2 + r` with a whole `k`, for `|x| < 2^13`: the sine and the cosine of `r`, and `k`, as the
/// last bits of a number.
///
/// The reduction is that of Cody and Waite, Software Manual for the Elementary Functions (1980). The
/// polynomials are found by exchange of extrema: before they are rounded, the sine errs by 4e-9 of
/// itself and the cosine by 1e-10.
#[inline(always)]
pub fn quarter_turn(x: f32) -> (f32, f32, u32) {
    /// pi / 2: three times 11 bits, whose products with `k` are not rounded, and the rest.
    const QUARTER: [f32; 4] = [1.570_312_5, 4.837_513e-4, 7.549_533_6e-8, 2.563_344e-12];
    /// `(r - sin(r)) / r³` in `r²`.
    const SIN: [f32; 3] = [0.166_666_55, -0.008_332_173, 0.000_195_166_55];
    /// `(cos(r) - 1 + r² / 2) / r⁴` in `r²`.
    const COS: [f32; 3] = [0.041_666_646, -0.001_388_731, 2.443_241_5e-5];
    /// A sum with this is rounded to a whole number, which its last bits are.
    const WHOLE: f32 = 12_582_912.0;

    let n = x * std::f32::consts::FRAC_2_PI + WHOLE;
    let k = n - WHOLE;
    // r is less than `near` by `rest`.
    let first = x - k * QUARTER[0];
    let second = first - k * QUARTER[1];
    let product = k * QUARTER[2];
    let third = second - product;
    let fourth = k * QUARTER[3] - ((second - third) - product);
    let near = third - fourth;
    let rest = fourth - (third - near);

    let z = near * near;
    // Differences, so that the sine of -0 is -0.
    let sine = near - (near * z * ((SIN[2] * z + SIN[1]) * z + SIN[0]) + rest);
    let series = z * z * ((COS[2] * z + COS[1]) * z + COS[0]);
    let half = 0.5 * z;
    let most = 1.0 - half;
    let cosine = most + (((1.0 - most) - half) + series);
    (sine, cosine, n.to_bits())
}
