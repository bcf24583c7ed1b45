//! Lanes: each kind of vectors gives the bits of the sequential scheme.

use super::fast::{file, median_error};
use super::structure::{derived, derived_with};
use super::{Ran, identical_outputs, run};
use glushkov::toolchain::testing::building;
use glushkov::toolchain::testing::in_campaign;

/// Schemes with lanes, and settings that leave groups unfilled.
const SCHEMES: &[(&str, &[&str])] = &[
    ("gravity", &["N=70", "ROUNDS=1"]),
    ("hermite", &["N=37", "STEPS=2"]),
    ("coulomb", &["N=65"]),
    ("density", &["N=65"]),
    ("mandelbrot", &["N=37", "MOST=20"]),
    ("rank_sort", &["N=3", "L=35"]),
    ("heat", &["N=9", "M=67", "STEPS=2"]),
    ("matrix_product", &["N=3", "M=41", "K=5"]),
    ("tests/unseen/counting.saa", &["N=43"]),
    ("tests/unseen/lanes.saa", &["N=41"]),
    ("tests/unseen/further_lanes.saa", &["N=45"]),
    ("tests/unseen/mixed_lanes.saa", &["N=43"]),
    ("tests/unseen/periodic_box.saa", &["N=43"]),
    ("tests/unseen/rows.saa", &["N=37"]),
    ("tests/unseen/two_widths.saa", &["N=43"]),
];

/// What an emitted crate gives with a kind of vectors.
fn by(
    kind: &str,
    name: &str,
    strategy: &str,
    precision: &str,
    settings: &[&str],
    with: &[&str],
) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
    command.args(["run", name, "--json", "--no-compare", "--target", "rust"]);
    command.args(["--strategy", strategy, "--precision", precision, "--out"]);
    command.arg(folder.path()).env("GLUSHKOV_LANES", kind);
    command.args(with.iter().flat_map(|setting| ["--with", setting]));
    command.args(settings.iter().flat_map(|setting| ["--set", setting]));
    let output = command.output().expect("the tool runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} {kind}: {told}");
    let json = serde_json::from_slice(&output.stdout).expect("one object");
    Ran { folder, json }
}

#[test]
fn all_kinds_of_vectors_give_the_same_bits() {
    // Each program takes seconds to build: outside of campaigns one for every third scheme.
    let step = if in_campaign() { 1 } else { 3 };
    for (number, (name, settings)) in SCHEMES.iter().enumerate().step_by(step) {
        let precisions = ["f32", "f64"];
        let precisions = match in_campaign() {
            true => &precisions[..],
            false => &precisions[number % 2..][..1],
        };
        for precision in precisions {
            let reference = run(name, "interpreter", "sequential", precision, settings);
            // Each number of lanes is a program of its own, which takes seconds to build.
            let others: &[(&str, u32)] = match *name {
                "gravity" if in_campaign() => {
                    &[("avx2", 8), ("avx512", 16), ("avx512", 64), ("arrays", 5)]
                }
                _ => &[],
            };
            let usual = [("arrays", 32), ("avx2", 32), ("avx512", 32)];
            for (kind, lanes) in usual.iter().chain(others) {
                let with = format!("lanes={lanes}");
                let other = by(kind, name, "cpu", precision, settings, &[&with]);
                assert!(
                    identical_outputs(&reference, &other),
                    "{name} {precision} {kind} {lanes}"
                );
            }
        }
    }
}

/// In one lane of them an integer leaves its range: by a sum, or by a difference; in another one it
/// would, if that lane were here.
const OVERFLOWS: &str = "SCHEME \"Out of range\" ====
DATA
  N : INTEGER := 40
  WHICH : INTEGER := 0
  x : REAL [N] INPUT
  n : INTEGER [N] OUTPUT
  DEFAULT INPUT \"random\" (seed := 3)
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP
    LOCAL up : INTEGER := 2147483647 - i; LOCAL down : INTEGER := i - 2147483647;
    IF i > 30 THEN
      FOR (s FROM 1 TO 31) LOOP
        IF x[s] < 2 THEN up := up + 1; down := down - 1 END IF
      END OF LOOP
    END IF;
    IF WHICH = 1 AND i = 35 THEN
      FOR (s FROM 1 TO 5) LOOP up := up + 1 END OF LOOP
    END IF;
    IF WHICH = 2 AND i = 35 THEN
      FOR (s FROM 1 TO 6) LOOP down := down - 1 END OF LOOP
    END IF;
    n[i] := up + down
  END OF LOOP
END OF SCHEME \"Out of range\"
";

