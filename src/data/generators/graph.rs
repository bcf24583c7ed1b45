//! A random graph by lists of neighbours.

use super::options::Options;
use super::random::Random;
use crate::data::{Array, DataError, Values};

pub fn make(n: usize, options: &Options) -> Result<Vec<Array>, DataError> {
    let mut random = Random::new(options.whole("seed"));
    let places = (n as u64)
        .checked_mul(options.whole("degree"))
        .filter(|&all| all <= i32::MAX as u64)
        .ok_or(DataError::Size {
            generator: "graph",
            n,
            rule: "subscripts of its neighbours would not fit INTEGER".into(),
        })? as usize;
    let mut vertex = || (random.unit() * n as f64) as usize;
    let edges: Vec<(usize, usize)> = (0..places / 2).map(|_| (vertex(), vertex())).collect();
    // Counted, then laid out: first[i + 1] runs from where vertex i starts to where it ends.
    let mut first = vec![0i32; n + 1];
    for &(a, b) in &edges {
        first[a + 1] += 1;
        first[b + 1] += 1;
    }
    for i in 0..n {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut neighbour = vec![0i32; places];
    let mut put = |at: usize, other: usize| {
        neighbour[next[at] as usize] = other as i32;
        next[at] += 1;
    };
    for &(a, b) in &edges {
        put(a, b);
        put(b, a);
    }
    Ok(vec![
        Array::new(vec![n + 1], Values::I32(first))?,
        Array::new(vec![places], Values::I32(neighbour))?,
    ])
}
