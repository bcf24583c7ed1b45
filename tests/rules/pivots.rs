//! Random schemes with loops in which one iteration writes what the others read: a row or a cell that is added to all, or
//! that all are divided by.

use super::choices::{choices, some_of};

/// What an iteration over cells may do.
const CELLS: &[&str] = &[
    "y[i] := y[i] - y[p] / 4",
    "y[i] := min(y[i], y[2] + x[i])",
    "x[i] := x[i] + x[N - 1] / 8",
    "y[i] := y[i] + x[i]",
    "IF i <> p THEN y[i] := y[i] + y[p] END IF",
    "x[i] := x[p] - x[i] / 2",
];

/// The same of one over the cells of a plane.
const PLANES: &[&str] = &[
    "d[i, j] := min(d[i, j], d[i, k] + d[k, j])",
    "d[i, j] := d[i, j] - d[i, k] * d[k, j] / 16",
    "d[i, j] := d[i, j] + d[0, j] / 8",
    "d[i, j] := max(d[i, j], d[i, N - 1])",
    "IF d[i, k] > 0 THEN d[i, j] := d[i, j] - d[k, j] / 4 END IF",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let mut text = String::new();
    for _ in 0..1 + below(2) {
        let bounds = ["0 TO N - 1", "1 TO N - 1", "0 TO N - 2", "p TO N - 1"][below(4)];
        let cells = some_of(&mut below, CELLS, 2);
        let planes = some_of(&mut below, PLANES, 1);
        let of_plane = format!(
            "FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM 0 TO N - 1) LOOP {planes} END OF LOOP END OF LOOP"
        );
        text.push_str(&match below(3) {
            0 => format!("FOR (i FROM {bounds}) LOOP {cells} END OF LOOP;\n"),
            1 => format!(
                "FOR (p FROM 0 TO N - 1) LOOP FOR (i FROM {bounds}) LOOP {cells} END OF LOOP END OF LOOP;\n"
            ),
            _ => format!("FOR (k FROM 0 TO N - 1) LOOP {of_plane} END OF LOOP;\n"),
        });
    }
    let size = 1 + below(9);
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := {size}\n  d : REAL [N, N] INPUT OUTPUT\n  \
         x, y : REAL [N + 2] INPUT OUTPUT\n  p : INTEGER OUTPUT\nEND OF DATA\np := N / 2;\n\
         {text}x[0] := x[0] + 1\nEND OF SCHEME \"random\"\n"
    )
}
