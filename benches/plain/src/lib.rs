//! Plain loops and what they work on.

pub mod loops;

/// Numbers in [0, 1) that look random: a multiplicative congruence.
pub fn numbers(count: usize) -> Vec<f32> {
    let mut state = 12345u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 40) as f32 / (1u64 << 24) as f32
        })
        .collect()
}
