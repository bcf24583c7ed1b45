//! The extension module of the Python package: schemes → callables, and the stages as functions.
//!
//! | module | from → to |
//! |---|---|
//! | `options` | keyword arguments → the options of the pipeline |
//! | `work` | work of the pipeline → its result, off the interpreter's lock and open to Ctrl-C |
//! | `failure` | failures and refused arguments → exceptions |
//! | `program` | scheme → built library → a callable |
//! | `interface` | what a library says of itself, and the scheme → what its arguments are |
//! | `values`, `arrays` | Python's numbers and arrays → addresses that a library takes |
//! | `devices` | arrays of other libraries → where their cells are; arrays of the same kind |
//! | `sizes` | shapes → parameters → shapes |
//! | `arguments` | keyword arguments → what a call gives, by the arguments of the program |
//! | `made` | cells → new arrays of NumPy |
//! | `call` | arguments of a call → results |
//! | `session` | arguments that are kept between runs → results |
//! | `hooks` | what a program tells while it runs → rows, snapshots; whether it is to go on |
//! | `library` | a file → the functions in it |
//! | `stages` | `check`, `derive`, `show`, `run`, `bench`, `tune` → plain objects |
//!
//! What Python code can do as well, such as the classes of results and of exceptions, is in the
//! package beside this crate.

mod arguments;
mod arrays;
mod call;
mod devices;
mod failure;
mod hooks;
mod interface;
mod library;
mod made;
mod options;
mod program;
mod session;
mod sizes;
mod stages;
mod values;
mod work;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line with words that begin with the program's name; gives the exit code.
#[pyfunction]
fn command_line(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| glushkov::cli::run(words))
}

/// Removes what builds of this process have left; for its end.
#[pyfunction]
fn tidy(py: Python<'_>) {
    py.detach(glushkov::toolchain::tidy);
}

#[pymodule]
fn _glushkov(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<program::Program>()?;
    module.add_class::<session::Session>()?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    module.add_function(wrap_pyfunction!(tidy, module)?)?;
    module.add_function(wrap_pyfunction!(stages::check, module)?)?;
    module.add_function(wrap_pyfunction!(stages::derive, module)?)?;
    module.add_function(wrap_pyfunction!(stages::show, module)?)?;
    module.add_function(wrap_pyfunction!(stages::run, module)?)?;
    module.add_function(wrap_pyfunction!(stages::bench, module)?)?;
    module.add_function(wrap_pyfunction!(stages::tune, module)?)?;
    Ok(())
}
