//! What rules about rounding are for: the error of a long sum falls.

use glushkov::check::Scheme;
use glushkov::evidence::{Applied, apply, run_within, schemes};
use glushkov::term::Sources;

const TERMS: i64 = 100_000;

/// A sum of random numbers from 0 to 1, as a REAL and as a component of a VECTOR.
const SUM: &str = "DATA
  N : INTEGER := 5
  x : REAL [N] INPUT OUTPUT
  y : REAL [2] OUTPUT
END OF DATA
  LOCAL a : REAL := 0; LOCAL v : VECTOR := 0;
  FOR (s FROM 0 TO N - 1) LOOP
    a := a + x[s];
    v := v + vector(0, x[s], 1)
  END OF LOOP;
  y[0] := a; y[1] := v.y";

/// How far the two sums are from what they would be without rounding, relatively.
fn errors(scheme: &Scheme) -> Vec<f64> {
    let left = run_within(scheme, TERMS, 1 << 24).expect("it runs");
    let cells = |at: usize| {
        let bits = left.outputs[at].cells.iter();
        bits.map(|&b| f64::from(f32::from_bits(b as u32)))
    };
    // In 64 bits the error is nine digits below what is compared here.
    let exact: f64 = cells(0).sum();
    cells(1).map(|y| ((y - exact) / exact).abs()).collect()
}

#[test]
fn errors_of_long_sums_fall() {
    let base = super::rules();
    let scheme = schemes(&[SUM], &mut Sources::default())
        .expect("a scheme")
        .remove(0);
    let plain = errors(&scheme);
    for (rule, times) in [("wide_sum", 10.0), ("compensated_sum", 10.0)] {
        let mut derived = scheme.clone();
        // Sums are compensated one by one.
        while let Applied::Done(next) = apply(&base, &derived, "once", rule, &[]) {
            derived = *next;
        }
        for (before, after) in plain.iter().zip(errors(&derived)) {
            assert!(
                after * times < *before,
                "{rule}: {before:e}, then {after:e}"
            );
            assert!(after < 1e-6, "{rule}: {after:e}");
        }
    }
}
