//! `pow_approx` in emitted Rust: near to the power that 64 bits give, at the ends of the range too, and
//! the same bits by scalar code and by each kind of vectors.

use super::fast::file;
use glushkov::data::{Array, Values, identical, read_npy, write_npy};
use glushkov::toolchain::testing::building;
use std::path::Path;

const POWERS: &str = "SCHEME \"Powers\" ====
DATA
  N : INTEGER := 4
  x, y : REAL [N] INPUT
  z : REAL [N] OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP z[i] := pow_approx(x[i], y[i]) END OF LOOP
END OF SCHEME \"Powers\"
";

/// Bases and exponents: where something changes, and between.
fn pairs() -> Vec<(f32, f32)> {
    let mut bases = vec![0.0, 1e-45, 1e-40, 1.1754942e-38, f32::MIN_POSITIVE];
    bases.extend([0.99999994, 1.0, 1.0000001, 2.0]);
    bases.extend([f32::MAX, f32::INFINITY, f32::NAN]);
    // The roots of 1/2 and 2, where the exponent of 2 changes, and the numbers before and after.
    bases.extend((0x3f35_04f2..0x3f35_04f5).map(f32::from_bits));
    bases.extend((0x3fb5_04f2..0x3fb5_04f5).map(f32::from_bits));
    bases.extend((-400..400).map(|k| (f64::from(k) * 0.0037).exp2() as f32));
    bases.extend((-300..300).map(|k| (f64::from(k) * 0.4243).exp2() as f32));
    let mut exponents = vec![1e-40, 1.0, 2.0, 149.0, 150.0, 1e9, 3e38, f32::INFINITY];
    exponents.push(f32::NAN);
    exponents.extend((-30..40).map(|k| (f64::from(k) * 0.2917).exp2() as f32));
    let of = |x: f32| exponents.iter().map(move |&y| (x, y));
    bases.into_iter().flat_map(of).collect()
}

/// The powers by a strategy and a kind of vectors.
fn powers(scheme: &Path, inputs: &Path, strategy: &str, kind: &str, n: usize) -> Array {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = building(env!("CARGO_BIN_EXE_glushkov"))
        .arg("run")
        .arg(scheme)
        .args(["--json", "--no-compare", "--target", "rust"])
        .args(["--strategy", strategy, "--set", &format!("N={n}"), "--in"])
        .arg(inputs)
        .arg("--out")
        .arg(folder.path())
        .env("GLUSHKOV_LANES", kind)
        .output()
        .expect("the tool runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{strategy} {kind}: {told}");
    read_npy(&folder.path().join("z.npy")).expect("an OUTPUT array")
}

/// Whether a power is as near as is promised.
fn is_near(x: f32, y: f32, found: f32) -> bool {
    if x.is_nan() || y.is_nan() {
        return found.is_nan();
    }
    let wanted = f64::from(x).powf(f64::from(y));
    let close = match wanted.log2().abs() {
        size if size <= 1.0 => 2e-7,
        size if size <= 40.0 => 1e-6,
        _ => 4e-6,
    };
    // The least number above 0.
    let least = f64::from(f32::from_bits(1));
    let (low, high) = (wanted * (1.0 - close), wanted * (1.0 + close));
    let infinite = high > f64::from(f32::MAX) && found == f32::INFINITY;
    let found = f64::from(found);
    infinite || (low - least..=high + least).contains(&found) || wanted == found
}

#[test]
fn powers_are_near_and_the_same_by_all_kinds_of_vectors() {
    let scheme = file(POWERS);
    let inputs = tempfile::tempdir().expect("a temporary folder");
    let pairs = pairs();
    let (x, y): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
    for (name, values) in [("x.npy", x), ("y.npy", y)] {
        let array = Array::new(vec![pairs.len()], Values::F32(values)).expect("an array");
        write_npy(&inputs.path().join(name), &array).expect("a writable file");
    }
    let by = |strategy, kind| powers(scheme.path(), inputs.path(), strategy, kind, pairs.len());
    let scalar = by("sequential", "arrays");
    let Values::F32(found) = scalar.values() else {
        panic!("{:?}", scalar.elem());
    };
    for (&(x, y), &found) in pairs.iter().zip(found) {
        assert!(is_near(x, y, found), "{x:e} to {y:e} is not {found:e}");
    }
    for kind in ["arrays", "avx2", "avx512"] {
        assert!(identical(&scalar, &by("cpu", kind)), "{kind}");
    }
}

/// Each width has code of its own.
#[test]
fn powers_have_code_for_each_width() {
    let scheme = file(POWERS);
    for (precision, own) in [("f32", "fn pow_approx("), ("f64", "fn pow_approx_64(")] {
        for strategy in ["sequential", "cpu"] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let project = folder.path().join("project");
            let output = building(env!("CARGO_BIN_EXE_glushkov"))
                .arg("emit")
                .arg(scheme.path())
                .args(["--target", "rust", "--strategy", strategy])
                .args(["--precision", precision, "-o"])
                .arg(&project)
                .output()
                .expect("the tool runs");
            assert!(output.status.success());
            let text = std::fs::read_to_string(project.join("src/math.rs")).expect("a text");
            let told = format!("{precision} {strategy}: {text}");
            assert!(text.contains(own), "{told}");
            assert_eq!(text.matches("fn pow_approx").count(), 1, "{told}");
        }
    }
}
