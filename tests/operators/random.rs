//! Random operators in random loops: what is derived from what they declare has the results of what they mean.

use glushkov::pipeline::{Options, Run, Session, Source, Target};
use glushkov::term::with_deep_stack;
use glushkov::toolchain::testing::{in_campaign, two_at_a_time};
use rand::RngExt;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::fmt::Write as _;

const ARRAYS: [&str; 3] = ["a", "b", "c"];

/// A cell near `i`, of a row of the plane `p`, or of an array that is passed.
fn cell(random: &mut Pcg64) -> String {
    let at = ["i", "i", "i + 1", "i - 1", "0", "N - 1"][random.random_range(0..6)];
    match random.random_range(0..5) {
        0 => format!("p[i, {}]", ["0", "j", "1"][random.random_range(0..3)]),
        1 => format!("u[{at}]"),
        _ => format!("{}[{at}]", ARRAYS[random.random_range(0..3)]),
    }
}

/// A file of operators, each with code, so that they stay what they are: what they read and write is what they mean.
fn operators(random: &mut Pcg64) -> (String, usize) {
    let mut text = String::new();
    let count = random.random_range(1..4);
    for number in 0..count {
        let mut writes: Vec<String> = (0..random.random_range(1..3))
            .map(|_| cell(random))
            .collect();
        writes.dedup();
        let reads: Vec<String> = (0..random.random_range(1..4))
            .map(|_| cell(random))
            .collect();
        let sum = reads.join(" + ");
        let mut means = Vec::new();
        for (k, write) in writes.iter().enumerate() {
            means.push(match random.random_range(0..3) {
                0 => format!("{write} := 0.5 * {write} + {sum}"),
                1 => format!("IF i > {k} THEN {write} := {sum} END IF"),
                _ => format!("{write} := {sum}"),
            });
        }
        let listed: Vec<String> = reads.iter().chain(&writes).cloned().collect();
        let _ = writeln!(
            text,
            "\"Do {number} with (i), (j) and (u)\" ==== BASIC (i, j : INTEGER; u : REAL [n])\n  READS {}\n  WRITES {}\n  \
             MEANS {}\n  CODE rust ``` do_it(); ```\n  CODE cuda ``` do_it(); ```\nEND OF BASIC",
            listed.join(", "),
            writes.join(", "),
            means.join("; ")
        );
    }
    (text, count)
}

fn body(random: &mut Pcg64, operators: usize) -> String {
    let mut text = String::new();
    for _ in 0..random.random_range(1..4) {
        let one = |random: &mut Pcg64| {
            let number = random.random_range(0..operators);
            let index = ["i", "i", "N - 1 - i", "1"][random.random_range(0..4)];
            let second = ["0", "1", "2"][random.random_range(0..3)];
            format!("\"Do {number} with ({index}), ({second}) and (d)\"")
        };
        let mut inner: Vec<String> = (0..random.random_range(1..3))
            .map(|_| one(random))
            .collect();
        if random.random_range(0..3) == 0 {
            inner.push("a[i] := a[i] + c[i]".to_owned());
        }
        if random.random_range(0..3) == 0 {
            inner = vec![format!(
                "FOR (k FROM 0 TO 2) LOOP {} END OF LOOP",
                inner.join("; ")
            )];
        }
        let _ = writeln!(
            text,
            "  FOR (i FROM 1 TO N - 2) LOOP {} END OF LOOP;",
            inner.join("; ")
        );
    }
    text.push_str("  d[0] := a[0]\n");
    text
}

#[test]
fn random_operators_are_derived_as_they_are_declared() {
    let tries = if in_campaign() { 200 } else { 40 };
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Pcg64::seed_from_u64(23);
    let made: Vec<(String, String)> = (0..tries)
        .map(|_| {
            let (declared, count) = operators(&mut random);
            let text = format!(
                "SCHEME \"random\" ====\nDATA\n  N : INTEGER := 9\n  a, b, c, d : REAL [N] INPUT OUTPUT\n  \
                 p : REAL [N, 4] INPUT OUTPUT\nEND OF DATA\n{}END OF SCHEME \"random\"\n",
                body(&mut random, count)
            );
            (declared, text)
        })
        .collect();
    let run_well = two_at_a_time(&made, |number, (declared, text)| {
        let path = folder.path().join(format!("random_{number}.ops"));
        std::fs::write(&path, declared).expect("a file");
        let mut run_well = 0;
        for strategy in ["parallel", "cpu", "gpu", "paper", "gpu_fast"] {
            let run = Run {
                target: Target::Interpreter,
                strategy: Some(strategy.to_owned()),
                reference: Some(Target::Interpreter),
                options: Options {
                    operators: vec![path.clone()],
                    with: match strategy {
                        "gpu_fast" => vec!["split_reductions=0".to_owned()],
                        _ => Vec::new(),
                    },
                    ..Options::default()
                },
                inputs: glushkov::pipeline::Inputs {
                    seeded: true,
                    ..Default::default()
                },
                without_notes: true,
                ..Run::default()
            };
            let source = Source::Text {
                name: "random.saa",
                text,
            };
            let outcome = with_deep_stack(|| run.run(source, &mut Session::new()));
            match outcome {
                Ok(outcome) => {
                    let compared = outcome.compared.expect("it was asked for");
                    assert!(
                        compared.is_identical(),
                        "{number}, {strategy}:\n{declared}{text}"
                    );
                    run_well += 1;
                }
                // A strategy may need what is not there.
                Err(failure) => {
                    let told: Vec<&str> = failure.diagnostics.iter().map(|d| d.code).collect();
                    assert_eq!(
                        told,
                        ["E0331"],
                        "{number}, {strategy}:\n{declared}{text}\n{failure}"
                    );
                }
            }
        }
        run_well
    });
    let run_well: usize = run_well.into_iter().sum();
    assert!(run_well > 3 * tries, "{run_well} of {} were run", 5 * tries);
}
