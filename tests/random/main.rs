//! Random schemes: what is derived and emitted does what they did, and facts hold when they run.
//!
//! `NESTS=3000 cargo test --release --test random` tries more of them.

mod compiled;
mod compilers;
mod derived;
mod emitted;
mod ends;
mod facts;
#[path = "../targets/host.rs"]
mod host;
mod maker;
mod shapes;
mod smaller;
mod typed;

use glushkov::algebra::Precision;
use glushkov::check::{Scheme, check};
use glushkov::diagnostic::{Diagnostic, render};
use glushkov::machine::{Limits, Machine, MachineError, Value, compile};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms};
use glushkov::toolchain::testing::in_campaign;
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// How many schemes are tried: what `NESTS` says, what is usual in a campaign, or a quarter of it.
pub fn count(usual: u64) -> u64 {
    let asked = std::env::var("NESTS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(match in_campaign() {
        true => usual,
        false => usual.div_ceil(4),
    })
}

fn shown(errors: &[Diagnostic], sources: &Sources) -> String {
    errors.iter().map(|e| render(e, sources, false)).collect()
}

/// A random scheme, read and checked.
pub fn scheme(seed: u64, phrases: bool, sources: &mut Sources) -> (String, Scheme) {
    let text = maker::made(seed, phrases);
    let scheme = checked(&format!("seed {seed}"), &text, sources);
    (text, scheme)
}

/// The scheme of a text, which must check.
pub fn checked(name: &str, text: &str, sources: &mut Sources) -> Scheme {
    let file = sources.add(name.to_owned(), text.to_owned());
    let mut terms = Terms::new();
    let (items, errors) = read_file(sources, file, &mut terms);
    assert!(errors.is_empty(), "{text}{}", shown(&errors, sources));
    check(&terms, items[0], Precision::F32)
        .unwrap_or_else(|errors| panic!("{text}{}", shown(&errors, sources)))
}

/// The OUTPUT arrays of a scheme on the reference machine, from seeded random inputs.
pub(crate) fn run(
    scheme: &Scheme,
    set: &[(Symbol, Value)],
) -> Result<Vec<(Symbol, Vec<u64>)>, MachineError> {
    let code = compile(scheme).expect("everything is defined");
    let mut machine = Machine::new(scheme, &code, Limits::default());
    machine.start(set)?;
    let mut random = Pcg64::seed_from_u64(3);
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let count = machine.get(name).map_or(0, |c| c.len());
        let cells: Vec<u64> = (0..count)
            .map(|_| {
                let bits = random.next_u64();
                if variable.ty.is_integer() {
                    bits % 80
                } else {
                    u64::from(((bits >> 40) as f32 / (1u32 << 24) as f32).to_bits())
                }
            })
            .collect();
        machine.set(name, &cells);
    }
    machine.run()?;
    Ok(scheme
        .data()
        .filter(|(_, v)| v.is_output())
        .map(|(name, _)| (name, machine.get(name).expect("an OUTPUT")))
        .collect())
}
