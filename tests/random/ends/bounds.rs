//! Loops near the ends of INTEGER and INTEGER64.

use super::apart;
use super::maker::Maker;

/// A loop, and how its variable becomes a subscript.
pub struct Level {
    pub var: String,
    pub head: String,
    /// From 0 on.
    pub subscript: String,
    /// One more than the largest subscript.
    pub extent: i64,
    /// Whether it has no step.
    pub plain: bool,
}

/// A number of a type, as a literal or a parameter, as it stands or a bit away.
fn bound(maker: &mut Maker, wide: bool, value: i64) -> String {
    let ty = ["INTEGER", "INTEGER64"][usize::from(wide)];
    let (least, most) = match wide {
        true => (i64::MIN, i64::MAX),
        false => (i32::MIN.into(), i32::MAX.into()),
    };
    let away = maker.number_of(&[0, 0, 1, 7, 40]);
    let in_range = |value: &i64| (least..=most).contains(value);
    match maker.below(6) {
        0 | 1 if wide && i32::try_from(value).is_ok() => format!("int64({value})"),
        0 | 1 => literal(value),
        2 => match value.checked_add(away).filter(in_range) {
            Some(more) => format!("{} - {away}", maker.parameter(ty, &literal(more))),
            None => maker.parameter(ty, &literal(value)),
        },
        3 => match value.checked_sub(away).filter(in_range) {
            Some(less) => format!("{} + {away}", maker.parameter(ty, &literal(less))),
            None => maker.parameter(ty, &literal(value)),
        },
        4 if maker.once_in(3) => {
            let (a, b) = (
                maker.parameter(ty, &literal(value)),
                maker.parameter(ty, &literal(value)),
            );
            format!("{}({a}, {b})", maker.pick(&["min", "max"]))
        }
        _ => maker.parameter(ty, &literal(value)),
    }
}

fn literal(value: i64) -> String {
    match value {
        i64::MIN => "-9223372036854775807 - 1".into(),
        _ => value.to_string(),
    }
}

/// A loop of a few iterations that stands at an end of its type, or at a place where margins begin.
///
/// A calm one has no step, and bounds that only the program's start tells.
pub fn level(maker: &mut Maker, most_iterations: i64, wide: bool, calm: bool) -> Level {
    let (least, most) = match wide {
        true => (i64::MIN, i64::MAX),
        false => (i32::MIN.into(), i32::MAX.into()),
    };
    let ty = ["INTEGER", "INTEGER64"][usize::from(wide)];
    let var = maker.name("i");
    if !calm && maker.once_in(12) {
        // Steps over half of the range.
        let (step, shrunk) = match wide {
            true => (9_000_000_000_000_000_000_i64, 4_500_000_000_000_000_000_i64),
            false => (2_000_000_000, 1_000_000_000),
        };
        let (low, high) = (least + maker.below(3), most - maker.below(3));
        let (low, high) = (bound(maker, wide, low), bound(maker, wide, high));
        let head = match maker.below(2) {
            0 => format!("FROM {low} TO {high} STEP {step}"),
            _ => format!("FROM {high} TO {low} STEP -{step}"),
        };
        return Level {
            head: format!("({var} {head})"),
            subscript: cut(&format!("{var} / {shrunk} + 2"), wide),
            var,
            extent: 5,
            plain: false,
        };
    }
    let count = match maker.below(8) {
        0 => 0,
        1 => 1,
        _ => 1 + maker.below(most_iterations),
    };
    if !calm && !wide && count > 0 && maker.once_in(8) {
        let (low, high) = apart::sums(maker, 0, count - 1);
        return Level {
            head: format!("({var} FROM {low} TO {high})"),
            subscript: var.clone(),
            var,
            extent: count,
            plain: true,
        };
    }
    let near = maker.number_of(&[0, 0, 1, 2, 31, 40]);
    let margin = 1 << 24;
    let low = match maker.below(9) {
        0..=3 => most - near - (count - 1).max(0),
        4 | 5 => least + near,
        6 => most - margin - near,
        7 => least + margin - near,
        _ => maker.number_of(&[0, 1, -3, 1 << 30, most / 2, -(most / 2), most - 2 * margin]),
    };
    let step = maker.number_of(&[1, 1, 1, 1, 1, 1, 1, 3, -1, -3, 7]);
    // An empty loop may begin anywhere beyond its end.
    let (low, high) = match count {
        0 => match maker.below(4) {
            0 | 1 => (most - near, least + near),
            2 => (low, low.max(least + 1) - 1),
            _ => (most / 2 + 5, -(most / 2)),
        },
        _ => (low, low + (count - 1)),
    };
    let step = if calm { 1 } else { step };
    let (low, high) = match calm {
        true => (
            maker.parameter(ty, &literal(low)),
            maker.parameter(ty, &literal(high)),
        ),
        false => (bound(maker, wide, low), bound(maker, wide, high)),
    };
    let (head, from) = match step {
        1 => (format!("FROM {low} TO {high}"), low),
        s if s > 0 => (format!("FROM {low} TO {high} STEP {s}"), low),
        s => (format!("FROM {high} TO {low} STEP {s}"), low),
    };
    Level {
        head: format!("({var} {head})"),
        subscript: cut(&format!("{var} - ({from})"), wide),
        var,
        extent: count.max(1),
        plain: step == 1,
    }
}

