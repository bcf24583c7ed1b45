//! Inputs of a run: parameters, arrays from files, generators or seeded numbers.

use super::output::Stop;
use crate::algebra::{Construct, Type};
use crate::check::{OptionValue, Role, Scheme, Variable};
use crate::data::generators::{self, Extent, generate};
use crate::data::{Array, Elem, Values, read_npy};
use crate::diagnostic::Diagnostic;
use crate::emit::support::{Runner, Support, support};
use crate::machine::{Machine, Value, fold};
use crate::term::{Id, Span, Symbol};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::path::{Path, PathBuf};

/// The values of all parameters: those given, and the defaults of the others.
pub fn parameter_values(scheme: &Scheme, given: &[(Symbol, Value)]) -> Vec<(Symbol, Value)> {
    let mut values: Vec<(Symbol, Value)> = Vec::new();
    for (name, _, default) in scheme.parameters() {
        let value = given.iter().find(|(n, _)| *n == name).map(|&(_, v)| v);
        if let Some(value) = value.or_else(|| fold(scheme, default, &values)) {
            values.push((name, value));
        }
    }
    values
}

/// The unit and the amount of a scheme's WORK, evaluated in 64-bit floating point.
pub fn work(scheme: &Scheme, values: &[(Symbol, Value)]) -> Option<(String, f64)> {
    let (unit, amount) = scheme.work?;
    let reals: Vec<(Symbol, Value)> = values
        .iter()
        .map(|&(name, value)| match value {
            Value::Int(i) => (name, Value::Real(i as f64)),
            other => (name, other),
        })
        .collect();
    let amount = match fold(scheme, amount, &reals)? {
        Value::Int(i) => i as f64,
        Value::Real(x) => x,
        Value::Bool(_) => return None,
    };
    Some((unit.as_str().to_owned(), amount))
}

/// Small sizes: 7 for parameters that are sizes of arrays, 2 for other integers above 2.
pub fn small_sizes(scheme: &Scheme) -> Vec<(Symbol, Value)> {
    let mut small = Vec::new();
    for (name, variable, default) in scheme.parameters() {
        if !variable.ty.is_integer() {
            continue;
        }
        let is_size = scheme.variables.values().flat_map(|v| &v.dims).any(|&d| {
            scheme
                .terms
                .subterms(d)
                .any(|t| scheme.terms.as_atom(t) == Some(name))
        });
        let large = matches!(fold(scheme, default, &small), Some(Value::Int(i)) if i > 7);
        if large {
            small.push((name, Value::Int(if is_size { 7 } else { 2 })));
        }
    }
    small
}

/// The element type of a variable in files.
pub fn elem(ty: Type) -> Elem {
    match ty.component() {
        Type::Bool => Elem::Bool,
        Type::I32 => Elem::I32,
        Type::I64 => Elem::I64,
        Type::F64 => Elem::F64,
        _ => Elem::F32,
    }
}

/// An array's values as the machine holds them.
pub fn cells(array: &Array) -> Vec<u64> {
    match array.values() {
        Values::Bool(v) => v.iter().map(|&b| u64::from(b)).collect(),
        Values::I32(v) => v.iter().map(|&i| i64::from(i) as u64).collect(),
        Values::I64(v) => v.iter().map(|&i| i as u64).collect(),
        Values::F32(v) => v.iter().map(|x| u64::from(x.to_bits())).collect(),
        Values::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
    }
}

/// An array of the machine's cells. `shape` is that of the variable, a vector's axis left out.
pub fn array(ty: Type, shape: &[i64], cells: &[u64]) -> Result<Array, Stop> {
    let values = match elem(ty) {
        Elem::Bool => Values::Bool(cells.iter().map(|&c| c != 0).collect()),
        Elem::I32 => Values::I32(cells.iter().map(|&c| c as i64 as i32).collect()),
        Elem::I64 => Values::I64(cells.iter().map(|&c| c as i64).collect()),
        Elem::F32 => Values::F32(cells.iter().map(|&c| f32::from_bits(c as u32)).collect()),
        Elem::F64 => Values::F64(cells.iter().map(|&c| f64::from_bits(c)).collect()),
    };
    Ok(Array::new(full_shape(ty, shape), values).map_err(Diagnostic::from)?)
}

