//! Random schemes with loops that have a condition, loops that become launches in them, and scalars that
//! go from round to round: counts, sums, what a later launch reads.

use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// What a round may do.
const OPERATORS: &[&str] = &[
    "FOR (i FROM 0 TO N - 1) LOOP y[i] := 0.5 * y[i] + s END OF LOOP",
    "s := 0; FOR (i FROM 0 TO N - 1) LOOP s := s + y[i] END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP t := t + 0.5 * x[i] END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP t := max(t, y[i]) END OF LOOP",
    "w := 0.5 * s; FOR (i FROM 0 TO N - 1) LOOP y[i] := y[i] - w END OF LOOP",
    "w := t; t := 0.25 * s; s := w",
    "n := n + k",
    "y[0] := s",
    "j := n; IF k > 1 THEN s := s + j END IF",
];

/// What goes on while it holds.
const CONDITIONS: &[&str] = &[
    "k < 3",
    "k < 3 AND s < 40",
    "k < 4 AND y[0] < 6",
    "k < 0",
    "k < 18",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut below = |n: usize| (random.next_u64() % n as u64) as usize;
    let mut body = vec!["FOR (i FROM 0 TO N - 1) LOOP y[i] := 0.5 * y[i] + x[i] END OF LOOP"];
    body.extend((0..below(4)).map(|_| OPERATORS[below(OPERATORS.len())]));
    let condition = CONDITIONS[below(CONDITIONS.len())];
    let rounds = format!(
        "k := 0;\nWHILE {condition} LOOP\n{};\nk := k + 1\nEND OF LOOP",
        body.join(";\n")
    );
    let text = match below(4) {
        0 => format!("FOR (r FROM 0 TO 1) LOOP\n{rounds};\nx[r] := s\nEND OF LOOP"),
        _ => rounds,
    };
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  x, y : REAL [N] INPUT OUTPUT\n  \
         s, t : REAL INPUT OUTPUT\n  n : INTEGER INPUT OUTPUT\n  k, j : INTEGER\n  w : REAL\n  \
         rounds : INTEGER OUTPUT\nEND OF DATA\n{text};\nrounds := k\nEND OF SCHEME \"random\"\n"
    )
}