/// A loop of a few iterations from 0 on, which has room.
fn usual(maker: &mut Maker, wide: bool) -> Level {
    let count = 1 + maker.below(5);
    let var = maker.name("i");
    let head = match wide {
        true => format!("({var} FROM int64(0) TO int64({}))", count - 1),
        false => format!("({var} FROM 0 TO {})", count - 1),
    };
    Level {
        head,
        subscript: cut(&var, wide),
        var,
        extent: count,
        plain: true,
    }
}

fn cut(text: &str, wide: bool) -> String {
    match wide {
        true => format!("int({text})"),
        false => text.to_owned(),
    }
}

/// A value for an iteration.
fn value(maker: &mut Maker, levels: &[Level], ty: &str) -> String {
    let level = &levels[maker.below(levels.len() as i64) as usize];
    let part = match maker.below(3) {
        0 => format!("({}) MOD 7", level.subscript),
        1 => format!("int({} MOD 5)", level.var),
        _ => format!("({})", level.subscript),
    };
    match ty {
        "VECTOR" => format!("vector({part}, 1, 0.5)"),
        "REAL" => format!("0.5 * real({part})"),
        _ => part,
    }
}

/// A cell of an array that the levels' subscripts lead to.
fn cell(maker: &mut Maker, levels: &[Level], ty: &str) -> String {
    let sizes: Vec<String> = levels.iter().map(|l| l.extent.to_string()).collect();
    let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
    let array = maker.array(ty, &sizes, "OUTPUT");
    let subscripts: Vec<&str> = levels.iter().map(|l| l.subscript.as_str()).collect();
    format!("{array}[{}]", subscripts.join(", "))
}

/// Loops directly inside each other.
fn around(levels: &[Level], body: String, parallel: bool) -> String {
    let mut text = body;
    for (depth, level) in levels.iter().enumerate().rev() {
        text = match parallel && depth == 0 && level.plain {
            true => format!("PARALLEL {} ( {text} )", level.head),
            false => format!("FOR {} LOOP {text} END OF LOOP", level.head),
        };
    }
    text
}

/// One to three loops at the ends of their types, around what rules have a form for.
pub fn nest(maker: &mut Maker) -> String {
    let depth = 1 + maker.below(3) as usize;
    let most = [45, 8, 5][depth - 1];
    let (wide, mixed, calm) = (maker.once_in(3), maker.once_in(3), maker.once_in(3));
    let mut levels = Vec::new();
    // One of them is at an end, or all are.
    let only = maker.once_in(3).then(|| maker.below(depth as i64) as usize);
    for number in 0..depth {
        let wide = if mixed { maker.once_in(3) } else { wide };
        levels.push(match only {
            Some(only) if only != number => usual(maker, wide),
            _ => level(maker, most, wide, calm),
        });
    }
    let ty = maker.pick(&["INTEGER", "INTEGER64", "REAL", "VECTOR"]);
    let parallel = maker.once_in(3);
    match maker.below(7) {
        0..=2 => {
            let (cell, value) = (cell(maker, &levels, ty), value(maker, &levels, ty));
            let set = format!("{cell} := {value}");
            let body = match maker.below(4) {
                0 => format!("IF ({}) MOD 3 <> 1 THEN {set} END IF", levels[0].subscript),
                1 => {
                    let local = maker.name("l");
                    format!("LOCAL {local} : {ty} := {value}; {cell} := {local} + {local}")
                }
                _ => set,
            };
            around(&levels, body, parallel)
        }
        3 => {
            // The innermost loops add to a scalar.
            let scalar = maker.array(ty, &[], "OUTPUT");
            let value = value(maker, &levels, ty);
            let zero = zero(ty);
            let sum = around(&levels, format!("{scalar} := {scalar} + {value}"), false);
            format!("{scalar} := {zero}; {sum}")
        }
        4 => {
            // A sum in the inner loops, in a LOCAL or in place.
            let (outer, inner) = levels.split_at(1);
            let value = match inner {
                [] => value(maker, outer, ty),
                inner => value(maker, inner, ty),
            };
            let cell = cell(maker, outer, ty);
            let zero = zero(ty);
            let body = match maker.below(2) {
                0 => {
                    let sum = around(inner, format!("{cell} := {cell} + {value}"), false);
                    format!("{cell} := {zero}; {sum}")
                }
                _ => {
                    let local = maker.name("l");
                    let sum = around(inner, format!("{local} := {local} + {value}"), false);
                    format!("LOCAL {local} : {ty} := {zero}; {sum}; {cell} := {local}")
                }
            };
            around(outer, body, parallel)
        }
        5 => {
            let array = maker.array("INTEGER", &["4"], "OUTPUT");
            let at = format!("({}) MOD 4", levels[depth - 1].subscript);
            let var = maker.name("z");
            let added = maker.pick(&["1", "1", "-1", "2000000000"]);
            let adds = match maker.below(2) {
                0 => format!("ATOMIC {array}[{at}] += {added}"),
                _ => format!("LOCAL {var} : INTEGER := {at}; ATOMIC {array}[{var}] += {added}"),
            };
            let first = maker.name("z");
            let loops = around(&levels, adds, parallel);
            format!("FOR ({first} FROM 0 TO 3) LOOP {array}[{first}] := 0 END OF LOOP; {loops}")
        }
        _ => {
            // A square of pairs near an end.
            let outer = level(maker, 6, wide, calm);
            let inner = maker.name("j");
            let head = outer.head.replacen(&outer.var, &inner, 1);
            let cell = cell(maker, std::slice::from_ref(&outer), ty);
            let value = value(maker, std::slice::from_ref(&outer), ty);
            let value = value.replace(&outer.var, &inner);
            let (i, zero) = (&outer.var, zero(ty));
            format!(
                "FOR {0} LOOP {cell} := {zero} END OF LOOP; FOR {0} LOOP FOR {head} LOOP \
                 IF {inner} <> {i} THEN {cell} := {cell} + {value} END IF END OF LOOP END OF LOOP",
                outer.head
            )
        }
    }
}