/// The shape in files: a VECTOR is a last axis.
pub fn full_shape(ty: Type, shape: &[i64]) -> Vec<usize> {
    let mut full: Vec<usize> = shape.iter().map(|&d| d as usize).collect();
    if ty.components() > 1 {
        full.push(ty.components());
    }
    full
}

/// A generator, its options, and where it is named.
type Spec = (String, Vec<(Symbol, OptionValue)>, Option<Span>);

/// The arrays that a scheme's DEFAULT INPUTs make, each with the name it has in the scheme.
///
/// `other` is a generator to take instead of those.
pub fn generated(
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    other: Option<&str>,
) -> Result<Vec<(Symbol, Array)>, Stop> {
    let mut all = Vec::new();
    let specs: Vec<Spec> = match other {
        Some(name) => vec![(name.to_owned(), Vec::new(), None)],
        None => scheme
            .default_inputs
            .iter()
            .map(|d| (d.generator.as_str().to_owned(), d.options.clone(), d.span))
            .collect(),
    };
    for (name, options, span) in specs {
        let generator = generators::find(&name).map_err(|e| Diagnostic::from(e).at(span))?;
        let mut numbers = Vec::new();
        let mut renamed: Vec<(&str, Symbol)> = Vec::new();
        for (option, value) in &options {
            match value {
                OptionValue::Name(array) => renamed.push((option.as_str(), *array)),
                OptionValue::Expression(id) => {
                    let number = match fold(scheme, *id, values) {
                        Some(Value::Int(i)) => i as f64,
                        Some(Value::Real(x)) => x,
                        _ => {
                            return Err(Diagnostic::error(
                                "E0221",
                                format!("the option `{option}` has no number"),
                            )
                            .at(span)
                            .into());
                        }
                    };
                    numbers.push((option.as_str().to_owned(), number));
                }
            }
        }
        let name_of = |made: &str| {
            renamed
                .iter()
                .find(|(from, _)| *from == made)
                .map_or(Symbol::new(made), |&(_, to)| to)
        };
        let shape_of = |made: &str| {
            let variable = scheme.variable(name_of(made))?;
            Some((variable.ty, sizes(scheme, variable, values)?))
        };
        let size = generator.arrays.iter().find_map(|a| {
            let (ty, dims) = shape_of(a.name)?;
            a.extent.count(&dims, ty.components())
        });
        let Some(size) = size else {
            return Err(Diagnostic::error(
                "E0221",
                format!("the generator \"{name}\" makes no array of this scheme"),
            )
            .at(span)
            .hint(format!(
                "it makes {}; rename them: DEFAULT INPUT \"{name}\" (m := mass)",
                generator
                    .arrays
                    .iter()
                    .map(|a| a.name)
                    .collect::<Vec<_>>()
                    .join(", ")
            ))
            .into());
        };
        if size < 0 {
            return Err(
                Diagnostic::error("E0411", format!("an array has a size of {size}"))
                    .at(span)
                    .into(),
            );
        }
        let arrays =
            generate(&name, size as usize, &numbers).map_err(|e| Diagnostic::from(e).at(span))?;
        for (info, (made, mut array)) in generator.arrays.iter().zip(arrays) {
            if let (Extent::Declared, Some((ty, dims))) = (info.extent, shape_of(&made)) {
                array = array
                    .reshaped(full_shape(ty, &dims))
                    .map_err(Diagnostic::from)?;
            }
            all.push((name_of(&made), array));
        }
    }
    Ok(all)
}

/// The sizes of a variable; none where one has no value.
fn sizes(scheme: &Scheme, variable: &Variable, values: &[(Symbol, Value)]) -> Option<Vec<i64>> {
    let size = |&dim: &Id| match fold(scheme, dim, values) {
        Some(Value::Int(n)) => Some(n),
        _ => None,
    };
    variable.dims.iter().map(size).collect()
}

/// The file of an INPUT array in a folder; none where the folder lacks it, so that what DATA says is
/// taken. A link that leads nowhere is a file that cannot be read.
pub fn input_file(folder: Option<&Path>, name: Symbol) -> Option<PathBuf> {
    let path = folder?.join(format!("{name}.npy"));
    path.symlink_metadata().is_ok().then_some(path)
}

