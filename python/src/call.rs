//! The arguments of a call → addresses → a run → its results.

use crate::arguments::Arguments;
use crate::arrays::{Cells, Taken, form, zeros};
use crate::failure::{Kind, Told, refused};
use crate::hooks::Heard;
use crate::interface::Interface;
use crate::library::{Functions, Hooks};
use crate::sizes::{parameters, sizes};
use crate::values::put;
use glushkov::diagnostic::Diagnostic;
use glushkov::machine::{Value, fold};
use glushkov::pipeline::Values;
use glushkov::term::Symbol;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::{c_int, c_void};

/// What a run that was ended by a hook returns.
const ENDED: c_int = 3;

/// The cells that DATA gives an INPUT which a call does not.
///
/// # Errors
///
/// An INPUT that has none.
pub fn own_values<'py>(
    py: Python<'py>,
    interface: &Interface,
    number: usize,
    values: &Values,
    shape: &[usize],
) -> PyResult<Taken<'py>> {
    let argument = &interface.arguments[number];
    if argument.values.is_empty() {
        return Err(missing(py, interface, number));
    }
    let made = zeros(py, argument.cell, shape)?;
    let width = argument.cell.kind().1;
    let cells = made.bytes(argument.cell) / width;
    for (place, &id) in argument.values.iter().take(cells).enumerate() {
        let Some(value) = fold(&interface.scheme, id, values) else {
            let message = format!("a value of `{}` in DATA has none", argument.key);
            return Err(refused(py, "E0411", message, String::new()));
        };
        let mut bytes = [0; 8];
        put(argument.cell, value, &mut bytes);
        // SAFETY: the place is one of the new array's cells, which nobody else has seen.
        unsafe {
            let to = made.first().cast::<u8>().add(place * width);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, width);
        }
    }
    Ok(made)
}

/// Refuses a call or a run without an INPUT.
pub fn missing(py: Python<'_>, interface: &Interface, number: usize) -> PyErr {
    let argument = &interface.arguments[number];
    let message = format!("the INPUT `{}` is missing", argument.key);
    let hint = match interface.scheme.default_inputs.is_empty() {
        true => form(argument),
        false => format!(
            "{}; f.inputs() makes what DEFAULT INPUT says",
            form(argument)
        ),
    };
    refused(py, "E0412", message, hint)
}

/// The shape of an argument's arrays, the components of vectors included.
pub fn shape(interface: &Interface, number: usize, sizes: &[usize]) -> Vec<usize> {
    let components = interface.arguments[number].components;
    let tail = (components > 1).then_some(components);
    sizes.iter().copied().chain(tail).collect()
}

/// Addresses and functions, on their way to a run that does not hold the interpreter.
struct Away<T>(T);

// SAFETY: what they point to is kept by the caller, who waits for the run.
unsafe impl<T> Send for Away<T> {}

/// What a run took: seconds of the timed part, and bytes that were copied to a device and from there.
pub type Took = (f64, (u64, u64));

/// Runs without the interpreter.
///
/// # Errors
///
/// The exception of a signal, and what the run met.
pub fn run(
    py: Python<'_>,
    functions: &Functions,
    heard: &mut Heard,
    run: impl FnOnce(*const Hooks) -> c_int,
    error: impl FnOnce() -> String,
) -> PyResult<Took> {
    let hooks = heard.hooks();
    let away = Away((&hooks, run, error, functions));
    let away = py.detach(move || {
        let Away((hooks, run, error, functions)) = { away };
        let code = run(hooks);
        let said = match code {
            0 => String::new(),
            _ => error(),
        };
        let (mut to, mut from) = (0, 0);
        // SAFETY: one function takes nothing, the other one writes two numbers.
        let seconds = unsafe {
            (functions.copied)(&raw mut to, &raw mut from);
            (functions.seconds)()
        };
        Away((code, said, (seconds, (to, from))))
    });
    let Away((code, said, took)) = away;
    if let Some(error) = heard.raised() {
        return Err(error);
    }
    py.check_signals()?;
    let failed = |code: &'static str, hint: &'static str| {
        let diagnostic = Diagnostic::error(code, said).hint(hint);
        Told::at_a_call(Kind::Run, &diagnostic).raised(py)
    };
    match code {
        0 => Ok(took),
        1 => Err(failed(
            "E0409",
            "the algorithm has no result for these arguments",
        )),
        ENDED => Err(failed("E1002", "the run was ended")),
        _ => Err(failed(
            "E1005",
            "the arguments or the device cannot be used",
        )),
    }
}

