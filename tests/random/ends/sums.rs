//! Sums over loops that may be empty, arrays that are written in part, atomics.

use super::apart::{self, nothing};
use super::bounds::zero;
use super::maker::Maker;

/// A loop over targets with a sum over sources, which may be none: then what is read at the target
/// may be out of range, or was never written.
pub fn over_sources(maker: &mut Maker) -> String {
    let members = maker.number_of(&[0, 1, 3, 10, 40]);
    let ty = maker.pick(&["REAL", "REAL", "VECTOR", "INTEGER", "INTEGER"]);
    let is_large = ty == "INTEGER" && maker.below(3) > 0;
    let sources = match is_large {
        true => maker.number_of(&[0, 8, 8]),
        false => maker.number_of(&[0, 0, 0, 1, 3, 8]),
    };
    let (n, m) = (maker.size(members), maker.size(sources));
    let (i, s, a) = (maker.name("i"), maker.name("s"), maker.name("l"));
    let of = ["REAL", "VECTOR"][usize::from(ty == "VECTOR")];
    let of = if ty == "INTEGER" { ty } else { of };
    // Arrays of targets are too small where nothing reads them.
    let is_empty = sources == 0 || members == 0;
    let enough = (members + 3).to_string();
    let small = if is_empty && maker.once_in(2) {
        "1"
    } else {
        &enough
    };
    let x = match maker.below(3) {
        0 if is_empty => maker.array(of, &[small], ""),
        _ => maker.input(of, &[small]),
    };
    // Sums of these leave their range in another order.
    let large = ["2000000000", "-2000000000"].repeat(4);
    let m = if is_large { sources.to_string() } else { m };
    let w = match is_large {
        true => maker.table(ty, &large),
        // An extent has room at the ends of its type.
        false if maker.once_in(2) => maker.input(of, &[&m]),
        false => maker.input(of, &["8"]),
    };
    let p = maker.input("INTEGER", &[small]);
    let picked = maker.input(of, &[["3", "1"][usize::from(is_empty)]]);
    let table = maker.input(of, &[["3", "2"][usize::from(is_empty)], "2"]);
    let at = match maker.below(7) {
        0 => format!("{x}[{i} + 2]"),
        1 => format!("{picked}[{p}[{i}]]"),
        2 => format!("{table}[{p}[{i}], {s} MOD 2]"),
        3 => format!("{table}[{p}[{i}], select({s} MOD 2 = 0, 0, 1)]"),
        4 => format!("select({i} > 1, {x}[{i}], {x}[{i} + 1])"),
        _ => format!("{x}[{i}]"),
    };
    let value = match (ty, maker.below(3)) {
        ("VECTOR", _) => format!("0.5 * {at} - {w}[{s}]"),
        ("INTEGER", _) if is_large => format!("{w}[{s}]"),
        ("INTEGER", _) => format!("{at} + {w}[{s}]"),
        (_, 0) => format!("{w}[{s}] * {at}"),
        (_, 1) => format!("{at} - {w}[{s}]"),
        _ => format!("{at} * {at}"),
    };
    let add = |to: &str| format!("{to} := {to} + {value}");
    let y = maker.array(ty, &[&n], "OUTPUT");
    let zero = zero(ty);
    let condition = match maker.below(6) {
        0 => format!("IF {s} <> {i} THEN "),
        1 => format!("IF {s} <= {i} THEN "),
        2 => format!("IF {m} > 0 THEN "),
        _ => String::new(),
    };
    let end = if condition.is_empty() { "" } else { " END IF" };
    let (from, last) = match sources {
        0 if maker.once_in(2) => nothing(maker),
        1.. if maker.once_in(3) => {
            let from = maker.below(2);
            apart::sums(maker, from, sources - 1)
        }
        _ => (
            maker.pick(&["0", "0", "0", "1"]).to_owned(),
            format!("{m} - 1"),
        ),
    };
    let (first, end_of) = match members {
        0 if maker.once_in(2) => nothing(maker),
        1.. if maker.once_in(4) => apart::sums(maker, 0, members - 1),
        _ => ("0".to_owned(), format!("{n} - 1")),
    };
    let (before, to, after) = match maker.below(3) {
        0 => (
            format!("{y}[{i}] := {zero}"),
            format!("{y}[{i}]"),
            String::new(),
        ),
        _ => (
            format!("LOCAL {a} : {ty} := {zero}"),
            a.clone(),
            format!("; {y}[{i}] := {a}"),
        ),
    };
    let inner = format!(
        "FOR ({s} FROM {from} TO {last}) LOOP {condition}{}{end} END OF LOOP",
        add(&to)
    );
    match maker.below(4) {
        0 => format!("PARALLEL ({i} FROM {first} TO {end_of}) ( {before}; {inner}{after} )"),
        _ => {
            format!("FOR ({i} FROM {first} TO {end_of}) LOOP {before}; {inner}{after} END OF LOOP")
        }
    }
}

