//! The same as emitted programs for processors, in Rust by each kind of vectors: the same bits as the reference machine gives.

use super::maker::{Piece, piece, scheme};
use super::{count, outputs, read};
use glushkov::data::{identical, read_npy};
use glushkov::term::Sources;
use glushkov::toolchain::testing::openmp_or_skip;
use std::path::Path;
use std::process::Command;

/// How many pieces a program has.
const PIECES: usize = 24;

fn run(file: &Path, options: &[&str], kind: &str, out: &Path) -> Result<(), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .args(["run", "--no-compare", "--out"])
        .arg(out)
        .args(options)
        .arg(file)
        .env("GLUSHKOV_LANES", kind)
        .output()
        .expect("the tool runs");
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Pieces from a seed on whose values no processor decides, and that have no error.
fn pieces(from: u64, precision: u64) -> (Vec<Piece>, u64) {
    let mut sources = Sources::default();
    let mut found = Vec::new();
    let mut seed = from * 2 + precision;
    while found.len() < PIECES {
        let one = piece(seed, seed);
        let settled = !one.body.contains("_approx");
        if settled && outputs(&read(std::slice::from_ref(&one), &mut sources).1).is_ok() {
            found.push(one);
        }
        seed += 2;
    }
    (found, seed / 2)
}

/// The names of OUTPUT arrays that are not the same, each with its piece.
fn differing(pieces: &[Piece], machine: &Path, rust: &Path) -> Vec<String> {
    let mut told = Vec::new();
    for one in pieces {
        let outputs = one.data.lines().filter(|l| l.ends_with("OUTPUT"));
        for name in outputs.filter_map(|l| l.split_whitespace().next()) {
            let [x, y] = [machine, rust].map(|folder| {
                read_npy(&folder.join(format!("{name}.npy"))).expect("an OUTPUT array")
            });
            if !identical(&x, &y) {
                let alone = scheme(std::slice::from_ref(one));
                told.push(format!("other values of {name}: {x:?}, {y:?}\n{alone}"));
            }
        }
    }
    told
}

#[test]
fn emitted_programs_at_the_ends_give_the_bits_of_the_machine() {
    let first: u64 = std::env::var("FIRST")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    let mut next = [1_000_000 + first; 2];
    let mut wrong = Vec::new();
    for batch in 0..count(2 * PIECES as u64).div_ceil(PIECES as u64) {
        let precision = batch % 2;
        let (pieces, after) = pieces(next[precision as usize], precision);
        next[precision as usize] = after;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("ends.saa");
        let (machine, rust) = (folder.path().join("machine"), folder.path().join("rust"));
        std::fs::write(&file, scheme(&pieces)).expect("a writable file");
        let bits = ["f32", "f64"][precision as usize];
        let of = |target, strategy| {
            [
                "--target",
                target,
                "--strategy",
                strategy,
                "--precision",
                bits,
            ]
        };
        run(&file, &of("interpreter", "sequential"), "", &machine)
            .unwrap_or_else(|told| panic!("{told}"));
        let others: &[&str] = match batch / 2 % 3 {
            0 => &["cpu"],
            1 => &["cpu", "parallel"],
            _ => &["cpu", "gpu"],
        };
        if openmp_or_skip().is_some() {
            let (strategy, out) = (
                ["cpu", "parallel"][batch as usize / 2 % 2],
                folder.path().join("cpp"),
            );
            match run(&file, &of("cpp", strategy), "", &out) {
                Err(told) => wrong.push(format!("cpp {strategy}: {told}\n{}", scheme(&pieces))),
                Ok(()) => {
                    let told = differing(&pieces, &machine, &out);
                    wrong.extend(
                        told.into_iter()
                            .map(|t| format!("cpp {strategy} {bits}: {t}")),
                    );
                }
            }
        }
        for strategy in others {
            let kinds: &[&str] = if *strategy == "cpu" {
                &["arrays", "avx2", "avx512"]
            } else {
                &[""]
            };
            for kind in kinds {
                let here = format!("{strategy} {kind} {bits}");
                match run(&file, &of("rust", strategy), kind, &rust) {
                    Err(told) => wrong.push(format!("{here}: {told}\n{}", scheme(&pieces))),
                    Ok(()) => {
                        let told = differing(&pieces, &machine, &rust);
                        wrong.extend(told.into_iter().map(|t| format!("{here}: {t}")));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Writes schemes of pieces, as many as `NESTS` says, to the folder `SCHEMES`, to be run on a device.
#[test]
#[ignore = "writes files for a device, which may be elsewhere"]
fn schemes_are_written_for_a_device() {
    let folder = std::env::var("SCHEMES").expect("SCHEMES names a folder");
    let mut next = [2_000_000; 2];
    for batch in 0..count(2 * PIECES as u64).div_ceil(PIECES as u64) {
        let precision = batch % 2;
        let (pieces, after) = pieces(next[precision as usize], precision);
        next[precision as usize] = after;
        let bits = ["f32", "f64"][precision as usize];
        let file = Path::new(&folder).join(format!("{bits}_{batch}.saa"));
        std::fs::write(file, scheme(&pieces)).expect("a writable file");
    }
}
