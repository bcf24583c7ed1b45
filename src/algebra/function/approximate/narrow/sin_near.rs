//! The sine in 32 bits, near 0.

use super::quarter_turn::quarter_turn;

/// The sine of `x` radians for `|x| < 2^13`, to within two units in the last place.
#[inline(always)]
pub fn sin_near(x: f32) -> f32 {
    let (sine, cosine, quarter) = quarter_turn(x);
    let value = if quarter & 1 == 0 { sine } else { cosine };
    f32::from_bits(value.to_bits() ^ ((quarter & 2) << 30))
}
