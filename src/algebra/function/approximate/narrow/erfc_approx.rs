//! The complementary error function in 32 bits.

/// The complementary error function, to within a unit in the last place.
///
/// It is computed in 64 bits, of which it needs half: `e^(-x²) P(q) / (x + 3)` for `x >= 0`,
/// `q = (x - 3) / (x + 3)`, where the polynomial errs by 2e-9 (after M. M. Shepherd and J. G. Laframboise,
/// Mathematics of Computation 36 (1981) 249, who approximate `(1 + 2 x) e^(x²) erfc(x)` so); and `2 -
/// erfc(-x)` below.
#[inline(always)]
pub fn erfc_approx(x: f32) -> f32 {
    const TAIL: [f64; 10] = [
        1.074_006_907_700_545_4,
        -0.883_394_485_142_698,
        0.590_228_304_582_851_7,
        -0.310_466_046_176_079_87,
        0.119_528_964_942_665_4,
        -0.026_839_588_439_395_69,
        -0.001_225_818_633_405_415,
        0.003_080_065_693_039_995,
        -0.000_484_373_246_905_954_8,
        -0.000_325_953_027_625_639_9,
    ];
    /// `(e^r - 1 - r) / r²`.
    const EXP: [f64; 5] = [
        0.499_999_933_747_259_65,
        0.166_665_195_271_230_97,
        0.041_668_400_601_493_77,
        0.008_368_850_908_043_467,
        0.001_381_435_017_952_613_9,
    ];
    /// A sum with this is rounded to a whole number, which its last bits are.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    const ONE: u64 = 0x3ff0_0000_0000_0000;

    let z = f64::from(x).abs();
    // The values beyond are less than half of the least number.
    let z = if z > 10.1 { 10.1 } else { z };
    let t = 1.0 / (z + 3.0);
    let q = (z - 3.0) * t;
    let w = q * q;
    let even = (((TAIL[8] * w + TAIL[6]) * w + TAIL[4]) * w + TAIL[2]) * w + TAIL[0];
    let odd = (((TAIL[9] * w + TAIL[7]) * w + TAIL[5]) * w + TAIL[3]) * w + TAIL[1];
    let tail = (even + odd * q) * t;

    // e^(-x²) = 2^k e^r.
    let square = z * z;
    let n = WHOLE - square * std::f64::consts::LOG2_E;
    let r = (WHOLE - n) * std::f64::consts::LN_2 - square;
    let g = r * r;
    let even = (EXP[4] * g + EXP[2]) * g + EXP[0];
    let odd = EXP[3] * g + EXP[1];
    let power = 1.0 + (r + g * (even + odd * r));
    let scale = f64::from_bits((n.to_bits() << 52).wrapping_add(ONE));
    let value = tail * power * scale;
    (if x < 0.0 { 2.0 - value } else { value }) as f32
}