#[test]
fn integers_of_lanes_leave_their_range_where_those_of_a_loop_do() {
    let scheme = file(OVERFLOWS);
    let scheme = scheme.path().display().to_string();
    for precision in ["f32", "f64"] {
        let reference = run(&scheme, "interpreter", "sequential", precision, &[]);
        for kind in ["arrays", "avx2", "avx512"] {
            let other = by(kind, &scheme, "cpu", precision, &[], &[]);
            assert!(identical_outputs(&reference, &other), "{precision} {kind}");
            for (which, told) in [
                ("WHICH=1", "attempt to add"),
                ("WHICH=2", "attempt to subtract"),
            ] {
                let output = building(env!("CARGO_BIN_EXE_glushkov"))
                    .args(["run", &scheme, "--target", "rust", "--strategy", "cpu"])
                    .args(["--precision", precision, "--set", which])
                    .env("GLUSHKOV_LANES", kind)
                    .output()
                    .expect("the tool runs");
                let said = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(1), "{precision} {kind}: {said}");
                assert!(said.contains(told), "{precision} {kind}: {said}");
            }
        }
    }
}

/// A loop whose body has no form in vectors is printed as a loop, which gives the same bits: that
/// none of these is, only the crate shows.
#[test]
fn reals_of_two_precisions_become_vectors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("project");
    let output = building(env!("CARGO_BIN_EXE_glushkov"))
        .args(["emit", "tests/unseen/mixed_lanes.saa", "--target", "rust"])
        .args(["--strategy", "cpu", "-o"])
        .arg(&project)
        .output()
        .expect("the tool runs");
    assert!(output.status.success());
    let text = std::fs::read_to_string(project.join("src/lib.rs")).expect("a text");
    assert_eq!(text.matches("lanes! {").count(), 6, "{text}");
    assert!(project.join("src/wide.rs").is_file());
}

/// Reals are rounded in vectors, to a REAL or to an INTEGER that is a REAL at once.
#[test]
fn rounded_reals_stay_in_vectors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("project");
    let output = building(env!("CARGO_BIN_EXE_glushkov"))
        .args(["emit", "tests/unseen/periodic_box.saa", "--target", "rust"])
        .args(["--strategy", "cpu", "-o"])
        .arg(&project)
        .output()
        .expect("the tool runs");
    assert!(output.status.success());
    let text = std::fs::read_to_string(project.join("src/lib.rs")).expect("a text");
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("lanes! {"), 2, "{text}");
    assert_eq!((count(".round()"), count(".whole()")), (5, 2), "{text}");
}

/// In one lane a real is too large for an INTEGER: an error, unless that lane is elsewhere.
const TOO_LARGE: &str = "SCHEME \"Too large\" ====
DATA
  N : INTEGER := 40
  OUT : INTEGER := 35
  LEFT : INTEGER := 35
  x : REAL [N] INPUT
  y : REAL [N] OUTPUT
  z : REAL64 [N] OUTPUT
  DEFAULT INPUT \"random\" (seed := 3)
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP
    LOCAL a : REAL := (x[i] - 0.5) * 3; LOCAL d : REAL64 := (x[i] - 0.5) * 7;
    IF i = OUT THEN a := (a + 9) * 1e10; d := d * 1e12 END IF;
    IF i <> LEFT THEN a := a - 2.0 * round(a); d := floor(d); d := d - ceil(a + 0.5); a := a + int(d) END IF;
    y[i] := a; z[i] := d
  END OF LOOP
END OF SCHEME \"Too large\"
";

#[test]
fn reals_of_lanes_leave_the_range_of_integers_where_those_of_a_loop_do() {
    let scheme = file(TOO_LARGE);
    let scheme = scheme.path().display().to_string();
    for precision in ["f32", "f64"] {
        let reference = run(&scheme, "interpreter", "sequential", precision, &[]);
        for kind in ["arrays", "avx2", "avx512"] {
            let other = by(kind, &scheme, "cpu", precision, &[], &[]);
            assert!(identical_outputs(&reference, &other), "{precision} {kind}");
            let output = building(env!("CARGO_BIN_EXE_glushkov"))
                .args(["run", &scheme, "--target", "rust", "--strategy", "cpu"])
                .args(["--precision", precision, "--set", "LEFT=36"])
                .env("GLUSHKOV_LANES", kind)
                .output()
                .expect("the tool runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{precision} {kind}: {said}");
            assert!(
                said.contains("out of the range of INTEGER"),
                "{precision} {kind}: {said}"
            );
        }
    }
}

