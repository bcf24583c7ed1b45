//! Memory that is asked for: where there is none, that is an error, and the process goes on.

#![allow(dead_code)]

use super::error::{fail, Error};

/// The bytes of an array, if they are a number.
pub fn bytes<T>(dims: &[usize]) -> Option<usize> {
    let all = dims
        .iter()
        .try_fold(1usize, |all, &dim| all.checked_mul(dim));
    all.and_then(|all| all.checked_mul(size_of::<T>()))
}

/// The error for an array that does not fit.
#[cold]
pub fn too_large<T>(name: &str, dims: &[usize]) -> Error {
    let sizes: Vec<String> = dims.iter().map(usize::to_string).collect();
    let sizes = sizes.join(" × ");
    Error::Memory(match bytes::<T>(dims) {
        Some(bytes) => {
            format!("`{name}` of {sizes} elements, {bytes} bytes, does not fit in memory")
        }
        None => format!("`{name}` of {sizes} elements does not fit in memory"),
    })
}

/// Room for so many values after those that there are.
pub fn reserve<T>(name: &str, values: &mut Vec<T>, more: usize) -> Result<(), Error> {
    let reserved = match values.is_empty() {
        true => values.try_reserve_exact(more),
        // As `push` does, so that many small additions copy each value a few times only.
        false => values.try_reserve(more),
    };
    reserved.map_err(|_| too_large::<T>(name, &[values.len().saturating_add(more)]))
}

/// Adds values to others.
pub fn append<T>(name: &str, to: &mut Vec<T>, values: impl ExactSizeIterator<Item = T>) {
    if let Err(error) = reserve(name, to, values.len()) {
        fail(error);
    }
    to.extend(values);
}

/// Values of one's own.
pub fn copied<T: Copy>(name: &str, of: &[T]) -> Vec<T> {
    let mut values = Vec::new();
    append(name, &mut values, of.iter().copied());
    values
}
