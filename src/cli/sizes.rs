//! Sizes of arrays: taken from files, and held against the memory there is.

use super::output::Stop;
use crate::algebra::Type;
use crate::check::Scheme;
use crate::data::read_npy;
use crate::diagnostic::Diagnostic;
use crate::machine::{Value, fold};
use crate::term::Symbol;
use std::path::Path;

/// The parameters given, and sizes that follow from the inputs: a parameter that alone is a
/// dimension of an INPUT array and is not set has the file's size, or that of a generator which
/// makes one size only.
pub fn with_sizes(
    scheme: &Scheme,
    mut given: Vec<(Symbol, Value)>,
    folder: Option<&Path>,
    generator: Option<&str>,
) -> Result<Vec<(Symbol, Value)>, Stop> {
    let mut found: Vec<(Symbol, i64, String)> = Vec::new();
    let generators: Vec<&str> = match generator {
        Some(name) => vec![name],
        None => scheme
            .default_inputs
            .iter()
            .map(|d| d.generator.as_str())
            .collect(),
    };
    let fixed = generators
        .iter()
        .find_map(|name| crate::data::fixed_size(name));
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let shape: Vec<i64> = match folder {
            Some(folder) => {
                let path = folder.join(format!("{name}.npy"));
                if !path.exists() {
                    continue;
                }
                read_npy(&path)
                    .map_err(Diagnostic::from)?
                    .shape()
                    .iter()
                    .map(|&d| d as i64)
                    .collect()
            }
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

/// Refuses sizes that are negative, or arrays of more than so many bytes in all.
pub fn check_sizes(scheme: &Scheme, values: &[(Symbol, Value)], most: i128) -> Result<(), Stop> {
    let mut all = 0i128;
    for (name, variable) in scheme.data() {
        let mut bytes = variable.ty.bytes() as i128;
        for &dim in &variable.dims {
            let size = match fold(scheme, dim, values) {
                Some(Value::Int(n)) => n,
                _ => {
                    return Err(Diagnostic::error(
                        "E0411",
                        format!(
                            "the size {} of `{name}` has no value",
                            crate::analysis::text(scheme, dim)
                        ),
                    )
                    .at(variable.span)
                    .into());
                }
            };
            if scheme.type_of(dim) == Type::I32 && i32::try_from(size).is_err() {
                return Err(Diagnostic::error(
                    "E0411",
                    format!("the size of `{name}` would be {size}, beyond the range of INTEGER"),
                )
                .at(variable.span)
                .hint("take smaller sizes, or INTEGER64 for the parameters in it")
                .into());
            }
            if size < 0 {
                return Err(Diagnostic::error(
                    "E0411",
                    format!("`{name}` would have a size of {size}"),
                )
                .at(variable.span)
                .hint("sizes are not negative")
                .into());
            }
            bytes = bytes.saturating_mul(size.into());
        }
        all = all.saturating_add(bytes);
        if all > most {
            return Err(Diagnostic::error(
                "E0411",
                format!(
                    "the arrays up to `{name}` would take {:.1} GB, more than there is room for",
                    all as f64 / 1e9
                ),
            )
            .at(variable.span)
            .hint("take smaller sizes: --set NAME=VALUE")
            .into());
        }
    }
    Ok(())
}

/// Bytes of memory of this machine; very many where that is not known.
pub fn memory() -> i128 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text
        .lines()
        .find_map(|l| l.strip_prefix("MemTotal:"))
        .and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<i128>().ok());
    kilobytes.map_or(1 << 60, |k| k * 1024)
}
