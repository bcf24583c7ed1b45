//! Numbers of Python → values of the scheme's types → bytes that a program takes.

use crate::failure::refused;
use crate::interface::{Argument, Cell};
use glushkov::machine::Value;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// The value of a parameter that a call gives.
///
/// # Errors
///
/// What is not of the parameter's type, or beyond its range.
pub fn parameter(argument: &Argument, given: &Bound<'_, PyAny>) -> PyResult<Value> {
    let is_truth = given.is_instance_of::<PyBool>();
    let value = match argument.cell {
        Cell::Bool => given.extract().ok().map(Value::Bool),
        _ if is_truth => None,
        Cell::I32 => given.extract::<i32>().ok().map(|i| Value::Int(i.into())),
        Cell::I64 => given.extract().ok().map(Value::Int),
        Cell::F32 => given
            .extract()
            .ok()
            .filter(|x: &f64| (*x as f32).is_finite())
            .map(Value::Real),
        Cell::F64 => given
            .extract()
            .ok()
            .filter(|x: &f64| x.is_finite())
            .map(Value::Real),
    };
    value.ok_or_else(|| {
        let shown = given.repr().map_or(String::new(), |r| r.to_string());
        let (key, ty) = (&argument.key, &argument.ty);
        let hint = match argument.cell {
            Cell::Bool => "it is True or False",
            Cell::I32 => "it is a whole number of 32 bits",
            Cell::I64 => "it is a whole number of 64 bits",
            Cell::F32 => "it is a finite number of 32 bits",
            Cell::F64 => "it is a finite number",
        };
        refused(
            given.py(),
            "E0006",
            format!("`{key}` is a parameter of type {ty}, and {shown} is none"),
            hint.to_owned(),
        )
    })
}

/// A value's bytes at the beginning of a place.
pub fn put(cell: Cell, value: Value, place: &mut [u8; 8]) {
    let int = match value {
        Value::Int(i) => i,
        Value::Real(x) => x as i64,
        Value::Bool(b) => b.into(),
    };
    let real = match value {
        Value::Real(x) => x,
        _ => int as f64,
    };
    match cell {
        Cell::Bool => place[0] = u8::from(int != 0),
        Cell::I32 => place[..4].copy_from_slice(&(int as i32).to_ne_bytes()),
        Cell::I64 => *place = int.to_ne_bytes(),
        Cell::F32 => place[..4].copy_from_slice(&(real as f32).to_ne_bytes()),
        Cell::F64 => *place = real.to_ne_bytes(),
    }
}

/// Adds a value to a dictionary, under a name.
pub fn note(into: &Bound<'_, PyDict>, name: &str, value: Value) -> PyResult<()> {
    match value {
        Value::Int(i) => into.set_item(name, i),
        Value::Real(x) => into.set_item(name, x),
        Value::Bool(b) => into.set_item(name, b),
    }
}
