//! Arrays of Python → addresses of cells that a program takes, without a copy where type and layout fit.

use crate::devices::{self, Lent, Library};
use crate::failure::refused;
use crate::interface::{Argument, Cell};
use crate::made::{made, of_bytes};
use numpy::npyffi;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyTuple};
use std::ffi::c_void;

/// Devices of DLPack whose memory a processor reads: its own, and what CUDA and ROCm hold for a host.
const OF_HOST: [i64; 4] = [1, 3, 11, 13];

/// An array whose cells a program reads or writes.
pub struct Taken<'py> {
    pub cells: Cells<'py>,
    /// Its cells are nobody else's.
    pub own: bool,
    /// The library that it comes from, if that is another one than NumPy.
    pub library: Option<Library<'py>>,
    /// What was given, if the cells are those of it.
    pub given: Option<Bound<'py, PyAny>>,
}

/// Where the cells of an array are.
pub enum Cells<'py> {
    Host(Bound<'py, PyUntypedArray>),
    Device(Lent<'py>),
}

impl<'py> Taken<'py> {
    /// An array of the host.
    pub fn host(array: Bound<'py, PyUntypedArray>, own: bool) -> Taken<'py> {
        Taken {
            cells: Cells::Host(array),
            own,
            library: None,
            given: None,
        }
    }

    /// An array on a device.
    pub fn lent(lent: Lent<'py>, library: Option<Library<'py>>, own: bool) -> Taken<'py> {
        let given = Some(lent.array.clone());
        Taken {
            cells: Cells::Device(lent),
            own,
            library,
            given,
        }
    }

    pub fn is_on_device(&self) -> bool {
        matches!(self.cells, Cells::Device(_))
    }

    /// The address of the first cell.
    pub fn first(&self) -> *mut c_void {
        match &self.cells {
            Cells::Host(array) => first(array),
            Cells::Device(lent) => lent.address(),
        }
    }

    /// The sizes, the components of vectors included.
    pub fn shape(&self) -> &[usize] {
        match &self.cells {
            Cells::Host(array) => array.shape(),
            Cells::Device(lent) => &lent.shape,
        }
    }

    /// The bytes from the first cell to the end of the last.
    pub fn bytes(&self, cell: Cell) -> usize {
        self.shape().iter().product::<usize>() * cell.kind().1
    }

    /// The array as an object of Python.
    pub fn into_any(self) -> Bound<'py, PyAny> {
        match (self.given, self.cells) {
            (Some(given), _) => given,
            (None, Cells::Host(array)) => array.into_any(),
            (None, Cells::Device(lent)) => lent.array,
        }
    }
}

/// The address of the first cell of an array of NumPy.
pub fn first(array: &Bound<'_, PyUntypedArray>) -> *mut c_void {
    // SAFETY: an array has this field as long as it lives.
    unsafe {
        (*npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr()))
            .data
            .cast()
    }
}

fn flag(array: &Bound<'_, PyUntypedArray>, flag: i32) -> bool {
    // SAFETY: as above.
    unsafe { (*npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr())).flags & flag != 0 }
}

/// How an argument is taken.
#[derive(Clone, Copy)]
pub struct How {
    /// With types that lose.
    pub cast: bool,
    /// The program changes the array: a copy, or with `inplace` the array itself.
    pub changes: bool,
    pub inplace: bool,
    /// The program takes arrays on a device.
    pub on_device: bool,
}

/// The array that a call gives, with cells of the argument's type one after the other, and as many
/// axes as it has. Sizes are not looked at.
///
/// # Errors
///
/// What is no array, is on a device that the program does not use, has another type that does not become
/// this one without loss (with `cast`, of the same kind), or has another number of axes; with `inplace`,
/// an array that would have to be copied or cannot be written.
pub fn take<'py>(argument: &Argument, given: &Bound<'py, PyAny>, how: How) -> PyResult<Taken<'py>> {
    if given.cast::<PyUntypedArray>().is_ok() || is_plain(given) {
        return take_on_host(argument, given, how);
    }
    let (library, lent) = devices::seen(argument, given, how.on_device)?;
    let mut taken = match (lent, &library) {
        (None, _) => take_on_host(argument, given, how)?,
        // Single values are passed on the host.
        (Some(lent), Some(library)) if argument.dims.is_empty() => {
            take_on_host(argument, &library.to_host(&lent.array)?, how)?
        }
        (Some(_), None) if argument.dims.is_empty() => {
            return Err(on_a_device(argument, given.py()));
        }
        (Some(lent), library) => {
            let taken = devices::take(argument, lent, library.clone(), how)?;
            expect_axes(argument, &taken)?;
            return Ok(taken);
        }
    };
    if !taken.own {
        taken.given = Some(given.clone());
    }
    taken.library = library;
    Ok(taken)
}

