//! Numbers for random cases: the same ones in every run.

/// A generator of numbers (Knuth, MMIX).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}
