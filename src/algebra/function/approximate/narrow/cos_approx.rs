//! The cosine in 32 bits.

use super::cos_near::cos_near;
use super::is_near::is_near;

/// The cosine of `x` radians, to within two units in the last place.
#[inline(always)]
pub fn cos_approx(x: f32) -> f32 {
    if is_near(x) { cos_near(x) } else { x.cos() }
}
