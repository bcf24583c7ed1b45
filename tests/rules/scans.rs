//! Random schemes with scans: loops that read what they have gathered, several of them in a loop, and
//! arrays that are filled at a counter.

use super::choices::choices;

/// What a loop may carry.
const CARRIED: &[&str] = &[
    "k := k + m[i]",
    "k := k - 2 * m[i]",
    "s := s + x[i]",
    "t := t * (1 + x[i] / 8)",
    "a := max(a, x[i])",
    "IF x[i] < b THEN b := x[i] END IF",
    "IF m[i] > 2 THEN j := 7 END IF",
    "LOCAL p : INTEGER := m[i] + 1; k := k + p; o[i] := p",
    "IF x[i] > 0.5 THEN k := k + m[i] ELSE k := k - 1 END IF",
    "FOR (l FROM 0 TO i) LOOP k := k + m[l] END OF LOOP",
];

/// What it may do with what it carries, or beside it.
const USES: &[&str] = &[
    "u[i] := k",
    "o[i] := k + j",
    "y[i] := s",
    "z[i] := t + a",
    "z[i] := b - x[i]",
    "IF k > 5 THEN u[i] := 1 ELSE u[i] := k END IF",
    "y[i] := x[i]",
    "FOR (l FROM 0 TO 2) LOOP w[i, l] := k + l END OF LOOP",
];

/// Loops that fill arrays at a counter, and those that only seem to.
const FILLED: &[&str] = &[
    "IF x[i] > 0.3 THEN v[n] := m[i]; n := n + 1 END IF",
    "IF x[i] > 0.3 THEN n := n + 1; v[n] := m[i]; u[i] := n END IF",
    "v[n] := m[i]; IF x[i] > 0.3 THEN n := n + 1 END IF",
    "n := n + 1; v[n] := i; n := n + 2",
    "IF m[i] > 1 THEN FOR (l FROM 0 TO 1) LOOP v[n] := l; n := n + 1 END OF LOOP END IF",
    "v[n] := i; n := n + 1; v[n] := m[i]",
];

/// Loops that carry a cell.
const CELLS: &[&str] = &[
    "FOR (i FROM 1 TO N - 1) LOOP u[i] := u[i - 1] + m[i] END OF LOOP",
    "FOR (i FROM 1 TO N - 1) LOOP y[i] := y[i - 1] + x[i] * x[i - 1] END OF LOOP",
    "FOR (i FROM 1 TO N - 1) LOOP z[i] := max(z[i - 1], x[i]) END OF LOOP",
    "FOR (i FROM 1 TO N - 1) LOOP u[i] := u[i - 1] + u[i] END OF LOOP",
    "FOR (i FROM 0 TO N - 2) LOOP u[i + 1] := u[i] + m[i] END OF LOOP",
    "FOR (i FROM 0 TO N - 2) LOOP y[i + 1] := max(y[i], x[i]) END OF LOOP",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let bounds = ["0 TO N - 1", "1 TO N - 1", "0 TO 4"][below(3)];
    let body = match seed % 4 {
        0 => FILLED[below(FILLED.len())].to_owned(),
        1 => {
            let text = CELLS[below(CELLS.len())];
            return scheme(text);
        }
        _ => {
            let mut body: Vec<&str> = (0..1 + below(2))
                .map(|_| CARRIED[below(CARRIED.len())])
                .collect();
            for _ in 0..1 + below(3) {
                body.insert(below(body.len() + 1), USES[below(USES.len())]);
            }
            body.join("; ")
        }
    };
    scheme(&format!("FOR (i FROM {bounds}) LOOP {body} END OF LOOP"))
}

fn scheme(text: &str) -> String {
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  m : INTEGER [N] INPUT\n  \
         x : REAL [N] INPUT\n  y, z : REAL [N] INPUT OUTPUT\n  o, u : INTEGER [N] INPUT OUTPUT\n  \
         v : INTEGER [3 * N + 20] INPUT OUTPUT\n  w : INTEGER [N, 3] INPUT OUTPUT\n  \
         a, b, s, t : REAL INPUT OUTPUT\n  j, k, n : INTEGER INPUT OUTPUT\nEND OF DATA\n\
         {text};\na := a + 1\nEND OF SCHEME \"random\"\n"
    )
}
