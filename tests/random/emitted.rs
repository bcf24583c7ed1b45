//! Emitted programs for processors give the same bytes as the reference machine.

use super::count;
use super::maker::{self, HEAD, parts};
use glushkov::data::{identical, read_npy};
use glushkov::toolchain::testing::{in_share, openmp_or_skip, two_at_a_time};
use std::path::Path;
use std::process::Command;

/// Runs a scheme's file by the tool; what it told if that fails.
fn run(file: &Path, target: &str, strategy: &str, out: &Path) -> Result<(), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .args(["run", "--no-compare", "--target", target])
        .args(["--strategy", strategy, "--out"])
        .arg(out)
        .arg(file)
        .output()
        .expect("the tool runs");
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Derives, emits, builds and runs a random scheme, and compares its OUTPUT arrays with those of the
/// machine. False if the scheme has an error: then nothing is owed to it.
fn agrees(seed: u64, strategy: &str) -> Result<bool, String> {
    same_bytes(&maker::made(seed, true), seed, strategy)
}

fn same_bytes(text: &str, seed: u64, strategy: &str) -> Result<bool, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("random.saa");
    std::fs::write(&file, text).expect("a writable file");
    let machine = folder.path().join("machine");
    if run(&file, "interpreter", "sequential", &machine).is_err() {
        return Ok(false);
    }
    // Programs in C++ have no kernels, and take longer to be built.
    let in_cpp = !strategy.starts_with("gpu") && in_share(seed as usize, 2);
    for target in ["rust", "cpp"] {
        if target == "cpp" && !(in_cpp && openmp_or_skip().is_some()) {
            continue;
        }
        let out = folder.path().join(target);
        run(&file, target, strategy, &out).map_err(|told| format!("{told}\n{text}"))?;
        for name in ["a", "b", "c", "n", "s"] {
            let [x, y] = [&machine, &out].map(|folder| {
                read_npy(&folder.join(format!("{name}.npy"))).expect("an OUTPUT array")
            });
            if !identical(&x, &y) {
                return Err(format!(
                    "{target}, {strategy}, seed {seed}: other values of {name}\n{text}"
                ));
            }
        }
    }
    Ok(true)
}

#[test]
fn random_programs_give_the_bytes_of_the_machine() {
    let most = count(12);
    let seeds: Vec<u64> = (0..most).collect();
    let all = two_at_a_time(&seeds, |_, &seed| {
        // Host loops at once, and kernels run block by block, in turn.
        let strategy = ["parallel", "cpu", "gpu"][(seed % 3) as usize];
        agrees(2_000_000 + seed, strategy)
    });
    let wrong: Vec<&str> = all
        .iter()
        .filter_map(|one| one.as_ref().err().map(String::as_str))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let done = all.iter().filter(|one| matches!(one, Ok(true))).count() as u64;
    println!("{done} of {most} random programs agree with the machine; the others have errors");
    assert!(done * 2 > most);
}

/// Random schemes, twenty to a program: a program takes a second to build.
#[test]
#[ignore = "it builds a program for every twenty schemes: NESTS=1000 takes minutes"]
fn many_random_schemes_give_the_bytes_of_the_machine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, out) = (folder.path().join("random.saa"), folder.path().join("out"));
    let mut seed = 4_000_000;
    let mut schemes = 0;
    while schemes < count(40) {
        let mut seeds: Vec<u64> = Vec::new();
        while seeds.len() < 20 {
            seed += 1;
            seeds.push(seed);
            std::fs::write(&file, joined(&seeds)).expect("a writable file");
            // One with an error, alone or after the others, is left out.
            if run(&file, "interpreter", "sequential", &out).is_err() {
                seeds.pop();
            }
        }
        for strategy in ["parallel", "cpu", "gpu"] {
            let same = same_bytes(&joined(&seeds), seed, strategy);
            assert_eq!(same, Ok(true));
        }
        schemes += 20;
        println!("{schemes} schemes");
    }
}

/// Several such schemes in one, which work on the same arrays one after the other.
fn joined(seeds: &[u64]) -> String {
    let (mut bodies, mut all_definitions) = (String::new(), String::new());
    for seed in seeds {
        let (body, definitions) = parts(*seed, true);
        // Each has phrases and LOCALs of its own.
        let own = |text: String| {
            text.replace("\"Mix cell (", &format!("\"Mix {seed} cell ("))
                .replace("\"Raise (", &format!("\"Raise {seed} ("))
                .replace("'Cell (", &format!("'Cell {seed} ("))
        };
        bodies.push_str(&format!("  IF K > 0 THEN\n{}  END IF;\n", own(body)));
        all_definitions.push_str(&own(definitions));
    }
    format!("{HEAD}{bodies}WHERE\n{all_definitions}END OF SCHEME \"random\"\n")
}
