//! What strategy gpu-fast makes one launch of, and what is told where launches cannot be.

use super::glushkov;

fn derived(text: &str) -> String {
    let ran = glushkov(&["derive", "-", "--strategy", "gpu-fast"], text);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

/// What stands between the first IF with a condition and its ELSE.
fn first_branch<'a>(text: &'a str, condition: &str) -> &'a str {
    let (_, after) = text
        .split_once(&format!("IF {condition} THEN"))
        .unwrap_or_else(|| panic!("IF {condition} in {text}"));
    after.split("ELSE").next().unwrap_or(after)
}

#[test]
fn a_loop_before_a_choice_is_fused_in_both_branches() {
    let text = derived(
        "SCHEME \"a\" ====
         DATA
           N : INTEGER := 5
           M : INTEGER := 3
           x, y : REAL [N] OUTPUT
         END OF DATA
           FOR (i FROM 0 TO N - 1) LOOP x[i] := i END OF LOOP;
           IF M < 4 THEN
             FOR (i FROM 0 TO N - 1) LOOP y[i] := x[i] END OF LOOP
           ELSE
             FOR (i FROM 0 TO N - 1) LOOP y[i] := 2 * x[i] END OF LOOP
           END IF
         END OF SCHEME \"a\"",
    );
    assert_eq!(text.matches("RunKernel").count(), 2, "{text}");
    assert_eq!(
        first_branch(&text, "M < 4").matches("RunKernel").count(),
        1,
        "{text}"
    );
}

#[test]
fn what_follows_pairs_of_few_is_done_in_their_launch() {
    let text = derived(
        "SCHEME \"pairs\" ====
         DATA
           N : INTEGER := 40
           m : REAL [N] INPUT
           r, v, a : VECTOR [N] INPUT OUTPUT
         END OF DATA
           FOR (i FROM 0 TO N - 1) LOOP
             LOCAL s : VECTOR := 0;
             FOR (j FROM 0 TO N - 1) LOOP
               LOCAL d : VECTOR := r[j] - r[i];
               LOCAL q : REAL := 1 / sqrt(norm2(d) + 0.01);
               s := s + m[j] * q * q * q * d
             END OF LOOP;
             a[i] := s
           END OF LOOP;
           FOR (i FROM 0 TO N - 1) LOOP v[i] := v[i] + a[i] END OF LOOP
         END OF SCHEME \"pairs\"",
    );
    let few = first_branch(&text, "N < 12 * multiprocessors");
    assert_eq!(few.matches("RunKernel").count(), 1, "{text}");
    assert!(few.contains("v[i] :="), "{text}");
}

#[test]
fn what_a_target_lacks_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let ran = glushkov(
        &[
            "emit",
            "gravity",
            "--strategy",
            "gpu-fast",
            "--target",
            "rust",
            "-o",
            out,
        ],
        "",
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert_eq!(ran.err.matches("error[E0507]").count(), 2, "{}", ran.err);
    assert!(ran.err.contains("here, too"), "{}", ran.err);
}
