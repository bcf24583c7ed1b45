//! Random numbers that are the same everywhere: a named generator, and floats made of its bits.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// A stream of random numbers.
pub struct Random(Pcg64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(Pcg64::seed_from_u64(seed))
    }

    /// Uniform in [0, 1): the upper 53 bits of a draw, over 2⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / 9007199254740992.0
    }

    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Uniform in the unit ball, by rejection.
    pub fn in_ball(&mut self) -> [f64; 3] {
        loop {
            let p = [self.signed(), self.signed(), self.signed()];
            if p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 1.0 {
                return p;
            }
        }
    }

    /// A direction, uniform over the unit sphere (Marsaglia 1972): no sine or cosine, whose last
    /// bits differ between machines.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let (x, y) = (self.signed(), self.signed());
            let s = x * x + y * y;
            if s < 1.0 {
                let root = (1.0 - s).sqrt();
                return [2.0 * x * root, 2.0 * y * root, 1.0 - 2.0 * s];
            }
        }
    }
}
