//! `rewrite`: steps, JSON, search and the prompt.

use super::glushkov;

const RULES: &str = "#@rule(larger) max($x, $y) [$x >= $y] -> $x !-> $y;
#@rule(swap) p($x, $y) -> q($y, $x);
#@rule(same) q($x, $x) -> $x;
#@rule(open) open($x) [known($x)] -> $x;
#@rule(of_one) known(1) -> true;
strategy both = try(once(swap)); once(larger)
";

fn written() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("case.rules");
    std::fs::write(&path, RULES).expect("a file");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

#[test]
fn a_prompt_steps_asks_and_goes_back() {
    let (_folder, path) = written();
    let commands = "
        where
        step
        term f(max(1, 2), p(a, max(x, 1)), open(c))
        rules
        where
        where swap
        why larger
        why same
        why open at 2
        why swap at 1
        why swap at 7
        why swop
        step at 1
        step at 2 by open
        undo
        undo
        redo
        step 5
        run
        nonsense
        term f(
        load nowhere.rules
        load
        term p(p(1, 2), max(3, 3))
        strategy both
        step 1
        strategy topdown(try(swap <+ same))
        run
        strategy nothing
        strategy BottomTop
        run
        print
        quit
        print";
    let ran = glushkov(&["rewrite", &path, "--prompt"], commands);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!(format!("{}--- errors ---\n{}", ran.out, ran.err));
}

#[test]
fn a_run_is_an_object_of_json() {
    let (_folder, path) = written();
    let ran = glushkov(
        &[
            "rewrite",
            &path,
            "--term",
            "f(max(1, 2))",
            "--trace",
            "--json",
        ],
        "",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!(ran.out);
    let ran = glushkov(&["rewrite", &path, "--term", "f(", "--json"], "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.out.contains("\"result\":null"), "{}", ran.out);
}

#[test]
fn a_search_tells_whether_it_is_exhaustive() {
    let (_folder, path) = written();
    let search = |more: &[&str]| {
        let mut arguments = vec![
            "rewrite",
            &path,
            "--term",
            "f(p(a, a), p(a, b))",
            "--search",
        ];
        arguments.extend(more);
        glushkov(&arguments, "")
    };
    let all = search(&[]);
    assert_eq!(all.code, Some(0), "{}", all.err);
    assert!(all.out.contains("1 normal form, 6 terms"), "{}", all.out);
    assert!(all.out.ends_with("that is all\n"), "{}", all.out);
    let some = search(&["f($x, $x)"]);
    assert_eq!(some.code, Some(1), "{}", some.out);
    let near = search(&["f($x, $y)", "--depth", "1", "--json"]);
    assert_eq!(near.code, Some(0), "{}", near.err);
    assert!(near.out.contains("\"exhaustive\":false"), "{}", near.out);
    let wrong = search(&["f($x; g"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.out);
}

#[test]
fn strategies_of_combinators_are_taken() {
    let (_folder, path) = written();
    let by = |strategy| {
        let term = "f(p(2, 1), max(1, 2))";
        glushkov(
            &["rewrite", &path, "--term", term, "--strategy", strategy],
            "",
        )
    };
    assert_eq!(by("both").out, "f(q(1, 2), 2)\n");
    assert_eq!(by("swap").out, "f(q(1, 2), max(1, 2))\n");
    assert_eq!(by("all(try(larger))").out, "f(p(2, 1), 2)\n");
    assert_eq!(by("all(larger)").code, Some(1));
    let unknown = by("FirstTpo");
    assert!(unknown.err.contains("E0312"), "{}", unknown.err);
    let unknown = by("try(lager)");
    assert!(unknown.err.contains("E0314"), "{}", unknown.err);
}
