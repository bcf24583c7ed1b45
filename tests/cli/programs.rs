//! What programs write and refuse, the same on every target: `run` of small schemes.

use super::ran;
use glushkov::data::read_shape;
use glushkov::toolchain::testing::openmp_or_skip;

/// Targets whose programs can be built here.
fn targets() -> Vec<&'static str> {
    let mut targets = vec!["interpreter", "rust"];
    targets.extend(openmp_or_skip().map(|_| "cpp"));
    targets
}

#[test]
fn snapshots_of_arrays_without_cells_are_counted() {
    let text = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 0\n  x : REAL [N] OUTPUT\n  \
        v : VECTOR [N, 2] OUTPUT\nEND OF DATA\n  SAVE \"a\" (x); SAVE \"a\" (x); SAVE \"b\" (v);\n  \
        SAVE \"a_times\" (x)\nEND OF SCHEME \"s\"\n";
    for target in targets() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().to_str().expect("UTF-8");
        let out = format!("{out}/out");
        let ran = ran(
            &["run", "-", "--target", target, "--out", &out],
            text,
            |_| {},
        );
        assert_eq!(ran.code, Some(0), "{target}: {}", ran.err);
        let shape = |name: &str| {
            let file = std::path::Path::new(&out).join(name);
            read_shape(&file).unwrap_or_else(|e| panic!("{target} {name}: {e:?}"))
        };
        assert_eq!(shape("a.npy"), [2, 0], "{target}");
        assert_eq!(shape("b.npy"), [1, 0, 2, 3], "{target}");
        assert_eq!(shape("a_times.npy"), [1, 0], "{target}");
    }
}

#[test]
fn a_number_of_threads_that_is_none_is_refused() {
    let text = "SCHEME \"s\" ====\nDATA\n  x : REAL [64] OUTPUT\nEND OF DATA\n  \
        PARALLEL (i FROM 0 TO 63) (x[i] := i)\nEND OF SCHEME \"s\"\n";
    for target in targets() {
        if target == "interpreter" {
            continue;
        }
        let base = ["run", "-", "--target", target, "--no-compare"];
        let run = |threads: &str| {
            ran(&base, text, |command| {
                command.env("GLUSHKOV_THREADS", threads);
            })
        };
        for threads in ["abc", "-1", "0", "2.5", " 2", "+2", "99999999999"] {
            let ran = run(threads);
            assert_eq!(ran.code, Some(2), "{target} {threads}: {}", ran.err);
            let told = format!("GLUSHKOV_THREADS is a number of threads, and not `{threads}`");
            assert!(ran.err.contains(&told), "{target} {threads}: {}", ran.err);
        }
        for threads in ["2", "5000", ""] {
            let ran = run(threads);
            assert_eq!(ran.code, Some(0), "{target} {threads}: {}", ran.err);
            // A scheme without parameters has no line of them.
            assert!(!ran.out.contains("parameters"), "{}", ran.out);
            assert!(ran.out.contains("  seconds "), "{}", ran.out);
        }
    }
}