/// Sums of lanes that are gathered in 64 bits: those of the three loops that leave out what meets
/// itself, vectors by component.
#[test]
fn wide_sums_give_the_same_bits_by_all_kinds_of_vectors() {
    let lanes = file(&derived("gravity", "cpu"));
    let lanes = lanes.path().display().to_string();
    let text = derived_with(&lanes, "wide_sums", &["run=8"]);
    assert_eq!(text.matches(": REAL64 := a.x").count(), 3, "{text}");
    let wide = file(&text);
    let wide = wide.path().display().to_string();
    let settings = ["N=70", "ROUNDS=1"];
    let reference = run(&wide, "interpreter", "sequential", "f32", &settings);
    for kind in ["arrays", "avx2", "avx512"] {
        let other = by(kind, &wide, "sequential", "f32", &settings, &[]);
        assert!(identical_outputs(&reference, &other), "{kind}");
    }
}

/// With many sources, what is summed in 64 bits is nearer to the result of 64 bits throughout.
#[test]
fn wide_sums_of_lanes_err_less() {
    let settings = ["N=4096", "ROUNDS=1"];
    let exact = run("gravity", "rust", "cpu", "f64", &settings);
    let error = |wide: &str| {
        let ran = by("arrays", "gravity", "cpu_fast", "f32", &settings, &[wide]);
        median_error(&ran, &exact)
    };
    let (narrow, wide) = (error("wide=0"), error("wide=1"));
    let falls = wide < 0.2 * narrow && narrow < 2e-6;
    assert!(falls, "{wide:e} and {narrow:e}");
}

/// Pairs that are met once leave the same bits whatever the number of threads, and agree with the
/// sequential scheme.
#[test]
fn pairs_met_once_do_not_depend_on_threads() {
    for (name, precision, sizes) in [
        ("gravity", "f32", ["N=1", "N=300"]),
        ("coulomb_triangle", "f64", ["N=2", "N=300"]),
    ] {
        for size in sizes {
            for kind in ["arrays", "avx2", "avx512"] {
                let ran: Vec<super::Ran> = ["1", "2", "3"]
                    .iter()
                    .map(|threads| {
                        let folder = tempfile::tempdir().expect("a temporary folder");
                        let output = building(env!("CARGO_BIN_EXE_glushkov"))
                            .args(["run", name, "--json", "--target", "rust", "--strategy"])
                            .args(["cpu-fast", "--with", "third_law=1", "--with", "tile=64"])
                            .args(["--precision", precision, "--set", size, "--out"])
                            .arg(folder.path())
                            .env("GLUSHKOV_LANES", kind)
                            .env("GLUSHKOV_THREADS", threads)
                            .output()
                            .expect("the tool runs");
                        let told = String::from_utf8_lossy(&output.stderr);
                        assert!(output.status.success(), "{name} {size} {kind}: {told}");
                        let json = serde_json::from_slice(&output.stdout).expect("one object");
                        super::Ran { folder, json }
                    })
                    .collect();
                for other in &ran[1..] {
                    assert!(identical_outputs(&ran[0], other), "{name} {size} {kind}");
                }
            }
        }
    }
}

/// Roots of 0, of numbers near the end of the range and of infinity, and their cubes.
const ENDS: &str = "SCHEME \"Roots at the ends\" ====
DATA
  N : INTEGER := 40
  x, y, z : REAL [N] OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP
    x[i] := i * 0.5;
    IF i > 30 THEN x[i] := x[i] * 1e37 END IF;
    IF i > 35 THEN x[i] := x[i] * 1e37 END IF
  END OF LOOP;
  FOR (i FROM 0 TO N - 1) LOOP y[i] := 1 / sqrt(x[i]) END OF LOOP;
  FOR (i FROM 0 TO N - 1) LOOP
    LOCAL q : REAL := 1 / sqrt(x[i]); z[i] := 2 * q * q * q
  END OF LOOP
END OF SCHEME \"Roots at the ends\"
";

/// Where an estimate is infinite or 0 it stays so, and else it is nearly right.
#[test]
fn roots_of_lanes_hold_at_the_ends_of_the_range() {
    let scheme = file(ENDS);
    let scheme = scheme.path().display().to_string();
    for (precision, close) in [("f32", 1e-6), ("f64", 1e-14)] {
        let reference = run(&scheme, "interpreter", "sequential", precision, &[]);
        for kind in ["arrays", "avx2", "avx512"] {
            let other = by(kind, &scheme, "cpu_fast", precision, &[], &[]);
            for ((name, a), (_, b)) in reference.arrays().iter().zip(&other.arrays()) {
                for (k, (a, b)) in a.to_f64s().into_iter().zip(b.to_f64s()).enumerate() {
                    let near = a == b || (a - b).abs() <= close * a.abs();
                    assert!(near, "{precision} {kind}: {name}[{k}] is {b:e}, not {a:e}");
                }
            }
        }
    }
}
