//! The families of the library: members are equal to the schemes beside them, all sorts give the same, and what
//! strategies and targets make of a member has its results.

use super::given;
use glushkov::data::{Array, identical};
use glushkov::pipeline::{
    ALL, Options, Outcome, Pick, Run, Session, Source, Target, equal, members,
};
use glushkov::term::with_deep_stack;

/// The families, each with settings that keep runs short.
const FAMILIES: [(&str, &[&str]); 2] = [
    ("short_sorts", &["N=9", "L=13"]),
    ("integrators", &["N=11", "STEPS=3"]),
];

/// The members of a family of the library.
fn all_of(family: &str, settings: &[&str]) -> Vec<(String, Options)> {
    let options = Options {
        set: settings.iter().map(|s| (*s).to_owned()).collect(),
        ..given(&[ALL])
    };
    let all = members(Source::Path(family), &options, &mut Session::new());
    all.unwrap_or_else(|failure| panic!("{}", failure.said()))
}

fn ran(scheme: &str, target: Target, strategy: &str, options: &Options, compared: bool) -> Outcome {
    let run = Run {
        target,
        strategy: Some(strategy.to_owned()),
        options: options.clone(),
        reference: compared.then_some(Target::Interpreter),
        without_notes: true,
        ..Run::default()
    };
    let outcome = with_deep_stack(|| run.run(Source::Path(scheme), &mut Session::new()));
    outcome.unwrap_or_else(|failure| panic!("{scheme}, {:?}: {}", options.given, failure.said()))
}

fn array<'a>(outcome: &'a Outcome, name: &str) -> &'a Array {
    let found = outcome.arrays.iter().find(|(n, _)| n == name);
    &found.expect("an OUTPUT").1
}

#[test]
fn members_are_equal_to_the_schemes_beside_them() {
    for (family, member, scheme) in [
        ("short_sorts", "method=rank", "rank_sort"),
        ("integrators", "method=leapfrog", "leapfrog"),
        ("integrators", "method=hermite 4", "hermite"),
    ] {
        let chosen = [member.to_owned()];
        let picks = [
            Pick {
                scheme: None,
                given: &chosen,
                ..Pick::default()
            },
            Pick::default(),
        ];
        let sources = [Source::Path(family), Source::Path(scheme)];
        let equality = equal(sources, picks, &mut Session::new());
        let equality = equality.unwrap_or_else(|failure| panic!("{}", failure.said()));
        assert!(
            equality.is_equal(),
            "{family}, {member}: {:?}",
            equality.data.shown
        );
        // Other members are not.
        let other = all_of(family, &[]).pop().expect("members").1.given;
        let picks = [
            Pick {
                scheme: None,
                given: &other,
                ..Pick::default()
            },
            Pick::default(),
        ];
        let equality = equal(sources, picks, &mut Session::new());
        assert!(
            equality.is_ok_and(|equality| !equality.is_equal()),
            "{other:?}"
        );
    }
}

#[test]
fn all_sorts_give_the_same() {
    // Small numbers of keys, and equal keys by the dozen: `lattice`-like values are made by rounding.
    for settings in [
        ["N=7", "L=1"],
        ["N=7", "L=2"],
        ["N=5", "L=31"],
        ["N=3", "L=64"],
    ] {
        let set: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
        let options = Options {
            set,
            ..Options::default()
        };
        let wanted = ran(
            "rank_sort",
            Target::Interpreter,
            "sequential",
            &options,
            false,
        );
        for (shown, options) in all_of("short_sorts", &settings) {
            let outcome = ran(
                "short_sorts",
                Target::Interpreter,
                "sequential",
                &options,
                false,
            );
            for name in ["sorted", "place"] {
                let same = identical(array(&outcome, name), array(&wanted, name));
                assert!(same, "{shown}, {settings:?}: {name}");
            }
        }
    }
}

/// Keys of which many are equal keep their order in every sort.
#[test]
fn equal_keys_keep_their_order() {
    let text = std::fs::read_to_string("schemes/sort/short_sorts.saa").expect("a family");
    let text = text.replace(
        "sorted[a, i] := key[a, i];",
        "sorted[a, i] := floor(3 * key[a, i]);",
    );
    let text = text.replace(
        "sorted[a, rank] := key[a, own];",
        "sorted[a, rank] := floor(3 * key[a, own]);",
    );
    let text = text.replace(
        "key[a, s] < key[a, i] OR key[a, s] = key[a, i] AND s < i",
        "floor(3 * key[a, s]) < floor(3 * key[a, i]) OR floor(3 * key[a, s]) = floor(3 * key[a, i]) AND s < i",
    );
    let source = Source::Text {
        name: "thirds.saa",
        text: &text,
    };
    let mut places = Vec::new();
    for (_, options) in all_of("short_sorts", &["N=4", "L=21"]) {
        let run = Run {
            target: Target::Interpreter,
            options,
            without_notes: true,
            ..Run::default()
        };
        let outcome = run.run(source, &mut Session::new());
        let outcome = outcome.unwrap_or_else(|failure| panic!("{}", failure.said()));
        let sorted = array(&outcome, "sorted").to_f64s();
        assert!(sorted.iter().all(|key| key.fract() == 0.0));
        assert!(sorted.chunks(21).all(|row| row.is_sorted()));
        places.push(array(&outcome, "place").to_f64s());
    }
    assert!(places.len() == 3 && places.iter().all(|p| *p == places[0]));
}

#[test]
fn strategies_make_the_same_of_every_member() {
    for (family, settings) in FAMILIES {
        for (shown, options) in all_of(family, settings) {
            for strategy in ["parallel", "gpu"] {
                let outcome = ran(family, Target::Interpreter, strategy, &options, true);
                let compared = outcome.compared.expect("compared");
                assert!(compared.passed, "{family}, {shown}, {strategy}");
            }
        }
    }
}

#[test]
fn target_rust_agrees_with_the_machine() {
    for (family, settings) in FAMILIES {
        for (shown, options) in all_of(family, settings) {
            let outcome = ran(family, Target::Rust, "cpu", &options, true);
            let compared = outcome.compared.expect("compared");
            assert!(compared.passed, "{family}, {shown}");
        }
    }
}
