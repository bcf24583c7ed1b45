//! Random values and cells, and what a run leaves in them.

use super::SIZE;
use crate::algebra::Type;
use crate::check::Scheme;
use crate::machine::{Limits, Machine, Value, compile};
use crate::term::Symbol;
use rand::RngExt;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::collections::BTreeMap;

/// Sizes and subscripts are below this.
const SMALL: i64 = 6;

/// Steps of a run, which is given up when they are done.
const STEPS: u64 = 2_000_000;

/// Cells of variables by their names.
pub(super) type Cells = BTreeMap<String, Vec<u64>>;

/// Values of parameters and cells of INPUT variables.
#[derive(Clone)]
pub(super) struct Inputs {
    parameters: Vec<(Symbol, Value)>,
    pub cells: Cells,
    seed: u64,
}

impl Inputs {
    /// Random values of a scheme's parameters; those of sizes are positive.
    pub fn random(scheme: &Scheme, random: &mut Pcg64) -> Inputs {
        let integers = scheme.parameters().filter(|(_, v, _)| v.ty.is_integer());
        let parameters: Vec<(Symbol, Value)> = integers
            .map(|(name, ..)| {
                let is_size = name.as_str().starts_with(SIZE);
                let least = i64::from(is_size);
                (name, Value::Int(random.random_range(least..SMALL)))
            })
            .collect();
        Inputs {
            parameters,
            cells: Cells::new(),
            seed: random.random_range(0..1 << 40),
        }
    }

    /// The random cells of a variable.
    pub fn cells_of(&self, name: &str, ty: Type, count: usize) -> Vec<u64> {
        let of_name = name
            .bytes()
            .fold(0u64, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into()));
        random_cells(ty, count, self.seed ^ of_name)
    }
}

/// The cells of OUTPUT variables after a run; none where it meets an error. Inputs that have no value yet get one.
pub(super) fn run(scheme: &Scheme, inputs: &Inputs) -> Option<Cells> {
    let code = compile(scheme)?;
    let limits = Limits {
        steps: STEPS,
        ..Limits::default()
    };
    let mut machine = Machine::new(scheme, &code, limits);
    let known = inputs.parameters.iter();
    let known: Vec<(Symbol, Value)> = known
        .filter(|(name, _)| scheme.parameters().any(|(n, ..)| n == *name))
        .copied()
        .collect();
    machine.start(&known).ok()?;
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let count = machine.get(name)?.len();
        let cells = match inputs.cells.get(name.as_str()) {
            Some(cells) if cells.len() == count => cells.clone(),
            _ => inputs.cells_of(name.as_str(), variable.ty, count),
        };
        machine.set(name, &cells);
    }
    machine.run().ok()?;
    let outputs = scheme.data().filter(|(_, v)| v.is_output());
    Some(
        outputs
            .map(|(name, _)| (name.to_string(), machine.get(name).unwrap_or_default()))
            .collect(),
    )
}

/// Numbers of a type: reals from 0 to 1, small integers.
pub(super) fn random_cells(ty: Type, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Pcg64::seed_from_u64(seed);
    let cell = |random: &mut Pcg64| match ty.component() {
        Type::F32 => u64::from(random.random::<f32>().to_bits()),
        Type::F64 => random.random::<f64>().to_bits(),
        Type::Bool => u64::from(random.random::<bool>()),
        _ => random.random_range(0..SMALL) as u64,
    };
    (0..count).map(|_| cell(&mut random)).collect()
}
