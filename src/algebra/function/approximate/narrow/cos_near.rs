//! The cosine in 32 bits, near 0.

use super::quarter_turn::quarter_turn;

/// The cosine of `x` radians for `|x| < 2^13`, to within two units in the last place.
#[inline(always)]
pub fn cos_near(x: f32) -> f32 {
    let (sine, cosine, quarter) = quarter_turn(x);
    let value = if quarter & 1 == 0 { cosine } else { sine };
    f32::from_bits(value.to_bits() ^ ((quarter.wrapping_add(1) & 2) << 30))
}
