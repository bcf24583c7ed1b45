//! No strategy is stopped by a rule that makes what does not check, wherever its loops stand.

use glushkov::algebra::Precision;
use glushkov::check::check;
use glushkov::derive::{derive, rule_base};
use glushkov::family::by_default;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};

const STRATEGIES: [&str; 6] = ["parallel", "cpu", "cpu_fast", "gpu", "gpu_fast", "paper"];

/// Loops in a kernel, in PARALLEL and in what is RECORDED.
const PLACES: &str = "SCHEME \"places\" ====\nDATA\n  N : INTEGER := 40\n  x : REAL [N] OUTPUT\n  \
    y : REAL [N, 8] OUTPUT\nEND OF DATA\n  \"Allocate memory for (y) on the device\";\n  \
    RunKernel (ceil_div(N, 32), 32) (\n    LOCAL i : INTEGER := block * threads + thread;\n    \
    IF i < N THEN FOR (j FROM 0 TO 7) LOOP y[i, j] := i + j END OF LOOP END IF\n  );\n  \
    RECORDED ( FOR (k FROM 0 TO 2) LOOP EMPTY END OF LOOP );\n  WAIT 'done';\n  \
    \"Copy (y) from the device\"; \"Free memory of (y) on the device\";\n  \
    PARALLEL (i FROM 0 TO N - 1) (\n    x[i] := 0; FOR (j FROM 0 TO 7) LOOP y[i, j] := y[i, j] * 2 END OF LOOP\n  )\n\
    END OF SCHEME \"places\"\n";

#[test]
fn no_rule_makes_what_does_not_check() {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let mut texts = vec![("places".to_owned(), PLACES.to_owned())];
    for folder in ["tests/targets", "tests/unseen"] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|e| e == "saa") {
                let text = std::fs::read_to_string(&path).expect("a text");
                texts.push((path.display().to_string(), text));
            }
        }
    }
    let mut lanes = 0;
    for (name, text) in texts {
        let file = sources.add(&name, text.as_str());
        let mut terms = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut terms);
        assert!(errors.is_empty(), "{name}");
        let root = by_default(&mut terms, items[0]).expect("a member");
        let Ok(scheme) = check(&terms, root, Precision::F32) else {
            panic!("{name} does not check");
        };
        for strategy in STRATEGIES {
            let derived = derive(&scheme, &base, strategy, &[], 10_000)
                .unwrap_or_else(|errors| panic!("{name}, {strategy}: {errors:?}"));
            let steps = &derived.derivation.steps;
            lanes += steps.iter().filter(|s| s.rule == "lanes").count();
        }
    }
    assert!(lanes > 20, "{lanes} loops got lanes");
}
