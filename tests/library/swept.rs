//! Pairs that are met once by blocks that share them (`sweep=1`), on the reference machine: they agree
//! with the sequential schemes, and it finds a race wherever a step does not wait for the one before.

use super::fast::{away, file};
use super::structure::derived_with;
use super::{Ran, run, try_run};

/// A text run with so many members, or what the reference machine finds.
fn ran(text: &str, n: &str) -> Result<Ran, String> {
    let file = file(text);
    let path = file.path().display().to_string();
    try_run(&path, "interpreter", "sequential", "f32", &[n])
}

/// What is wrong with a text of a scheme with so many members.
fn wrong(name: &str, text: &str, n: &str) -> Vec<String> {
    let reference = run(name, "interpreter", "sequential", "f32", &[n]);
    match ran(text, n) {
        Ok(ran) => away(&reference, &ran),
        Err(told) => vec![told],
    }
}

/// A text with one place changed, which stands in it just once.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from} in\n{text}");
    text.replace(from, to)
}

#[test]
fn swept_pairs_agree_with_the_sequential_schemes() {
    for name in ["gravity", "hermite", "coulomb", "leapfrog"] {
        let text = derived_with(name, "gpu_fast", &["sweep=1"]);
        assert!(text.contains("SHARED back_"), "{name}");
        for n in ["N=1", "N=2", "N=31", "N=65", "N=129", "N=300"] {
            let wrong = wrong(name, &text, n);
            assert!(wrong.is_empty(), "{name}, {n}: {}", wrong.join("\n"));
        }
    }
}

#[test]
fn errors_planted_in_swept_pairs_are_found() {
    let text = derived_with("gravity", "gpu_fast", &["sweep=1", "sweep_tile=32"]);
    assert!(ran(&text, "N=65").is_ok());
    // In the loop that asks each pair whether it is to be met.
    let barrier = "END IF\n                    END OF LOOP;\n                    BARRIER\n";
    let sum = "back_acc[(lane + step) MOD 32] := fma(-(part_2 * own_m[k_2]), d, back_acc[(lane + step) MOD 32])\n\
               \x20                     END IF";
    let race = "nothing orders the two";
    let planted = [
        ("no BARRIER", barrier, "END IF\nEND OF LOOP\n", race),
        (
            "no skew",
            sum,
            "back_acc[step] := fma(-(part_2 * own_m[k_2]), d, back_acc[step])\nEND IF",
            race,
        ),
        (
            "a BARRIER for some",
            barrier,
            "END IF\nEND OF LOOP;\nIF mine <= N - 1 THEN BARRIER END IF\n",
            "barrier",
        ),
    ];
    for (what, from, to, told) in planted {
        let error = match ran(&changed(&text, from, to), "N=65") {
            Ok(_) => panic!("{what} is not found"),
            Err(error) => error,
        };
        assert!(error.contains(told), "{what}: {error}");
    }
    let planted = [
        ("0 < step AND step < 16", "0 < step AND step < 32", "N=2"),
        ("AND s <= N - 1 THEN", "THEN", "N=33"),
        ("groups MOD 2 = 0 AND group >= groups / 2", "FALSE", "N=64"),
        (
            "IF first + lane <= N - 1 THEN",
            "IF distance > 0 THEN",
            "N=2",
        ),
    ];
    for (from, to, n) in planted {
        let wrong = wrong("gravity", &changed(&text, from, to), n);
        assert!(!wrong.is_empty(), "{from} may be {to}");
    }
}
