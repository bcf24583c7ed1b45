//! The case of all functions of reals on special values, made from their table: none is left out.

use glushkov::algebra::{Accuracy, Bivariate, Elementary, FUNCTIONS, Signature};
use std::fmt::Write;

/// Numbers of either sign, of both precisions and of neither: what is too large for one is infinite
/// there, what is too small is 0.
const VALUES: &[&str] = &[
    "0.0",
    "5e-324",
    "1e-310",
    "1e-45",
    "1e-40",
    "1.2e-38",
    "1e-20",
    "1e-9",
    "0.1",
    "0.25",
    "0.49999997",
    "0.49999999999999994",
    "0.5",
    "0.75",
    "0.9999999",
    "1.0",
    "1.0000001",
    "1.5",
    "1.5707964",
    "2.0",
    "2.5",
    "3.1415926",
    "7.3",
    "26.0",
    "88.5",
    "100.5",
    "710.0",
    "8388607.5",
    "8388609.0",
    "33554431.0",
    "1e10",
    "4503599627370495.5",
    "9007199254740993.0",
    "1e22",
    "3.4e38",
    "1e300",
    "1.7e308",
    "1e39 * 1e300",
];

/// Those that a function of two reals is tried on.
const OTHERS: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "-2.0",
    "3.0",
    "1e30",
    "1e39 * 1e300",
];

/// The text of the case: what functions give in a loop, in LANES and in a kernel, NaN being told by
/// a number. Functions whose values are the hardware's are not among them.
pub fn functions_of_reals() -> String {
    let settled = |accuracy| !matches!(accuracy, Accuracy::Near(_));
    let ones: Vec<Elementary> = Elementary::ALL.to_vec();
    let ones = ones.into_iter().filter(|f| settled(f.entry().accuracy));
    let ones: Vec<&str> = ones.map(|f| f.entry().name).collect();
    let twos = Bivariate::ALL
        .iter()
        .filter(|f| settled(f.entry().accuracy));
    let twos: Vec<&str> = twos.map(|f| f.entry().name).collect();
    let whole = |s| matches!(s, Signature::ToInteger(_) | Signature::Int);
    let wholes = FUNCTIONS.iter().filter(|f| whole(f.signature));
    let wholes: Vec<&str> = wholes.map(|f| f.name).collect();
    let (n, m) = (2 * VALUES.len(), OTHERS.len());
    let [k, l, w] = [&ones, &twos, &wholes].map(Vec::len);
    let covers: Vec<String> = ones.iter().chain(&twos).map(|f| format!("{f}()")).collect();
    let mut values = String::new();
    for (at, value) in VALUES.iter().enumerate() {
        let _ = writeln!(
            values,
            "  v[{}] := {value}; v[{}] := -({value});",
            2 * at,
            2 * at + 1
        );
    }
    for (at, value) in OTHERS.iter().enumerate() {
        let _ = writeln!(values, "  o[{at}] := {value};");
    }
    // What is of one width, and what is of the other.
    let mut narrow = String::from("    LOCAL x : REAL := v[i]; LOCAL t : REAL := 0;\n");
    let mut wide = String::from("    LOCAL e : REAL64 := v[i]; LOCAL s : REAL64 := 0;\n");
    for (at, f) in ones.iter().enumerate() {
        let _ = writeln!(
            narrow,
            "    t := {f}(x); a[r, {at}, i] := select(t = t, t, -77);"
        );
        let _ = writeln!(
            wide,
            "    s := {f}(e); d[r, {at}, i] := select(s = s, s, -77);"
        );
    }
    for (at, f) in twos.iter().enumerate() {
        let both = |into: &mut String, call: String, to: &str| {
            let _ = writeln!(
                into,
                "    FOR (j FROM 0 TO {m} - 1) LOOP {to} := {call}; \
                 {}[r, {at} * {m} + j, i] := select({to} = {to}, {to}, -77) END OF LOOP;",
                if to == "t" { "b" } else { "c" }
            );
        };
        both(&mut narrow, format!("{f}(x, o[j])"), "t");
        both(&mut wide, format!("{f}(e, real64(o[j]))"), "s");
    }
    for (at, f) in wholes.iter().enumerate() {
        let _ = writeln!(narrow, "    t := u[i]; t := {f}(t); q[r, {at}, i] := t;");
        let _ = writeln!(wide, "    s := u[i]; s := {f}(s); p[r, {at}, i] := s;");
    }
    let [narrow, wide] =
        [narrow, wide].map(|text| text.trim_end().trim_end_matches(';').to_owned());
    let copies = |from: &str, to: &str| {
        let names = ["v", "o", "u", "a", "b", "c", "d", "p", "q"].iter();
        names
            .map(|x| format!("  \"{from} ({x}) {to} the device\";\n"))
            .collect::<String>()
    };
    format!(
        "# covers: {}\n\
         # Functions of reals on special values: zeros, the smallest numbers, halves, large ones, infinite ones.\n\
         SCHEME \"Functions of reals\" ====\n\
         DATA\n  N : INTEGER := {n}\n  v, u : REAL [N] OUTPUT\n  o : REAL [{m}] OUTPUT\n\
         \x20 a : REAL [3, {k}, N] OUTPUT\n  b : REAL [3, {l} * {m}, N] OUTPUT\n\
         \x20 d : REAL64 [2, {k}, N] OUTPUT\n  c : REAL64 [2, {l} * {m}, N] OUTPUT\n\
         \x20 q : REAL [3, {w}, N] OUTPUT\n  p : REAL64 [2, {w}, N] OUTPUT\nEND OF DATA\n{values}\
         \x20 FOR (i FROM 0 TO N - 1) LOOP u[i] := select(abs(v[i]) < 2147483000, v[i], 0.5) END OF LOOP;\n\
         \x20 FOR (i FROM 0 TO N - 1) LOOP\n\
         \x20   \"Evaluate (0) (i)\"; \"Evaluate widely (0) (i)\"; \"Evaluate (2) (i)\"; \"Evaluate widely (1) (i)\"\n\
         \x20 END OF LOOP;\n\
         \x20 LANES (16) (i FROM 0 TO N - 1) ( \"Evaluate (1) (i)\" );\n\
         {}{}  RunKernel (ceil_div(N, 8), 8) (\n\
         \x20   LOCAL k : INTEGER := block * threads + thread;\n\
         \x20   IF k < N THEN \"Evaluate (2) (k)\"; \"Evaluate widely (1) (k)\" END IF\n  );\n{}\
         WHERE\n  \"Evaluate (r) (i)\" ====\n{narrow}\n  \"Evaluate widely (r) (i)\" ====\n{wide}\n\
         END OF SCHEME \"Functions of reals\"\n",
        covers.join(", "),
        copies("Allocate memory for", "on"),
        copies("Copy", "to"),
        copies("Copy", "from")
            .trim_end()
            .trim_end_matches(';')
            .to_owned()
            + "\n",
    )
}
