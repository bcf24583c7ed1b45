//! Random schemes with loops that gather: sums and products of REALs, sums of INTEGERs, counts, minima,
//! maxima and flags, several in a loop.

use super::choices::{choices, some_of};

/// What a loop may do in an iteration.
const OPERATORS: &[&str] = &[
    "s := s + x[i] * x[i]",
    "t := t * (1 + x[i] / 8)",
    "k := k + m[i]",
    "k := k - 2 * m[i]",
    "n := n + 1",
    "IF x[i] > 0 THEN n := n + 1 END IF",
    "IF x[i] > 0 THEN k := k + m[i] END IF",
    "a := min(a, x[i])",
    "IF x[i] > b THEN b := x[i] END IF",
    "IF m[i] > 0 THEN j := 7 END IF",
    "y[i] := y[i] + x[i]",
    "FOR (l FROM 0 TO i) LOOP s := s - x[l] END OF LOOP",
    "FOR (l FROM i TO 4) LOOP n := n + 1 END OF LOOP",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let mut text = String::new();
    for _ in 0..1 + below(2) {
        let bounds = ["0 TO N - 1", "1 TO N - 1", "0 TO 4"][below(3)];
        let body = some_of(&mut below, OPERATORS, 4);
        text.push_str(&format!("FOR (i FROM {bounds}) LOOP {body} END OF LOOP;\n"));
    }
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  m : INTEGER [N] INPUT\n  \
         x : REAL [N] INPUT\n  y : REAL [N] INPUT OUTPUT\n  \
         a, b, s, t : REAL INPUT OUTPUT\n  j, k, n : INTEGER INPUT OUTPUT\nEND OF DATA\n\
         {text}a := a + 1\nEND OF SCHEME \"random\"\n"
    )
}
