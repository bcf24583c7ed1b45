//! What is derived gives the same results on the reference machine, which also looks for races; so
//! every "independent" that a rule acted on is tested.

use super::{count, run, scheme, shown};
use glushkov::derive::{derive, rule_base};
use glushkov::term::Sources;

#[test]
fn nests() {
    derived_do_what_they_did(false, 400);
}

#[test]
fn schemes_with_phrases() {
    derived_do_what_they_did(true, 300);
}

fn derived_do_what_they_did(phrases: bool, usual: u64) {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let (mut parallel, mut kernels, mut unknown, mut no, mut fallen_back) = (0, 0, 0, 0, 0);
    for seed in 0..count(usual) {
        let (text, scheme) = scheme(seed, phrases, &mut sources);
        // A scheme with an error obliges to nothing.
        let Ok(expected) = run(&scheme, &[]) else {
            continue;
        };
        for strategy in ["parallel", "cpu", "gpu", "gpu_blocks"] {
            let derived = derive(&scheme, &base, strategy, &[], 10_000)
                .unwrap_or_else(|errors| panic!("{text}{}", shown(&errors, &sources)));
            match run(&derived.scheme, &[]) {
                Ok(found) => assert_eq!(found, expected, "{strategy}, seed {seed}:\n{text}"),
                Err(error) => panic!("{strategy}, seed {seed}: {error:?}\n{text}"),
            }
            let applied = |rule: &str| {
                derived
                    .derivation
                    .steps
                    .iter()
                    .filter(|s| s.rule == rule)
                    .count() as u64
            };
            parallel += applied("parallel_loop");
            kernels += applied("kernel") + applied("kernel_plane");
            fallen_back += applied("copy_around");
            for miss in &derived.derivation.near_misses {
                if miss.stopped_by.question.starts_with("independent") {
                    match miss.stopped_by.answer.as_str() {
                        "no" => no += 1,
                        _ => unknown += 1,
                    }
                }
            }
        }
    }
    println!(
        "{parallel} PARALLEL, {kernels} launches; refused: {no} no, {unknown} unknown; {fallen_back} launches with copies around them"
    );
    let least = count(usual) / 20;
    assert!(parallel > least && kernels > least && no > least);
}
