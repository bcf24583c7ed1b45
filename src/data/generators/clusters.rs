//! Points about random centres.

use super::options::Options;
use super::random::Random;
use super::system::scaled;
use crate::data::{Array, DataError, Values};

pub fn make(n: usize, options: &Options) -> Result<Vec<Array>, DataError> {
    let mut random = Random::new(options.whole("seed"));
    let spread = options.get("spread");
    // More centres than points would change nothing but the draws.
    let clusters = options.whole("clusters").min(n as u64) as usize;
    let centres: Vec<[f64; 3]> = (0..clusters)
        .map(|_| std::array::from_fn(|_| random.unit()))
        .collect();
    let mut points = Vec::with_capacity(n);
    let mut of = Vec::with_capacity(n);
    for i in 0..n {
        let centre = centres[i % clusters];
        let away = scaled(random.in_ball(), spread);
        points.push(std::array::from_fn(|axis| centre[axis] + away[axis]));
        of.push((i % clusters) as i32);
    }
    Ok(vec![
        Array::from_vectors(points),
        Array::new(vec![n], Values::I32(of))?,
    ])
}
