//! Quick functions in emitted Rust: the bits that the reference machine gives, by scalar code and by each
//! kind of vectors, in both widths.

use super::fast::file;
use glushkov::data::{Array, Values, identical, read_npy, write_npy};
use glushkov::toolchain::testing::building;
use std::path::Path;

const FUNCTIONS: &str = "SCHEME \"Quick functions\" ====
DATA
  N : INTEGER := 4
  x : REAL [N] INPUT
  w : REAL64 [N] INPUT
  y : REAL [6, N] OUTPUT
  z : REAL64 [6, N] OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP
    LOCAL a : REAL := x[i]; LOCAL b : REAL64 := w[i];
    y[0, i] := exp_approx(a); y[1, i] := log_approx(a); y[2, i] := sin_approx(a);
    y[3, i] := cos_approx(a); y[4, i] := erfc_approx(a); y[5, i] := pow_approx(abs(a), 1.7);
    z[0, i] := exp_approx(b); z[1, i] := log_approx(b); z[2, i] := sin_approx(b);
    z[3, i] := cos_approx(b); z[4, i] := erfc_approx(b); z[5, i] := pow_approx(abs(b), 1.7)
  END OF LOOP
END OF SCHEME \"Quick functions\"
";

/// Numbers of all sizes, both signs, and special ones; far from 0 after the others, as lanes that have
/// such numbers go another way.
fn numbers() -> Vec<f64> {
    let mut all = vec![
        0.0, 5e-324, 1e-310, 1e-40, 1.0, 2.0, 88.7, 103.9, 709.7, 745.1,
    ];
    all.extend((-400..400).map(|k| f64::from(k) * 0.0371));
    all.extend((0..400).map(|k| f64::from(k) * 1.7573));
    all.extend((-300..18).map(|k| (f64::from(k) * 0.7243).exp2()));
    all.extend((18..1700).map(|k| (f64::from(k) * 0.6243).exp2()));
    all.extend([1e22, 1e300, f64::INFINITY, f64::NAN]);
    all.iter().flat_map(|&x| [x, -x]).collect()
}

/// What a target gives by a strategy and a kind of vectors.
fn found(folder: &Path, scheme: &Path, how: &[&str], kind: &str, n: usize) -> [Array; 2] {
    let outputs = tempfile::tempdir().expect("a temporary folder");
    let output = building(env!("CARGO_BIN_EXE_glushkov"))
        .arg("run")
        .arg(scheme)
        .args(["--json", "--no-compare"])
        .args(how)
        .args(["--set", &format!("N={n}"), "--in"])
        .arg(folder)
        .arg("--out")
        .arg(outputs.path())
        .env("GLUSHKOV_LANES", kind)
        .output()
        .expect("the tool runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{how:?} {kind}: {told}");
    ["y.npy", "z.npy"].map(|name| read_npy(&outputs.path().join(name)).expect("an OUTPUT array"))
}

#[test]
fn quick_functions_have_the_same_bits_everywhere() {
    let scheme = file(FUNCTIONS);
    let numbers = numbers();
    let n = numbers.len();
    for precision in ["f32", "f64"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let narrow = numbers.iter().map(|&x| x as f32).collect();
        let reals = match precision {
            "f32" => Values::F32(narrow),
            _ => Values::F64(numbers.clone()),
        };
        for (name, values) in [("x.npy", reals), ("w.npy", Values::F64(numbers.clone()))] {
            let array = Array::new(vec![n], values).expect("an array");
            write_npy(&folder.path().join(name), &array).expect("a writable file");
        }
        let by = |target, strategy, kind| {
            let how = [
                "--precision",
                precision,
                "--target",
                target,
                "--strategy",
                strategy,
            ];
            found(folder.path(), scheme.path(), &how, kind, n)
        };
        let wanted = by("interpreter", "sequential", "arrays");
        let ways = ["arrays", "avx2", "avx512"].map(|kind| ("cpu", kind));
        for (strategy, kind) in [("sequential", "arrays")].into_iter().chain(ways) {
            let found = by("rust", strategy, kind);
            for (wanted, found) in wanted.iter().zip(&found) {
                assert!(identical(wanted, found), "{precision} {strategy} {kind}");
            }
        }
    }
}
