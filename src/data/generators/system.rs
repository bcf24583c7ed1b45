//! A system of bodies, and its energies for G = 1.

use crate::data::{Array, DataError};

/// Bodies: masses, positions, velocities, of one length.
pub struct Bodies {
    /// Masses.
    pub m: Vec<f64>,
    /// Positions.
    pub r: Vec<[f64; 3]>,
    /// Velocities.
    pub v: Vec<[f64; 3]>,
}

impl Bodies {
    /// Room for `n` bodies of mass `mass`, positions and velocities yet to be pushed.
    ///
    /// # Errors
    ///
    /// Where there is not so much memory.
    pub fn with_room(generator: &'static str, n: usize, mass: f64) -> Result<Bodies, DataError> {
        let mut bodies = Bodies {
            m: Vec::new(),
            r: Vec::new(),
            v: Vec::new(),
        };
        bodies
            .m
            .try_reserve_exact(n)
            .and_then(|()| bodies.r.try_reserve_exact(n))
            .and_then(|()| bodies.v.try_reserve_exact(n))
            .map_err(|_| DataError::Size {
                generator,
                n,
                rule: "there is not enough memory".into(),
            })?;
        bodies.m.resize(n, mass);
        Ok(bodies)
    }

    /// Masses, positions and velocities as arrays.
    ///
    /// # Errors
    ///
    /// Where there are more numbers than memory has addresses.
    pub fn arrays(self) -> Result<Vec<Array>, DataError> {
        Ok(vec![
            Array::from_f64(self.m),
            Array::from_vectors(self.r),
            Array::from_vectors(self.v),
        ])
    }

    /// Moves the centre of mass to the origin and brings it to rest.
    pub fn centre(&mut self) {
        for which in [&mut self.r, &mut self.v] {
            let (mut sum, mut total) = ([0.0; 3], 0.0);
            for (x, &m) in which.iter().zip(&self.m) {
                total += m;
                for axis in 0..3 {
                    sum[axis] += m * x[axis];
                }
            }
            for x in which.iter_mut() {
                for axis in 0..3 {
                    x[axis] -= sum[axis] / total;
                }
            }
        }
    }

    /// Kinetic energy: Σ m v² / 2.
    pub fn kinetic(&self) -> f64 {
        self.m
            .iter()
            .zip(&self.v)
            .map(|(m, v)| 0.5 * m * square(v))
            .sum()
    }

    /// Potential energy for G = 1: −Σ mᵢ mⱼ / rᵢⱼ over pairs; takes n² time.
    pub fn potential(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.r.len() {
            let mut inner = 0.0;
            for j in 0..i {
                let d: [f64; 3] = std::array::from_fn(|axis| self.r[i][axis] - self.r[j][axis]);
                inner += self.m[j] / square(&d).sqrt();
            }
            sum -= self.m[i] * inner;
        }
        sum
    }
}

/// x · x.
pub fn square(x: &[f64; 3]) -> f64 {
    x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
}

/// x scaled.
pub fn scaled(x: [f64; 3], factor: f64) -> [f64; 3] {
    x.map(|c| c * factor)
}
