//! The cosine in 64 bits.

use super::cos_near_64::cos_near_64;
use super::is_near_64::is_near_64;

/// The cosine of `x` radians, to within two units in the last place.
#[inline(always)]
pub fn cos_approx_64(x: f64) -> f64 {
    if is_near_64(x) {
        cos_near_64(x)
    } else {
        x.cos()
    }
}
