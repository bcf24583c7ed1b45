//! Random schemes with rows that count, add integers to sums, and have nests of their own: what the threads of a block
//! share, in loops with fewer iterations than the loops inside, and with more.

use super::choices::{choices, some_of};

/// What a row does.
const OPERATORS: &[&str] = &[
    "FOR (i FROM 0 TO K - 1) LOOP IF x[i] > 0 THEN c := c + 1 END IF END OF LOOP",
    "FOR (i FROM 0 TO K - 1) LOOP c := c + m[i] + 1 END OF LOOP",
    "FOR (i FROM z TO K - 1) LOOP c := c + m[i] - 1; p := p + x[i] END OF LOOP",
    "FOR (i FROM 0 TO K - 1) LOOP c := c - m[i] - z; p := p + x[i] * z END OF LOOP",
    "FOR (i FROM 0 TO M - 1) LOOP LOCAL q : REAL := 0; FOR (j FROM 0 TO K - 1) LOOP q := q + x[j] * x[i] END OF LOOP; \
     p := p + q * q END OF LOOP",
    "FOR (i FROM 0 TO M - 1) LOOP LOCAL d : INTEGER := 0; FOR (j FROM 0 TO K - 1) LOOP \
     IF x[j] > x[i] THEN d := d + 1 END IF END OF LOOP; c := c + d END OF LOOP",
    "FOR (i FROM 0 TO K - 1) LOOP FOR (j FROM i TO M - 1) LOOP p := p + x[j] * x[i] END OF LOOP END OF LOOP",
    "p := p + c + z",
    "p := p - c + 0.5",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let body = some_of(&mut below, OPERATORS, 3);
    let end = [
        "total := total + p + c - 0.5 * z",
        "y[z] := p + c",
        "total := total + p; n := n + c - z",
    ][below(3)];
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := {}\n  M : INTEGER := {}\n  K : INTEGER := 33\n  \
         m : INTEGER [K] INPUT\n  x : REAL [K] INPUT\n  w : REAL [M] INPUT\n  y : REAL [N] INPUT OUTPUT\n  total : REAL INPUT OUTPUT\n  \
         n : INTEGER INPUT OUTPUT\nEND OF DATA\nFOR (z FROM 0 TO N - 1) LOOP\n\
         LOCAL c : INTEGER := 0; LOCAL p : REAL := 0;\n{};\n{end}\nEND OF LOOP\nEND OF SCHEME \"random\"\n",
        1 + below(5),
        1 + below(33),
        body
    )
}
