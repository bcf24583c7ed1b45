//! How far two arrays lie apart.
//!
//! NaNs compare equal to NaNs, and infinities to infinities of the same sign, in all three
//! measures: where a reference has a NaN, a result that has one too agrees with it.

use super::{Array, DataError, Values};
use crate::algebra::Precision;

/// How far an array lies from its reference, in all three measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// See [`max_relative`].
    pub max_relative: f64,
    /// See [`norm_relative`].
    pub norm_relative: f64,
    /// Whether they have the same bits.
    pub identical: bool,
}

impl Distance {
    /// An error where the shapes differ.
    ///
    /// # Errors
    ///
    /// Where the shapes differ.
    pub fn of(a: &Array, reference: &Array) -> Result<Distance, DataError> {
        Ok(Distance {
            max_relative: max_relative(a, reference)?,
            norm_relative: norm_relative(a, reference)?,
            identical: identical(a, reference),
        })
    }

    /// Whether a result that lies so far from its reference agrees with it: where the same bits are
    /// asked for by having them, else by a norm of the difference within the tolerance.
    pub fn agrees(&self, same_bits: bool, tolerance: f64) -> bool {
        // A NaN norm passes only where the bits agree, NaNs counting as equal.
        self.identical || !same_bits && self.norm_relative <= tolerance
    }
}

/// The largest `norm_relative` that agrees where none is given.
pub fn tolerance(precision: Precision) -> f64 {
    match precision {
        Precision::F32 => 1e-4,
        Precision::F64 => 1e-10,
    }
}

/// The largest `|a - b|` divided by the largest `|b|`, `b` being the reference.
///
/// Zero where the arrays agree, infinite where they differ and the reference is zero throughout or
/// only one of the two has a NaN or an infinity.
///
/// # Errors
///
/// Where the shapes differ.
pub fn max_relative(a: &Array, reference: &Array) -> Result<f64, DataError> {
    let mut difference = 0.0f64;
    let mut magnitude = 0.0f64;
    for (a, b) in pairs(a, reference)? {
        difference = difference.max(apart(a, b));
        magnitude = magnitude.max(size(b));
    }
    Ok(ratio(difference, magnitude))
}

/// The Euclidean norm of `a - b` divided by that of `b`, `b` being the reference.
///
/// Zero where both norms are zero; else as [`max_relative`].
///
/// # Errors
///
/// Where the shapes differ.
pub fn norm_relative(a: &Array, reference: &Array) -> Result<f64, DataError> {
    // The largest magnitudes are divided out first, so that squares neither overflow nor vanish.
    let (mut largest_difference, mut largest) = (0.0f64, 0.0f64);
    for (a, b) in pairs(a, reference)? {
        largest_difference = largest_difference.max(apart(a, b));
        largest = largest.max(size(b));
    }
    if largest_difference == 0.0 || largest == 0.0 || !largest_difference.is_finite() {
        return Ok(ratio(largest_difference, largest));
    }
    let (mut differences, mut references) = (0.0f64, 0.0f64);
    for (a, b) in pairs(a, reference)? {
        differences += (apart(a, b) / largest_difference).powi(2);
        references += (size(b) / largest).powi(2);
    }
    Ok(ratio(
        largest_difference * differences.sqrt(),
        largest * references.sqrt(),
    ))
}

/// Whether two arrays have the same type, shape and bits. NaNs are equal whatever their bits; zeros
/// of different sign are not.
pub fn identical(a: &Array, b: &Array) -> bool {
    a.shape() == b.shape()
        && match (a.values(), b.values()) {
            (Values::Bool(a), Values::Bool(b)) => a == b,
            (Values::I32(a), Values::I32(b)) => a == b,
            (Values::I64(a), Values::I64(b)) => a == b,
            (Values::F32(a), Values::F32(b)) => a
                .iter()
                .zip(b)
                .all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()),
            (Values::F64(a), Values::F64(b)) => a
                .iter()
                .zip(b)
                .all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()),
            _ => false,
        }
}

fn pairs<'a>(
    a: &'a Array,
    b: &'a Array,
) -> Result<impl Iterator<Item = (f64, f64)> + 'a, DataError> {
    if a.shape() != b.shape() {
        return Err(DataError::Compare {
            reason: format!("their shapes are {:?} and {:?}", a.shape(), b.shape()),
        });
    }
    Ok(a.reals().zip(b.reals()))
}

/// `|a - b|`, with like NaNs and infinities at no distance and unlike ones infinitely far.
fn apart(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() {
        0.0
    } else if a.is_finite() && b.is_finite() {
        (a - b).abs()
    } else {
        f64::INFINITY
    }
}

/// `|b|`, or nothing where `b` is not finite: such a value says nothing about magnitudes.
fn size(b: f64) -> f64 {
    if b.is_finite() { b.abs() } else { 0.0 }
}

fn ratio(difference: f64, magnitude: f64) -> f64 {
    if difference == 0.0 {
        0.0
    } else {
        difference / magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(values: &[f64]) -> Array {
        Array::from_f64(values.to_vec())
    }

    #[test]
    fn relative_to_the_reference() {
        let (a, b) = (array(&[1.0, 2.0, -4.0]), array(&[1.0, 2.5, -5.0]));
        assert_eq!(max_relative(&a, &b).unwrap(), 0.2);
        let expected = (1.25f64 / 32.25).sqrt();
        assert!((norm_relative(&a, &b).unwrap() - expected).abs() < 1e-15);
        assert_eq!(max_relative(&b, &b).unwrap(), 0.0);
        assert!(max_relative(&a, &array(&[1.0])).is_err());
    }

    #[test]
    fn zeros_nans_and_infinities() {
        let zero = array(&[0.0, 0.0]);
        assert_eq!(norm_relative(&zero, &zero).unwrap(), 0.0);
        assert_eq!(
            norm_relative(&array(&[1.0, 0.0]), &zero).unwrap(),
            f64::INFINITY
        );
        let nan = array(&[f64::NAN, 1.0]);
        assert_eq!(max_relative(&nan, &nan).unwrap(), 0.0);
        assert_eq!(
            norm_relative(&nan, &array(&[0.0, 1.0])).unwrap(),
            f64::INFINITY
        );
        assert_eq!(
            norm_relative(&array(&[1e300, 0.0]), &array(&[2e300, 0.0])).unwrap(),
            0.5
        );
        assert!(identical(&nan, &nan));
        assert!(!identical(&zero, &array(&[0.0, -0.0])));
        assert_eq!(max_relative(&zero, &array(&[0.0, -0.0])).unwrap(), 0.0);
    }
}
