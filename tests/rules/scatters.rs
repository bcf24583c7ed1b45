//! Random schemes with loops that add to cells at subscripts which nothing is known of.

use super::choices::choices;

/// What a loop may do in an iteration; `at` is between 0 and 3.
const OPERATORS: &[&str] = &[
    "k[at] := k[at] + 1",
    "k[at] := k[at] - m[i]",
    "k[3 - at] := 2 * i + k[3 - at]",
    "IF x[i] > 0 THEN l[at] := l[at] + at END IF",
    "t[at, i MOD 2] := t[at, i MOD 2] - 1",
    "y[at] := y[at] + x[i]",
    "y[at] := x[i] * x[i] + y[at]",
    "IF at > 1 THEN w[at] := w[at] - x[i] ELSE w[3 - at] := w[3 - at] + 1 END IF",
    "FOR (j FROM 0 TO at) LOOP w[j] := w[j] + x[j] END OF LOOP",
    "v[at] := v[at] - u[i]",
    "v[at].y := v[at].y + x[i]",
    "g[at] := max(g[at], x[i])",
    "IF at < 3 THEN h[at] := min(h[at], m[i] - i) END IF",
    "z[i] := z[i] + at",
    "k[at] := k[at] + l[0]",
    "s := s + x[i]",
    "z[i] := y[at]",
];

/// The same, said by a choice.
const CHOICES: &[(&str, [&str; 2])] = &[
    (
        "g[at] := max(g[at], x[i])",
        [
            "IF x[i] > g[at] THEN g[at] := x[i] END IF",
            "IF g[at] < x[i] THEN g[at] := x[i] END IF",
        ],
    ),
    (
        "h[at] := min(h[at], m[i] - i)",
        [
            "IF m[i] - i < h[at] THEN h[at] := m[i] - i END IF",
            "IF h[at] > m[i] - i THEN h[at] := m[i] - i END IF",
        ],
    ),
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let mut text = String::new();
    for _ in 0..1 + below(2) {
        let bounds = ["0 TO N - 1", "1 TO N - 1", "0 TO 4", "0 TO N - 6"][below(4)];
        // Loops that do more than to add, too, are few.
        let known = [13, OPERATORS.len()][usize::from(below(3) == 0)];
        let body: Vec<&str> = (0..1 + below(3)).map(|_| OPERATORS[below(known)]).collect();
        text.push_str(&format!(
            "FOR (i FROM {bounds}) LOOP LOCAL at : INTEGER := abs(m[i] MOD 4); {} END OF LOOP;\n",
            body.join("; ")
        ));
    }
    for (said, choices) in CHOICES {
        if let Some(choice) = (seed % 3).checked_sub(1) {
            text = text.replace(said, choices[choice as usize]);
        }
    }
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  m : INTEGER [N] INPUT\n  \
         x : REAL [N] INPUT\n  u : VECTOR [N] INPUT\n  z : REAL [N] INPUT OUTPUT\n  \
         h, k, l : INTEGER [4] INPUT OUTPUT\n  t : INTEGER [4, 2] INPUT OUTPUT\n  \
         g, y, w : REAL [4] INPUT OUTPUT\n  v : VECTOR [4] INPUT OUTPUT\n  s : REAL INPUT OUTPUT\nEND OF DATA\n\
         {text}s := s + 1\nEND OF SCHEME \"random\"\n"
    )
}