pub fn zero(ty: &str) -> &'static str {
    match ty {
        "VECTOR" => "vector(0, 0, 0)",
        _ => "0",
    }
}

/// Loops without iterations around what would fail.
pub fn empty(maker: &mut Maker) -> String {
    let wide = maker.once_in(3);
    let (most, near) = match wide {
        true => (i64::MAX, maker.below(41)),
        false => (i32::MAX.into(), maker.below(41)),
    };
    let (from, to) = match maker.below(4) {
        0 => (most - near, -most + near),
        1 => (most, most - 1),
        2 => (-most, -most - 1),
        _ => (most / 2 + 2, -(most / 2) - 5),
    };
    let (from, to) = (bound(maker, wide, from), bound(maker, wide, to));
    let (var, around) = (maker.name("i"), maker.name("o"));
    let array = maker.array("REAL", &["4"], "OUTPUT");
    let step = maker.pick(&["", "", " STEP 3", " STEP 2000000000"]);
    let body = format!("{array}[{}] := 7", cut(&format!("{var} - ({from})"), wide));
    match (step, maker.below(3)) {
        ("", 0) => format!("PARALLEL ({var} FROM {from} TO {to}) ( {body} )"),
        (_, 1) => format!(
            "FOR ({around} FROM 0 TO 3) LOOP {array}[{around}] := 1; \
             FOR ({var} FROM {from} TO {to}{step}) LOOP {array}[{around}] := {array}[{around}] + 1 END OF LOOP END OF LOOP"
        ),
        _ => format!("FOR ({var} FROM {from} TO {to}{step}) LOOP {body} END OF LOOP"),
    }
}

/// A loop over all numbers of a type, which is not to be run.
pub fn whole(maker: &mut Maker) -> String {
    let (var, array) = (
        maker.name("i"),
        maker.array("REAL", &["64"], "INPUT OUTPUT"),
    );
    let wide = maker.once_in(3);
    let (least, most) = match wide {
        true => (i64::MIN, i64::MAX),
        false => (i32::MIN.into(), i32::MAX.into()),
    };
    let low = maker.number_of(&[0, 0, least, 1]);
    let (low, high) = (bound(maker, wide, low), bound(maker, wide, most));
    let cell = format!("{array}[{}]", cut(&var, wide));
    let body = match maker.below(3) {
        0 => format!("IF {var} >= 0 AND {var} < 64 THEN {cell} := 1 END IF"),
        1 => format!("{cell} := 0.5 * {cell}"),
        _ => format!("{array}[0] := {array}[0] + 1"),
    };
    format!("FOR ({var} FROM {low} TO {high}) LOOP {body} END OF LOOP")
}

/// Loops directly inside each other, one of which has no iterations, and the numbers of the others'
/// iterations multiply to more than INTEGER holds.
pub fn huge(maker: &mut Maker) -> String {
    let depth = 2 + maker.below(2);
    let array = maker.array("INTEGER", &["1"], "OUTPUT");
    let empty = maker.below(depth);
    let wide = maker.once_in(4);
    let mut text = format!("{array}[0] := 1");
    for at in (0..depth).rev() {
        let count = match at {
            at if at == empty => maker.number_of(&[0, 0, -1]),
            at if at < empty => 3,
            _ => maker.number_of(&[50_000, 100_000, 2_000_000_000]),
        };
        let var = maker.name("i");
        let (from, to) = (bound(maker, wide, 0), bound(maker, wide, count - 1));
        text = format!("FOR ({var} FROM {from} TO {to}) LOOP {text} END OF LOOP");
    }
    text
}
