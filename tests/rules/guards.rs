//! Random schemes of nests of short loops, with a condition in the innermost one: where it holds throughout,
//! where not, and at the edge between.

use super::choices::choices;

/// A scheme of that kind, for one thread or for the threads of warps.
pub fn made(seed: u64) -> String {
    let mut below = choices(seed);
    let mut side = |names: &[&str]| {
        let name = names[below(names.len())];
        match below(6) {
            0 => format!("{name} + 3"),
            1 => format!("2 * {name}"),
            2 => format!("40 - {name}"),
            3 => format!("min({name}, N)"),
            4 => format!("-3 * {name} + 1"),
            _ => name.to_owned(),
        }
    };
    let warps = seed.is_multiple_of(2);
    let names: &[&str] = match warps {
        true => &["j", "step", "k", "first", "lane", "i", "M"],
        false => &["i", "j", "step", "k", "M"],
    };
    let sides: Vec<String> = (0..4).map(|_| side(names)).collect();
    let bounds = ["N", "M", "0", "31", "first", "2 * M"];
    let mut comparison = |left: &str| {
        let sign = ["<", "<=", ">", ">=", "<>", "="][below(6)];
        let bound = bounds[below(bounds.len())];
        format!("{left} {sign} {bound}")
    };
    let comparisons: Vec<String> = sides.iter().map(|left| comparison(left)).collect();
    let (a, b, c) = (&comparisons[0], &comparisons[1], &comparisons[2]);
    let condition = match below(4) {
        0 => a.clone(),
        1 => format!("{a} AND {b}"),
        2 => format!("({a} OR {b}) AND {c}"),
        _ => format!("{a} OR {b} AND {c}"),
    };
    let turned = [
        "(lane + step) MOD 32",
        "(lane + 2 * step) MOD 32",
        "(step - lane) MOD 32",
    ];
    let (turned, last) = (turned[below(3)], ["3", "31", "M", "-1"][below(4)]);
    let (n, m) = (below(140), below(12));
    let (before, after) = match warps {
        true => (
            "RunKernel (2, 64) (\nLOCAL lane : INTEGER := thread MOD 32;\n\
             LOCAL first : INTEGER := block * 64 + thread / 32 * 32;\nLOCAL s : REAL := x[first + lane];\n",
            "y[first + lane] := s\n);\nWAIT 'done'",
        ),
        false => (
            "FOR (lane FROM 0 TO 31) LOOP\nLOCAL first : INTEGER := 32;\nLOCAL s : REAL := x[lane];\n",
            "y[lane] := s\nEND OF LOOP",
        ),
    };
    let rotated = if warps { ";\nROTATE (s)" } else { "" };
    let steps = if warps { "31" } else { last };
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := {n}\n  M : INTEGER := {m}\n  \
         x, y : REAL [128] INPUT OUTPUT\nEND OF DATA\n{}{before}\
         FOR (step FROM 0 TO {steps}) LOOP\nLOCAL j : INTEGER := first + {turned};\n\
         FOR (k FROM 0 TO 2) LOOP\nLOCAL i : INTEGER := first + 4 * k - lane;\n\
         IF {condition} THEN s := 0.5 * s + step + k END IF\nEND OF LOOP{rotated}\nEND OF LOOP;\n{after}{}\n\
         END OF SCHEME \"random\"\n",
        if warps { DEVICE } else { "" },
        if warps { BACK } else { "" },
    )
}

const DEVICE: &str = "\"Allocate memory for (x) on the device\";\n\"Allocate memory for (y) on the device\";\n\
                      \"Copy (x) to the device\";\n\"Copy (y) to the device\";\n";
const BACK: &str = ";\n\"Copy (y) from the device\"";
