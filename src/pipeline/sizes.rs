//! Sizes of arrays: taken from files, and held against the memory there is.

use super::inputs::{Inputs, expect_input_folder, input_file};
use super::parameters::parameter_values;
use super::{Failure, Options, Target, Values};
use crate::algebra::Type;
use crate::check::{Role, Scheme, Variable};
use crate::data::memory::available;
use crate::data::read_shape;
use crate::diagnostic::Diagnostic;
use crate::machine::{BYTES_OF_CELL, Value, fold};
use crate::term::{Id, Symbol};

/// The values of all parameters of a run: those given, sizes that follow from its inputs, and the
/// defaults of the others; each of `holders` has room for the arrays.
///
/// # Errors
///
/// What [`Options::parameters`] refuses, files that disagree (E0413), and sizes that are negative or
/// too large (E0411).
pub fn values(
    scheme: &Scheme,
    options: &Options,
    inputs: &Inputs,
    holders: &[Holder],
) -> Result<Values, Failure> {
    let given = with_sizes(scheme, options.parameters(scheme)?, inputs)?;
    let values = parameter_values(scheme, &given);
    for &holder in holders {
        check_sizes(scheme, &values, holder)?;
    }
    Ok(values)
}

/// The parameters given, and sizes that follow from the inputs: a parameter that alone is a
/// dimension of an INPUT array and is not set has the file's size, or that of a generator which
/// makes one size only.
fn with_sizes(scheme: &Scheme, mut given: Values, inputs: &Inputs) -> Result<Values, Failure> {
    let folder = inputs.folder.as_deref();
    expect_input_folder(folder)?;
    let mut found: Vec<(Symbol, i64, String)> = Vec::new();
    let fixed = fixed_size(scheme, inputs);
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let shape: Vec<i64> = match input_file(folder, name) {
            Some(path) => read_shape(&path)?.iter().map(|&d| d as i64).collect(),
            None => match fixed {
                Some(n) if variable.dims.len() == 1 => vec![n as i64],
                _ => continue,
            },
        };
        for (&dim, &size) in variable.dims.iter().zip(&shape) {
            let Some(parameter) = scheme.terms.as_atom(dim) else {
                continue;
            };
            if given.iter().any(|(n, _)| *n == parameter) {
                continue;
            }
            match found.iter().find(|f| f.0 == parameter) {
                Some((_, old, other)) if *old != size => {
                    return Err(Diagnostic::error(
                        "E0413",
                        format!("{name}.npy says {parameter} = {size}, and {other}.npy says {parameter} = {old}"),
                    )
                    .hint(format!("the files belong to different runs, or set it: --set {parameter}={size}"))
                    .into());
                }
                Some(_) => {}
                None => found.push((parameter, size, name.to_string())),
            }
        }
    }
    given.extend(found.into_iter().map(|(n, size, _)| (n, Value::Int(size))));
    Ok(given)
}

/// The size of a generator that makes one size only.
fn fixed_size(scheme: &Scheme, inputs: &Inputs) -> Option<usize> {
    let named = inputs.generator.as_deref();
    let defaults = scheme.default_inputs.iter().map(|d| d.generator.as_str());
    match named {
        Some(name) => crate::data::fixed_size(name),
        None => defaults.into_iter().find_map(crate::data::fixed_size),
    }
}

/// The parameters that INPUT arrays decide: the sizes of those that come from files, from generators
/// of one size, or stand in DATA.
pub(super) fn decided_by_inputs(scheme: &Scheme, inputs: &Inputs) -> Vec<Symbol> {
    let fixed = fixed_size(scheme, inputs).is_some();
    let decides = |name: Symbol, variable: &Variable| {
        let in_data = matches!(&variable.role, Role::Data { values, .. } if !values.is_empty());
        fixed || in_data || input_file(inputs.folder.as_deref(), name).is_some()
    };
    let arrays = scheme.data().filter(|(_, v)| v.is_input());
    let arrays = arrays.filter(|&(name, variable)| decides(name, variable));
    let dims = arrays.flat_map(|(_, variable)| &variable.dims);
    let parts: Vec<Symbol> = dims
        .flat_map(|&dim| scheme.terms.subterms(dim))
        .filter_map(|part| scheme.terms.as_atom(part))
        .collect();
    let parameters = scheme.parameters().map(|p| p.0);
    parameters.filter(|name| parts.contains(name)).collect()
}

/// What holds the arrays of a scheme: it says how many bytes are taken at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody: sizes are only looked at.
    Nobody,
    /// `check`: the reference machine, with inputs that are made for it.
    Check,
    /// The tool, and the reference machine beside it.
    Machine,
    /// The tool, and a program beside it.
    Program,
}

impl Holder {
    /// What holds the arrays of a run by a target.
    pub fn of(target: Target) -> Holder {
        match target {
            Target::Interpreter => Holder::Machine,
            _ => Holder::Program,
        }
    }

