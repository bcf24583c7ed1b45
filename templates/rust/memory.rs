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

/// Room for so many values in all; those that there are stay, also where there is none.
pub fn reserve<T>(name: &str, values: &mut Vec<T>, count: usize) -> Result<(), Error> {
    let more = count.saturating_sub(values.len());
    let reserved = values.try_reserve_exact(more);
    reserved.map_err(|_| too_large::<T>(name, &[count]))
}

/// Adds values to others, each of which is copied a few times only, however many additions there are.
pub fn append<T>(name: &str, to: &mut Vec<T>, values: impl ExactSizeIterator<Item = T>) {
    if to.try_reserve(values.len()).is_err() {
        let count = to.len().saturating_add(values.len());
        fail(too_large::<T>(name, &[count]));
    }
    to.extend(values);
}

/// Values of one's own.
pub fn copied<T: Copy>(name: &str, of: &[T]) -> Vec<T> {
    let mut values = Vec::new();
    append(name, &mut values, of.iter().copied());
    values
}
