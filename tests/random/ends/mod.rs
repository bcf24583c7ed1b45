//! Schemes at the ends of what rules take for granted: bounds near the ends of their types, loops
//! without iterations, arrays that are written in part, branches that are not taken, atomic sums that
//! leave their range, functions of special values. What is derived does what they did.
//!
//! `NESTS=20000 cargo test --release --test random ends` tries more of them; `FIRST=1000` begins with
//! another one.

mod apart;
mod bounds;
mod emitted;
mod maker;
mod own;
mod pairs;
mod put_back;
mod special;
mod sums;

use super::{count, shown};
use glushkov::check::{Scheme, check};
use glushkov::derive::{derive, rule_base};
use glushkov::machine::{Limits, Machine, MachineError, compile};
use glushkov::rewrite::{FloatClass, RuleBase, Setting};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms, with_deep_stack};
use maker::{Piece, piece};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A strategy's name and what it is tried with.
type Strategy = (&'static str, &'static [&'static [&'static str]]);

/// Strategies, and settings that make blocks, chunks and groups small enough to be met more than once.
const STRATEGIES: &[Strategy] = &[
    ("parallel", &[&[], &["split_reductions=1"]]),
    ("cpu", &[&[], &["lanes=4"]]),
    (
        "cpu_fast",
        &[
            &[],
            &["lanes=4", "few_lanes=4"],
            &["third_law=1", "lanes=4"],
            &["wide=1", "third_law=1"],
        ],
    ),
    (
        "gpu",
        &[
            &[],
            &["threads=32", "split_reductions=1"],
            &["split_reductions=1"],
        ],
    ),
    (
        "gpu_fast",
        &[
            &[],
            &["threads=32", "third_law=0"],
            &["tiles=1", "warp_sums=0"],
            &["split=2", "scalars=1"],
            &["wide=1", "copies=4"],
            &["sweep=1", "records=1"],
        ],
    ),
    ("paper", &[&[], &["chunk=2"]]),
    ("pairs_stored", &[&[], &["once=0"]]),
    ("unrolled_loops", &[&["copies=2"], &["copies=3"]]),
    ("unrolled_short", &[&[]]),
    ("wide_sums", &[&["run=2"], &[]]),
    ("compensated", &[&[]]),
    ("scalars", &[&[]]),
    (
        "gpu_blocks",
        &[&[], &["warps=1", "split_reductions=1"], &["many=4"]],
    ),
    // A rule by itself is applied once.
    ("triangle", &[&[]]),
];

/// A scheme of pieces as it is read and checked.
fn read(pieces: &[Piece], sources: &mut Sources) -> (String, Scheme) {
    let text = maker::scheme(pieces);
    let file = sources.add("ends", text.clone());
    let mut terms = Terms::new();
    let (items, errors) = read_file(sources, file, &mut terms);
    assert!(errors.is_empty(), "{text}{}", shown(&errors, sources));
    let scheme = check(&terms, items[0], pieces[0].precision)
        .unwrap_or_else(|errors| panic!("{text}{}", shown(&errors, sources)));
    (text, scheme)
}

type Outputs = Vec<(Symbol, Vec<u64>)>;

/// The OUTPUT arrays on the reference machine.
fn outputs(scheme: &Scheme) -> Result<Outputs, MachineError> {
    let code = compile(scheme).expect("everything is defined");
    let limits = Limits {
        steps: 50_000_000,
        ..Limits::default()
    };
    let mut machine = Machine::new(scheme, &code, limits);
    machine.start(&[])?;
    let mut random = Pcg64::seed_from_u64(3);
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let count = machine.get(name).map_or(0, |c| c.len());
        let mut cell = || {
            let bits = random.next_u64();
            let unit = (bits >> 40) as f32 / (1u32 << 24) as f32;
            match variable.ty {
                ty if ty.is_integer() => bits % 3,
                ty if is_wide(ty) => f64::from(unit).to_bits(),
                _ => u64::from(unit.to_bits()),
            }
        };
        let cells: Vec<u64> = (0..count).map(|_| cell()).collect();
        machine.set(name, &cells);
    }
    machine.run()?;
    let result = |name| (name, machine.get(name).expect("an OUTPUT"));
    let names = scheme.data().filter(|(_, v)| v.is_output());
    Ok(names.map(|(name, _)| result(name)).collect())
}

fn is_wide(ty: glushkov::algebra::Type) -> bool {
    use glushkov::algebra::{Precision, Type};
    matches!(ty, Type::F64 | Type::Vector(_, Precision::F64))
}

/// Whether a cell is what it should be. Integers and what is derived without other rounding have the
/// same bits, but that a NaN is any NaN; other reals are near, and what is not finite or nearly not may
/// come out otherwise.
fn fits(scheme: &Scheme, name: Symbol, class: FloatClass, x: u64, y: u64) -> bool {
    let ty = scheme.variable(name).expect("an OUTPUT").ty;
    if x == y {
        return true;
    }
    if ty.is_integer() || ty == glushkov::algebra::Type::Bool {
        return false;
    }
    let real = |bits: u64| match is_wide(ty) {
        true => f64::from_bits(bits),
        false => f64::from(f32::from_bits(bits as u32)),
    };
    let (x, y) = (real(x), real(y));
    if x.is_nan() && y.is_nan() {
        return true;
    }
    if class == FloatClass::Exact {
        return false;
    }
    let usual = |x: f64| x.is_finite() && x.abs() < 1e15;
    match usual(x) {
        true => (x - y).abs() <= 1e-4 * x.abs().max(y.abs()).max(1.0),
        false => true,
    }
}

