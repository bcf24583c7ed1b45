//! In 64 bits.

pub(in super::super) mod cos_approx_64;
pub(in super::super) mod cos_near_64;
pub(in super::super) mod erfc_approx_64;
pub(in super::super) mod exp_approx_64;
pub(in super::super) mod exp_of_sum_64;
pub(in super::super) mod exponent_64;
pub(in super::super) mod is_near_64;
pub(in super::super) mod log_approx_64;
pub(in super::super) mod pow_approx_64;
pub(in super::super) mod quarter_turn_64;
pub(in super::super) mod sin_approx_64;
pub(in super::super) mod sin_near_64;
