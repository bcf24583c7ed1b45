//! Random numbers.

use super::options::Options;
use super::random::Random;
use crate::data::{Array, DataError, Values};

/// Whole numbers up to this one are reals of 64 bits, too.
const MOST_WHOLE: f64 = 9e15;

pub fn make(n: usize, options: &Options) -> Result<Vec<Array>, DataError> {
    let mut random = Random::new(options.whole("seed"));
    let (low, high) = (options.get("low"), options.get("high"));
    if high <= low {
        return Err(DataError::OptionRange {
            generator: "random",
            name: "high",
            value: high,
            range: format!("above low, which is {low}"),
        });
    }
    if options.whole("whole") == 1 {
        for (name, value) in [("low", low), ("high", high)] {
            if value.abs() > MOST_WHOLE {
                return Err(DataError::OptionRange {
                    generator: "random",
                    name,
                    value,
                    range: format!("between -{MOST_WHOLE:e} and {MOST_WHOLE:e} for whole numbers"),
                });
            }
        }
    }
    let drawn = (0..n).map(|_| low + (high - low) * random.unit());
    let array = if options.whole("whole") == 1 {
        let drawn = drawn.map(|x| x.floor() as i64).collect();
        Array::new(vec![n], Values::I64(drawn))?
    } else {
        Array::from_f64(drawn.collect())
    };
    Ok(vec![array])
}
