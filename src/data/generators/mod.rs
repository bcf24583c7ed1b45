//! Initial conditions: a name, a number and options → arrays.
//!
//! Every generator is one row of [`GENERATORS`]; the manual, the checks of options and the lookup
//! read that table.

mod clusters;
mod figure_eight;
mod fluorite;
mod generator;
mod graph;
mod kepler;
mod lattice;
mod numbers;
mod options;
mod plummer;
mod poisson;
mod random;
mod system;
mod table;
mod uniform;

pub use generator::{ArrayInfo, Extent, Factor, Generator, Kind, OptionInfo, Size};
pub use options::Options;
pub use system::Bodies;
pub use table::GENERATORS;

use super::{Array, DataError, Values};

/// The most that a generator makes: subscripts fit INTEGER.
const MOST: usize = i32::MAX as usize;

/// Makes the arrays of the generator `name` for `n` (bodies, rows, numbers: what it counts):
/// `(name, array)` in the order of the table. Cells that are VECTORs have a last axis of 3; an array
/// of any shape is made with one axis.
///
/// Of an option that is given twice, the last value counts.
///
/// # Errors
///
/// For a name or an option that does not exist (with the nearest one that does), an option's value
/// outside its range or with which numbers are no longer finite, and a size that the generator cannot
/// make or that there is no memory for.
pub fn generate(
    name: &str,
    n: usize,
    options: &[(String, f64)],
) -> Result<Vec<(String, Array)>, DataError> {
    let generator = find(name)?;
    generator.size.check(generator.name, n)?;
    if n > MOST {
        return Err(DataError::Size {
            generator: generator.name,
            n,
            rule: format!("the most is {MOST}"),
        });
    }
    let options = Options::new(generator, options)?;
    expect_room(generator, n, &options)?;
    let arrays = (generator.make)(n, &options)?;
    if !arrays.iter().all(is_finite) {
        return Err(DataError::NotFinite {
            generator: generator.name,
        });
    }
    let names = generator.arrays.iter().map(|a| a.name.to_owned());
    Ok(names.zip(arrays).collect())
}

/// Refuses what does not fit in memory: the arrays, and what they are made from, which is no more.
fn expect_room(
    generator: &'static Generator,
    n: usize,
    options: &Options,
) -> Result<(), DataError> {
    let arrays = generator.arrays.iter();
    let bytes = 2.0
        * arrays
            .map(|a| a.extent.cells(n, options) * a.kind.bytes())
            .sum::<f64>();
    match super::memory::available() {
        Some(room) if bytes > room as f64 => Err(DataError::Size {
            generator: generator.name,
            n,
            rule: format!(
                "they would take {:.1} GB, and {:.1} GB of memory are free",
                bytes / 1e9,
                room as f64 / 1e9
            ),
        }),
        _ => Ok(()),
    }
}

fn is_finite(array: &Array) -> bool {
    match array.values() {
        Values::F32(v) => v.iter().all(|x| x.is_finite()),
        Values::F64(v) => v.iter().all(|x| x.is_finite()),
        Values::Bool(_) | Values::I32(_) | Values::I64(_) => true,
    }
}

/// The n that a generator is bound to, if it is bound to one.
pub fn fixed_size(name: &str) -> Option<usize> {
    match find(name).ok()?.size {
        Size::Exactly(n) => Some(n),
        Size::AtLeast(_) => None,
    }
}

/// The generator of a name.
///
/// # Errors
///
/// Names the known generators where there is no such one.
pub fn find(name: &str) -> Result<&'static Generator, DataError> {
    GENERATORS.iter().find(|g| g.name == name).ok_or_else(|| {
        let known: Vec<&'static str> = GENERATORS.iter().map(|g| g.name).collect();
        DataError::UnknownGenerator {
            name: name.into(),
            near: nearest(name, &known),
            known,
        }
    })
}

/// The known name at the least edit distance (insertions, deletions, changes), if that is at most a
/// third of the name's length, and at least one edit is always forgiven.
fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let forgiven = (name.chars().count() / 3).max(1);
    known
        .iter()
        .map(|&k| (edits(&name.to_lowercase(), k), k))
        .min()
        .filter(|&(edits, _)| edits <= forgiven)
        .map(|(_, k)| k)
}

/// The Levenshtein distance, row by row.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