/// What is met in chunks: loops over members and sources with the sum in a cell.
pub fn chunks(maker: &mut Maker) -> String {
    let (members, sources) = (maker.number_of(&[0, 1, 8]), maker.number_of(&[0, 1, 4]));
    let (n, m) = (maker.size(members), maker.size(sources));
    let (i, s) = (maker.name("i"), maker.name("s"));
    let (x, y) = (
        maker.input("REAL", &["8"]),
        maker.array("REAL", &["8"], "OUTPUT"),
    );
    let from = maker.number_of(&[0, 1]);
    let (own, step) = (
        maker.pick(&["0", "0", "1"]),
        maker.pick(&["", "", "", " STEP 2", " STEP -1"]),
    );
    let to = match maker.below(3) {
        0 => format!("min({m}, 7)"),
        1 => format!("{m} - 1"),
        _ => m,
    };
    let (from, to) = match sources {
        0 => nothing(maker),
        _ if step.is_empty() && maker.once_in(3) => apart::sums(maker, from, sources),
        _ => (from.to_string(), to),
    };
    format!(
        "FOR ({i} FROM 0 TO {n} - 1) LOOP {y}[{i}] := {own}; \
         FOR ({s} FROM {from} TO {to}{step}) LOOP {y}[{i}] := {y}[{i}] + {x}[{s}] END OF LOOP END OF LOOP"
    )
}

/// An array without INPUT that is written under a condition, and read under the same one.
pub fn in_part(maker: &mut Maker) -> String {
    let members = maker.number_of(&[1, 4, 10, 40]);
    let n = maker.size(members);
    let size = (members + 1).to_string();
    let (i, k, s, a) = (
        maker.name("i"),
        maker.name("k"),
        maker.name("s"),
        maker.name("l"),
    );
    let ty = maker.pick(&["REAL", "INTEGER", "VECTOR"]);
    let f = maker.input("INTEGER", &[&size]);
    let x = maker.input(ty, &[&size]);
    let scoped = maker.once_in(4);
    let w = match scoped {
        true => maker.name("w"),
        false => maker.array(ty, &[&size], ""),
    };
    let marks = maker.pick(&["OUTPUT", "INPUT OUTPUT"]);
    let y = maker.array(ty, &[&size], marks);
    let zero = zero(ty);
    let holds = |var: &str, which: i64| match which {
        0 => format!("{f}[{var}] = 0"),
        1 => format!("{f}[{var}] <> 1"),
        2 => format!("{var} MOD 2 = 0"),
        _ => format!("{var} > 2"),
    };
    let which = maker.below(4);
    let write = format!(
        "FOR ({i} FROM 0 TO {n} - 1) LOOP IF {} THEN {w}[{i}] := {x}[{i}] END IF END OF LOOP",
        holds(&i, which)
    );
    let holds = holds(&k, which);
    let repeated = maker.number_of(&[0, 1, 3]);
    let m = maker.size(repeated);
    let value = match ty {
        "VECTOR" => format!("0.5 * {w}[{k}] + {x}[{s}]"),
        _ => format!("{x}[{s}] * {w}[{k}]"),
    };
    let sum = |condition: &str, end: &str| {
        format!(
            "LOCAL {a} : {ty} := {zero}; FOR ({s} FROM 0 TO min({m}, {n}) - 1) LOOP {condition}{a} := {a} + {value}{end} END OF LOOP; {y}[{k}] := {a}"
        )
    };
    let body = match maker.below(6) {
        // The subscript is the value, too.
        5 if ty == "INTEGER" => format!("LOCAL {a} : INTEGER := {k}; {y}[{a}] := {a}"),
        0 => format!("{y}[{k}] := select({holds}, {w}[{k}], {zero})"),
        1 => sum(&format!("IF {holds} THEN "), " END IF"),
        2 => format!("IF {holds} THEN {} END IF", sum("", "")),
        3 => format!("{y}[{k}] := {zero}; IF {holds} THEN {y}[{k}] := {y}[{k}] + {w}[{k}] END IF"),
        _ => sum(&format!("IF {s} <> {k} AND {holds} THEN "), " END IF"),
    };
    let all = format!("{write}; FOR ({k} FROM 0 TO {n} - 1) LOOP {body} END OF LOOP");
    match scoped {
        true => format!("ARRAY {w} : {ty} [{size}] IN ( {all} )"),
        false => all,
    }
}

