//! Lanes: each kind of vectors gives the bits of the sequential scheme.

use super::{identical_outputs, run};
use std::process::Command;

/// Schemes with lanes, and settings that leave groups unfilled.
const SCHEMES: &[(&str, &[&str])] = &[
    ("gravity", &["N=70", "ROUNDS=1"]),
    ("hermite", &["N=37", "STEPS=2"]),
    ("coulomb", &["N=65"]),
    ("density", &["N=65"]),
    ("heat", &["N=9", "M=67", "STEPS=2"]),
    ("matrix_product", &["N=3", "M=41", "K=5"]),
    ("tests/unseen/lanes.saa", &["N=41"]),
    ("tests/unseen/further_lanes.saa", &["N=45"]),
];

#[test]
fn all_kinds_of_vectors_give_the_same_bits() {
    for (name, settings) in SCHEMES {
        for precision in ["f32", "f64"] {
            let reference = run(name, "interpreter", "sequential", precision, settings);
            // Each number of lanes is a program of its own, which takes seconds to build.
            let others: &[(&str, u32)] = match *name {
                "gravity" => &[("avx2", 8), ("avx512", 16), ("avx512", 64), ("arrays", 5)],
                _ => &[],
            };
            let usual = [("arrays", 32), ("avx2", 32), ("avx512", 32)];
            for (kind, lanes) in usual.iter().chain(others) {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let mut command = Command::new(env!("CARGO_BIN_EXE_glushkov"));
                command.args(["run", name, "--json", "--no-compare", "--target", "rust"]);
                command.args(["--strategy", "cpu", "--precision", precision, "--out"]);
                command.arg(folder.path()).env("GLUSHKOV_LANES", kind);
                command.args(["--with", &format!("lanes={lanes}")]);
                for setting in *settings {
                    command.args(["--set", setting]);
                }
                let output = command.output().expect("the tool runs");
                let told = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{name} {kind}: {told}");
                let json = serde_json::from_slice(&output.stdout).expect("one object");
                let other = super::Ran { folder, json };
                assert!(
                    identical_outputs(&reference, &other),
                    "{name} {precision} {kind} {lanes}"
                );
            }
        }
    }
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
                        let output = Command::new(env!("CARGO_BIN_EXE_glushkov"))
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