    /// The most bytes that arrays may take.
    fn room(self) -> i128 {
        match self {
            Holder::Nobody => i128::MAX,
            Holder::Check => MOST_CHECKED.min(memory()),
            Holder::Machine | Holder::Program => memory(),
        }
    }

    /// The most bytes that are taken at once for arrays of so many bytes and components, of which
    /// INPUTs have so many and OUTPUTs so many.
    fn bytes(self, all: Amount, inputs: Amount, outputs: Amount) -> i128 {
        let machine = i128::from(BYTES_OF_CELL);
        // Generators make reals of 64 bits, and what they make is converted.
        let making = inputs
            .components
            .saturating_mul(8)
            .saturating_add(inputs.bytes);
        // Cells of the machine on their way from and to arrays.
        let moved = inputs.components.max(outputs.components).saturating_mul(8);
        let in_machine = all.components.saturating_mul(machine);
        match self {
            Holder::Nobody => all.bytes,
            Holder::Check => in_machine
                .saturating_add(inputs.bytes)
                .saturating_add(inputs.components.saturating_mul(8))
                .max(making),
            Holder::Machine => in_machine
                .saturating_add(inputs.bytes)
                .saturating_add(moved)
                .saturating_add(outputs.bytes)
                .max(making)
                .max(compared(inputs, outputs)),
            // The tool keeps the inputs, and the program reads them in before it has its own.
            Holder::Program => all
                .bytes
                .saturating_add(inputs.bytes.saturating_mul(2))
                .max(making)
                .max(compared(inputs, outputs)),
        }
    }
}

/// Bytes while results are compared: the inputs are still there, and there are two of each result.
fn compared(inputs: Amount, outputs: Amount) -> i128 {
    inputs.bytes.saturating_add(outputs.bytes.saturating_mul(2))
}

/// The most bytes that `check` takes for arrays: the accesses that it may make reach no more of them.
const MOST_CHECKED: i128 = 1 << 30;

/// How much arrays hold.
#[derive(Clone, Copy, Default)]
struct Amount {
    bytes: i128,
    components: i128,
}

impl Amount {
    fn add(&mut self, other: Amount) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.components = self.components.saturating_add(other.components);
    }
}

/// Refuses sizes that are negative or have no value, and arrays of more bytes than there is room for.
///
/// # Errors
///
/// E0411, with the array that is too much.
pub(super) fn check_sizes(
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    holder: Holder,
) -> Result<(), Failure> {
    let room = holder.room();
    let (mut all, mut inputs, mut outputs) =
        (Amount::default(), Amount::default(), Amount::default());
    for (name, variable) in scheme.data() {
        let mut cells = 1i128;
        for &dim in &variable.dims {
            let size = size(scheme, values, name, variable, dim)?;
            cells = cells.saturating_mul(size.into());
        }
        let amount = Amount {
            bytes: cells.saturating_mul(variable.ty.bytes() as i128),
            components: cells.saturating_mul(variable.ty.components() as i128),
        };
        all.add(amount);
        if variable.is_input() {
            inputs.add(amount);
        }
        if variable.is_output() {
            outputs.add(amount);
        }
        let bytes = holder.bytes(all, inputs, outputs);
        if bytes > room {
            return Err(Diagnostic::error(
                "E0411",
                format!(
                    "the arrays up to `{name}` would take {:.1} GB, more than the {:.1} GB that there is room for",
                    bytes as f64 / 1e9,
                    room as f64 / 1e9
                ),
            )
            .at(variable.span)
            .hint("take smaller sizes: --set NAME=VALUE")
            .into());
        }
    }
    Ok(())
}

/// The size of one axis of an array.
fn size(
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    name: Symbol,
    variable: &Variable,
    dim: Id,
) -> Result<i64, Failure> {
    let refuse = |message: String| Diagnostic::error("E0411", message).at(variable.span);
    let Some(Value::Int(size)) = fold(scheme, dim, values) else {
        let text = crate::analysis::text(scheme, dim);
        return Err(refuse(format!("the size {text} of `{name}` has no value")).into());
    };
    if scheme.type_of(dim) == Type::I32 && i32::try_from(size).is_err() {
        let message = format!("the size of `{name}` would be {size}, beyond the range of INTEGER");
        return Err(refuse(message)
            .hint("take smaller sizes, or INTEGER64 for the parameters in it")
            .into());
    }
    if size < 0 {
        return Err(refuse(format!("`{name}` would have a size of {size}"))
            .hint("sizes are not negative")
            .into());
    }
    Ok(size)
}

/// Bytes that the reference machine may take of it: a quarter is left to what is not counted.
pub fn machine_memory() -> u64 {
    u64::try_from(memory() / 4 * 3).unwrap_or(u64::MAX)
}

/// Bytes of memory that can be had on this machine; very many where that is not known.
pub fn memory() -> i128 {
    available().map_or(1 << 60, i128::from)
}
