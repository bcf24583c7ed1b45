//! What loops find, with where they found it, and arrays that iterations have to themselves.

use super::maker::Maker;

/// A search for a minimum or maximum with what goes with it, among numbers many of which are equal. Some
/// are no such searches: of equal ones the last stays, or what goes with it counts.
pub fn search(maker: &mut Maker) -> String {
    let members = maker.number_of(&[0, 1, 7, 40, 130]);
    let n = maker.parameter("INTEGER", &members.to_string());
    let ty = maker.pick(&["REAL", "INTEGER"]);
    let size = (members + 1).to_string();
    let (x, p) = (
        maker.input("INTEGER", &[&size]),
        maker.input("INTEGER", &[&size]),
    );
    let best = maker.array(ty, &[], "OUTPUT");
    let first = maker.array("INTEGER", &[], "OUTPUT");
    let of = maker.pick(&["REAL", "INTEGER"]);
    let other = maker.array(of, &[], "OUTPUT");
    let (i, e) = (maker.name("i"), maker.name("l"));
    let value = match ty {
        "REAL" => format!("0.5 * {x}[{i}]"),
        _ => format!("{x}[{i}] + {p}[{i}]"),
    };
    let (less, greater) = match maker.once_in(6) {
        true => ("<=", ">="),
        false => ("<", ">"),
    };
    let compared = match maker.below(4) {
        0 => format!("{e} {less} {best}"),
        1 => format!("{best} {greater} {e}"),
        2 => format!("{e} {greater} {best}"),
        _ => format!("{best} {less} {e}"),
    };
    let condition = match maker.below(4) {
        0 => format!("{p}[{i}] <> 1 AND {compared}"),
        1 => format!("{compared} AND {i} > 2"),
        2 => format!("{compared} OR {p}[{i}] = 7"),
        _ => compared,
    };
    let mut with = vec![format!("{best} := {e}"), format!("{first} := {i}")];
    match maker.below(5) {
        0 => with.push(format!("{other} := {p}[{i}]")),
        1 => with.push(format!("{other} := {other} + 1")),
        _ => {}
    }
    if maker.once_in(2) {
        with.swap(0, 1);
    }
    let start = maker.number_of(&[-1, 0, 1, 9]);
    let inner = format!(
        "LOCAL {e} : {ty} := {value}; IF {condition} THEN {} END IF",
        with.join("; ")
    );
    let inner = match maker.below(4) {
        0 => format!("IF {p}[{i}] > 0 THEN {inner} END IF"),
        _ => inner,
    };
    format!(
        "{best} := {start}; {first} := -1; {other} := 0; FOR ({i} FROM 0 TO {n} - 1) LOOP {inner} END OF LOOP"
    )
}

/// A loop whose iterations have an array to themselves. Some of these have a size that is not known, or are
/// too large for a thread.
pub fn array(maker: &mut Maker) -> String {
    let (members, steps) = (
        maker.number_of(&[0, 1, 5, 40]),
        maker.number_of(&[0, 1, 6, 20]),
    );
    let (n, m) = (maker.size(members), maker.size(steps));
    let size = maker.number_of(&[1, 2, 3, 16, 1030]);
    let bound = match maker.once_in(6) {
        true => maker.parameter("INTEGER", &size.to_string()),
        false => size.to_string(),
    };
    let ty = maker.pick(&["REAL", "INTEGER", "VECTOR2"]);
    let enough = (members + 1).to_string();
    let x = maker.input(ty, &[&enough, "20"]);
    let p = maker.input("INTEGER", &["20"]);
    let y = maker.array(ty, &[&enough], "OUTPUT");
    let (i, j, k, a) = (
        maker.name("i"),
        maker.name("j"),
        maker.name("k"),
        maker.name("o"),
    );
    let plane = maker.once_in(3) && size < 20;
    let (dims, cell) = match plane {
        true => (format!("{bound}, 2"), format!("{a}[{k}, {i} MOD 2]")),
        false => (bound.clone(), format!("{a}[{k}]")),
    };
    let at = |e: &str| match plane {
        true => format!("{a}[{e}, {i} MOD 2]"),
        false => format!("{a}[{e}]"),
    };
    let fill =
        format!("FOR ({k} FROM 0 TO {bound} - 1) LOOP {cell} := {k} * {x}[{i}, 0] END OF LOOP");
    let subscript = match maker.below(3) {
        0 => format!("{j} MOD {size}"),
        1 => format!("min({p}[{j}], {})", size - 1),
        _ => "0".to_owned(),
    };
    let gathered = at(&subscript);
    let step = format!(
        "FOR ({j} FROM 0 TO {m} - 1) LOOP {gathered} := {gathered} + {x}[{i}, {j}] END OF LOOP"
    );
    let read = at(&(size - 1).to_string());
    let last = match maker.below(3) {
        0 => format!("{y}[{i}] := {read} + {}", at("0")),
        1 => format!(
            "{y}[{i}] := 0; FOR ({k} FROM 0 TO {bound} - 1) LOOP {y}[{i}] := {y}[{i}] + {cell} END OF LOOP"
        ),
        _ => format!("{y}[{i}] := {read}"),
    };
    // What is not filled is not read.
    let (fill, step) = match maker.once_in(5) {
        true => (format!("{} := {x}[{i}, 1]", at("0")), String::new()),
        false => (fill, format!("; {step}")),
    };
    let last = match step.is_empty() {
        true => format!("{y}[{i}] := {}", at("0")),
        false => last,
    };
    format!(
        "FOR ({i} FROM 0 TO {n} - 1) LOOP ARRAY {a} : {ty} [{dims}] IN ( {fill}{step}; {last} ) END OF LOOP"
    )
}
