//! The cube root, which the machine and emitted programs share: Rust's and C's have other last bits.

/// The cube root, to within a unit in the last place.
///
/// Emitted programs compute it in the same order.
pub fn cbrt(x: f64) -> f64 {
    let z = x.abs();
    if z == 0.0 || !z.is_finite() {
        return x;
    }
    // The cube of the root is in the range of normal numbers.
    let (scaled, back) = match z {
        z if z < 1e-200 => (z * 1.152_921_504_606_847e18, 9.536_743_164_062_5e-7),
        z if z > 1e200 => (z * 8.673_617_379_884_035e-19, 1_048_576.0),
        z => (z, 1.0),
    };
    // A step of Newton's method doubles the bits.
    let y = (scaled.ln() / 3.0).exp();
    let root = (y - (y * y * y - scaled) / (3.0 * y * y)) * back;
    if x < 0.0 { -root } else { root }
}
