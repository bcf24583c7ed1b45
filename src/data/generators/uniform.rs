//! Bodies at random in a cube or a ball.

use super::options::Options;
use super::random::Random;
use super::system::{Bodies, scaled};
use crate::data::DataError;

pub fn make(n: usize, options: &Options) -> Result<Bodies, DataError> {
    let mut random = Random::new(options.whole("seed"));
    let size = options.get("size");
    let speed = options.get("speed");
    let ball = options.whole("ball") == 1;
    let mut bodies = Bodies::with_room("uniform", n, 1.0 / n as f64)?;
    for _ in 0..n {
        bodies.r.push(if ball {
            scaled(random.in_ball(), size)
        } else {
            // The cube has edge `size`: half of it to either side.
            let corner = [random.signed(), random.signed(), random.signed()];
            scaled(corner, 0.5 * size)
        });
        bodies.v.push(match speed {
            0.0 => [0.0; 3],
            speed => scaled(random.in_ball(), speed),
        });
    }
    Ok(bodies)
}
