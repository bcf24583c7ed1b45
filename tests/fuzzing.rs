//! What the fuzzers of `fuzz/` run, here over seeds and some mutations of each: readers refuse what
//! they cannot read, and what they read is printed and read back the same.
//!
//! `MUTATIONS=100000 cargo test --release --test fuzzing` tries more of them.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use glushkov::algebra::Language;
use glushkov::data::{Array, Values, write_npy};
use glushkov::derive::library::{RULES, SCHEMES};
use glushkov::flowgraph::graph_of;
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::process::Command;

const GOTOS: &str = "GRAPH \"g\" ====
  1: IF 'u' THEN 2 ELSE 3
  2: \"A\" NEXT 3
  3: FOR (i FROM 1 TO N) LOOP
    4: IF 'v (i)' THEN 5 ELSE 6
    5: \"B (i)\" NEXT 6
    6: IF 'w (i)' THEN 5 ELSE STOP
  END OF LOOP NEXT 7
  7: IF 'x' THEN 2 ELSE STOP
END OF GRAPH \"g\"
";

/// What mutations put in.
const WORDS: &[&str] = &[
    "GIVEN d IN {1, 2}",
    "GIVEN IF d = 1 THEN",
    "GIVEN FOR (k FROM 1 TO d)",
    "END GIVEN",
    "{k}",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    "«",
    "»",
    "‘",
    "’",
    ";",
    ":=",
    "====",
    "->",
    "$x",
    "$x..",
    "#@law",
    "#@rule(r)",
    "IF ",
    "THEN ",
    "END IF",
    "FOR (i FROM 0 TO N) LOOP ",
    "END OF LOOP",
    "LOCAL x : REAL := ",
    "PARALLEL (",
    "RunKernel (1, 2) (",
    "BARRIER",
    "WHERE ",
    "-9223372036854775808",
    "9223372036854775808",
    "1e999",
    "0.0",
    "ДЛЯ ",
    "⟨",
    ">>",
    "∏(i = 1..N) ",
    "∨̇",
    "NEXT 2",
    "NEXT STOP",
    "THEN 1 ELSE 2",
    "DICTIONARY ",
    "′",
    "ʼ",
    "\0",
    "\u{feff}",
    "null",
    "-1",
    "4294967296",
    "\"steps\":[",
    "\u{202e}",
    "MOD 0",
    ".x",
    "^ -1",
    "//",
    "#",
    "\n",
];

fn mutated(seeds: &[Vec<u8>], random: &mut Pcg64) -> Vec<u8> {
    let mut below = |n: usize| (random.next_u64() % n.max(1) as u64) as usize;
    let mut data = seeds[below(seeds.len())].clone();
    for _ in 0..1 + below(4) {
        let at = below(data.len() + 1);
        let to = (at + below(40)).min(data.len());
        match below(6) {
            0 => drop(data.drain(at..to)),
            1 => {
                let again = data[at..to].to_vec();
                data.splice(at..at, again);
            }
            2 => {
                let other = &seeds[below(seeds.len())];
                let from = below(other.len());
                let part = other[from..(from + below(60)).min(other.len())].to_vec();
                data.splice(at..to, part);
            }
            3 if at < data.len() => data[at] = below(256) as u8,
            _ => {
                let word = WORDS[below(WORDS.len())];
                data.splice(at..at, word.bytes());
            }
        }
    }
    data
}

/// Runs a target over seeds and so many mutations of them.
fn run(target: fn(&[u8]), seeds: &[Vec<u8>], usual: usize) {
    for seed in seeds {
        target(seed);
    }
    let asked = std::env::var("MUTATIONS").ok().and_then(|n| n.parse().ok());
    let mut random = Pcg64::seed_from_u64(7);
    for _ in 0..asked.unwrap_or(usual) {
        let data = mutated(seeds, &mut random);
        if std::panic::catch_unwind(|| target(&data)).is_err() {
            panic!("breaks on:\n{}", String::from_utf8_lossy(&data));
        }
    }
}

fn texts(of: &[(&str, &str)]) -> Vec<Vec<u8>> {
    of.iter()
        .map(|(_, text)| text.as_bytes().to_vec())
        .collect()
}

#[test]
fn schemes() {
    run(targets::scheme, &texts(SCHEMES), 800);
}

/// Formulas and graphs of the library, and a graph with gotos.
#[test]
fn formulas_and_graphs() {
    let mut seeds = vec![GOTOS.as_bytes().to_vec()];
    for (path, text) in SCHEMES {
        let mut sources = Sources::default();
        let file = sources.add(*path, *text);
        let mut terms = Terms::new();
        let (items, _) = read_file(&sources, file, &mut terms);
        let style = |notation| Style {
            notation,
            language: Language::English,
            comments: false,
        };
        seeds.push(print(&terms, items[0], style(Notation::Formula)).into_bytes());
        let graph = graph_of(&mut terms, items[0]);
        seeds.push(print(&terms, graph, style(Notation::Text)).into_bytes());
    }
    run(targets::scheme, &seeds, 600);
}

#[test]
fn rule_files() {
    run(targets::rules, &texts(RULES), 600);
}

#[test]
fn terms_and_expressions() {
    let seeds = [
        "f(a, [h:t], {x, y}, $v, $s..)",
        "1 + 2 * -3 ^ 4 - (a / b) % c",
        "Then(Assign(x, 1.5e-7), If(Less(i, n), Empty, Undefined), \"a \\\"text\\\"\")",
        "a[i + 1, 2 * j].x - vector(1, y, -z).y ^ 2",
        "x <> 1 AND NOT 'p (a) q (b, c)' OR TRUE",
        "select(a < 1.5e3, min(a, b), -b) MOD 7",
        "`quoted name`(1, !a && b || c == d)",
    ];
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|s| s.as_bytes().to_vec()).collect();
    run(targets::term, &seeds, 4000);
}

#[test]
fn arrays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.npy");
    let arrays = [
        Array::new(vec![3], Values::Bool(vec![true, false, true])),
        Array::new(vec![2, 1], Values::I32(vec![i32::MIN, 7])),
        Array::new(vec![], Values::I64(vec![i64::MAX])),
        Array::new(vec![1, 2, 2], Values::F64(vec![0.1, -0.0, 1e-320, 4.0])),
    ];
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for array in arrays {
        write_npy(&path, &array.expect("an array")).expect("a file");
        let bytes = std::fs::read(&path).expect("a file");
        let fortran = String::from_utf8_lossy(&bytes[10..]).replace("False", "True ");
        seeds.push([&bytes[..10], fortran.as_bytes()].concat());
        seeds.push(bytes);
    }
    run(targets::npy, &seeds, 3000);
}

#[test]
fn derivations() {
    let folder = tempfile::tempdir().expect("a folder");
    let scheme = folder.path().join("s.saa");
    let text = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  x : REAL [N] OUTPUT\nEND OF DATA\n  \
                FOR (i FROM 0 TO N - 1) LOOP x[i] := i END OF LOOP\nEND OF SCHEME \"s\"\n";
    std::fs::write(&scheme, text).expect("a file");
    let mut seeds = Vec::new();
    for strategy in ["sequential", "parallel", "gpu"] {
        let saved = folder.path().join("d.json");
        let done = Command::new(env!("CARGO_BIN_EXE_glushkov"))
            .args(["derive", "--strategy", strategy, "--save"])
            .args([&saved, &scheme])
            .output()
            .expect("the tool runs");
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        seeds.push(std::fs::read(&saved).expect("a derivation"));
    }
    run(targets::derivation, &seeds, 1500);
}
