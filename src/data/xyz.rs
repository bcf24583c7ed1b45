//! Snapshots of positions → extended XYZ, the text that viewers of atoms read.
//!
//! A frame is a line with the number of atoms, a line that says what the columns are, and a line for each atom
//! with its symbol and its coordinates in ångström.

use super::{Array, DataError, Values};
use std::fmt::Write;

/// What stands beside the positions.
#[derive(Clone, Debug)]
pub struct Atoms<'a> {
    /// The kind of each atom, a number from 0; all are of kind 0, if not given.
    pub kinds: Option<&'a Array>,
    /// The symbol of each kind.
    pub symbols: &'a [String],
    /// Ångström in the positions' unit of length: 10 for nanometres.
    pub scale: f64,
}

/// The text of snapshots of shape (frames, atoms, 3), or of one of shape (atoms, 3).
///
/// # Errors
///
/// Positions of another shape, kinds that are no integers or of another length, and a kind without a symbol.
pub fn xyz(positions: &Array, atoms: &Atoms<'_>) -> Result<String, DataError> {
    let (frames, count) = match *positions.shape() {
        [frames, count, 3] => (frames, count),
        [count, 3] => (1, count),
        _ => {
            let why = "positions have the shape (frames, atoms, 3) or (atoms, 3)";
            return Err(shape(positions, why));
        }
    };
    let symbols = symbols(count, atoms)?;
    let numbers: Vec<f64> = positions.reals().collect();
    let mut text = String::new();
    for frame in 0..frames {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{count}");
        let _ = writeln!(text, "Properties=species:S:1:pos:R:3 frame={frame}");
        let rows = numbers[3 * count * frame..].chunks_exact(3);
        for (symbol, row) in symbols.iter().zip(rows) {
            let [x, y, z] = [row[0], row[1], row[2]].map(|x| x * atoms.scale);
            let _ = writeln!(text, "{symbol} {x:.8} {y:.8} {z:.8}");
        }
    }
    Ok(text)
}

/// The symbol of each atom.
fn symbols<'a>(count: usize, atoms: &Atoms<'a>) -> Result<Vec<&'a str>, DataError> {
    let kinds: Vec<i64> = match atoms.kinds {
        None => vec![0; count],
        Some(array) if *array.shape() != [count] => {
            return Err(shape(array, &format!("{count} atoms have as many kinds")));
        }
        Some(array) => match array.values() {
            Values::I32(all) => all.iter().map(|&k| k.into()).collect(),
            Values::I64(all) => all.clone(),
            _ => return Err(shape(array, "kinds are integers")),
        },
    };
    let symbol = |kind: i64| {
        let known = usize::try_from(kind)
            .ok()
            .and_then(|k| atoms.symbols.get(k));
        known.map(String::as_str).ok_or_else(|| {
            let known = atoms.symbols.len();
            let reason = format!("an atom is of kind {kind}, and there are {known} symbols");
            DataError::Snapshot { reason }
        })
    };
    kinds.into_iter().map(symbol).collect()
}

fn shape(array: &Array, why: &str) -> DataError {
    let reason = format!("{why}, not {:?} of {}", array.shape(), array.elem().name());
    DataError::Snapshot { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(shape: &[usize]) -> Array {
        let all = (0..shape.iter().product())
            .map(|i: usize| i as f64 / 4.0)
            .collect();
        Array::from_f64(all)
            .reshaped(shape.to_vec())
            .expect("a shape of so many cells")
    }

    #[test]
    fn frames_follow_each_other() {
        let symbols = ["U", "O"].map(str::to_owned);
        let kinds = Array::new(vec![2], Values::I32(vec![1, 0])).expect("two kinds");
        let atoms = Atoms {
            kinds: Some(&kinds),
            symbols: &symbols,
            scale: 10.0,
        };
        let text = xyz(&array(&[2, 2, 3]), &atoms).expect("two frames of two atoms");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 8);
        assert_eq!(
            lines[..3],
            [
                "2",
                "Properties=species:S:1:pos:R:3 frame=0",
                "O 0.00000000 2.50000000 5.00000000"
            ]
        );
        assert_eq!(lines[7], "U 22.50000000 25.00000000 27.50000000");
        // One snapshot alone, no atoms, no frames.
        assert_eq!(
            xyz(&array(&[2, 3]), &atoms)
                .expect("a frame")
                .lines()
                .count(),
            4
        );
        assert_eq!(xyz(&array(&[0, 2, 3]), &atoms).expect("no frame"), "");
        let none = Atoms {
            kinds: None,
            ..atoms
        };
        assert!(
            xyz(&array(&[1, 0, 3]), &none)
                .expect("no atoms")
                .starts_with("0\n")
        );
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let symbols = ["U".to_owned()];
        let none = Atoms {
            kinds: None,
            symbols: &symbols,
            scale: 1.0,
        };
        for wrong in [vec![6], vec![2, 4], vec![1, 1, 2, 3]] {
            assert!(xyz(&array(&wrong), &none).is_err(), "{wrong:?}");
        }
        for kinds in [
            Values::I32(vec![0, 1]),
            Values::I32(vec![-1, 0]),
            Values::I64(vec![0]),
            Values::F64(vec![0.0, 0.0]),
        ] {
            let kinds = Array::new(vec![kinds.len()], kinds).expect("kinds");
            let atoms = Atoms {
                kinds: Some(&kinds),
                ..none.clone()
            };
            assert!(xyz(&array(&[2, 3]), &atoms).is_err());
        }
    }
}
