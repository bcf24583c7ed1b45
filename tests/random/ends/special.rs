//! Functions on special values.

use super::maker::Maker;
use glushkov::algebra::{FUNCTIONS, Precision, Signature};

/// Values whose quotients and products with [`BELOW`] are infinite, NaN, zero of either sign, denormal,
/// and usual ones.
const ABOVE: [&str; 18] = [
    "0", "1", "-1", "0", "1", "0.5", "-2.5", "LARGE", "-LARGE", "TINY", "-TINY", "SMALL", "1",
    "-1", "3", "LARGE", "0.99999", "-7",
];
const BELOW: [&str; 18] = [
    "0", "0", "0", "-1", "1", "1", "1", "1", "1", "1", "1", "1", "LARGE", "LARGE", "-1", "TINY",
    "1", "2",
];

/// A table of all values under a function.
pub fn functions(maker: &mut Maker) -> String {
    let (large, tiny, small) = match maker.precision {
        Precision::F32 => ("3.4e38", "1e-45", "1.2e-38"),
        Precision::F64 => ("1.7e308", "5e-324", "2.3e-308"),
    };
    let put = |text: &&str| {
        text.replace("LARGE", large)
            .replace("TINY", tiny)
            .replace("SMALL", small)
    };
    let tables = [ABOVE, BELOW].map(|table| {
        let numbers: Vec<String> = table.iter().map(put).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        maker.table("REAL", &numbers)
    });
    let [above, below] = tables;
    let n = "18";
    let v = maker.array("REAL", &[n], "OUTPUT");
    let (i, j) = (maker.name("i"), maker.name("j"));
    let make =
        format!("FOR ({i} FROM 0 TO 17) LOOP {v}[{i}] := {above}[{i}] / {below}[{i}] END OF LOOP");
    let (x, y) = (format!("{v}[{i}]"), format!("{v}[{j}]"));
    let mut texts = vec![make];
    for _ in 0..3 {
        let one = maker.once_in(2);
        let y = if one { x.clone() } else { y.clone() };
        let (ty, value) = of(maker, &x, &y);
        let sizes: &[&str] = if one { &[n] } else { &[n, n] };
        let out = maker.array(ty, sizes, "OUTPUT");
        texts.push(match one {
            true => format!("FOR ({i} FROM 0 TO 17) LOOP {out}[{i}] := {value} END OF LOOP"),
            false => format!(
                "FOR ({i} FROM 0 TO 17) LOOP FOR ({j} FROM 0 TO 17) LOOP {out}[{i}, {j}] := {value} END OF LOOP END OF LOOP"
            ),
        });
    }
    texts.join(";\n  ")
}

/// The names of the functions of a kind whose values are not the hardware's.
fn names(wanted: fn(Signature) -> bool) -> Vec<&'static str> {
    let settled = FUNCTIONS.iter().filter(|f| f.signature.near().is_none());
    let found = settled.filter(|f| wanted(f.signature));
    found.map(|f| f.name).collect()
}

/// A function's value, and its type.
fn of(maker: &mut Maker, x: &str, y: &str) -> (&'static str, String) {
    let exponent = maker.pick(&["2", "3", "-1", "-2", "0", "5", "0.5", "-0.5", "1.5"]);
    let sign = maker.pick(&["", "-"]);
    let x = &format!("{sign}{x}");
    let usual = format!("{x} > 1e-20 AND {x} < 1e20 AND {y} > -3 AND {y} < 3");
    match maker.below(19) {
        0..=4 => {
            let mut names = names(|s| matches!(s, Signature::Real(_)));
            names.extend(["abs", "real32", "real64"]);
            ("REAL64", format!("{}({x})", maker.pick(&names)))
        }
        5 => {
            let names = names(|s| matches!(s, Signature::ToInteger(_) | Signature::Int));
            let function = maker.pick(&names);
            let text = format!("select(abs({x}) < 2147483000, {function}({x}), -1)");
            ("INTEGER", text)
        }
        6 => {
            let most = "9000000000000000000";
            (
                "INTEGER64",
                format!("select(abs({x}) < {most}, int64({x}), -1)"),
            )
        }
        7 => {
            let names = names(|s| matches!(s, Signature::RealReal(_)));
            ("REAL", format!("{}({x}, {y})", maker.pick(&names)))
        }
        8 => {
            let function = maker.pick(&["min", "max"]);
            ("REAL", format!("{function}({x}, {y})"))
        }
        9 => ("REAL", format!("fma({x}, {y}, {x})")),
        10 => {
            let op = maker.pick(&["+", "-", "*", "/"]);
            ("REAL", format!("{x} {op} {y}"))
        }
        11 => {
            let op = maker.pick(&["<", "<=", "=", "<>", ">", ">="]);
            ("INTEGER", format!("select({x} {op} {y}, 1, 0)"))
        }
        12 => ("REAL", format!("({x}) ^ {exponent}")),
        13 => {
            let function = maker.pick(&["norm", "norm2"]);
            ("REAL", format!("{function}(vector({x}, {y}, 1))"))
        }
        14 => ("REAL", format!("dot(vector({x}, {y}), vector({y}, {x}))")),
        15 => (
            "REAL",
            format!(
                "cross(vector({x}, {y}, 1), vector(2, {x}, {y})).{}",
                maker.pick(&["x", "y", "z"])
            ),
        ),
        16 => (
            "VECTOR",
            format!("{y} * vector({x}, {y}, 0) - vector({y}, 0, {x})"),
        ),
        17 => ("REAL", format!("select({usual}, rsqrt_approx({x}), 0)")),
        _ => ("REAL", format!("select({usual}, pow_approx({x}, {y}), 0)")),
    }
}
