//! The options of a call of a generator, checked against its table row.

use super::generator::Generator;
use super::nearest;
use crate::data::DataError;

/// The values of a generator's options, each in its range.
pub struct Options {
    values: Vec<(&'static str, f64)>,
}

impl Options {
    /// The defaults of `generator` with `given` in their place.
    ///
    /// # Errors
    ///
    /// An option that the generator does not have, or a value out of its range.
    pub fn new(
        generator: &'static Generator,
        given: &[(String, f64)],
    ) -> Result<Options, DataError> {
        let mut values: Vec<_> = generator
            .options
            .iter()
            .map(|o| (o.name, o.default))
            .collect();
        for (name, value) in given {
            let Some(place) = generator.options.iter().position(|o| o.name == name) else {
                let known: Vec<&'static str> = generator.options.iter().map(|o| o.name).collect();
                return Err(DataError::UnknownOption {
                    generator: generator.name,
                    name: name.clone(),
                    near: nearest(name, &known),
                    known,
                });
            };
            let option = &generator.options[place];
            let in_range = value.is_finite()
                && *value < option.below
                && (*value > option.least || !option.above && *value == option.least)
                && (!option.whole || value.fract() == 0.0);
            if !in_range {
                return Err(DataError::OptionRange {
                    generator: generator.name,
                    name: option.name,
                    value: *value,
                    range: option.range(),
                });
            }
            values[place].1 = *value;
        }
        Ok(Options { values })
    }

    /// The value of the option `name`, which must be in the generator's table row.
    pub(super) fn get(&self, name: &str) -> f64 {
        self.values
            .iter()
            .find(|(n, _)| *n == name)
            .map(|&(_, value)| value)
            .expect("a generator asks for options of its own row")
    }

    /// The value of a whole option.
    pub(super) fn whole(&self, name: &str) -> u64 {
        self.get(name) as u64
    }
}
