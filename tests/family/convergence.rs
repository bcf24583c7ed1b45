//! The integrators converge by their orders: two bodies on an ellipse, with steps of half the length.

use super::given;
use glushkov::algebra::Precision;
use glushkov::pipeline::{Inputs, Options, Run, Session, Source, Target};

/// Where the two bodies are after a time of 1, in so many steps.
fn positions(method: &str, steps: u32) -> Vec<f64> {
    let run = Run {
        target: Target::Interpreter,
        options: Options {
            precision: Precision::F64,
            set: vec![
                "N=2".to_owned(),
                format!("STEPS={steps}"),
                format!("dt={}", 1.0 / f64::from(steps)),
            ],
            ..given(&[&format!("method={method}")])
        },
        inputs: Inputs {
            generator: Some("kepler".to_owned()),
            ..Inputs::default()
        },
        without_notes: true,
        ..Run::default()
    };
    let outcome = run.run(Source::Path("integrators"), &mut Session::new());
    let outcome = outcome.unwrap_or_else(|failure| panic!("{method}: {}", failure.said()));
    let found = outcome.arrays.iter().find(|(name, _)| name == "r");
    found.expect("positions").1.to_f64s()
}

#[test]
fn integrators_converge_by_their_orders() {
    for (method, order) in [
        ("euler", 1.0),
        ("leapfrog", 2.0),
        ("hermite 4", 4.0),
        ("hermite 6", 6.0),
    ] {
        let all: Vec<Vec<f64>> = [64, 128, 256]
            .map(|steps| positions(method, steps))
            .to_vec();
        let apart = |a: &[f64], b: &[f64]| -> f64 {
            let squares = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y));
            squares.sum::<f64>().sqrt()
        };
        let (coarse, fine) = (apart(&all[0], &all[1]), apart(&all[1], &all[2]));
        // Rounding, at some 1e-15, is far below both.
        assert!(fine > 1e-12, "{method}: {fine}");
        let found = (coarse / fine).log2();
        assert!((found - order).abs() < 0.1, "{method}: order {found}");
    }
}