/// What is wrong with what a strategy makes of a scheme.
fn wrong(
    scheme: &Scheme,
    expected: &Outputs,
    base: &RuleBase,
    strategy: &str,
    with: &[&str],
    sources: &Sources,
    applied: &mut BTreeMap<String, u64>,
) -> Result<(), String> {
    let settings: Vec<Setting> = with
        .iter()
        .map(|s| Setting::parse(s).expect("a setting"))
        .collect();
    let derived =
        derive(scheme, base, strategy, &settings, 300).map_err(|errors| shown(&errors, sources))?;
    match &derived.failure {
        // A strategy that fails makes nothing.
        Some(failure) if failure.code == "E0331" => return Ok(()),
        Some(failure) => return Err(shown(std::slice::from_ref(failure), sources)),
        None => {}
    }
    for step in &derived.derivation.steps {
        *applied.entry(step.rule.clone()).or_default() += 1;
    }
    let class = derived.derivation.float();
    let text = || {
        let rules: Vec<&str> = derived
            .derivation
            .steps
            .iter()
            .map(|s| s.rule.as_str())
            .collect();
        format!("\nby {}", rules.join(", "))
    };
    let found = outputs(&derived.scheme)
        .map_err(|error| format!("{}: {}{}", error.kind.code(), error.message, text()))?;
    for ((name, x), (_, y)) in expected.iter().zip(&found) {
        let differs = x
            .iter()
            .zip(y)
            .position(|(&x, &y)| !fits(scheme, *name, class, x, y));
        if let Some(cell) = differs {
            return Err(format!(
                "{} differs in cell {cell}: {:#x}, not {:#x}, {}{}",
                name.as_str(),
                y[cell],
                x[cell],
                class.name(),
                text()
            ));
        }
    }
    Ok(())
}

/// What came of a campaign.
#[derive(Default)]
struct Found {
    ran: u64,
    /// Seeds of the first schemes whose derivations go wrong, with what is told.
    wrong: BTreeMap<u64, String>,
    errors: BTreeMap<&'static str, u64>,
    /// How often rules were applied.
    applied: BTreeMap<String, u64>,
}

/// Tries seeds from one on, until twenty go wrong.
fn campaign(first: u64, most: u64) -> Found {
    tried(first, most, &[], 20, |_, _| true)
}

/// Tries seeds from 0 on until one goes wrong with a file of rules instead of the one of that name, by
/// a strategy that uses a rule.
fn campaign_of(rule: &str, file: (String, String), most: u64) -> Found {
    tried(0, most, &[file], 1, |base, strategy| {
        strategy == rule
            || base
                .users(Symbol::new(rule))
                .contains(&Symbol::new(strategy))
    })
}

fn tried(
    first: u64,
    most: u64,
    further: &[(String, String)],
    enough: usize,
    is_tried: impl Fn(&RuleBase, &str) -> bool + Sync,
) -> Found {
    let next = AtomicU64::new(first);
    let found = Mutex::new(Found::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                with_deep_stack(|| {
                    let mut sources = Sources::default();
                    let base = rule_base(&mut sources, further)
                        .unwrap_or_else(|e| panic!("{}", shown(&e, &sources)));
                    let strategies = STRATEGIES.iter().filter(|s| is_tried(&base, s.0));
                    let strategies: Vec<&Strategy> = strategies.collect();
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        let done = found.lock().expect("no panic").wrong.len() >= enough;
                        if seed >= first + most || done {
                            break;
                        }
                        one(seed, &base, &strategies, &mut sources, &found);
                    }
                });
            });
        }
    });
    found.into_inner().expect("no panic")
}

fn one(
    seed: u64,
    base: &RuleBase,
    strategies: &[&Strategy],
    sources: &mut Sources,
    found: &Mutex<Found>,
) {
    let (text, scheme) = read(&[piece(seed, 0)], sources);
    // A scheme with an error obliges to nothing.
    let expected = match outputs(&scheme) {
        Ok(expected) => expected,
        Err(error) => {
            let mut found = found.lock().expect("no panic");
            *found.errors.entry(error.kind.code()).or_default() += 1;
            return;
        }
    };
    let mut applied = BTreeMap::new();
    for (number, (strategy, settings)) in strategies.iter().enumerate() {
        let with = settings[(seed as usize / 2 + number) % settings.len()];
        let told = wrong(
            &scheme,
            &expected,
            base,
            strategy,
            with,
            sources,
            &mut applied,
        );
        if let Err(told) = told {
            let told = format!("seed {seed}, {strategy} {with:?}: {told}\n{text}");
            let mut found = found.lock().expect("no panic");
            found.wrong.entry(seed).or_insert(told);
        }
    }
    let mut found = found.lock().expect("no panic");
    found.ran += 1;
    for (rule, times) in applied {
        *found.applied.entry(rule).or_default() += times;
    }
}

#[test]
fn what_is_derived_at_the_ends_does_what_the_scheme_does() {
    let first = std::env::var("FIRST").ok().and_then(|n| n.parse().ok());
    let most = count(400);
    let found = campaign(first.unwrap_or(0), most);
    let told: Vec<String> = found.wrong.into_values().collect();
    println!(
        "{} of {most} schemes ran; errors of the others: {:?}",
        found.ran, found.errors
    );
    println!("{:?}", found.applied);
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert!(found.ran * 10 > most * 7);
}
