//! The fluorite structure: four cations and eight anions to a cubic cell.

use super::options::Options;
use super::random::Random;
use crate::data::{Array, DataError, Values};

/// A face-centred lattice, in edges of the cell.
const FACES: [[f64; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [0.0, 0.5, 0.5],
    [0.5, 0.0, 0.5],
    [0.5, 0.5, 0.0],
];

/// Ions to a cell.
const CELL: usize = 12;

pub fn make(n: usize, options: &Options) -> Result<Vec<Array>, DataError> {
    let mut random = Random::new(options.whole("seed"));
    let (edge, displacement) = (options.get("edge"), options.get("displacement"));
    let balanced = options.get("balanced") > 0.0;
    let cells = n.div_ceil(CELL);
    let side = (1..).find(|k| k * k * k >= cells).unwrap_or(1);
    let mut r = Vec::with_capacity(n);
    let mut kind = Vec::with_capacity(n);
    for i in 0..n {
        let (cell, ion) = (i / CELL, i % CELL);
        let mut corner = [cell % side, cell / side % side, cell / (side * side)];
        // In the middle of a lower face of the cube: across to the upper one.
        if let (true, face @ 1..4) = (balanced, ion)
            && corner[face - 1] == 0
        {
            corner[face - 1] = side;
        }
        // Cations on the face-centred lattice, anions on two more, a quarter and three quarters
        // along the diagonal.
        let shift = [0.0, 0.25, 0.75][ion / 4];
        r.push(std::array::from_fn(|axis| {
            let within = (FACES[ion % 4][axis] + shift) % 1.0;
            let moved = match displacement {
                0.0 => 0.0,
                most => most * random.signed(),
            };
            (corner[axis] as f64 + within) * edge + moved
        }));
        kind.push(i32::from(ion >= 4));
    }
    let charges = kind.iter().map(|&k| [4.0, -2.0][k as usize]).collect();
    Ok(vec![
        Array::from_vectors(r),
        Array::new(vec![n], Values::I32(kind))?,
        Array::from_f64(charges),
    ])
}