/// Refuses a folder of inputs that is none.
///
/// # Errors
///
/// E0002, which names the folder.
pub fn expect_input_folder(folder: Option<&Path>) -> Result<(), Stop> {
    let Some(folder) = folder else {
        return Ok(());
    };
    let shown = folder.display();
    let message = match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => format!("--in {shown} is a file, not a folder"),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            format!("there is no folder {shown} for --in")
        }
        Err(e) => format!("the folder {shown} of --in cannot be read: {e}"),
    };
    Err(Diagnostic::error("E0002", message)
        .hint("--in names a folder with NAME.npy for INPUT arrays")
        .into())
}

/// The INPUT arrays of a run: from a folder, from generators where it lacks them, and, if `seeded`,
/// random ones for those that nothing supplies. Each has its variable's type and shape.
///
/// # Errors
///
/// A folder or a file that cannot be read, an array of another type or shape, and an INPUT that
/// nothing supplies.
pub fn inputs(
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    folder: Option<&Path>,
    other: Option<&str>,
    seeded: bool,
) -> Result<Vec<(Symbol, Array)>, Stop> {
    expect_input_folder(folder)?;
    let mut wanted = scheme.data().filter(|(_, v)| v.is_input());
    // What files supply in full is not made.
    let mut made = match folder.is_some() && wanted.all(|(n, _)| input_file(folder, n).is_some()) {
        true => Vec::new(),
        false => generated(scheme, values, other)?,
    };
    let mut all = Vec::new();
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let from_file = input_file(folder, name);
        let generated = made.iter().position(|(n, _)| *n == name);
        let found = match (from_file, generated) {
            (Some(path), _) => Some(read_npy(&path).map_err(Diagnostic::from)?),
            (None, Some(place)) => Some(made.swap_remove(place).1),
            (None, None) => None,
        };
        let dims = sizes(scheme, variable, values).unwrap_or_default();
        let array = match found {
            Some(array) => array,
            None if matches!(&variable.role, Role::Data { values, .. } if !values.is_empty()) => {
                continue;
            }
            None if seeded => random(variable.ty, &dims, name)?,
            None => {
                return Err(Diagnostic::error(
                    "E0412",
                    format!("nothing supplies the INPUT `{name}`"),
                )
                .at(variable.span)
                .hint(format!(
                    "give --in DIR with {name}.npy, or a DEFAULT INPUT in DATA"
                ))
                .into());
            }
        };
        let array = array
            .into_elem(elem(variable.ty))
            .map_err(Diagnostic::from)?;
        let wanted = full_shape(variable.ty, &dims);
        if array.shape() != wanted {
            return Err(Diagnostic::error(
                "E0413",
                format!(
                    "`{name}` has the shape {:?}, and {wanted:?} is needed",
                    array.shape()
                ),
            )
            .at(variable.span)
            .hint("sizes follow from parameters: --set NAME=VALUE")
            .into());
        }
        all.push((name, array));
    }
    Ok(all)
}

/// Seeded numbers between 0 and 1, small integers for integers.
fn random(ty: Type, dims: &[i64], name: Symbol) -> Result<Array, Stop> {
    let count: i64 = dims.iter().product::<i64>() * ty.components() as i64;
    let seed = name
        .as_str()
        .bytes()
        .fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
    let mut generator = Pcg64::seed_from_u64(seed);
    let cells: Vec<u64> = (0..count.max(0))
        .map(|_| {
            let bits = generator.next_u64();
            let unit = (bits >> 11) as f64 / (1u64 << 53) as f64;
            match ty.component() {
                Type::Bool => bits & 1,
                Type::F32 | Type::Unknown => u64::from((unit as f32).to_bits()),
                Type::F64 => unit.to_bits(),
                _ => bits % 4,
            }
        })
        .collect();
    array(ty, dims, &cells)
}

/// Sets the INPUT arrays of a machine: generated ones, seeded ones where nothing supplies them.
pub fn fill(
    scheme: &Scheme,
    machine: &mut Machine<'_>,
    given: &[(Symbol, Value)],
) -> Result<(), Stop> {
    let values = parameter_values(scheme, given);
    for (name, array) in inputs(scheme, &values, None, None, true)? {
        machine.set(name, &cells(&array));
    }
    Ok(())
}

