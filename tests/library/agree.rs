//! Strategies and targets agree with the sequential scheme on the reference machine, bit for bit.

use super::{CASES, Case, Ran, identical_outputs, run};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The values of N.
fn sizes() -> Vec<String> {
    match std::env::var("SIZES") {
        Ok(sizes) => sizes.split(',').map(str::to_owned).collect(),
        Err(_) => ["1", "2", "31", "65"].map(str::to_owned).to_vec(),
    }
}

fn same(case: &Case, what: &str, reference: &Ran, other: &Ran) -> Result<(), String> {
    if !identical_outputs(reference, other) {
        return Err(format!("{}, {what}: other OUTPUT arrays", case.name));
    }
    // Reports are 64-bit numbers, and no strategy regroups their sums.
    if reference.json["reports"] != other.json["reports"] {
        return Err(format!("{}, {what}: other reports", case.name));
    }
    Ok(())
}

fn agrees(case: &Case, size: &str, precision: &str) -> Result<(), String> {
    let n = format!("N={size}");
    let mut settings = vec![n.as_str()];
    settings.extend(case.settings);
    let reference = run(case.name, "interpreter", "sequential", precision, &settings);
    for (target, strategy) in [
        ("interpreter", "parallel"),
        ("interpreter", "cpu"),
        ("interpreter", "gpu"),
        ("interpreter", "scalars"),
        ("interpreter", "unrolled_loops"),
        ("rust", "sequential"),
        ("rust", "parallel"),
        ("rust", "cpu"),
        ("rust", "gpu"),
    ] {
        let other = run(case.name, target, strategy, precision, &settings);
        let what = format!("{target} {strategy} {precision} {settings:?}");
        same(case, &what, &reference, &other)?;
    }
    Ok(())
}

/// Every scheme × sequential, parallel, cpu, gpu × interpreter, rust × sizes.
#[test]
fn strategies_and_targets_agree() {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let sizes = sizes();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for size in &sizes {
                        let found = agrees(case, size, "f32");
                        wrong.lock().expect("no panic").extend(found.err());
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
