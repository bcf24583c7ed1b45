//! Sines and cosines of 64 bits, of an eighth of a turn.

/// `x = k pi/2 + r` with a whole `k`, for `|x| < 2^20`: the sine and the cosine of `r`, and `k`, as the
/// last bits of a number.
///
/// The reduction is that of Cody and Waite, Software Manual for the Elementary Functions (1980). The
/// polynomials are found by exchange of extrema: before they are rounded, the sine errs by 4e-18 of
/// itself and the cosine by 6e-20.
#[inline(always)]
pub fn quarter_turn_64(x: f64) -> (f64, f64, u64) {
    /// pi / 2: 33 bits, whose products with `k` are not rounded, 33 bits more, and the rest.
    const QUARTER: [f64; 3] = [
        1.570_796_326_734_125_6,
        6.077_100_506_303_966e-11,
        2.022_266_248_795_950_6e-21,
    ];
    /// `(r - sin(r)) / r³` in `r²`.
    const SIN: [f64; 6] = [
        0.166_666_666_666_666_32,
        -0.008_333_333_333_322_316,
        0.000_198_412_698_297_251_9,
        -2.755_731_366_202_742e-6,
        2.505_075_325_759_77e-8,
        -1.589_650_445_928_725_3e-10,
    ];
    /// `(cos(r) - 1 + r² / 2) / r⁴` in `r²`.
    const COS: [f64; 6] = [
        0.041_666_666_666_666_595,
        -0.001_388_888_888_887_289_5,
        2.480_158_728_874_884_4e-5,
        -2.755_731_414_879_113_4e-7,
        2.087_569_659_244_550_2e-9,
        -1.135_831_137_608_018_5e-11,
    ];
    /// A sum with this is rounded to a whole number, which its last bits are.
    const WHOLE: f64 = 6_755_399_441_055_744.0;

    let n = x * std::f64::consts::FRAC_2_PI + WHOLE;
    let k = n - WHOLE;
    // r is less than `near` by `rest`.
    let first = x - k * QUARTER[0];
    let product = k * QUARTER[1];
    let second = first - product;
    let third = k * QUARTER[2] - ((first - second) - product);
    let near = second - third;
    let rest = third - (second - near);

    let z = near * near;
    let w = z * z;
    let even = (SIN[4] * w + SIN[2]) * w + SIN[0];
    let odd = (SIN[5] * w + SIN[3]) * w + SIN[1];
    // Differences, so that the sine of -0 is -0.
    let sine = near - (near * z * (even + odd * z) + rest);
    let even = (COS[4] * w + COS[2]) * w + COS[0];
    let odd = (COS[5] * w + COS[3]) * w + COS[1];
    let half = 0.5 * z;
    let most = 1.0 - half;
    let cosine = most + (((1.0 - most) - half) + w * (even + odd * z));
    (sine, cosine, n.to_bits())
}
