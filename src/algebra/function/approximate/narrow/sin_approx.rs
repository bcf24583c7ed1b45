//! The sine in 32 bits.

use super::is_near::is_near;
use super::sin_near::sin_near;

/// The sine of `x` radians, to within two units in the last place.
#[inline(always)]
pub fn sin_approx(x: f32) -> f32 {
    if is_near(x) { sin_near(x) } else { x.sin() }
}
