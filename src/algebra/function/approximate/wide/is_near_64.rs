//! Where quick sines and cosines of 64 bits are right.

/// Whether the quick sine and cosine of 64 bits are right for `x`: `|x| < 2^20`.
#[inline(always)]
pub fn is_near_64(x: f64) -> bool {
    x.abs() < 1_048_576.0
}
