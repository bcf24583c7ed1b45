//! Pairs of few members, and sums of each member over the others.

use super::apart::{self, nothing};
use super::bounds::{level, zero};
use super::maker::Maker;

/// Pairs of no member, one, two or more; integers may leave their range in another order.
pub fn pairs(maker: &mut Maker) -> String {
    let members = maker.number_of(&[0, 0, 1, 2, 2, 5, 9]);
    let n = maker.size(members);
    let (i, j, d) = (maker.name("i"), maker.name("j"), maker.name("l"));
    let ty = maker.pick(&["REAL", "REAL", "VECTOR", "INTEGER"]);
    let x = match ty {
        "INTEGER" => {
            let numbers = [
                "2000000000",
                "-2000000000",
                "2000000000",
                "-2000000000",
                "1",
                "-1",
                "7",
                "0",
                "3",
            ];
            maker.table(ty, &numbers)
        }
        _ => maker.input(ty, &["9"]),
    };
    let y = maker.array(ty, &["9"], "OUTPUT");
    let first = maker.name("z");
    let given = match (ty, maker.below(4)) {
        ("INTEGER", 0) => "1".into(),
        ("INTEGER", 1) => format!("{x}[{j}]"),
        ("INTEGER", 2) => format!("{x}[{i}] / 3 - {x}[{j}] / 3"),
        ("INTEGER", _) => format!("({x}[{j}] + {x}[{i}]) / 2"),
        ("VECTOR", 0) => format!("norm2({d}) * {d}"),
        ("VECTOR", _) => format!("{d} / (norm2({d}) + 0.5)"),
        (_, 0) => format!("{d} * {d} * {d}"),
        (_, 1) => format!("{x}[{i}] * {x}[{j}]"),
        (_, 2) => format!("1 / sqrt({d} * {d} + 0.5)"),
        _ => d.clone(),
    };
    let local = match ty {
        "INTEGER" => String::new(),
        _ => format!("LOCAL {d} : {ty} := {x}[{j}] - {x}[{i}]; "),
    };
    let (from, last) = match members {
        0 if maker.below(3) > 0 => nothing(maker),
        1.. if maker.once_in(3) => apart::sums(maker, 0, members - 1),
        _ => ("0".to_owned(), format!("{n} - 1")),
    };
    let zero = zero(ty);
    let clear = format!("FOR ({first} FROM 0 TO 8) LOOP {y}[{first}] := {zero} END OF LOOP");
    let add = format!("{local}{y}[{i}] := {y}[{i}] + ({given})");
    // The other member gets the opposite, the same, or something else.
    let (sign, back) = match maker.below(6) {
        0 => ("+", format!("({given})")),
        1 => (maker.pick(&["+", "-"]), format!("({given}) / 2")),
        _ => ("-", format!("({given})")),
    };
    let both = format!("{add}; {y}[{j}] := {y}[{j}] {sign} {back}");
    let loops = match maker.below(4) {
        0 => format!(
            "FOR ({i} FROM {from} TO {last}) LOOP FOR ({j} FROM {i} + 1 TO {last}) LOOP {both} END OF LOOP END OF LOOP"
        ),
        1 => format!(
            "FOR ({i} FROM 0 TO {n} - 2) LOOP FOR ({j} FROM {i} + 1 TO {last}) LOOP {both} END OF LOOP END OF LOOP"
        ),
        2 => format!(
            "FOR ({i} FROM {from} TO {last}) LOOP FOR ({j} FROM {from} TO {last}) LOOP IF {j} <> {i} THEN {add} END IF END OF LOOP END OF LOOP"
        ),
        _ => {
            let a = maker.name("l");
            format!(
                "FOR ({i} FROM {from} TO {last}) LOOP LOCAL {a} : {ty} := {zero}; FOR ({j} FROM {from} TO {last}) LOOP IF {j} <> {i} THEN \
                 {local}{a} := {a} + {given} END IF END OF LOOP; {y}[{i}] := {a} END OF LOOP"
            )
        }
    };
    format!("{clear}; {loops}")
}

/// The pairs of one member, which are none: it may stand at the end of INTEGER.
pub fn alone(maker: &mut Maker) -> String {
    let at = maker.number_of(&[i32::MAX.into(), i32::MAX.into(), i32::MIN.into(), 5]);
    let at = maker.parameter("INTEGER", &at.to_string());
    let (x, y) = (
        maker.input("REAL", &["9"]),
        maker.array("REAL", &["9"], "OUTPUT"),
    );
    let (i, j, first) = (maker.name("i"), maker.name("j"), maker.name("z"));
    format!(
        "FOR ({first} FROM 0 TO 8) LOOP {y}[{first}] := 0 END OF LOOP; \
         FOR ({i} FROM {at} TO {at}) LOOP FOR ({j} FROM {at} TO {at}) LOOP \
         IF {j} <> {i} THEN {y}[{i}] := {y}[{i}] + {x}[{j}] * {x}[{i}] END IF END OF LOOP END OF LOOP"
    )
}

/// Lanes near the ends of a type, each of which adds what the others have.
pub fn lanes(maker: &mut Maker) -> String {
    let wide = maker.once_in(4);
    let lanes = level(maker, 8, wide, true);
    let others = level(maker, 8, wide, true);
    let (y, x) = (
        maker.array("REAL", &[&lanes.extent.to_string()], "OUTPUT"),
        maker.input("REAL", &[&others.extent.to_string()]),
    );
    let (i, s, a) = (&lanes.var, &others.var, maker.name("l"));
    let width = maker.pick(&["4", "8", "32"]);
    format!(
        "LANES ({width}) {} ( LOCAL {a} : REAL := 0; FOR {} LOOP \
         IF {s} <> {i} THEN {a} := {a} + {x}[{}] END IF END OF LOOP; {y}[{}] := {a} )",
        lanes.head, others.head, others.subscript, lanes.subscript
    )
}