fn take_on_host<'py>(
    argument: &Argument,
    given: &Bound<'py, PyAny>,
    how: How,
) -> PyResult<Taken<'py>> {
    let py = given.py();
    let mut array = seen(argument, given)?;
    let mut own = false;
    if !is_of(&array, argument.cell) {
        array = converted(argument, given, &array, how.cast)?;
        own = true;
    } else if !array.is_c_contiguous() || !flag(&array, npyffi::NPY_ARRAY_ALIGNED) {
        array = copied(&array, argument.cell)?;
        own = true;
    }
    let taken = Taken::host(array.clone(), own);
    expect_axes(argument, &taken)?;
    if argument.cell == Cell::Bool {
        expect_truths(argument, &array)?;
    }
    if !how.changes {
        return Ok(taken);
    }
    match (how.inplace, own) {
        (false, true) => Ok(taken),
        (false, false) => own_copy(&array, argument.cell),
        (true, false) if flag(&array, npyffi::NPY_ARRAY_WRITEABLE) => Ok(taken),
        (true, _) => {
            let (key, cell) = (&argument.key, argument.cell.name());
            let message = match own {
                true => format!("`{key}` cannot be changed in place: it would have to be copied"),
                false => format!("`{key}` cannot be changed in place: it is read-only"),
            };
            let hint =
                format!("in place goes an array of {cell} that can be written, its cells in order");
            Err(refused(py, "E0904", message, hint))
        }
    }
}

/// A new array of zeros for an argument.
///
/// # Errors
///
/// Where there is not so much memory.
pub fn zeros<'py>(py: Python<'py>, cell: Cell, shape: &[usize]) -> PyResult<Taken<'py>> {
    Ok(Taken::host(made(py, cell, shape)?, true))
}

/// Refuses an array with another number of axes, or of components.
fn expect_axes(argument: &Argument, taken: &Taken<'_>) -> PyResult<()> {
    let axes = argument.dims.len() + usize::from(argument.components > 1);
    let shape = taken.shape();
    if shape.len() == axes && (argument.components == 1 || shape[axes - 1] == argument.components) {
        return Ok(());
    }
    let given = match &taken.cells {
        Cells::Host(array) => array.as_any(),
        Cells::Device(lent) => &lent.array,
    };
    Err(other_shape(argument, given, shape))
}

/// A copy of an array whose cells follow each other already.
fn own_copy<'py>(array: &Bound<'py, PyUntypedArray>, cell: Cell) -> PyResult<Taken<'py>> {
    let bytes = cells_of(array);
    let made = of_bytes(array.py(), cell, array.shape(), bytes)?;
    Ok(Taken::host(made, true))
}

/// The bytes of an array whose cells follow each other.
fn cells_of<'a>(array: &'a Bound<'_, PyUntypedArray>) -> &'a [u8] {
    match array.len() * array.dtype().itemsize() {
        0 => &[],
        // SAFETY: so many follow each other there, and nobody writes them while this thread holds the
        // interpreter.
        count => unsafe { std::slice::from_raw_parts(first(array).cast::<u8>(), count) },
    }
}

/// Refuses an array on a device that the program does not read.
fn on_a_device(argument: &Argument, py: Python<'_>) -> PyErr {
    let message = format!("`{}` is on a device", argument.key);
    let hint = "bring it to the processor first, as x.cpu() does".to_owned();
    refused(py, "E0904", message, hint)
}

/// An object as an array of NumPy.
fn seen<'py>(
    argument: &Argument,
    given: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = given.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let py = given.py();
    let numpy = py.import("numpy")?;
    let mut array = None;
    if given.hasattr("__dlpack_device__")? && given.hasattr("__dlpack__")? {
        let device = given.call_method0("__dlpack_device__")?.get_item(0)?;
        if !OF_HOST.contains(&device.extract::<i64>().unwrap_or(0)) {
            return Err(on_a_device(argument, py));
        }
        // What it refuses, such as types that it does not know, may be an array all the same.
        array = numpy.call_method1("from_dlpack", (given,)).ok();
    } else if given.hasattr("__cuda_array_interface__").unwrap_or(true) {
        return Err(on_a_device(argument, py));
    }
    let array = match array {
        Some(array) => array,
        None => numpy.call_method1("asarray", (given,)).map_err(|error| {
            let key = &argument.key;
            let message = format!("`{key}` cannot be read as an array: {}", error.value(py));
            refused(py, "E0904", message, form(argument))
        })?,
    };
    Ok(array.cast_into::<PyUntypedArray>()?)
}

