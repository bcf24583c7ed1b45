//! OUTPUT arrays of two runs → how far they lie apart, and whether that is allowed.

use super::{Failure, Values};
use crate::data::{Array, Distance};

/// The comparison of a run with another one, as a rule that of the sequential scheme.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Whether it passed.
    pub passed: bool,
    /// Each array with its distance.
    pub arrays: Vec<(String, Distance)>,
    /// Whether identical bits were asked for.
    pub same_bits: bool,
    /// The largest norm_relative that was allowed otherwise.
    pub tolerance: f64,
    /// Seconds of the other run's timed part, where these were asked for.
    pub seconds: Option<f64>,
    /// Where both were run again at other sizes: these.
    pub elsewhere: Option<Elsewhere>,
}

/// Sizes other than those of the run at which it was compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Elsewhere {
    /// The values of all parameters.
    pub parameters: Values,
    /// Seconds of the timed part of the derived program with them.
    pub body: Option<f64>,
    /// Why it was not compared at the sizes of the run.
    pub why: String,
}

impl Compared {
    /// Compares arrays with those of the same names of another run.
    ///
    /// # Errors
    ///
    /// Arrays of different shapes.
    pub fn of(
        ours: &[(String, Array)],
        reference: &[(String, Array)],
        same_bits: bool,
        tolerance: f64,
    ) -> Result<Compared, Failure> {
        let mut arrays = Vec::new();
        for (name, array) in ours {
            if let Some((_, other)) = reference.iter().find(|(n, _)| n == name) {
                arrays.push((name.clone(), Distance::of(array, other)?));
            }
        }
        Ok(Compared {
            passed: arrays.iter().all(|(_, d)| d.agrees(same_bits, tolerance)),
            arrays,
            same_bits,
            tolerance,
            seconds: None,
            elsewhere: None,
        })
    }

    /// Whether every array has the same bits.
    pub fn is_identical(&self) -> bool {
        self.arrays.iter().all(|(_, d)| d.identical)
    }

    /// The arrays that differ in a bit, with their distance.
    pub fn differing(&self) -> impl Iterator<Item = (&str, &Distance)> {
        let all = self.arrays.iter().map(|(name, d)| (name.as_str(), d));
        all.filter(|(_, d)| !d.identical)
    }
}
