//! Facts beside execution: each loop that is said to be independent runs as PARALLEL without a race;
//! of each that is said not to be, the two iterations that are named do race.

use super::{count, run, scheme};
use glushkov::algebra::{Construct, Operator, operator};
use glushkov::analysis::{Answer, Basis, Context, Loop, independent};
use glushkov::check::{Scheme, check};
use glushkov::machine::{Kind, Value};
use glushkov::term::{Id, Path, Sources, Symbol, Terms};

/// The loops that stand at the host's level, with their positions.
fn loops(scheme: &Scheme) -> Vec<(Path, Id)> {
    let terms = &scheme.terms;
    let mut found = Vec::new();
    let mut work = vec![(Path::default(), scheme.root)];
    while let Some((path, id)) = work.pop() {
        if terms.functor(id) == Some(Construct::ForLoop.symbol()) {
            found.push((path.clone(), id));
        }
        for (i, &argument) in terms.args(id).iter().enumerate() {
            let mut path = path.clone();
            path.0.push(i as u32);
            work.push((path, argument));
        }
    }
    found
}

/// The scheme with a loop's iterations at once; only those of two values, if they are given.
fn at_once(scheme: &Scheme, path: &Path, id: Id, only: Option<(i64, i64)>) -> Scheme {
    let mut terms: Terms = scheme.terms.clone();
    let [var, from, to, body] = terms.args(id)[..] else {
        panic!("a loop has four arguments");
    };
    let body = match only {
        None => body,
        Some((x, y)) => {
            let mut is = |value: i64| {
                let value = terms.int(value);
                terms.apply(Construct::Equal.symbol(), &[var, value])
            };
            let (x, y) = (is(x), is(y));
            let either = terms.apply(Construct::Or.symbol(), &[x, y]);
            let empty = terms.atom(Construct::Empty.symbol());
            terms.apply(Construct::If.symbol(), &[either, body, empty])
        }
    };
    let parallel = terms.apply(Construct::Parallel.symbol(), &[var, from, to, body]);
    let root = path.replace(&mut terms, scheme.root, parallel);
    check(
        &terms,
        root.expect("the position is there"),
        scheme.precision,
    )
    .unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The scheme with UNDEFINED in a loop's place.
fn without(scheme: &Scheme, path: &Path) -> Scheme {
    let mut terms: Terms = scheme.terms.clone();
    let undefined = terms.atom(Construct::Undefined.symbol());
    let root = path.replace(&mut terms, scheme.root, undefined);
    check(
        &terms,
        root.expect("the position is there"),
        scheme.precision,
    )
    .unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// `name = number` wherever it stands in a sentence.
fn numbers(sentence: &str, name: &str) -> Vec<i64> {
    let mut found = Vec::new();
    let words: Vec<&str> = sentence.split([' ', ',', '(', ')']).collect();
    for three in words.windows(3) {
        if three[0] == name && three[1] == "=" {
            found.extend(three[2].parse::<i64>());
        }
    }
    found
}

#[test]
fn hold_when_run() {
    let mut sources = Sources::default();
    let (mut yes, mut no, mut unknown, mut too_small) = (0, 0, 0, 0);
    let mut not_reached = 0;
    for seed in 0..count(400) {
        let (text, scheme) = scheme(1_000_000 + seed, seed % 2 == 1, &mut sources);
        for (path, id) in loops(&scheme) {
            let Some(Operator::For {
                var,
                from,
                to,
                body,
                ..
            }) = operator(&scheme.terms, id)
            else {
                continue;
            };
            let this = Loop {
                var,
                from,
                to,
                step: None,
            };
            let context = Context::at(&scheme, &path);
            let known = independent(&scheme, &context, this, body);
            let parameter = |k: i64| [(Symbol::new("K"), Value::Int(k))];
            match known {
                Answer::Yes(_, Basis::Assumed) => panic!("nothing is assumed"),
                Answer::Yes(why, Basis::Proved) => {
                    yes += 1;
                    let parallel = at_once(&scheme, &path, id, None);
                    for k in [5, 4, 2, 1, 0] {
                        if let Err(error) = run(&parallel, &parameter(k)) {
                            // Other errors are the scheme's own.
                            assert!(error.kind != Kind::Race, "{seed}: {why}: {error:?}\n{text}");
                        }
                    }
                }
                Answer::No(why, _) => {
                    no += 1;
                    let name = glushkov::check::author_name(var);
                    let named = numbers(&why, name);
                    let [x, y] = named[..2] else {
                        panic!("two iterations are named");
                    };
                    let k = numbers(&why, "K").first().copied().unwrap_or(5);
                    let two = at_once(&scheme, &path, id, Some((x, y)));
                    match run(&two, &parameter(k)) {
                        Err(error) if error.kind == Kind::Race => {}
                        // At sizes other than the default one arrays may be too small: then the
                        // scheme has no result there, and nothing is owed to it.
                        Err(error) if k != 5 && error.kind == Kind::Bounds => too_small += 1,
                        // A loop under a condition may never be reached.
                        Ok(_) if run(&without(&scheme, &path), &parameter(k)).is_ok() => {
                            not_reached += 1;
                        }
                        other => panic!("{seed}: {why}: {:?}\n{text}", other.err()),
                    }
                }
                Answer::Unknown(..) => unknown += 1,
            }
        }
    }
    let all = yes + no + unknown;
    println!(
        "{all} loops: {yes} yes, {no} no, {unknown} unknown; of the no, {too_small} at sizes with an \
         error and {not_reached} in places that are not reached"
    );
    assert!(
        yes * 20 > all && no * 20 > all,
        "{yes} yes, {no} no of {all}"
    );
}
