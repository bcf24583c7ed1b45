//! The Plummer sphere.
//!
//! Density ∝ (1 + r²/a²)^(−5/2) with the isotropic velocities that hold it in equilibrium. In
//! N-body units (Heggie and Mathieu 1986: G = M = 1, E = −1/4) the scale radius a is 3π/16.
//! Sampling follows Aarseth, Hénon and Wielen, Astronomy and Astrophysics 37, 183 (1974).

use super::options::Options;
use super::random::Random;
use super::system::{Bodies, scaled};
use crate::data::DataError;
use std::f64::consts::PI;

/// Up to so many bodies the potential energy, which takes n² time, is summed and set to −1/2.
const EXACT: usize = 20_000;

pub fn make(n: usize, options: &Options) -> Result<Bodies, DataError> {
    let mut random = Random::new(options.whole("seed"));
    let a = 3.0 * PI / 16.0;
    let cutoff = options.get("cutoff") / a;
    let mut bodies = Bodies::with_room("plummer", n, 1.0 / n as f64)?;
    for _ in 0..n {
        let radius = radius(&mut random, cutoff);
        let direction = random.direction();
        bodies.r.push(scaled(direction, radius * a));
        // Escape velocity: √2 (1 + r²)^(−1/4) in units of a, times a^(−1/2).
        let escape = (2.0 / (a * (1.0 + radius * radius).sqrt())).sqrt();
        let speed = speed(&mut random) * escape;
        let direction = random.direction();
        bodies.v.push(scaled(direction, speed));
    }
    bodies.centre();
    if n > 1 {
        let factor = (0.25 / bodies.kinetic()).sqrt();
        for v in &mut bodies.v {
            *v = scaled(*v, factor);
        }
    }
    if (2..=EXACT).contains(&n) {
        let factor = bodies.potential() / -0.5;
        for r in &mut bodies.r {
            *r = scaled(*r, factor);
        }
    }
    Ok(bodies)
}

/// A radius in units of a, below `cutoff`.
///
/// The mass within r is s³ with s = r/√(1 + r²), and the greatest of three uniform numbers has just
/// that distribution, which saves the published formula's power −2/3. Of the sphere cut off at the
/// s that belongs to `cutoff`, the distribution is the same but for that factor.
fn radius(random: &mut Random, cutoff: f64) -> f64 {
    let most = 1.0 / (1.0 + 1.0 / (cutoff * cutoff)).sqrt();
    let s = random.unit().max(random.unit()).max(random.unit()) * most;
    s / (1.0 - s * s).sqrt()
}

/// A speed as a part q of the escape velocity, with density ∝ q² (1 − q²)^(7/2), by rejection under
/// 0.1 (the density's maximum is 0.092).
fn speed(random: &mut Random) -> f64 {
    loop {
        let (q, y) = (random.unit(), 0.1 * random.unit());
        let rest = 1.0 - q * q;
        if y < q * q * rest * rest * rest * rest.sqrt() {
            return q;
        }
    }
}
