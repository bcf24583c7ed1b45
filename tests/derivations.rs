//! Derived schemes have the same results as the schemes they come from, bit for bit, on the
//! reference machine.

use glushkov::algebra::Precision;
use glushkov::check::{Scheme, check};
use glushkov::data::generate;
use glushkov::derive::{derive, rule_base};
use glushkov::diagnostic::render;
use glushkov::machine::{Limits, Machine, Value, compile};
use glushkov::rewrite::Setting;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms};
use glushkov::toolchain::testing::in_campaign;

fn load(path: &str, precision: Precision) -> (Scheme, Sources) {
    let mut sources = Sources::default();
    let file = sources.add(path, std::fs::read_to_string(path).expect("a scheme"));
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty());
    let scheme = check(&terms, items[0], precision).unwrap_or_else(|errors| {
        panic!(
            "{}",
            errors
                .iter()
                .map(|e| render(e, &sources, false))
                .collect::<String>()
        )
    });
    (scheme, sources)
}

/// The cells of all OUTPUT arrays after a run.
fn run(scheme: &Scheme, parameters: &[(&str, i64)]) -> Vec<(Symbol, Vec<u64>)> {
    let code = compile(scheme).expect("everything is defined");
    let mut machine = Machine::new(scheme, &code, Limits::default());
    let given: Vec<(Symbol, Value)> = parameters
        .iter()
        .map(|&(n, v)| (Symbol::new(n), Value::Int(v)))
        .collect();
    machine.start(&given).expect("sizes");
    let n = parameters[0].1 as usize;
    for (name, array) in generate("plummer", n, &[]).expect("a generator") {
        let cells: Vec<u64> = array
            .to_f64s()
            .iter()
            .map(|&x| match scheme.precision {
                Precision::F32 => u64::from((x as f32).to_bits()),
                Precision::F64 => x.to_bits(),
            })
            .collect();
        machine.set(Symbol::new(&name), &cells);
    }
    if let Err(error) = machine.run() {
        panic!("{parameters:?}: {error:?}");
    }
    scheme
        .data()
        .filter(|(_, v)| v.is_output())
        .map(|(name, _)| (name, machine.get(name).expect("an OUTPUT")))
        .collect()
}

#[test]
fn the_published_route_gives_the_same_bits() {
    let (narrow, wide) = match in_campaign() {
        true => (&[1, 2, 255, 256, 257, 511, 513][..], &[1, 7, 257][..]),
        false => (&[1, 257][..], &[7][..]),
    };
    for (precision, sizes) in [(Precision::F32, narrow), (Precision::F64, wide)] {
        let (scheme, mut sources) = load("schemes/nbody/hermite.saa", precision);
        let base = rule_base(&mut sources, &[]).unwrap_or_else(|errors| {
            panic!(
                "{}",
                errors
                    .iter()
                    .map(|e| render(e, &sources, false))
                    .collect::<String>()
            )
        });
        for &n in sizes {
            let parameters = [("N", n), ("STEPS", 1)];
            let expected = run(&scheme, &parameters);
            for chunk in [1, 7, 512] {
                // A launch a source is slow on the machine: small chunks for small sizes.
                if chunk < 512 && n > 300 {
                    continue;
                }
                let settings = [Setting::parse(&format!("chunk={chunk}")).expect("a setting")];
                let derived = derive(&scheme, &base, "paper", &settings, 10_000).expect("derives");
                assert!(derived.failure.is_none());
                assert_eq!(
                    run(&derived.scheme, &parameters),
                    expected,
                    "N = {n}, chunk = {chunk}"
                );
            }
            for strategy in ["parallel", "gpu"] {
                let derived = derive(&scheme, &base, strategy, &[], 10_000).expect("derives");
                assert_eq!(
                    run(&derived.scheme, &parameters),
                    expected,
                    "N = {n}, {strategy}"
                );
            }
        }
    }
}

