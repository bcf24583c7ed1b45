//! The sine in 64 bits.

use super::is_near_64::is_near_64;
use super::sin_near_64::sin_near_64;

/// The sine of `x` radians, to within two units in the last place.
#[inline(always)]
pub fn sin_approx_64(x: f64) -> f64 {
    if is_near_64(x) {
        sin_near_64(x)
    } else {
        x.sin()
    }
}
