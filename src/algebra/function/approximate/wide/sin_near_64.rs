//! The sine in 64 bits, near 0.

use super::quarter_turn_64::quarter_turn_64;

/// The sine of `x` radians for `|x| < 2^20`, to within two units in the last place.
#[inline(always)]
pub fn sin_near_64(x: f64) -> f64 {
    let (sine, cosine, quarter) = quarter_turn_64(x);
    let value = if quarter & 1 == 0 { sine } else { cosine };
    f64::from_bits(value.to_bits() ^ ((quarter & 2) << 62))
}