/// A scheme that a strategy must refuse, and what it must say.
#[test]
fn dependent_iterations_are_refused() {
    let (scheme, mut sources) = load("tests/derivation/refused/in_place.saa", Precision::F32);
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let derived = derive(&scheme, &base, "paper", &[], 10_000).expect("the strategy is there");
    assert!(derived.failure.is_some());
    let told = derived.derivation.near_misses.iter().any(|miss| {
        miss.rule == "kernel"
            && miss
                .stopped_by
                .sentence
                .contains("iteration i = 1 writes x[1]")
            && miss.stopped_by.sentence.contains("iteration i = 2 reads")
    });
    assert!(told, "{:#?}", derived.derivation.near_misses);
}

/// Conditions of which nothing is known before the loops that ask them stay where they are.
#[test]
fn conditions_that_are_not_known_ahead_stay() {
    const UNKNOWN: &str = "what would imply its condition is not known";
    const NOWHERE: &str = "there is no IF without ELSE that each iteration meets";
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    for (body, told) in [
        (
            "FOR (k FROM 0 TO 7) LOOP IF (k + 3) MOD 8 < N THEN y[k] := 1 END IF END OF LOOP",
            None,
        ),
        (
            "FOR (k FROM 0 TO N) LOOP IF k < 4 THEN y[k] := 1 END IF END OF LOOP",
            Some("it may have no iterations"),
        ),
        (
            "FOR (k FROM 3 TO 0) LOOP IF k < N THEN y[k] := 1 END IF END OF LOOP",
            Some("it may have no iterations"),
        ),
        (
            "LOCAL m : INTEGER := 0; FOR (k FROM 0 TO 3) LOOP IF k < m THEN y[k] := 1 END IF; \
             m := m + 1 END OF LOOP",
            Some(UNKNOWN),
        ),
        (
            "FOR (k FROM 0 TO 3) LOOP IF y[k] < 1 THEN y[k] := 1 END IF END OF LOOP",
            Some(UNKNOWN),
        ),
        // Its ends are taken by no iteration.
        (
            "FOR (k FROM 0 TO 3) LOOP LOCAL i : INTEGER := k - k; IF i < N THEN y[k] := 1 END IF END OF LOOP",
            Some(UNKNOWN),
        ),
        (
            "FOR (k FROM 0 TO 3) LOOP IF k * 3 MOD 8 < N THEN y[k] := 1 END IF END OF LOOP",
            Some(UNKNOWN),
        ),
        (
            "FOR (k FROM 0 TO 3) LOOP IF k = N THEN y[k] := 1 END IF END OF LOOP",
            Some(UNKNOWN),
        ),
        (
            "FOR (k FROM 0 TO 3) LOOP IF k < N THEN y[k] := 1 ELSE y[k] := 2 END IF END OF LOOP",
            Some(NOWHERE),
        ),
        // Some iterations may not come to it.
        (
            "FOR (k FROM 0 TO 3) LOOP IF y[0] < 1 THEN y[0] := 1 ELSE IF k < N THEN y[k] := 1 END IF \
             END IF END OF LOOP",
            Some(NOWHERE),
        ),
        // Threads of a warp would go different ways.
        (
            "RunKernel (1, 32) ( LOCAL s : REAL := 0; FOR (k FROM 0 TO 31) LOOP IF 2 * thread < N THEN \
             s := s + 1 END IF; ROTATE (s) END OF LOOP; y[thread] := s ); WAIT 'done'",
            Some(UNKNOWN),
        ),
    ] {
        let text = format!(
            "SCHEME \"ahead\" ==== DATA N : INTEGER := 9 y : REAL [64] INPUT OUTPUT END OF DATA\n{body}\n\
             END OF SCHEME \"ahead\"\n"
        );
        let file = sources.add("ahead.saa", text);
        let mut terms = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut terms);
        assert!(errors.is_empty(), "{body}");
        let scheme = check(&terms, items[0], Precision::F32).expect("a scheme");
        let derived = derive(&scheme, &base, "asked_ahead", &[], 100).expect("a strategy");
        assert_eq!(derived.failure.is_some(), told.is_some(), "{body}");
        let stops = |told: &str| {
            let mut misses = derived.derivation.near_misses.iter();
            misses.any(|miss| miss.stopped_by.sentence.contains(told))
        };
        assert!(
            told.is_none_or(stops),
            "{body}: {:#?}",
            derived.derivation.near_misses
        );
    }
}