/// Calls a program: outputs by their names, rows, seconds, series.
///
/// # Errors
///
/// Arguments that are refused, and what the run met.
pub fn call<'py>(
    py: Python<'py>,
    interface: &Interface,
    functions: &Functions,
    defaults: &[(Symbol, Value)],
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Results<'py>> {
    let Arguments {
        known,
        mut taken,
        given,
        like,
        ..
    } = Arguments::of(py, interface, keywords)?;
    let values = parameters(py, interface, known, &given, defaults)?;
    let sizes = sizes(py, interface, &values, &given)?;
    let mut slots = vec![[0u8; 8]; interface.parameters];
    let mut addresses: Vec<*const c_void> = Vec::with_capacity(interface.arguments.len());
    for (number, argument) in interface.arguments.iter().enumerate() {
        if number < interface.parameters {
            put(argument.cell, values[number].1, &mut slots[number]);
            addresses.push(slots[number].as_ptr().cast());
            continue;
        }
        let array = match taken[number].take() {
            Some(array) => array,
            None => {
                let shape = shape(interface, number, &sizes[number]);
                match argument.role.is_given() {
                    true => own_values(py, interface, number, &values, &shape)?,
                    false => like.zeros(py, argument, &shape)?,
                }
            }
        };
        addresses.push(array.first());
        taken[number] = Some(array);
    }
    let places: Vec<u8> = taken.iter().map(|t| on_device(t).into()).collect();
    let stream = stream(&taken)?;
    let mut heard = Heard::new(interface.series.len());
    let (seconds, copied) = run(
        py,
        functions,
        &mut heard,
        // SAFETY: there is an address for each argument, of as many cells as the sizes say; what is
        // written is nobody else's, or the caller asked for it.
        |hooks| unsafe { (functions.on)(addresses.as_ptr(), places.as_ptr(), stream, hooks) },
        || functions.error(),
    )?;
    let outputs = PyDict::new(py);
    for (number, argument) in interface.arguments.iter().enumerate() {
        if let Some(array) = taken[number].take().filter(|_| argument.role.is_result()) {
            outputs.set_item(
                &argument.key,
                given_back(array, argument.dims.is_empty() && argument.components == 1)?,
            )?;
        }
    }
    let rows = heard.rows(py)?.into_any();
    let series = heard.series(py, interface, &sizes)?;
    Ok((outputs, rows, seconds, series, copied))
}

fn on_device(taken: &Option<Taken<'_>>) -> bool {
    taken.as_ref().is_some_and(Taken::is_on_device)
}

/// The default stream, as array interfaces number it.
const DEFAULT_STREAM: usize = 1;

/// The stream that a call goes on: that on which arrays are made, null for the default one. What is made
/// on others is waited for.
///
/// # Errors
///
/// What a library meets, and an array on another stream whose library is not known.
fn stream(taken: &[Option<Taken<'_>>]) -> PyResult<*mut c_void> {
    let mut stream = 0;
    for taken in taken.iter().flatten() {
        let Cells::Device(lent) = &taken.cells else {
            continue;
        };
        if lent.stream <= DEFAULT_STREAM || lent.stream == stream {
            continue;
        }
        match (stream, &taken.library) {
            (0, _) => stream = lent.stream,
            (_, Some(library)) => library.wait(&lent.array)?,
            (_, None) => {
                let why = "arrays of libraries that are not known come on several streams";
                return Err(pyo3::exceptions::PyValueError::new_err(why));
            }
        }
    }
    // What the default stream has comes before what streams have that wait for it; others need not.
    if stream != 0 {
        for taken in taken.iter().flatten() {
            if let (Cells::Device(lent), Some(library)) = (&taken.cells, &taken.library)
                && lent.stream <= DEFAULT_STREAM
            {
                library.wait(&lent.array)?;
            }
        }
    }
    Ok(stream as *mut c_void)
}

/// What a run gives: outputs, rows, seconds, series, and bytes copied to a device and from there.
pub type Results<'py> = (
    Bound<'py, PyDict>,
    Bound<'py, PyAny>,
    f64,
    Bound<'py, PyDict>,
    (u64, u64),
);

/// An output as it is given back: an array of the kind that was given, or the number that it is.
pub fn given_back<'py>(taken: Taken<'py>, number: bool) -> PyResult<Bound<'py, PyAny>> {
    let library = taken.library.clone().filter(|_| taken.given.is_none());
    let any = taken.into_any();
    match (number, library) {
        (true, _) => any.get_item(PyTuple::empty(any.py())),
        (false, Some(library)) => library.of_host(any),
        (false, None) => Ok(any),
    }
}
