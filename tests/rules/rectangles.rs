//! Random schemes of members with sums: one loop or two directly inside each other, with a loop of sums in
//! them, over cells that threads of a block may read together, and others.

use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut one = |of: &[&'static str]| of[random.next_u64() as usize % of.len()];
    let plane = one(&["one", "two"]) == "two";
    let (j, target) = match plane {
        true => ("j", "p[i, j]"),
        false => ("i", "q[i]"),
    };
    let cell = |k: &'static str| match k {
        "row" => "x[i, k]".to_owned(),
        "column" => format!("y[k, {j}]"),
        "same" => "q0[k]".to_owned(),
        "turned" => format!("y[{j}, k]"),
        "moved" => "x[i, k + 1]".to_owned(),
        "own" => format!("x[i, {j}]"),
        "looked up" => "x[n[i], k]".to_owned(),
        _ => format!("x[i, {j}] * y[k, {j}]"),
    };
    let cells = [
        "row",
        "column",
        "row",
        "column",
        "same",
        "turned",
        "moved",
        "own",
        "looked up",
        "two",
    ];
    let (first, second) = (cell(one(&cells)), cell(one(&cells)));
    let sum = match one(&["sum", "sum", "product", "largest", "guarded", "flag"]) {
        "sum" => format!("a := a + {first} * {second}"),
        "product" => format!("a := a * 0.5 - {first} * {second}"),
        "largest" => format!("IF {first} > a THEN a := {second} END IF"),
        "guarded" => format!("IF k > i THEN a := a + {first} END IF; a := a - {second}"),
        _ => format!("IF {first} < {second} THEN b := TRUE END IF; a := a + k"),
    };
    let before = one(&[
        "",
        "LOCAL c : REAL := x[i, 0];",
        "LOCAL m : INTEGER := 2 * i;",
        "LOCAL c : REAL := 0.25 * i;",
    ]);
    let from = one(&["0", "0", "1", "2"]);
    let to = one(&["K - 2", "K - 2", "K - 3", "N - 2", "-1"]);
    let size = one(&["1", "3", "4", "5", "9", "11"]);
    let length = one(&["2", "5", "8", "13"]);
    let open = match plane {
        true => "FOR (j FROM 0 TO N - 1) LOOP\n",
        false => "",
    };
    let close = if plane { "END OF LOOP\n" } else { "" };
    format!(
        "SCHEME \"random\" ====\nDATA\n  N : INTEGER := {size}\n  K : INTEGER := {length}\n  \
         L : INTEGER := N + K\n  n : INTEGER [11] := [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n  \
         x, y : REAL [L, L] INPUT\n  q0 : REAL [L] INPUT\n  q : REAL [N] INPUT OUTPUT\n  \
         p : REAL [N, N] INPUT OUTPUT\nEND OF DATA\n\
         FOR (i FROM 0 TO N - 1) LOOP\n{open}\
         {before} LOCAL a : REAL := 0.5; LOCAL b : BOOLEAN := FALSE;\n\
         FOR (k FROM {from} TO {to}) LOOP {sum} END OF LOOP;\n\
         {target} := select(b, a, a + 1)\n{close}END OF LOOP\nEND OF SCHEME \"random\"\n"
    )
}
