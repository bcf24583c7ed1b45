//! Random schemes with loops that have a condition or a count, loops that become launches in them, and scalars
//! that go from round to round: counts, sums, what a later launch reads.

use super::choices::choices;

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
    "s := 0; t := 0; FOR (i FROM 0 TO N - 1) LOOP s := s + x[i]; t := t + y[i] * x[i] END OF LOOP",
    "u := 0; FOR (i FROM 0 TO N - 1) LOOP u := u + x[i] * v[i]; s := s + 1 END OF LOOP; t := u.x - u.y",
    "LOCAL a : REAL := s - t; IF a > 0 THEN w := a ELSE w := t END IF; s := 0.5 * w",
    "FOR (q FROM 1 TO 2) LOOP FOR (i FROM 0 TO N - 1) LOOP y[i] := 0.5 * y[i] + s END OF LOOP END OF LOOP",
    "FOR (q FROM 1 TO n) LOOP s := s + 0.5 * y[0] END OF LOOP",
    "j := 0; FOR (i FROM 0 TO N - 1) LOOP IF y[i] > s THEN j := j + 1; s := s + 0.25 END IF END OF LOOP",
    "j := 0; FOR (i FROM 0 TO N - 1) LOOP IF y[i] > 0 THEN j := j + 1 END IF; t := min(t, y[i]) END OF LOOP; s := s + j",
    "j := 0; FOR (i FROM 0 TO N - 1) LOOP IF y[i] > 1 THEN j := 1 END IF END OF LOOP; s := s + j",
    "w := 50; FOR (i FROM 0 TO N - 1) LOOP IF y[i] < w THEN w := y[i]; j := i END IF END OF LOOP; x[j] := x[j] + 0.5",
    "FOR (i FROM 1 TO M - 1) LOOP y[i] := 0.5 * x[i] - y[i] END OF LOOP",
    "FOR (i FROM 0 TO M) LOOP x[i] := 0.25 * y[i]; s := s + x[i] END OF LOOP",
];

/// Cells that one thread reaches, after each other, where a third of the schemes begin.
const CELLS: &str = "FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.5 * x[i] + 1 END OF LOOP;\nx[0] := 0.5 * x[0]; x[1] := x[0] + 1;\n";

/// A cell before a launch that does not reach it, with which their rounds end.
const CELL: &str = "x[2] := 0.25; FOR (i FROM 0 TO N - 1) LOOP y[i] := 0.5 * y[i] END OF LOOP";

/// What goes on while it holds.
const CONDITIONS: &[&str] = &[
    "k < 3",
    "k < 3 AND s < 40",
    "k < 4 AND y[0] < 6",
    "k < 0",
    "k < 18",
];

/// How many rounds a loop with a count has.
const COUNTS: &[&str] = &["3", "0", "1", "N", "18", "n"];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let mut body = vec!["FOR (i FROM 0 TO N - 1) LOOP y[i] := 0.5 * y[i] + x[i] END OF LOOP"];
    body.extend((0..below(4)).map(|_| OPERATORS[below(OPERATORS.len())]));
    let begun = if seed.is_multiple_of(3) { CELLS } else { "" };
    if seed.is_multiple_of(3) {
        body.push(CELL);
    }
    let condition = CONDITIONS[below(CONDITIONS.len())];
    let count = COUNTS[below(COUNTS.len())];
    let body = body.join(";\n");
    let rounds = match below(5) {
        0 => format!("k := 0;\nFOR (p FROM 1 TO {count}) LOOP\n{body};\nk := k + 1\nEND OF LOOP"),
        1 => format!("k := 2;\nFOR (p FROM 1 TO {count}) LOOP\n{body}\nEND OF LOOP"),
        _ => format!("k := 0;\nWHILE {condition} LOOP\n{body};\nk := k + 1\nEND OF LOOP"),
    };
    let text = match below(4) {
        0 => format!("FOR (r FROM 0 TO 1) LOOP\n{rounds};\nx[r] := s\nEND OF LOOP"),
        _ => rounds,
    };
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  M : INTEGER := 4\n  x, y : REAL [N] INPUT OUTPUT\n  \
         v : VECTOR [N] INPUT\n  u : VECTOR\n  s, t : REAL INPUT OUTPUT\n  n : INTEGER INPUT OUTPUT\n  k, j : INTEGER\n  w : REAL\n  \
         rounds : INTEGER OUTPUT\nEND OF DATA\n{begun}{text};\nrounds := k\nEND OF SCHEME \"random\"\n"
    )
}
