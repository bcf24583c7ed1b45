//! Choices of the makers of random schemes.

use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// Numbers below what is asked for, the same for the same seed.
pub fn choices(seed: u64) -> impl FnMut(usize) -> usize {
    let mut random = Pcg64::seed_from_u64(seed);
    move |below| (random.next_u64() % below as u64) as usize
}

/// One to `most` of some texts, with repetitions, as operators after each other.
pub fn some_of(below: &mut impl FnMut(usize) -> usize, texts: &[&str], most: usize) -> String {
    let count = 1 + below(most);
    let some: Vec<&str> = (0..count).map(|_| texts[below(texts.len())]).collect();
    some.join("; ")
}
