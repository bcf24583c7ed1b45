//! Keyword arguments → what a call gives, by the program's arguments, and what its results are like.

use crate::arrays::{Cells, How, Taken, take, zeros};
use crate::devices::Library;
use crate::failure::refused;
use crate::interface::{Argument, Interface, Role};
use crate::sizes::Given;
use crate::values::parameter;
use glushkov::diagnostic::did_you_mean;
use glushkov::machine::Value;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// What a call gives, sorted by the arguments of the program.
pub struct Arguments<'py> {
    /// The values of parameters that are given.
    pub known: Vec<Option<Value>>,
    /// The arrays that are given.
    pub taken: Vec<Option<Taken<'py>>>,
    /// Their sizes.
    pub given: Vec<Given>,
    pub inplace: bool,
    /// What results are like.
    pub like: Like<'py>,
}

/// The library of the first array of a call, none for NumPy; and the array, if it is on a device.
#[derive(Clone, Default)]
pub struct Like<'py> {
    pub library: Option<Library<'py>>,
    pub array: Option<Bound<'py, PyAny>>,
}

impl<'py> Like<'py> {
    /// What results of a call with this array first are like.
    pub fn of(taken: &Taken<'py>) -> Like<'py> {
        let array = match &taken.cells {
            Cells::Device(lent) if taken.library.is_some() => Some(lent.array.clone()),
            _ => None,
        };
        Like {
            library: taken.library.clone(),
            array,
        }
    }

    /// An array of zeros for a result.
    ///
    /// # Errors
    ///
    /// Where there is not so much memory, or the library has no such type.
    pub fn zeros(
        &self,
        py: Python<'py>,
        argument: &Argument,
        shape: &[usize],
    ) -> PyResult<Taken<'py>> {
        match (&self.library, &self.array) {
            (Some(library), Some(array)) if !argument.dims.is_empty() => {
                library.zeros(argument, shape, array)
            }
            (library, _) => {
                let mut made = zeros(py, argument.cell, shape)?;
                made.library = library.clone();
                Ok(made)
            }
        }
    }
}

impl<'py> Arguments<'py> {
    /// Sorts keyword arguments.
    ///
    /// # Errors
    ///
    /// A name that the scheme does not have, and what an argument does not take.
    pub fn of(
        py: Python<'py>,
        interface: &Interface,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Arguments<'py>> {
        let count = interface.arguments.len();
        let mut all = Arguments {
            known: vec![None; interface.parameters],
            taken: (0..count).map(|_| None).collect(),
            given: vec![None; count],
            inplace: false,
            like: Like::default(),
        };
        let Some(keywords) = keywords else {
            return Ok(all);
        };
        let mut cast = false;
        let mut arrays = Vec::with_capacity(count);
        for (key, value) in keywords {
            let key = key.cast_into::<PyString>()?;
            let key = key.to_string_lossy();
            match interface.position(&key) {
                Some(number) if interface.arguments[number].role.is_given() => {
                    match number < interface.parameters {
                        true => {
                            let argument = &interface.arguments[number];
                            all.known[number] = Some(parameter(argument, &value)?);
                        }
                        false => arrays.push((number, value)),
                    }
                }
                None if key == "cast" => cast = value.is_truthy()?,
                None if key == "inplace" => all.inplace = value.is_truthy()?,
                found => return Err(unknown(py, interface, &key, found.is_some())),
            }
        }
        let mut is_first = true;
        for (number, value) in arrays {
            let argument = &interface.arguments[number];
            let how = How {
                cast,
                changes: argument.role == Role::Both,
                inplace: all.inplace,
                on_device: interface.on_device,
            };
            let taken = take(argument, &value, how)?;
            if is_first && !argument.dims.is_empty() {
                is_first = false;
                all.like = Like::of(&taken);
            }
            let sizes = taken.shape()[..argument.dims.len()].to_vec();
            all.given[number] = Some(sizes);
            all.taken[number] = Some(taken);
        }
        if all.inplace {
            expect_apart(py, interface, &all.taken)?;
        }
        Ok(all)
    }
}

/// Refuses an array that is changed in place and shares cells with another argument.
fn expect_apart(
    py: Python<'_>,
    interface: &Interface,
    taken: &[Option<Taken<'_>>],
) -> PyResult<()> {
    let range = |k: usize, taken: &Taken<'_>| {
        let first = taken.first() as usize;
        (first, first + taken.bytes(interface.arguments[k].cell))
    };
    let of = || {
        taken
            .iter()
            .enumerate()
            .filter_map(|(k, t)| Some((k, range(k, t.as_ref()?))))
    };
    for (a, (from, to)) in of().filter(|(k, _)| interface.arguments[*k].role == Role::Both) {
        if let Some((b, _)) = of().find(|&(b, (f, t))| a != b && f < to && from < t) {
            let (a, b) = (&interface.arguments[a].key, &interface.arguments[b].key);
            let message = format!("`{a}` cannot be changed in place: `{b}` shares cells with it");
            return Err(refused(py, "E0006", message, format!("give a copy of {b}")));
        }
    }
    Ok(())
}

fn unknown(py: Python<'_>, interface: &Interface, key: &str, is_result: bool) -> PyErr {
    if is_result {
        let message = format!("`{key}` is an OUTPUT, which a call gives back");
        let hint = format!("f(…)[\"{key}\"] is its array");
        return refused(py, "E0006", message, hint);
    }
    let given = interface.arguments.iter().filter(|a| a.role.is_given());
    let names: Vec<&str> = given.map(|a| a.key.as_str()).collect();
    let hint = match did_you_mean(key, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "it takes {}, and the options cast and inplace",
            names.join(", ")
        ),
    };
    refused(
        py,
        "E0006",
        format!("the scheme has no argument `{key}`"),
        hint,
    )
}