/// Whether an array has cells of a type, in this machine's order of bytes.
fn is_of(array: &Bound<'_, PyUntypedArray>, cell: Cell) -> bool {
    let dtype = array.dtype();
    let is_native = || dtype.is_native_byteorder() != Some(false);
    (dtype.kind(), dtype.itemsize()) == cell.kind() && is_native()
}

/// Whether something is made of Python's own numbers, which have no width.
fn is_plain(given: &Bound<'_, PyAny>) -> bool {
    given.is_exact_instance_of::<PyFloat>()
        || given.is_exact_instance_of::<PyInt>()
        || given.is_exact_instance_of::<PyBool>()
        || given.is_instance_of::<PyList>()
        || given.is_instance_of::<PyTuple>()
}

fn converted<'py>(
    argument: &Argument,
    given: &Bound<'py, PyAny>,
    array: &Bound<'py, PyUntypedArray>,
    cast: bool,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = given.py();
    let (wanted, has) = (argument.cell.name(), array.dtype());
    let numpy = py.import("numpy")?;
    let can = |how: &str| {
        let answer = numpy.call_method1("can_cast", (&has, wanted, how))?;
        answer.is_truthy()
    };
    let same_kind = can("same_kind")? && has.kind() != b'O';
    if !same_kind || !(cast || is_plain(given) || can("safe")?) {
        let message = format!("`{}` holds {has}, and {wanted} is needed", argument.key);
        let hint = match same_kind {
            true => "cast=True converts it, with what is lost".to_owned(),
            false => form(argument),
        };
        return Err(refused(py, "E0904", message, hint));
    }
    let made = copied(array, argument.cell)?;
    // Integers that do not fit would come out as others.
    if matches!(has.kind(), b'i' | b'u') && matches!(argument.cell, Cell::I32 | Cell::I64) {
        let same = numpy.call_method1("array_equal", (array, &made))?;
        if !same.is_truthy()? {
            let message = format!("`{}` holds numbers that {wanted} does not", argument.key);
            return Err(refused(py, "E0904", message, form(argument)));
        }
    }
    Ok(made)
}

/// A copy with cells of a type, one after the other.
fn copied<'py>(
    array: &Bound<'py, PyUntypedArray>,
    cell: Cell,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = array.py();
    let how = PyDict::new(py);
    how.set_item("dtype", cell.name())?;
    how.set_item("order", "C")?;
    how.set_item("copy", true)?;
    let copy = py
        .import("numpy")?
        .call_method("array", (array,), Some(&how))?;
    Ok(copy.cast_into::<PyUntypedArray>()?)
}

/// Refuses cells that are neither true nor false: a view may hold any byte.
fn expect_truths(argument: &Argument, array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    match cells_of(array).iter().all(|&cell| cell <= 1) {
        true => Ok(()),
        false => {
            let message = format!("`{}` holds bytes that are no truth values", argument.key);
            Err(refused(array.py(), "E0904", message, String::new()))
        }
    }
}

/// What an argument takes.
pub fn form(argument: &Argument) -> String {
    let (key, declared) = (&argument.key, argument.declared());
    let (shape, cell) = (argument.shape(), argument.cell.name());
    match argument.shape().as_str() {
        "()" => format!("{key} : {declared} takes a number of {cell}"),
        _ => format!("{key} : {declared} takes an array of {cell} with the shape {shape}"),
    }
}

fn other_shape(argument: &Argument, given: &Bound<'_, PyAny>, shape: &[usize]) -> PyErr {
    let said = PyTuple::new(given.py(), shape).and_then(|shape| shape.str());
    let said = said.map_or(String::new(), |shape| shape.to_string());
    let message = format!(
        "`{}` has the shape {said}, and {} is needed",
        argument.key,
        argument.shape()
    );
    refused(given.py(), "E0413", message, form(argument))
}
