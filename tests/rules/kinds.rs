//! Random schemes of pairs of members that have kinds, with tables of coefficients for two kinds, in a loop of rounds.

use super::choices::{choices, some_of};

/// The kind of member i: in runs, in turns, all the same, or anyhow.
const KINDS: &[&str] = &[
    "0",
    "1",
    "i / 40 MOD 2",
    "i MOD 2",
    "(i * 7 + 2) MOD 5 / 3",
    "min(i, 1)",
    "i / 33 MOD K",
    "(i * i + i) MOD 7 MOD K",
];

/// What a pair adds; the same with `i` and `j` exchanged.
const ALIKE: &[&str] = &[
    "LOCAL f : REAL := c[kind[i], kind[j]] * d; y[i] := y[i] + f; y[j] := y[j] - f",
    "LOCAL f : REAL := pow(c[kind[i], kind[j]] * abs(d), e[kind[i], kind[j]]); z[i] := z[i] + f; z[j] := z[j] + f",
    "LOCAL r : VECTOR := u[j] - u[i]; LOCAL f : REAL := pow(c[kind[i], kind[j]] / (dot(r, r) + 0.5), 1.5); \
     v[i] := v[i] + f * m[j] * r; v[j] := v[j] - f * m[i] * r",
    "IF abs(d) < c[kind[i], kind[j]] THEN w[i] := w[i] + 1; w[j] := w[j] + 1 END IF",
    "y[i] := y[i] + t[kind[i]] * t[kind[j]] * d; y[j] := y[j] - t[kind[j]] * t[kind[i]] * d",
];

/// What a round does beside.
const BESIDE: &[&str] = &[
    "",
    "FOR (i FROM 0 TO n - 1) LOOP x[i] := x[i] / 2 + y[i] / 64 END OF LOOP",
    "FOR (i FROM 0 TO n - 1) LOOP kind[i] := K - 1 - kind[i] END OF LOOP",
    "IF s = 1 THEN kind[0] := 0 END IF",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let size = ["1", "2", "31", "64", "70", "128", "130", "192"][below(8)];
    let kinds = 2 + below(3) / 2;
    let table = match kinds {
        2 => ["[0.5, 0.25, 0.25, 1]", "[9.3, 2.5, 2.5, 1.25]", "[1, -0.5]"],
        _ => [
            "[0.5, 0.25, 1, 0.25, 2, 0.5, 1, 0.5, 0.75]",
            "[2, 1, 3, 1, 2.5, 1.5, 3, 1.5, 0.5]",
            "[1, -0.5, 0.25]",
        ],
    };
    let bounds = ["0 TO n - 1", "0 TO n - 1", "1 TO n - 1", "2 TO 1"][below(4)];
    let (_, last) = bounds.split_once(" TO ").expect("two bounds");
    let kind = KINDS[below(KINDS.len())];
    let body = some_of(&mut below, ALIKE, 2);
    let beside = BESIDE[below(BESIDE.len())];
    let rounds = below(4);
    let [c, e, t] = table;
    format!(
        "SCHEME \"random\" ====\nDATA\n  n : INTEGER := {size}\n  K : INTEGER := {kinds}\n  R : INTEGER := {rounds}\n  \
         kind : INTEGER [n]\n  x, m : REAL [n] INPUT OUTPUT\n  u : VECTOR [n] INPUT\n  v : VECTOR [n] INPUT OUTPUT\n  \
         y, z, w : REAL [n] INPUT OUTPUT\n  c : REAL [{kinds}, {kinds}] := {c}\n  e : REAL [{kinds}, {kinds}] := {e}\n  \
         t : REAL [{kinds}] := {t}\nEND OF DATA\n\
         FOR (i FROM 0 TO n - 1) LOOP kind[i] := min({kind}, K - 1) END OF LOOP;\n\
         FOR (s FROM 1 TO R) LOOP\n  FOR (i FROM {bounds}) LOOP FOR (j FROM i + 1 TO {last}) LOOP\n\
         LOCAL d : REAL := x[j] - x[i]; {body}\nEND OF LOOP END OF LOOP{}{beside}\nEND OF LOOP\nEND OF SCHEME \"random\"\n",
        if beside.is_empty() { "" } else { ";\n" },
    )
}
