//! A grid of 16 × 16 × n/256 points.

use super::options::Options;
use super::random::Random;
use super::system::{Bodies, scaled};
use crate::data::DataError;

pub fn make(n: usize, options: &Options) -> Result<Bodies, DataError> {
    let mut random = Random::new(options.whole("seed"));
    let spacing = options.get("spacing");
    let mut bodies = Bodies::with_room("lattice", n, 1.0 / n as f64)?;
    for i in 0..n {
        let point = [i % 16, i / 16 % 16, i / 256].map(|c| c as f64);
        bodies.r.push(scaled(point, spacing));
        bodies.v.push(random.direction());
    }
    Ok(bodies)
}
