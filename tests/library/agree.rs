//! Strategies and targets agree with the sequential scheme on the reference machine, bit for bit.

use super::{CASES, Case, Ran, identical_outputs, run};
use glushkov::toolchain::testing::{in_campaign, in_share, openmp_or_skip, two_at_a_time};
use serde_json::Value;

/// The values of N.
fn sizes() -> Vec<String> {
    match std::env::var("SIZES") {
        Ok(sizes) => sizes.split(',').map(str::to_owned).collect(),
        Err(_) if in_campaign() => ["1", "2", "31", "65"].map(str::to_owned).to_vec(),
        Err(_) => vec!["33".to_owned()],
    }
}

/// The strategies that regroup sums of which only reports tell.
const REGROUPING: [&str; 2] = ["cpu", "gpu"];

fn same(case: &Case, what: &str, reference: &Ran, other: &Ran) -> Result<(), String> {
    if !identical_outputs(reference, other) {
        return Err(format!("{}, {what}: other OUTPUT arrays", case.name));
    }
    let (a, b) = (&reference.json["reports"], &other.json["reports"]);
    let regroups = REGROUPING.iter().any(|s| what.split(' ').nth(1) == Some(s));
    match regroups {
        true if is_near(a, b, 1e-6) => Ok(()),
        false if is_near(a, b, 0.0) => Ok(()),
        _ => Err(format!("{}, {what}: other reports: {a} {b}", case.name)),
    }
}

/// Whether two reports say the same, numbers within a tolerance; with none, the same numbers, which
/// programs in C++ write as `7` and others as `7.0`.
fn is_near(a: &Value, b: &Value, tolerance: f64) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b, tolerance))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.keys().eq(b.keys()) && a.iter().all(|(key, a)| is_near(a, &b[key], tolerance))
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (
                a.as_f64().unwrap_or(f64::NAN),
                b.as_f64().unwrap_or(f64::NAN),
            );
            a == b || (a - b).abs() <= tolerance * a.abs().max(1.0)
        }
        (a, b) => a == b,
    }
}

/// Strategies that keep results to the last bit, on the reference machine.
pub const EXACT: [&str; 6] = [
    "parallel",
    "cpu",
    "gpu",
    "gpu_blocks",
    "scalars",
    "unrolled_loops",
];

/// The targets and strategies that are compared for a case: all in a campaign, else for every second case
/// one that is built, and another one for the next of these.
fn ways(number: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    let machine = EXACT.map(|strategy| ("interpreter", strategy));
    let built = ["sequential", "parallel", "cpu", "gpu"];
    let taken = move |&(k, _): &(usize, _)| in_share(number + 2 * k, 2 * built.len());
    let built = built.into_iter().enumerate().filter(taken);
    // Programs in C++ have no kernels.
    let in_cpp = ["sequential", "parallel", "cpu"];
    let taken = move |&(k, _): &(usize, _)| in_share(number + 1 + 2 * k, 2 * in_cpp.len());
    let in_cpp = in_cpp.into_iter().enumerate().filter(taken);
    let in_cpp = in_cpp.filter(|_| openmp_or_skip().is_some());
    machine
        .into_iter()
        .chain(built.map(|(_, strategy)| ("rust", strategy)))
        .chain(in_cpp.map(|(_, strategy)| ("cpp", strategy)))
}

/// Programs that are built run at every fourth size, each at a different one: building takes seconds.
fn agrees(number: usize, case: &Case, turn: usize, precision: &str) -> Result<(), String> {
    let all = sizes();
    let size = &all[turn];
    let n = format!("N={size}");
    let mut settings = vec![n.as_str()];
    settings.extend(case.settings);
    let reference = run(case.name, "interpreter", "sequential", precision, &settings);
    for (way, (target, strategy)) in ways(number).enumerate() {
        let share = all.len().min(4);
        if target != "interpreter" && !(number + turn + way).is_multiple_of(share) {
            continue;
        }
        let other = run(case.name, target, strategy, precision, &settings);
        let what = format!("{target} {strategy} {precision} {settings:?}");
        same(case, &what, &reference, &other)?;
    }
    Ok(())
}

/// Every scheme × sequential, parallel, cpu, gpu × interpreter, rust, cpp × sizes.
#[test]
fn strategies_and_targets_agree() {
    let turns = sizes().len();
    let wrong = two_at_a_time(CASES, |number, case| {
        let found = (0..turns).map(|turn| agrees(number, case, turn, "f32").err());
        found.flatten().collect::<Vec<_>>()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
