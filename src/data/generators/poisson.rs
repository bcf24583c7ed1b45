//! The five-point Laplacian in compressed rows.

use super::options::Options;
use crate::data::{Array, DataError, Values};

/// Entries that a row has room for.
const ROW: usize = 5;

pub fn make(n: usize, _: &Options) -> Result<Vec<Array>, DataError> {
    if n * ROW > i32::MAX as usize {
        return Err(DataError::Size {
            generator: "poisson",
            n,
            rule: "subscripts of its entries would not fit INTEGER".into(),
        });
    }
    let width = (1..).find(|w| w * w >= n).unwrap_or(1);
    let mut first = vec![0];
    let mut column = Vec::with_capacity(n * ROW);
    let mut value = Vec::with_capacity(n * ROW);
    for i in 0..n {
        let mut entry = |at: usize, x: f64| {
            column.push(at as i32);
            value.push(x);
        };
        if i >= width {
            entry(i - width, -1.0);
        }
        if i % width > 0 {
            entry(i - 1, -1.0);
        }
        entry(i, 4.0);
        if (i + 1) % width > 0 && i + 1 < n {
            entry(i + 1, -1.0);
        }
        if i + width < n {
            entry(i + width, -1.0);
        }
        first.push(column.len() as i32);
    }
    column.resize(n * ROW, 0);
    value.resize(n * ROW, 0.0);
    Ok(vec![
        Array::new(vec![n + 1], Values::I32(first))?,
        Array::new(vec![n * ROW], Values::I32(column))?,
        Array::from_f64(value),
    ])
}
