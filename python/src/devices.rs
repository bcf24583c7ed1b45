//! Arrays of other libraries → where their cells are, and arrays of the same kind. What differs between
//! libraries is `glushkov/_devices.py`.

use crate::arrays::{How, Taken, form};
use crate::failure::refused;
use crate::interface::{Argument, Cell};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use std::ffi::c_void;

/// A library of arrays that is known: an object of `glushkov/_devices.py`.
#[derive(Clone)]
pub struct Library<'py>(Bound<'py, PyAny>);

/// An array in memory of a device.
#[derive(Clone)]
pub struct Lent<'py> {
    /// The array, and what else must live as long as its address is used.
    pub array: Bound<'py, PyAny>,
    _keeps: Bound<'py, PyAny>,
    pub first: usize,
    pub shape: Vec<usize>,
    cells: String,
    contiguous: bool,
    pub read_only: bool,
    pub stream: usize,
}

type Said<'py> = (
    usize,
    Vec<usize>,
    String,
    bool,
    bool,
    usize,
    Bound<'py, PyAny>,
);

/// The library that an object comes from, and its place if it is an array on a device; the place is
/// asked for with `on_device` only.
///
/// # Errors
///
/// An array that cannot be read now, with the argument's name.
pub fn seen<'py>(
    argument: &Argument,
    given: &Bound<'py, PyAny>,
    on_device: bool,
) -> PyResult<(Option<Library<'py>>, Option<Lent<'py>>)> {
    static SEEN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = given.py();
    let seen = SEEN.get_or_try_init(py, || {
        let module = py.import("glushkov._devices")?;
        Ok::<_, PyErr>(module.getattr("seen")?.unbind())
    })?;
    let said = seen.bind(py).call1((given, on_device));
    let said = said.map_err(|error| unreadable(argument, py, error))?;
    let (library, place): (Option<Bound<'py, PyAny>>, Option<Said<'py>>) = said.extract()?;
    let lent = place.map(|place| {
        let (first, shape, cells, contiguous, read_only, stream, keeps) = place;
        Lent {
            array: given.clone(),
            _keeps: keeps,
            first,
            shape,
            cells,
            contiguous,
            read_only,
            stream,
        }
    });
    Ok((library.map(Library), lent))
}

/// What a library says of an array that cannot be read.
fn unreadable(argument: &Argument, py: Python<'_>, error: PyErr) -> PyErr {
    // Signals and the like are nobody's arguments.
    if !error.is_instance_of::<PyException>(py) {
        return error;
    }
    let message = format!("`{}` cannot be read: {}", argument.key, error.value(py));
    refused(py, "E0904", message, form(argument))
}

impl<'py> Library<'py> {
    /// A library that was known before.
    pub fn of(object: Bound<'py, PyAny>) -> Library<'py> {
        Library(object)
    }

    pub fn object(&self) -> &Bound<'py, PyAny> {
        &self.0
    }

    /// Waits for what fills an array.
    ///
    /// # Errors
    ///
    /// What the library meets.
    pub fn wait(&self, array: &Bound<'py, PyAny>) -> PyResult<()> {
        self.0.call_method1("wait", (array,)).map(|_| ())
    }

    /// A new array of zeros on the device of another one.
    ///
    /// # Errors
    ///
    /// Where there is not so much memory, or the library has no such type.
    pub fn zeros(
        &self,
        argument: &Argument,
        shape: &[usize],
        like: &Bound<'py, PyAny>,
    ) -> PyResult<Taken<'py>> {
        let shape = PyTuple::new(like.py(), shape)?;
        let name = argument.cell.name();
        let made = self.0.call_method1("zeros", (shape, name, like))?;
        self.taken(argument, made)
    }

    /// A copy of an array on the device.
    fn copy(&self, argument: &Argument, array: &Bound<'py, PyAny>) -> PyResult<Taken<'py>> {
        let made = self.0.call_method1("copy", (array,))?;
        self.taken(argument, made)
    }

    /// A copy on the host.
    ///
    /// # Errors
    ///
    /// What the library meets.
    pub fn to_host(&self, array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.call_method1("to_numpy", (array,))
    }

    /// An array of NumPy that nobody else has as one of this library.
    ///
    /// # Errors
    ///
    /// A type that the library does not have.
    pub fn of_host(&self, array: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.call_method1("of_numpy", (array,))
    }

    fn taken(&self, argument: &Argument, made: Bound<'py, PyAny>) -> PyResult<Taken<'py>> {
        let (_, lent) = seen(argument, &made, true)?;
        let lent = lent.ok_or_else(|| {
            let message = format!("an array for `{}` is not on the device", argument.key);
            refused(made.py(), "E0904", message, String::new())
        })?;
        let library = Some(self.clone());
        Ok(Taken::lent(lent, library, true))
    }
}

impl Lent<'_> {
    pub fn address(&self) -> *mut c_void {
        self.first as *mut c_void
    }

    /// Whether its cells are of a type.
    fn is_of(&self, cell: Cell) -> bool {
        let (kind, bytes) = cell.kind();
        self.cells == format!("{}{bytes}", char::from(kind))
    }
}

/// An array on a device for an argument, which is copied only where its cells do not follow each other or
/// it is to be changed.
///
/// # Errors
///
/// Another type, and an array that would have to be copied and cannot be.
pub fn take<'py>(
    argument: &Argument,
    lent: Lent<'py>,
    library: Option<Library<'py>>,
    how: How,
) -> PyResult<Taken<'py>> {
    let py = lent.array.py();
    let (key, cell) = (&argument.key, argument.cell.name());
    let no = |message: String, hint: &str| Err(refused(py, "E0904", message, hint.to_owned()));
    if !lent.is_of(argument.cell) {
        let has = lent.array.getattr("dtype").and_then(|dtype| dtype.str());
        let has = has.unwrap_or_else(|_| PyString::new(py, &lent.cells));
        let message = format!("`{key}` holds {has}, and {cell} is needed");
        return no(message, "arrays on a device are not converted");
    }
    if how.changes && how.inplace && lent.read_only {
        let message = format!("`{key}` cannot be changed in place: it is read-only");
        return no(message, "without inplace=True it is copied");
    }
    if how.changes && how.inplace && !lent.contiguous {
        let message = format!("`{key}` cannot be changed in place: it would have to be copied");
        return no(message, "in place goes an array whose cells are in order");
    }
    if lent.contiguous && (!how.changes || how.inplace) {
        return Ok(Taken::lent(lent, library, false));
    }
    match library {
        Some(library) => library.copy(argument, &lent.array),
        None => {
            let message = format!("`{key}` would have to be copied on the device");
            no(
                message,
                "give an array whose cells are in order; inplace=True changes it where it is",
            )
        }
    }
}
