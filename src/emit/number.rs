//! Numbers as text: the shortest that reads back as the same value.

use crate::algebra::Type;

/// A finite number's digits, with a point or an exponent, as both Rust and C++ read them.
pub fn digits(value: f64, ty: Type) -> String {
    match ty {
        // The shortest text that is this number among those of 32 bits.
        Type::F32 => format!("{:?}", value as f32),
        _ => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest() {
        assert_eq!(digits(f64::from(0.1f32), Type::F32), "0.1");
        assert_eq!(digits(0.1, Type::F64), "0.1");
        assert_eq!(digits(1e-300, Type::F64), "1e-300");
        assert_eq!(digits(1e30, Type::F64), "1e30");
        assert_eq!(digits(3.0, Type::F64), "3.0");
    }
}
