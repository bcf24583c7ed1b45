//! Random schemes as transforms in place, sorting networks and sieves are written: blocks whose length doubles, steps that
//! are no numbers, partners by exclusive or, what a loop does if a cell says so, and rows that stand beside each other. Many
//! of them have blocks that overlap.

use super::choices::{choices, some_of};

/// What a pair of cells does, where p and o are their places.
const PAIRS: &[&str] = &[
    "LOCAL u : REAL := x[p]; x[p] := u + x[o] / 2; x[o] := u - x[o]",
    "IF x[p] > x[o] THEN LOCAL u : REAL := x[p]; x[p] := x[o]; x[o] := u END IF",
    "x[o] := x[o] + x[p] / 4",
    "y[p] := x[o]; x[o] := y[p] / 2 + 1",
    "x[p] := max(x[p], x[o])",
];

/// Loops over pairs, for a block length of the variable g.
const LOOPS: &[&str] = &[
    "FOR (b FROM 0 TO N / (2 * g) - 1) LOOP FOR (k FROM 0 TO g - 1) LOOP LOCAL p : INTEGER := b * 2 * g + k; \
     LOCAL o : INTEGER := p + g; BODY END OF LOOP END OF LOOP",
    "FOR (b FROM 0 TO N / (2 * g) - 1) LOOP LOCAL f : INTEGER := g * b * 2; FOR (k FROM 0 TO g - 1) LOOP \
     LOCAL p : INTEGER := f + k; LOCAL o : INTEGER := f + k + g; BODY END OF LOOP END OF LOOP",
    "FOR (b FROM 0 TO N / (2 * g) - 1) LOOP FOR (k FROM 0 TO g) LOOP LOCAL p : INTEGER := b * 2 * g + k; \
     LOCAL o : INTEGER := (p + g) MOD N; BODY END OF LOOP END OF LOOP",
    "FOR (b FROM 0 TO N / (2 * g) - 1) LOOP FOR (k FROM 0 TO g - 1) LOOP LOCAL p : INTEGER := b * g + k; \
     LOCAL o : INTEGER := p + g; BODY END OF LOOP END OF LOOP",
    "FOR (b FROM 0 TO N - 1 STEP 2 * g) LOOP FOR (k FROM 0 TO g - 1) LOOP LOCAL p : INTEGER := b + k; \
     LOCAL o : INTEGER := b + k + g; BODY END OF LOOP END OF LOOP",
    "FOR (b FROM 0 TO N - 1 STEP g) LOOP FOR (k FROM 0 TO g - 1) LOOP LOCAL p : INTEGER := min(b + k, N - 1); \
     LOCAL o : INTEGER := (p + g) MOD N; BODY END OF LOOP END OF LOOP",
    "FOR (p FROM 0 TO N - 1) LOOP LOCAL o : INTEGER := bit_xor(p, g); IF o > p AND o < N THEN BODY END IF END OF LOOP",
    "FOR (p FROM 0 TO N - 1) LOOP LOCAL o : INTEGER := bit_xor(g, p); IF o < N THEN BODY END IF END OF LOOP",
    "FOR (p FROM 0 TO N - 1) LOOP LOCAL o : INTEGER := min(bit_xor(p, g), N - 1); IF o > p THEN BODY END IF END OF LOOP",
    "FOR (p FROM 1 TO N - 1 STEP g) LOOP LOCAL o : INTEGER := p - 1; BODY END OF LOOP",
    "FOR (p FROM 0 TO N - 1 STEP g) LOOP x[p] := x[p] / 2 + g END OF LOOP",
    "FOR (p FROM 0 TO N - 1) LOOP IF x[p] > 0 THEN FOR (q FROM p TO N - 1 STEP g) LOOP y[q] := y[q] + 1 END OF LOOP; \
     FOR (q FROM 0 TO N - 1) LOOP x[q] := x[q] - y[q] / 8 END OF LOOP END IF END OF LOOP",
    "FOR (p FROM 0 TO N - 1) LOOP FOR (q FROM 0 TO N - 1) LOOP x[q] := x[q] + y[q] / 8 END OF LOOP; \
     IF x[p] < 1 THEN x[p] := 1; y[0] := x[p] ELSE x[0] := x[p] / 2 END IF END OF LOOP",
    "FOR (i FROM 0 TO g - 1) LOOP LOCAL e : REAL := 2 * x[i]; LOCAL h : INTEGER := 3 * i; \
     FOR (j FROM 0 TO N - 1) LOOP d[i, j] := d[i, j] + e * h - j END OF LOOP END OF LOOP",
];

/// What a row gathers.
const ROWS: &[&str] = &[
    "LOCAL s : REAL := 0; FOR (j FROM 0 TO N - 1) LOOP s := s + d[i, j] END OF LOOP",
    "LOCAL s : REAL := d[i, 0]; FOR (j FROM 1 TO N - 1) LOOP s := max(s, d[i, j]) END OF LOOP",
    "LOCAL s : REAL := 1; FOR (j FROM 0 TO N - 1) LOOP s := min(s, d[i, j] / 2); s := min(s, y[j]) END OF LOOP",
];

/// What it does with that.
const AFTER: &[&str] = &[
    "y[i] := s",
    "FOR (j FROM 0 TO N - 1) LOOP d[i, j] := d[i, j] - s / 2 END OF LOOP",
    "LOCAL t : REAL := s; FOR (j FROM 0 TO N - 1) LOOP t := t + d[i, j] * s / 4 END OF LOOP; y[i] := t",
];

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let body = some_of(&mut below, PAIRS, 1);
    let text = match below(5) {
        0 => format!(
            "FOR (i FROM 0 TO N - 1) LOOP {}; {} END OF LOOP",
            some_of(&mut below, ROWS, 1),
            some_of(&mut below, AFTER, 1)
        ),
        _ => {
            let pairs = LOOPS[below(LOOPS.len())].replace("BODY", &body);
            match below(3) {
                0 => format!("g := {}; {pairs}", 1 + below(5)),
                1 => format!("g := N / 2; WHILE g > 0 LOOP {pairs}; g := g / 2 END OF LOOP"),
                _ => format!("g := 1; WHILE 2 * g <= N LOOP {pairs}; g := 2 * g END OF LOOP"),
            }
        }
    };
    let size = [1, 2, 3, 5, 8, 8, 9, 12, 16][below(9)];
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := {size}\n  d : REAL [N, N] INPUT OUTPUT\n  \
         x, y : REAL [N] INPUT OUTPUT\n  g : INTEGER OUTPUT\nEND OF DATA\ng := 1;\n\
         {text};\nx[0] := x[0] + 1\nEND OF SCHEME \"random\"\n"
    )
}