/// The stop for a scheme that cannot run: everything that nothing defines.
pub fn undefined(scheme: &Scheme) -> Stop {
    let (code, said) = why_undefined(scheme);
    let mut diagnostic = Diagnostic::error(code, format!("this scheme cannot run: {}", said.what));
    (diagnostic.span, diagnostic.hint) = (said.span, Some(said.hint));
    diagnostic.into()
}

/// The same as a note, for a check that went well otherwise.
pub fn undefined_note(scheme: &Scheme) -> Diagnostic {
    let (_, said) = why_undefined(scheme);
    let mut note = Diagnostic::note("N0414", format!("this scheme was not run: {}", said.what));
    (note.span, note.hint) = (said.span, Some(said.hint));
    note
}

/// What a scheme lacks, where it shows first, and what to do.
struct Lacking {
    what: String,
    span: Option<Span>,
    hint: String,
}

/// So many names of what is not defined are told.
const MOST_NAMES: usize = 12;

fn why_undefined(scheme: &Scheme) -> (&'static str, Lacking) {
    let mut names: Vec<&str> = scheme.undefined.iter().map(|u| u.text.as_str()).collect();
    if names.len() > MOST_NAMES {
        names.truncate(MOST_NAMES);
        names.push("…");
    }
    let names = names.join(", ");
    let first = scheme.undefined.first().and_then(|u| u.span);
    let prediction = scheme.undefined.iter().find(|u| u.prediction);
    if let (Some(prediction), Support::No(absence)) =
        (prediction, support(Construct::After, Runner::Interpreter))
    {
        let lacking = Lacking {
            what: format!("it holds a prediction (AFTER), and {}", absence.reason),
            span: prediction.span,
            hint: absence.hint.to_owned(),
        };
        return (absence.code, lacking);
    }
    let lacking = match (scheme.has_data, names.is_empty()) {
        (true, _) => Lacking {
            what: format!("nothing defines {names}"),
            span: first,
            hint: "define phrases and predicates after WHERE".to_owned(),
        },
        (false, empty) => {
            let and = match empty {
                true => String::new(),
                false => format!(", and nothing defines {names}"),
            };
            let title = scheme.terms.span(scheme.terms.arg(scheme.root, 0));
            Lacking {
                what: format!("it has no DATA{and}"),
                span: first.or(title),
                hint: "declare its data after ====: DATA N : INTEGER := 100 … END OF DATA"
                    .to_owned(),
            }
        }
    };
    ("E0414", lacking)
}

/// Replaces the defaults of parameters by those that `--set` gives.
pub fn replace_defaults(scheme: &mut Scheme, common: &super::common::Common) -> Result<(), Stop> {
    for (name, value) in common.parameters(scheme)? {
        let default = match value {
            Value::Int(i) => scheme.terms.int(i),
            Value::Real(x) => scheme.terms.real(x),
            Value::Bool(true) => scheme.terms.atom(crate::algebra::Construct::True.symbol()),
            Value::Bool(false) => scheme.terms.atom(crate::algebra::Construct::False.symbol()),
        };
        let data = scheme.terms.arg(scheme.root, 1);
        let items: Vec<crate::term::Id> = scheme.terms.args(data).to_vec();
        let mut new = Vec::new();
        for item in items {
            let arguments = scheme.terms.args(item).to_vec();
            let is_it = scheme.terms.functor(item)
                == Some(crate::algebra::Construct::Parameter.symbol())
                && scheme.terms.as_atom(arguments[0]) == Some(name);
            new.push(if is_it {
                scheme
                    .terms
                    .with_args(item, &[arguments[0], arguments[1], default])
            } else {
                item
            });
        }
        let data = scheme.terms.with_args(data, &new);
        let body = scheme.terms.arg(scheme.root, 2);
        let title = scheme.terms.arg(scheme.root, 0);
        scheme.root = scheme.terms.with_args(scheme.root, &[title, data, body]);
        *scheme = crate::check::check(&scheme.terms, scheme.root, scheme.precision)?;
    }
    Ok(())
}
