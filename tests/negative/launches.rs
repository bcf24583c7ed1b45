//! Every launch of an emitted program asks first whether it has blocks.

use crate::harness::{cases, scheme};
use glushkov::algebra::Precision;
use glushkov::emit::{EmitOptions, Target, emit};

/// A launch of this many blocks and threads always has some.
const ONE_THREAD: &str = ", Grid(1, 1), ";

/// The launches of a program that no question of their own stands before, though they may have no
/// blocks.
fn unguarded<'a>(program: &'a str, question: &str, launch: &str) -> Vec<&'a str> {
    let mut asked = false;
    let mut found = Vec::new();
    for line in program.lines() {
        asked |= line.trim().starts_with(question);
        if line.contains(launch) && !line.contains(ONE_THREAD) {
            if !asked {
                found.push(line);
            }
            asked = false;
        }
    }
    found
}

#[test]
fn no_launch_is_without_the_question() {
    let ways = [
        (
            Target::Cuda,
            ".cu",
            "if (const Grid grid = Grid(",
            " launch(",
        ),
        (
            Target::RustCuda,
            "kernels.rs",
            "if grid.blocks == 0 {",
            ".start(&mut launch",
        ),
    ];
    for (target, file, question, launch) in ways {
        let mut launches = 0;
        for case in cases("tests/targets")
            .into_iter()
            .chain(cases("tests/emit/cases"))
        {
            let scheme = scheme(&case.name, &case.text, Precision::F32);
            let Ok(project) = emit(&scheme, target, &EmitOptions::default()) else {
                continue;
            };
            let Some((_, program)) = project.files.iter().find(|(p, _)| p.ends_with(file)) else {
                continue;
            };
            assert_eq!(
                unguarded(program, question, launch),
                Vec::<&str>::new(),
                "{}",
                case.name
            );
            // One without it is noticed.
            let all = program.matches(launch).count() - program.matches(ONE_THREAD).count();
            let naked = program.replace(question, "if true {");
            assert_eq!(unguarded(&naked, question, launch).len(), all);
            launches += all;
        }
        assert!(launches > 30, "{launches} launches in {file}");
    }
}

/// No launch at all is what a question of no blocks leads to.
#[test]
fn no_blocks_are_none_in_the_question() {
    let support = include_str!("../../templates/cuda/support.cuh.tera");
    assert!(support.contains("if (wanted_blocks <= 0 || wanted_threads <= 0) return;"));
    let grid = include_str!("../../templates/rust/grid.rs");
    assert!(grid.contains("if blocks <= 0 || threads <= 0"));
}