/// Atomic additions of all kinds, whose sums leave their range on the way or in the end.
pub fn atomics(maker: &mut Maker) -> String {
    let members = maker.number_of(&[0, 1, 5, 40]);
    if maker.once_in(4) {
        return counts(maker, members);
    }
    let n = maker.size(members);
    let ty = maker.pick(&["INTEGER", "INTEGER", "INTEGER64", "REAL", "VECTOR"]);
    let (y, p) = (
        maker.array(ty, &["4"], "OUTPUT"),
        maker.input("INTEGER", &["40"]),
    );
    let (i, z, at) = (maker.name("i"), maker.name("z"), maker.name("l"));
    let start = match ty {
        "INTEGER" => maker.pick(&["0", "2147483640", "-2147483648", "2147483647 - z"]),
        "INTEGER64" => maker.pick(&["0", "9223372036854775800", "-9223372036854775807"]),
        "VECTOR" => "vector(0, 1, 0)",
        _ => "0",
    };
    let start = start.replace('z', &z);
    let start = if ty == "VECTOR" {
        "vector(0, 1, 0)".into()
    } else {
        start
    };
    let big = match ty {
        "INTEGER64" => "9000000000000000000",
        _ => "2000000000",
    };
    // Real sums of small whole numbers are the same in any order.
    let added = match (ty, maker.below(5)) {
        ("VECTOR", _) => format!("vector({i} MOD 3, 1, -{p}[{i}])"),
        ("REAL", _) => format!("{p}[{i}] - 1"),
        (_, 0 | 1) => "1".into(),
        (_, 2) => big.into(),
        (_, 3) => format!("select({i} MOD 2 = 0, {big}, -{big})"),
        _ => format!("{p}[{i}]"),
    };
    let cell = match maker.below(4) {
        0 => "1".to_owned(),
        1 => format!("{p}[{i}]"),
        2 => format!("{i} MOD 4"),
        _ => at.clone(),
    };
    let local = match cell == at {
        true => format!("LOCAL {at} : INTEGER := {p}[{i}] + 1; "),
        false => String::new(),
    };
    let body = match maker.below(3) {
        0 => format!("{local}IF {p}[{i}] <> 1 THEN ATOMIC {y}[{cell}] += {added} END IF"),
        _ => format!("{local}ATOMIC {y}[{cell}] += {added}"),
    };
    let clear = format!("FOR ({z} FROM 0 TO 3) LOOP {y}[{z}] := {start} END OF LOOP");
    match maker.below(3) {
        0 => format!("{clear}; PARALLEL ({i} FROM 0 TO {n} - 1) ( {body} )"),
        _ => format!("{clear}; FOR ({i} FROM 0 TO {n} - 1) LOOP {body} END OF LOOP"),
    }
}

/// A loop that counts, from nearly the largest number on or from the least.
fn counts(maker: &mut Maker, members: i64) -> String {
    let n = maker.size(members);
    let (y, p) = (
        maker.array("INTEGER", &["4"], "OUTPUT"),
        maker.input("INTEGER", &["40"]),
    );
    let (i, z, at) = (maker.name("i"), maker.name("z"), maker.name("l"));
    let start = maker.pick(&["0", "2147483640", "-1", "-2147483648"]);
    let more = match maker.below(3) {
        0 => {
            let other = maker.array("INTEGER", &["40"], "OUTPUT");
            format!("; {other}[{i}] := {at}")
        }
        _ => String::new(),
    };
    let (from, last) = match maker.below(4) {
        0 if members > 0 => apart::sums(maker, 0, members - 1),
        1 if members == 0 => nothing(maker),
        _ => (maker.pick(&["0", "0", "3"]).to_owned(), format!("{n} - 1")),
    };
    format!(
        "FOR ({z} FROM 0 TO 3) LOOP {y}[{z}] := {start} END OF LOOP; \
         FOR ({i} FROM {from} TO {last}) LOOP LOCAL {at} : INTEGER := ({p}[{i}] + {i}) MOD 4; \
         ATOMIC {y}[{at}] += 1{more} END OF LOOP"
    )
}
