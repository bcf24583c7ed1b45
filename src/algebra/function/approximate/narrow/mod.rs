//! In 32 bits.

pub(in super::super) mod cos_approx;
pub(in super::super) mod cos_near;
pub(in super::super) mod erfc_approx;
pub(in super::super) mod exp_approx;
pub(in super::super) mod is_near;
pub(in super::super) mod log_approx;
pub(in super::super) mod quarter_turn;
pub(in super::super) mod sin_approx;
pub(in super::super) mod sin_near;
