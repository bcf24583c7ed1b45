//! The exponents of numbers of 64 bits.

/// `e` and `f`, where `x = 2^e (1 + f)` with a whole `e` and `sqrt(1/2) <= 1 + f < sqrt(2)`, for `x` above 0.
#[inline(always)]
pub fn exponent_64(x: f64) -> (f64, f64) {
    /// The least mantissa, sqrt(1 / 2).
    const LEAST: u64 = 0x3fe6_a09e_667f_3bcd;
    const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;
    /// 1023, to be taken away from the exponent, and with it 2^52, whose bits turn it into a real.
    const OFFSET: u64 = 1023 << 52;
    const SHIFTED: u64 = 0x4330_0000_0000_0000;

    // Subnormal numbers are scaled by 2^54 first.
    let small = x < f64::MIN_POSITIVE;
    let scaled = if small {
        x * 18_014_398_509_481_984.0
    } else {
        x
    };
    let bits = scaled.to_bits().wrapping_sub(LEAST);
    let exponent = bits.wrapping_add(OFFSET) >> 52;
    let whole = f64::from_bits(exponent | SHIFTED) - 4_503_599_627_371_519.0;
    let e = if small { whole - 54.0 } else { whole };
    (e, f64::from_bits((bits & MANTISSA) + LEAST) - 1.0)
}
