//! Random schemes with loops that use scalars of DATA for what an iteration computes, and some for more than that.

use super::choices::{choices, some_of};

/// What an iteration may do.
const OPERATORS: &[&str] = &[
    "s := 2 * x[i]; y[i] := s + 1",
    "s := x[i]; t := s * s; z[i] := t - s",
    "IF x[i] > 0 THEN s := x[i] ELSE s := 1 END IF; y[i] := y[i] + s",
    "k := m[i] + 1; z[i] := z[i] + k",
    "s := 0; FOR (j FROM 0 TO 3) LOOP s := s + x[j] * y[i] END OF LOOP; z[i] := s",
    "t := 1; FOR (j FROM 0 TO i) LOOP t := 0.5 * t + x[j] END OF LOOP; y[i] := t",
    "IF m[i] > 1 THEN s := x[i]; y[i] := s END IF",
    "y[i] := s; s := x[i]",
    "IF x[i] > 0.5 THEN t := x[i] END IF; z[i] := t",
    "n := n + m[i]",
    "FOR (j FROM 0 TO 2) LOOP s := x[j]; w[i, j] := s END OF LOOP",
];

/// What comes after the loop.
const AFTER: &[&str] = &[
    "",
    "y[0] := s",
    "s := 1; y[0] := s",
    "IF n > 2 THEN z[0] := t END IF",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let body = some_of(&mut below, OPERATORS, 2);
    let bounds = ["0 TO N - 1", "0 TO 4", "1 TO N - 6"][below(3)];
    let one = format!("FOR (i FROM {bounds}) LOOP {body} END OF LOOP");
    let text = match below(3) {
        0 => format!("FOR (r FROM 0 TO 2) LOOP {one}; x[r] := y[r] END OF LOOP"),
        _ => one,
    };
    let after = AFTER[below(AFTER.len())];
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  m : INTEGER [N] INPUT\n  \
         x, y, z : REAL [N] INPUT OUTPUT\n  w : REAL [N, 3] INPUT OUTPUT\n  s, t : REAL\n  k : INTEGER\n  n : INTEGER INPUT OUTPUT\n\
         END OF DATA\ns := 1; t := 2;\n{text};\n{after}\nEND OF SCHEME \"random\"\n"
    )
}
