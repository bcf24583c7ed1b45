//! Where quick sines and cosines of 32 bits are right.

/// Whether the quick sine and cosine of 32 bits are right for `x`: `|x| < 2^13`.
#[inline(always)]
pub fn is_near(x: f32) -> bool {
    x.abs() < 8192.0
}
