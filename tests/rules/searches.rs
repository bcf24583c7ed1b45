//! Random schemes with loops that find something and where it was, with arrays that iterations have to
//! themselves, and with sums of REALs for each member.

use super::choices::choices;

/// What a loop may find.
const SEARCHES: &[&str] = &[
    "IF x[i] < a THEN a := x[i]; j := i END IF",
    "IF m[i] > k THEN k := m[i]; n := i; j := j + 1 END IF",
    "IF m[i] > 0 AND b < x[i] THEN j := m[i]; b := x[i] END IF",
    "IF m[i] > k THEN n := i; k := m[i]; a := x[i] END IF",
    "IF m[i] <= k THEN k := m[i]; n := i END IF",
    "IF x[i] > 0 THEN IF m[i] > k THEN k := m[i]; n := i END IF END IF",
];

/// What an iteration may do with an array of four cells.
const STEPS: &[&str] = &[
    "FOR (l FROM 0 TO 3) LOOP o[l] := l * x[i] END OF LOOP",
    "FOR (l FROM 0 TO N - 1) LOOP o[l MOD 4] := o[l MOD 4] + x[l] END OF LOOP",
    "FOR (l FROM 0 TO 3) LOOP z[i, l] := o[3 - l] * 2 END OF LOOP",
    "FOR (l FROM 0 TO 3) LOOP y[i] := y[i] + o[l] END OF LOOP",
    "LOCAL p : REAL := o[i MOD 4]; y[i] := p * p",
];

/// What may be added for a member.
const SUMS: &[&str] = &[
    "s1 := s1 + x[l] * x[i]",
    "s1 := s1 + x[l] - x[i]",
    "IF l <> i THEN s2 := s2 + x[l] * x[l] END IF",
];

/// What may be found for a member.
const OWN: &[&str] = &[
    "IF x[l] * x[i] < c THEN c := x[l] * x[i]; w := l END IF",
    "IF l <> i AND x[l] > c THEN w := l; c := x[l] END IF",
    "IF m[l] * 0.5 > c THEN c := m[l] * 0.5; w := m[i] + l END IF",
    "c := max(c, x[l] - x[i])",
    "w := w + 1; c := min(c, x[l])",
];

/// What may be done beside it.
const BESIDE: &str = "v := v + x[l] * x[i]";

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let text = match seed % 4 {
        0 => {
            let bounds = ["0 TO N - 1", "1 TO N - 1"][below(2)];
            let search = SEARCHES[below(SEARCHES.len())];
            let more = ["", "; s := s + x[i]", "; y[i] := x[i]"][below(3)];
            format!("FOR (i FROM {bounds}) LOOP {search}{more} END OF LOOP")
        }
        1 => {
            let steps: Vec<&str> = (0..1 + below(3))
                .map(|_| STEPS[1 + below(STEPS.len() - 1)])
                .collect();
            let steps = [&STEPS[..1], &steps].concat().join("; ");
            format!("FOR (i FROM 0 TO N - 1) LOOP ARRAY o : REAL [4] IN ( {steps} ) END OF LOOP")
        }
        2 => {
            let from = ["0", "i + 1"][below(2)];
            let found = OWN[below(OWN.len())];
            let steps = [&[found][..], &[BESIDE, found], &[found, BESIDE]][below(3)].join("; ");
            format!(
                "FOR (i FROM 0 TO N - 1) LOOP LOCAL c : REAL := 0.5; LOCAL w : INTEGER := -1; LOCAL v : REAL := 0; \
                 FOR (l FROM {from} TO N - 1) LOOP {steps} END OF LOOP; \
                 y[i] := c + v; z[i, 1] := w END OF LOOP"
            )
        }
        _ => {
            let adds: Vec<&str> = (0..1 + below(2)).map(|_| SUMS[below(SUMS.len())]).collect();
            format!(
                "FOR (i FROM 0 TO N - 1) LOOP LOCAL s1 : REAL := 0; LOCAL s2 : REAL := 0; \
                 FOR (l FROM 0 TO N - 1) LOOP {} END OF LOOP; y[i] := s1 - s2 END OF LOOP",
                adds.join("; ")
            )
        }
    };
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 5\n  m : INTEGER [N] INPUT\n  \
         x : REAL [N] INPUT\n  y : REAL [N] INPUT OUTPUT\n  z : REAL [N, 4] INPUT OUTPUT\n  \
         a, b, s : REAL INPUT OUTPUT\n  j, k, n : INTEGER INPUT OUTPUT\nEND OF DATA\n\
         {text};\na := a + 1\nEND OF SCHEME \"random\"\n"
    )
}
