//! Random schemes with loops that gather in other words: searches that keep a place alone, whether all hold or one does,
//! and bounds that something assigns.

use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// What a loop may do.
const BODIES: &[&str] = &[
    "IF x[i] > x[k] THEN k := i END IF",
    "IF m[k] > m[i] THEN k := i END IF",
    "IF x[i] * x[i] < x[k] * x[k] THEN k := i END IF",
    "IF m[i] >= m[k] THEN k := i END IF",
    "b := b AND x[i] < 1",
    "b := m[i] > 0 AND b",
    "b := b OR m[i] > 1; n := n + 1",
    "b := b OR x[i] * x[i] > 1",
    "j := max(j, m[i]); b := b AND m[i] < 3",
    "n := n + m[i] MOD 3",
    "y[i] := x[i]",
];

/// Where it may begin, and where it may end.
const BOUNDS: [&[&str]; 2] = [&["0", "1", "f"], &["N - 1", "N - 1", "e"]];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut one_of = |all: &[&'static str]| all[(random.next_u64() % all.len() as u64) as usize];
    let (from, to, body) = (one_of(BOUNDS[0]), one_of(BOUNDS[1]), one_of(BODIES));
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  m : INTEGER [N] INPUT\n  \
         x : REAL [N] INPUT\n  y : REAL [N] INPUT OUTPUT\n  j : INTEGER INPUT OUTPUT\n  \
         k, n : INTEGER OUTPUT\n  b : BOOLEAN\nEND OF DATA\n\
         k := 0; n := 0; b := m[1] > 0;\n\
         LOCAL e : INTEGER := N - 1; IF m[0] > 0 THEN e := e - 2 END IF;\n\
         LOCAL f : INTEGER := 0; IF m[1] > 0 THEN f := 1 END IF;\n\
         FOR (i FROM {from} TO {to}) LOOP {body} END OF LOOP;\n\
         IF b THEN n := n + 1 END IF\nEND OF SCHEME \"random\"\n"
    )
}
