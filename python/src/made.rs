//! Cells → new arrays of NumPy.

use crate::arrays::first;
use crate::interface::Cell;
use glushkov::data::{Array, Values};
use numpy::PyUntypedArray;
use numpy::PyUntypedArrayMethods;
use numpy::npyffi::{PY_ARRAY_API, npy_intp};
use pyo3::prelude::*;

/// A new array of zeros.
///
/// # Errors
///
/// Where there is not so much memory.
pub fn made<'py>(
    py: Python<'py>,
    cell: Cell,
    shape: &[usize],
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = match cell {
        Cell::Bool => numpy::dtype::<bool>(py),
        Cell::I32 => numpy::dtype::<i32>(py),
        Cell::I64 => numpy::dtype::<i64>(py),
        Cell::F32 => numpy::dtype::<f32>(py),
        Cell::F64 => numpy::dtype::<f64>(py),
    };
    let mut dims: Vec<npy_intp> = shape.iter().map(|&n| n as npy_intp).collect();
    // SAFETY: the sizes are as many as said; the reference to the type is given away.
    let array = unsafe {
        let descr = dtype.into_ptr().cast();
        let (count, first) = (dims.len() as i32, dims.as_mut_ptr());
        let made = PY_ARRAY_API.PyArray_Zeros(py, count, first, descr, 0);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    Ok(array.cast_into::<PyUntypedArray>()?)
}

/// A new array with these bytes as its cells.
///
/// # Errors
///
/// Where there is not so much memory.
pub fn of_bytes<'py>(
    py: Python<'py>,
    cell: Cell,
    shape: &[usize],
    bytes: &[u8],
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let made = made(py, cell, shape)?;
    let count = (made.len() * cell.kind().1).min(bytes.len());
    // SAFETY: both have so many bytes, and nobody else has seen the new ones.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), first(&made).cast::<u8>(), count) };
    Ok(made)
}

/// An array of the tool as one of NumPy.
///
/// # Errors
///
/// Where there is not so much memory.
pub fn of_data<'py>(py: Python<'py>, array: &Array) -> PyResult<Bound<'py, PyUntypedArray>> {
    let shape = array.shape();
    match array.values() {
        Values::Bool(v) => of_bytes(py, Cell::Bool, shape, as_bytes(v)),
        Values::I32(v) => of_bytes(py, Cell::I32, shape, as_bytes(v)),
        Values::I64(v) => of_bytes(py, Cell::I64, shape, as_bytes(v)),
        Values::F32(v) => of_bytes(py, Cell::F32, shape, as_bytes(v)),
        Values::F64(v) => of_bytes(py, Cell::F64, shape, as_bytes(v)),
    }
}

fn as_bytes<T: Copy>(values: &[T]) -> &[u8] {
    // SAFETY: numbers and truth values have no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), std::mem::size_of_val(values)) }
}