/// Lanes hold reals of 64 bits beside those of 32, and none of 32 bits in 64-bit precision.
#[test]
fn narrow_reals_have_no_lanes_beside_wide_ones() {
    for (precision, steps, reason) in [
        (Precision::F32, 1, None),
        (Precision::F64, 0, Some("reals of 32 bits")),
    ] {
        let (scheme, mut sources) = load("tests/derivation/refused/narrow_lanes.saa", precision);
        let base = rule_base(&mut sources, &[]).expect("the rule base loads");
        let derived = derive(&scheme, &base, "cpu", &[], 10_000).expect("the strategy is there");
        let derivation = &derived.derivation;
        let lanes = derivation
            .steps
            .iter()
            .filter(|s| s.rule == "lanes_in_runs");
        assert_eq!(lanes.count(), steps, "{precision:?}");
        let mut missed = derivation
            .near_misses
            .iter()
            .filter(|m| m.rule == "lanes_in_runs");
        if let Some(reason) = reason {
            assert!(missed.any(|m| m.stopped_by.sentence.contains(reason)));
        }
    }
}

/// The relative change of the energy over a run of the Hermite scheme in f64.
fn energy_error(data: &str, steps: i64, dt: f64) -> f64 {
    let (scheme, _) = load("schemes/nbody/hermite.saa", Precision::F64);
    let code = compile(&scheme).expect("everything is defined");
    let mut machine = Machine::new(&scheme, &code, Limits::default());
    let bodies = glushkov::data::fixed_size(data).expect("a generator of one size");
    let given = [
        (Symbol::new("N"), Value::Int(bodies as i64)),
        (Symbol::new("STEPS"), Value::Int(steps)),
        (Symbol::new("dt"), Value::Real(dt)),
        (Symbol::new("eps"), Value::Real(0.0)),
    ];
    machine.start(&given).expect("sizes");
    for (name, array) in generate(data, bodies, &[]).expect("a generator") {
        let cells: Vec<u64> = array.to_f64s().iter().map(|x| x.to_bits()).collect();
        machine.set(Symbol::new(&name), &cells);
    }
    machine.run().expect("runs");
    let energies: Vec<f64> = machine
        .outcome()
        .reports
        .iter()
        .map(|(_, v)| v[0])
        .collect();
    ((energies[1] - energies[0]) / energies[0]).abs()
}

#[test]
fn the_method_has_its_known_errors() {
    // Two evaluations a step; computed independently with the published order of operations.
    for (steps, error) in [(64, 9.2e-4), (128, 2.2e-5), (256, 6.4e-7)] {
        let found = energy_error("kepler", 10 * steps, std::f64::consts::TAU / steps as f64);
        assert!(
            (found / error - 1.0).abs() < 0.02,
            "{steps} steps an orbit: {found:e}"
        );
    }
    let found = energy_error("figure-eight", 250, 6.325_913_98 / 250.0);
    assert!(
        (found / 9.9e-8 - 1.0).abs() < 0.02,
        "figure-eight: {found:e}"
    );
}

/// A LOCAL must not be taken for an expression whose value has changed since.
#[test]
fn old_values_are_not_taken_for_new_ones() {
    let (scheme, mut sources) = load("tests/derivation/refused/old_value.saa", Precision::F32);
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    for strategy in ["parallel", "gpu"] {
        let derived = derive(&scheme, &base, strategy, &[], 10_000).expect("the strategy is there");
        assert!(
            derived.derivation.steps.is_empty(),
            "{strategy} took dependent iterations apart"
        );
    }
}
