//! Rules as programs have them: over constructors, for standard functors, and such that ask themselves.

use super::made::pick;
use super::numbers::Numbers;
use super::{Compared, SYSTEMS, agree};

/// Rules over the constructors `z`, `s` and `c`, of which no two fit the same term, as programs have them. Half of the
/// systems keep each variable once, so that they take the same steps in whatever order.
pub fn program(numbers: &mut Numbers) -> String {
    let keeps = numbers.below(2) == 0;
    let mut rules = Vec::new();
    for functor in ["f", "g", "h"] {
        // Some look at their second argument, some two levels down.
        let (is_second, is_deep) = (numbers.below(3) == 0, numbers.below(4) == 0);
        for (case, own, for_deep) in [
            ("z", &[][..], None),
            ("s($x)", &["$x"], Some(false)),
            ("s(z)", &[], Some(true)),
            ("s(s($x))", &["$x"], Some(true)),
            ("s(c($y, $x))", &["$x", "$y"], Some(true)),
            ("c($x, $y)", &["$x", "$y"], None),
            ("p($x, $y)", &["$x", "$y"], None),
        ] {
            if for_deep == Some(!is_deep) || numbers.below(5) == 0 {
                continue;
            }
            let (pattern, mut variables) = match (functor, is_second) {
                ("f", _) => (format!("f({case})"), own.to_vec()),
                (_, false) => (format!("{functor}({case}, $w)"), [own, &["$w"]].concat()),
                (_, true) => (format!("{functor}($w, {case})"), [own, &["$w"]].concat()),
            };
            let result = part_of_program(numbers, &mut variables, keeps, 2);
            let rest = variables
                .into_iter()
                .fold(result, |result, name| match keeps {
                    true => format!("c({name}, {result})"),
                    false => result,
                });
            rules.push(format!("{pattern} -> {rest}"));
        }
    }
    rules.push("k($x) -> s($x)".into());
    rules.join(";\n")
}

/// A result that takes variables; where it `keeps` them, none twice.
fn part_of_program(
    numbers: &mut Numbers,
    variables: &mut Vec<&str>,
    keeps: bool,
    depth: usize,
) -> String {
    let name = variables.first().map_or("z", |name| name).to_string();
    let mut part = |numbers: &mut Numbers| {
        let depth = depth.saturating_sub(1);
        part_of_program(numbers, variables, keeps, depth)
    };
    match numbers.below(if depth == 0 { 4 } else { 12 }) {
        // Mostly of the same part.
        10 | 11 => match numbers.below(8) {
            0 => format!("p({}, {})", part(numbers), part(numbers)),
            _ => match keeps {
                true => format!("p({}, z)", part(numbers)),
                false => format!("p({name}, {name})"),
            },
        },
        4 => format!("s({})", part(numbers)),
        5 => format!("c({}, {})", part(numbers), part(numbers)),
        6 | 7 => {
            let first = part(numbers);
            format!("g({first}, {})", part(numbers))
        }
        8 => {
            // Equal parts of a result.
            let twice = part(numbers);
            match keeps && twice.contains('$') {
                true => format!("f({twice})"),
                false => format!("c(f({twice}), f({twice}))"),
            }
        }
        9 => format!("k({})", part(numbers)),
        0..=2 if !variables.is_empty() => {
            let i = numbers.below(variables.len());
            match keeps {
                true => variables.remove(i).into(),
                false => variables[i].into(),
            }
        }
        _ => "z".into(),
    }
}

pub fn data_of_program(numbers: &mut Numbers, depth: usize) -> String {
    let part = |numbers: &mut Numbers| data_of_program(numbers, depth.saturating_sub(1));
    match numbers.below(if depth == 0 { 1 } else { 7 }) {
        0 => "z".into(),
        1 | 2 => format!("s({})", part(numbers)),
        3 => format!("c({}, {})", part(numbers), part(numbers)),
        4 => format!("f({})", part(numbers)),
        5 => format!("g({}, {})", part(numbers), part(numbers)),
        _ => format!("h({}, {})", part(numbers), part(numbers)),
    }
}

