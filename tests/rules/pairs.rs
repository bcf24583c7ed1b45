//! Random schemes of pairs: triangles of members of one set, rectangles of members of two, which add to cells of both.

use super::choices::choices;

/// What a pair adds; the same with `i` and `j` exchanged.
const ALIKE: &[&str] = &[
    "y[i] := y[i] + d; y[j] := y[j] - d",
    "y[i] := y[i] + m[j] * d; y[j] := y[j] - m[i] * d",
    "z[i] := z[i] + m[i] * m[j]; z[j] := m[i] * m[j] + z[j]",
    "LOCAL r : VECTOR := u[j] - u[i]; LOCAL f : REAL := 1 / (dot(r, r) + 0.1); \
     v[i] := v[i] + f * m[j] * r; v[j] := v[j] - f * m[i] * r",
    "v[i].y := v[i].y + d; v[j].y := v[j].y - d",
    "p[t, i] := p[t, i] + abs(d); p[t, j] := p[t, j] + abs(d)",
    "k[i] := k[i] + 1; k[j] := k[j] + 1",
    "IF abs(d) < 0.3 THEN y[i] := y[i] + d; y[j] := y[j] - d END IF",
    "IF d > 0.2 THEN w[i] := w[i] + 1; w[j] := w[j] - 1 ELSE IF d < -0.2 THEN w[j] := w[j] + 1; w[i] := w[i] - 1 END IF END IF",
    "FOR (c FROM 0 TO 2) LOOP q[i, c] := q[i, c] + c * abs(d); q[j, c] := q[j, c] + c * abs(d) END OF LOOP",
];

/// What else a pair of two sets adds.
const UNLIKE: &[&str] = &[
    "y[i] := y[i] + d",
    "z[j] := z[j] + m[i] * d",
    "v[j] := v[j] + d * u[i]",
    "k[j] := k[j] - 1",
    "IF i < j THEN w[j] := w[j] + m[j] END IF",
    "y[i] := y[i] + z[j]",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let size = ["1", "2", "5", "31", "33", "40", "64", "66"][below(8)];
    let bounds = [
        "0 TO n - 1",
        "0 TO n - 1",
        "1 TO n - 1",
        "0 TO n - 2",
        "2 TO 1",
    ];
    let outer = bounds[below(5)];
    let triangle = below(2) == 0;
    let (_, last) = outer.split_once(" TO ").expect("two bounds");
    let inner = match triangle {
        true => format!("i + 1 TO {last}"),
        false => bounds[below(5)].to_owned(),
    };
    let mut body = vec!["LOCAL d : REAL := x[j] - x[i]"];
    for _ in 0..1 + below(2) {
        body.push(match !triangle && below(2) == 0 {
            true => UNLIKE[below(UNLIKE.len())],
            false => ALIKE[below(ALIKE.len())],
        });
    }
    let body = body.join("; ");
    format!(
        "SCHEME \"random\" ====\nDATA\n  n : INTEGER := {size}\n  \
         x, m : REAL [n] INPUT\n  u : VECTOR [n] INPUT\n  v : VECTOR [n] INPUT OUTPUT\n  \
         y, z, w : REAL [n] INPUT OUTPUT\n  p : REAL [2, n] INPUT OUTPUT\n  \
         q : REAL [n, 3] INPUT OUTPUT\n  k : INTEGER [n] INPUT OUTPUT\nEND OF DATA\n\
         FOR (t FROM 0 TO 1) LOOP\n  FOR (i FROM {outer}) LOOP FOR (j FROM {inner}) LOOP\n{body}\n\
         END OF LOOP END OF LOOP\nEND OF LOOP\nEND OF SCHEME \"random\"\n"
    )
}
