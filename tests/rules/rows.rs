//! Random schemes with sums, extremes and counts along the rows and columns of matrices: of each row, of the whole, and of
//! rows that follow from each other.

use super::choices::{choices, some_of};

/// What a row may gather, and from what.
const GATHERED: &[&str] = &[
    "s := s + w[i, j] * x[j]",
    "s := s - x[j]",
    "t := t * (1 + w[i, j] / 8)",
    "s := max(s, w[i, j] + x[j])",
    "t := min(t, w[i, j])",
    "IF w[i, j] > 0 THEN n := n + 1 END IF",
    "n := n + m[j]",
    "n := n - m[j]",
    "IF x[j] > 0 THEN n := n - 3 * m[j] + j END IF",
    "s := s + w[j MOD 3, i MOD (M + 1)]",
    "s := s + x[m[j]]",
    "IF w[i, j] < t THEN t := w[i, j]; n := j END IF",
    "v := v + real64(w[i, j]) * x[j]",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let mut text = String::new();
    for _ in 0..1 + below(2) {
        let body = some_of(&mut below, GATHERED, 2);
        let bounds = ["0 TO M - 1", "1 TO M - 1", "0 TO M - 1 - i", "0 TO M"][below(4)];
        let row = format!("FOR (j FROM {bounds}) LOOP {body} END OF LOOP");
        let locals = "LOCAL s : REAL := 1; LOCAL t : REAL := x[0]; LOCAL n : INTEGER := 0; LOCAL v : REAL64 := 0";
        let after = "y[i] := s + t; k[i] := n; u[i] := v";
        text.push_str(&match below(4) {
            0 => format!("i := 0; s := 1; t := 2; n := 0; v := 0;\n{row};\n"),
            1 => format!(
                "FOR (i FROM 0 TO 2) LOOP {locals}; {row}; {after}; x[i MOD (M + 1)] := y[i] / 16 END OF LOOP;\n"
            ),
            _ => format!("FOR (i FROM 0 TO 2) LOOP {locals}; {row}; {after} END OF LOOP;\n"),
        });
    }
    let size = below(14);
    format!(
        "SCHEME \"random\" ====\nDATA\n  M : INTEGER := {size}\n  w : REAL [3, M + 1] INPUT\n  \
         m : INTEGER [M + 1]\n  x : REAL [M + 1] INPUT OUTPUT\n  y : REAL [3] OUTPUT\n  k : INTEGER [3] OUTPUT\n  \
         u : REAL64 [3] OUTPUT\n  s, t : REAL OUTPUT\n  i, n : INTEGER OUTPUT\n  v : REAL64 OUTPUT\nEND OF DATA\n\
         FOR (j FROM 0 TO M) LOOP m[j] := 4 * j MOD (M + 1) END OF LOOP;\n\
         FOR (j FROM 0 TO 2) LOOP y[j] := 0; k[j] := 0; u[j] := 0 END OF LOOP;\n\
         s := 0; t := 0; i := 0; n := 0; v := 0;\n{text}x[0] := x[0] + 1\nEND OF SCHEME \"random\"\n"
    )
}