#[test]
fn engines_agree_on_programs_over_constructors() {
    let mut numbers = Numbers(4);
    let all = compare_made(|| (program(&mut numbers), data_of_program(&mut numbers, 4)));
    assert!(all.ended > 2 * SYSTEMS, "{}", all.ended);
    // Half of the systems keep each variable once.
    assert!(all.any_order > SYSTEMS / 2, "{}", all.any_order);
    // Others are counted by what values owe.
    assert!(all.first_top > SYSTEMS / 2, "{}", all.first_top);
}

/// Compares the engines on so many systems and terms.
fn compare_made(mut make: impl FnMut() -> (String, String)) -> Compared {
    let mut all = Compared::default();
    for _ in 0..SYSTEMS {
        let (rules, text) = make();
        let compared = agree(&rules, &text, "", false);
        all.ended += compared.ended;
        all.any_order += compared.any_order;
        all.first_top += compared.first_top;
    }
    all
}

/// A standard functor that has rules of its own is computed where none of them fires, at times before they are tried.
#[test]
fn engines_agree_on_programs_with_own_rules_for_standard_functors() {
    let mut numbers = Numbers(5);
    let all = compare_made(|| {
        let names = [
            ("f(", pick(&mut numbers, &["logical_not(", "minus(", "f("])),
            ("g(", pick(&mut numbers, &["plus(", "logical_and(", "eq("])),
            ("h(", pick(&mut numbers, &["less(", "logical_or(", "h("])),
            ("z", pick(&mut numbers, &["0", "true", "false", "z"])),
        ];
        let named = |text: String| {
            let text = names.iter().fold(text, |text, (a, b)| text.replace(a, b));
            text.replace("k(", "s(")
        };
        let term = data_of_program(&mut numbers, 4);
        // Further literals, beside the one of the patterns.
        let term = term.replacen('z', &pick(&mut numbers, &["1", "true", "z"]), 2);
        let rules = program(&mut numbers);
        let count = rules.split(";\n").count();
        let kept = rules.split(";\n").take(count - 1);
        (named(kept.collect::<Vec<_>>().join(";\n")), named(term))
    });
    assert!(all.ended > 2 * SYSTEMS, "{}", all.ended);
    assert!(all.any_order > SYSTEMS / 8, "{}", all.any_order);
}

/// Rules that ask by `where` about the very term they are tried on.
fn asking_itself(numbers: &mut Numbers) -> String {
    let asked = pick(numbers, &["f($x, g($y))", "f($y, g($x))", "f($x, $y)"]);
    let other = pick(numbers, &["$x", "$y", "b", "h(b)"]);
    let mut rules = vec![
        format!("f($x, g($y)) -> r($w) where ($w <- k({asked}, {other}))"),
        "b -> c".into(),
    ];
    for first in ["r($u)", "f($t, $u)", "g($u)"] {
        if numbers.below(4) > 0 {
            let second = pick(numbers, &["c", "$v", "h($v)", "h(h(c))"]);
            let result = pick(numbers, &["yes", "no", "$u", "h($u)"]);
            rules.push(format!("k({first}, {second}) -> {result}"));
        }
    }
    if numbers.below(2) == 0 {
        let result = pick(numbers, &["$v", "c", "b"]);
        rules.push(format!("h(h($v)) -> {result}"));
    }
    rules.join(";\n")
}

fn term_that_is_asked(numbers: &mut Numbers, depth: usize) -> String {
    let part = |numbers: &mut Numbers| term_that_is_asked(numbers, depth.saturating_sub(1));
    match numbers.below(if depth == 0 { 3 } else { 7 }) {
        0 | 1 => "b".into(),
        2 => "a".into(),
        3 | 4 => format!("f({}, g({}))", part(numbers), part(numbers)),
        5 => format!("h({})", part(numbers)),
        _ => format!("k({}, {})", part(numbers), part(numbers)),
    }
}

#[test]
fn engines_agree_on_rules_that_ask_themselves() {
    let mut numbers = Numbers(6);
    let all = compare_made(|| {
        let rules = asking_itself(&mut numbers);
        (rules, term_that_is_asked(&mut numbers, 3))
    });
    assert!(all.ended > 2 * SYSTEMS, "{}", all.ended);
}
