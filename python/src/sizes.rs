//! Shapes of the arrays that are given → the values of all parameters → the sizes of all arrays.

use crate::failure::refused;
use crate::interface::{Argument, Cell, Follows, Interface};
use glushkov::machine::{Value, fold};
use glushkov::pipeline::Values;
use glushkov::term::Symbol;
use pyo3::prelude::*;

/// Which size says what a parameter is.
type Place = (usize, usize);

/// The sizes of an argument that is given; of a vector, without the axis of its components.
pub type Given = Option<Vec<usize>>;

/// The values of all parameters, in order: those given, those that follow from arrays, and defaults.
///
/// # Errors
///
/// Arrays that disagree on a parameter, which are both named, and a default without a value.
pub fn parameters(
    py: Python<'_>,
    interface: &Interface,
    mut known: Vec<Option<Value>>,
    given: &[Given],
    defaults: &[(Symbol, Value)],
) -> PyResult<Values> {
    let mut said: Vec<Option<Place>> = vec![None; interface.parameters];
    for (number, sizes) in given.iter().enumerate() {
        let Some(sizes) = sizes else { continue };
        for (axis, &size) in sizes.iter().enumerate() {
            let dim = &interface.arguments[number].dims[axis];
            let Follows::From {
                parameter,
                slope,
                offset,
            } = dim.follows
            else {
                continue;
            };
            // A value that is given goes before; that the size agrees is asked when all are known.
            if known[parameter].is_some() && said[parameter].is_none() {
                continue;
            }
            // What is beyond the range of integers is no value of the parameter.
            let rest = (size as i64).checked_sub(offset).unwrap_or(-1);
            let value = rest / slope;
            let place = (number, axis);
            if rest % slope != 0 || !is_held(&interface.arguments[parameter], value) {
                return Err(no_value(py, interface, parameter, place, size));
            }
            match (known[parameter], said[parameter]) {
                (Some(Value::Int(before)), Some(first)) if before != value => {
                    let (first, values) = ((first, before), (place, value));
                    return Err(disagree(py, interface, given, parameter, [first, values]));
                }
                _ => {
                    known[parameter] = Some(Value::Int(value));
                    said[parameter].get_or_insert(place);
                }
            }
        }
    }
    let mut values = Values::with_capacity(interface.parameters);
    for (argument, known) in interface.arguments.iter().zip(known) {
        let own = || defaults.iter().find(|(name, _)| *name == argument.symbol);
        let known = known.or_else(|| own().map(|(_, value)| *value));
        let default = || fold(&interface.scheme, argument.default?, &values);
        let Some(value) = known.or_else(default) else {
            let message = format!("the default of `{}` has no value", argument.key);
            return Err(refused(
                py,
                "E0411",
                message,
                format!("give {}=…", argument.key),
            ));
        };
        values.push((argument.symbol, value));
    }
    Ok(values)
}

/// The sizes of all arguments, those that are given having them.
///
/// # Errors
///
/// A size without a value or below zero, and an array with another size than the parameters say.
pub fn sizes(
    py: Python<'_>,
    interface: &Interface,
    values: &Values,
    given: &[Given],
) -> PyResult<Vec<Vec<usize>>> {
    let mut all = Vec::with_capacity(given.len());
    for (argument, given) in interface.arguments.iter().zip(given) {
        let mut sizes = Vec::with_capacity(argument.dims.len() + 1);
        for (axis, dim) in argument.dims.iter().enumerate() {
            let size = match dim.parameter {
                Some(parameter) => Some(values[parameter].1),
                None => fold(&interface.scheme, dim.id, values),
            };
            let Some(Value::Int(size)) = size else {
                let message = format!("the size {} of `{}` has no value", dim.text, argument.key);
                return Err(refused(py, "E0411", message, String::new()));
            };
            let Ok(size) = usize::try_from(size) else {
                let message = format!("`{}` would have a size of {size}", argument.key);
                return Err(refused(
                    py,
                    "E0411",
                    message,
                    "sizes are not negative".into(),
                ));
            };
            if let Some(given) = given
                && given[axis] != size
            {
                let (key, has, text) = (&argument.key, given[axis], &dim.text);
                let message = format!(
                    "`{key}` has a size of {has} along axis {axis}, and {text} = {size}{}",
                    with(interface, values, &dim.text)
                );
                let hint = crate::arrays::form(argument);
                return Err(refused(py, "E0413", message, hint));
            }
            sizes.push(size);
        }
        all.push(sizes);
    }
    Ok(all)
}

/// Whether an integer is one of a parameter's type.
fn is_held(parameter: &Argument, value: i64) -> bool {
    value >= 0 && (parameter.cell != Cell::I32 || i32::try_from(value).is_ok())
}

/// The parameters in a size that is no name itself, with their values.
fn with(interface: &Interface, values: &Values, text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.collect();
    if words.len() < 2 {
        return String::new();
    }
    let of = interface.arguments.iter().zip(values);
    let of = of.filter(|(a, _)| words.contains(&a.key.as_str()));
    let of: Vec<String> = of
        .filter_map(|(a, (_, value))| match value {
            Value::Int(i) => Some(format!("{} = {i}", a.key)),
            _ => None,
        })
        .collect();
    match of.is_empty() {
        true => String::new(),
        false => format!(" with {}", of.join(", ")),
    }
}

fn no_value(
    py: Python<'_>,
    interface: &Interface,
    parameter: usize,
    (number, axis): Place,
    size: usize,
) -> PyErr {
    let argument = &interface.arguments[number];
    let (key, parameter) = (&argument.key, &interface.arguments[parameter].key);
    let text = &argument.dims[axis].text;
    let message = format!(
        "`{key}` has a size of {size} along axis {axis}, and no `{parameter}` makes {text} that"
    );
    refused(py, "E0413", message, crate::arrays::form(argument))
}

fn disagree(
    py: Python<'_>,
    interface: &Interface,
    given: &[Given],
    parameter: usize,
    places: [(Place, i64); 2],
) -> PyErr {
    let name = &interface.arguments[parameter].key;
    let said = |((number, axis), value): (Place, i64)| {
        let argument = &interface.arguments[number];
        let size = given[number].as_ref().map_or(0, |sizes| sizes[axis]);
        let text = &argument.dims[axis].text;
        let follows = match text == name {
            true => String::new(),
            false => format!(", so that {name} = {value}"),
        };
        format!(
            "`{}` has {text} = {size} along axis {axis}{follows}",
            argument.key
        )
    };
    let [first, second] = places.map(said);
    let (a, b) = (places[0].0.0, places[1].0.0);
    let (a, b) = (&interface.arguments[a].key, &interface.arguments[b].key);
    let message = format!("`{a}` and `{b}` disagree on {name}: {first}, and {second}");
    refused(
        py,
        "E0413",
        message,
        format!("both sizes follow from {name}"),
    )
}
