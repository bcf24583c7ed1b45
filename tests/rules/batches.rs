//! Random schemes of systems that do not meet each other, each with loops over its members and their
//! pairs: what becomes one launch for all systems, and what must not, since systems do meet.

use super::choices::choices;

/// What a system does.
const OPERATORS: &[&str] = &[
    "FOR (i FROM 0 TO N - 1) LOOP x[z, i] := 0.5 * y[z, i] END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP y[z, i] := x[z, N - 1 - i] + 0.25 END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM 0 TO N - 1) LOOP IF j <> i THEN \
     x[z, i] := x[z, i] + y[z, j] * y[z, i] END IF END OF LOOP END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP x[z, i] := 0; FOR (j FROM 0 TO N - 1) LOOP IF j <> i THEN \
     LOCAL d : REAL := y[z, j] - y[z, i]; x[z, i] := x[z, i] + d * d * d END IF END OF LOOP END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM i + 1 TO N - 1) LOOP LOCAL d : REAL := y[z, j] - y[z, i]; \
     x[z, i] := x[z, i] + d; x[z, j] := x[z, j] - d END OF LOOP END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM i + 1 TO N - 1) LOOP LOCAL d : REAL := y[z, j] * y[z, i]; \
     w[i, z] := w[i, z] + d; w[j, z] := w[j, z] + d END OF LOOP END OF LOOP",
    // Systems meet.
    "FOR (i FROM 0 TO N - 1) LOOP x[z, i] := y[S - 1 - z, i] END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM i + 1 TO N - 1) LOOP LOCAL d : REAL := y[z, j] - y[z, i]; \
     q[i] := q[i] + d; q[j] := q[j] - d END OF LOOP END OF LOOP",
    "FOR (i FROM 0 TO N - 1) LOOP y[0, i] := x[z, i] END OF LOOP",
    // The pair of one array with different further subscripts.
    "FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM i + 1 TO N - 1) LOOP LOCAL d : REAL := y[z, j] - y[z, i]; \
     x[z, i] := x[z, i] + d; x[S - 1 - z, j] := x[S - 1 - z, j] - d END OF LOOP END OF LOOP",
    "LOCAL e : REAL := 0; FOR (i FROM 0 TO N - 1) LOOP e := e + y[z, i] END OF LOOP; \
     FOR (i FROM 0 TO N - 1) LOOP x[z, i] := x[z, i] * e END OF LOOP",
    // Later systems read what earlier ones have written, by launches of different sizes.
    "FOR (i FROM z + 1 TO S - 1) LOOP q[i] := q[i] + 0.5 * q[z] END OF LOOP",
    "FOR (i FROM z + 1 TO S - 1) LOOP y[i, 0] := 0.5 * y[i, 0] END OF LOOP; \
     FOR (i FROM z + 1 TO S - 1) LOOP FOR (j FROM 0 TO N - 1) LOOP x[i, j] := x[i, j] - y[i, 0] * x[z, j] \
     END OF LOOP END OF LOOP",
    "FOR (i FROM 0 TO n[z] - 1) LOOP x[z, i] := 1 END OF LOOP",
    "FOR (i FROM 0 TO z) LOOP x[z, i] := x[z, i] + 1 END OF LOOP",
    "IF y[z, 0] < 0.5 THEN x[z, 0] := 2 END IF",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let body: Vec<&str> = (0..1 + below(3))
        .map(|_| OPERATORS[below(OPERATORS.len())])
        .collect();
    let (first, last) = [("0", "S - 1"), ("1", "S - 1"), ("S - 1", "0"), ("0", "1")][below(4)];
    let body = format!(
        "FOR (z FROM {first} TO {last}) LOOP\n{}\nEND OF LOOP",
        body.join(";\n")
    );
    let text = match below(4) {
        0 => format!("FOR (t FROM 0 TO 1) LOOP\n{body}\nEND OF LOOP"),
        _ => body,
    };
    format!(
        "SCHEME \"random\" ====\nDATA\n  S : INTEGER := 3\n  N : INTEGER := {}\n  \
         x, y : REAL [S, N] INPUT OUTPUT\n  w : REAL [N, S] INPUT OUTPUT\n  q : REAL [N + S] INPUT OUTPUT\n  \
         n : INTEGER [S] INPUT\nEND OF DATA\n{text}\nEND OF SCHEME \"random\"\n",
        below(10)
    )
}
