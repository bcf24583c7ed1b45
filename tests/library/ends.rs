//! Schemes at the ends of what there is, in `tests/ends`: of integer types, of arrays, of loops. What
//! the strategies make of them does what they do, or is refused.

use super::{Ran, run, try_run};
use glushkov::algebra::Precision;
use glushkov::check::check;
use glushkov::data::norm_relative;
use glushkov::derive::{derive, rule_base};
use glushkov::rewrite::FloatClass;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};
use glushkov::toolchain::testing::in_campaign;

/// Each scheme's file, and what it is run with.
const SCHEMES: &[(&str, &[&str])] = &[
    ("launch_of_many", &["EDGE=24", "EDGE=0"]),
    ("last_integers", &["NEAR=2147483590", "NEAR=2147483647"]),
    ("last_wide_integers", &["TOP=9223372036854775807"]),
    ("no_iterations", &["N=12", "N=0"]),
    ("order_of_terms", &["N=8", "N=1"]),
    ("partly_written", &["N=12", "N=1", "N=40"]),
    ("wrapping_sums", &["N=1000", "N=7"]),
    ("never_done", &["M=4", "M=0"]),
    ("own_names", &["N=10", "N=1"]),
    ("arrays_in_branches", &["N=4", "N=0"]),
];

#[test]
fn strategies_keep_what_is_done_at_the_ends() {
    let mut wrong = Vec::new();
    for (number, (name, settings)) in SCHEMES.iter().enumerate() {
        let file = format!("tests/ends/{name}.saa");
        for (turn, setting) in settings.iter().enumerate() {
            let reference = run(&file, "interpreter", "sequential", "f32", &[setting]);
            for (way, (target, strategy)) in [
                ("interpreter", "parallel"),
                ("interpreter", "cpu"),
                ("interpreter", "cpu-fast"),
                ("interpreter", "gpu"),
                ("interpreter", "gpu-fast"),
                ("interpreter", "gpu-blocks"),
                ("interpreter", "paper"),
                ("rust", "sequential"),
                ("rust", "cpu"),
                ("rust", "cpu-fast"),
                ("rust", "gpu"),
            ]
            .into_iter()
            .enumerate()
            {
                // A program takes seconds to build: in a campaign most run with one of the settings.
                let built = ["sequential", "cpu", "cpu-fast", "gpu"][number / 2 % 4];
                let always = strategy == built && number % 2 == 0;
                let in_turn = in_campaign() && (number + way) % settings.len() == turn;
                if target == "rust" && !(always || in_turn) {
                    continue;
                }
                let at = format!("{name}, {target} {strategy}, {setting}");
                match try_run(&file, target, strategy, "f32", &[setting]) {
                    Ok(found) if is_near(&reference, &found) => {}
                    Ok(_) => wrong.push(format!("{at}: other results")),
                    // The published route does not know every shape.
                    Err(told) if strategy == "paper" && told.contains("E0331") => {}
                    Err(told) => wrong.push(format!("{at}: {told}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether two runs left the same but for rounding; integers must be the same.
fn is_near(expected: &Ran, found: &Ran) -> bool {
    let (expected, found) = (expected.arrays(), found.arrays());
    expected.len() == found.len()
        && expected.iter().zip(&found).all(|(a, b)| {
            let near = norm_relative(&b.1, &a.1).is_ok_and(|apart| apart < 1e-6);
            a.0 == b.0 && (near || super::identical(&a.1, &b.1))
        })
}

#[test]
fn functions_of_the_hardware_are_told_as_approximate() {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let text = std::fs::read_to_string("tests/ends/hardware_roots.saa").expect("a scheme");
    let file = sources.add("hardware_roots.saa", text);
    let mut terms = Terms::new();
    let (items, _) = read_file(&sources, file, &mut terms);
    let scheme = check(&terms, items[0], Precision::F32).expect("it checks");
    let class = |strategy: &str| {
        let derived = derive(&scheme, &base, strategy, &[], 10_000).expect("it is derived");
        let steps = derived.derivation.steps.into_iter();
        steps.map(|step| step.float).max()
    };
    assert_eq!(class("parallel"), Some(FloatClass::Exact));
    assert_eq!(class("cpu"), Some(FloatClass::Approximate));
    assert_eq!(class("gpu"), Some(FloatClass::Approximate));
}

/// The number of all triples of iterations need not fit into the type that counts one loop.
#[test]
fn launches_of_many_count_in_64_bits() {
    let derived = super::structure::derived("tests/ends/launch_of_many.saa", "gpu");
    assert!(derived.contains("RunKernel (ceil_div(int64("), "{derived}");
    assert!(
        derived.contains("LOCAL index : INTEGER64 := int64(block)"),
        "{derived}"
    );
}

/// A loop over an array needs no look at its bounds when it runs.
#[test]
fn loops_over_extents_are_not_tested() {
    for name in ["gravity", "hermite", "matrix_product", "heat"] {
        for strategy in ["cpu", "gpu"] {
            let derived = super::structure::derived(name, strategy);
            assert!(!derived.contains("<= 2113929215"), "{name}, {strategy}");
        }
    }
    let tested = super::structure::derived("tests/ends/last_integers.saa", "cpu");
    assert!(tested.contains("1056964607"), "{tested}");
}
