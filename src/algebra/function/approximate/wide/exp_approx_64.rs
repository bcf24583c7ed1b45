//! The exponential in 64 bits.

use super::exp_of_sum_64::exp_of_sum_64;

/// e to the power `x`, to within a unit in the last place.
#[inline(always)]
pub fn exp_approx_64(x: f64) -> f64 {
    // -0 changes nothing that it is added to.
    exp_of_sum_64(x, -0.0)
}
