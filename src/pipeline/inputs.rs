//! INPUT arrays of a run: from files, generators or, where asked for, seeded numbers; arrays of files
//! as cells of the reference machine.

use super::Failure;
use crate::algebra::Type;
use crate::check::{OptionValue, Role, Scheme, Variable};
use crate::data::generators::{self, Extent, generate};
use crate::data::{Array, Elem, Values, read_npy};
use crate::diagnostic::Diagnostic;
use crate::machine::{Value, fold};
use crate::term::{Id, Span, Symbol};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::path::{Path, PathBuf};

/// Where the INPUT arrays of a run come from, besides the DATA of its scheme.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// A folder with `NAME.npy` for INPUT arrays.
    pub folder: Option<PathBuf>,
    /// A generator to take instead of the scheme's DEFAULT INPUT.
    pub generator: Option<String>,
    /// Whether those that nothing supplies are random numbers, the same each time.
    pub seeded: bool,
}

/// A generator, its options, and where it is named.
type Spec = (String, Vec<(Symbol, OptionValue)>, Option<Span>);

/// The arrays that a scheme's DEFAULT INPUTs make, each with the name it has in the scheme.
///
/// `other` is a generator to take instead of those.
fn generated(
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    other: Option<&str>,
) -> Result<Vec<(Symbol, Array)>, Failure> {
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
                            let message = format!("the option `{option}` has no number");
                            return Err(Diagnostic::error("E0221", message).at(span).into());
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
            let made: Vec<&str> = generator.arrays.iter().map(|a| a.name).collect();
            let message = format!("the generator \"{name}\" makes no array of this scheme");
            let hint = format!(
                "it makes {}; rename them: DEFAULT INPUT \"{name}\" (m := mass)",
                made.join(", ")
            );
            let diagnostic = Diagnostic::error("E0221", message).at(span);
            return Err(diagnostic.hint(hint).into());
        };
        if size < 0 {
            let message = format!("an array has a size of {size}");
            return Err(Diagnostic::error("E0411", message).at(span).into());
        }
        let arrays =
            generate(&name, size as usize, &numbers).map_err(|e| Diagnostic::from(e).at(span))?;
        for (info, (made, mut array)) in generator.arrays.iter().zip(arrays) {
            if let (Extent::Declared, Some((ty, dims))) = (info.extent, shape_of(&made)) {
                array = array.reshaped(full_shape(ty, &dims))?;
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
pub(super) fn input_file(folder: Option<&Path>, name: Symbol) -> Option<PathBuf> {
    let path = folder?.join(format!("{name}.npy"));
    path.symlink_metadata().is_ok().then_some(path)
}

/// Refuses a folder of inputs that is none.
///
/// # Errors
///
/// E0002, which names the folder.
pub(super) fn expect_input_folder(folder: Option<&Path>) -> Result<(), Failure> {
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

/// The INPUT arrays of a run: from a folder, from generators where it lacks them. Each has its
/// variable's type and shape.
///
/// # Errors
///
/// A folder or a file that cannot be read, an array of another type or shape, and an INPUT that
/// nothing supplies.
pub fn inputs(
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    from: &Inputs,
) -> Result<Vec<(Symbol, Array)>, Failure> {
    let folder = from.folder.as_deref();
    expect_input_folder(folder)?;
    let mut wanted = scheme.data().filter(|(_, v)| v.is_input());
    // What files supply in full is not made.
    let mut made = match folder.is_some() && wanted.all(|(n, _)| input_file(folder, n).is_some()) {
        true => Vec::new(),
        false => generated(scheme, values, from.generator.as_deref())?,
    };
    let mut all = Vec::new();
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let from_file = input_file(folder, name);
        let generated = made.iter().position(|(n, _)| *n == name);
        let dims = sizes(scheme, variable, values).unwrap_or_default();
        let array = match (from_file, generated) {
            (Some(path), _) => read_npy(&path)?,
            (None, Some(place)) => made.swap_remove(place).1,
            (None, None) => match &variable.role {
                Role::Data { values, .. } if !values.is_empty() => continue,
                _ if from.seeded => random(variable.ty, &dims, name)?,
                _ => {
                    let message = format!("nothing supplies the INPUT `{name}`");
                    let hint = format!("give --in DIR with {name}.npy, or a DEFAULT INPUT in DATA");
                    let diagnostic = Diagnostic::error("E0412", message).at(variable.span);
                    return Err(diagnostic.hint(hint).into());
                }
            },
        };
        let array = array.into_elem(elem(variable.ty))?;
        let wanted = full_shape(variable.ty, &dims);
        if array.shape() != wanted {
            let shape = array.shape();
            let message = format!("`{name}` has the shape {shape:?}, and {wanted:?} is needed");
            return Err(Diagnostic::error("E0413", message)
                .at(variable.span)
                .hint("sizes follow from parameters: --set NAME=VALUE")
                .into());
        }
        all.push((name, array));
    }
    Ok(all)
}

/// Seeded numbers between 0 and 1, small integers for integers.
fn random(ty: Type, dims: &[i64], name: Symbol) -> Result<Array, Failure> {
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

/// The element type of a variable in files.
fn elem(ty: Type) -> Elem {
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
pub fn array(ty: Type, shape: &[i64], cells: &[u64]) -> Result<Array, Failure> {
    let values = match elem(ty) {
        Elem::Bool => Values::Bool(cells.iter().map(|&c| c != 0).collect()),
        Elem::I32 => Values::I32(cells.iter().map(|&c| c as i64 as i32).collect()),
        Elem::I64 => Values::I64(cells.iter().map(|&c| c as i64).collect()),
        Elem::F32 => Values::F32(cells.iter().map(|&c| f32::from_bits(c as u32)).collect()),
        Elem::F64 => Values::F64(cells.iter().map(|&c| f64::from_bits(c)).collect()),
    };
    Ok(Array::new(full_shape(ty, shape), values)?)
}

/// The shape in files: a VECTOR is a last axis.
fn full_shape(ty: Type, shape: &[i64]) -> Vec<usize> {
    let mut full: Vec<usize> = shape.iter().map(|&d| d as usize).collect();
    if ty.components() > 1 {
        full.push(ty.components());
    }
    full
}
