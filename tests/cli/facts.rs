//! Facts of systems: asked, changed, read from files, answered by a program.

use crate::glushkov;
use std::path::Path;

const PATHS: &str = "tests/facts/paths.rules";

fn rewritten(args: &[&str]) -> String {
    let done = glushkov(&[&["rewrite"], args].concat(), "");
    assert_eq!(done.code, Some(0), "{args:?}\n{}", done.err);
    done.out.trim().to_owned()
}

#[test]
fn conditions_ask_facts_that_are_named_in_the_system() {
    for (term, gives) in [
        ("step(a, c)", "yes"),
        ("step(c, a)", "no"),
        // The first edge from `a` leads nowhere: the second one is taken.
        ("over(a, d)", "via(c)"),
        ("over(d, a)", "none"),
        ("end(b)", "yes"),
        ("end(a)", "no"),
        // Nothing is known of a variable.
        ("over(a, $q)", "over(a, $q)"),
        ("step(a, $q)", "step(a, $q)"),
    ] {
        for order in ["FirstTop", "TopDown", "BottomTop", "NFirstTops"] {
            let got = rewritten(&[PATHS, "--term", term, "--strategy", order]);
            assert_eq!(got, gives, "{term} by {order}");
        }
    }
}

/// A question that has no further fact is not asked again from the first one when a later question goes
/// on to its next.
#[test]
fn conditions_come_to_every_choice_of_facts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let facts = file("e.facts", "e(1, 2); e(2, 4); e(2, 3); e(1, 7); e(7, 9);");
    for (condition, gives) in [
        ("ask(e($x, $y)) && ask(e($y, $z)) && $z == 3", "g(2, none)"),
        ("ask(e($x, $y)) && ask(e($y, $z)) && $z == 9", "g(7, none)"),
        (
            "ask(e($x, $y)) && ask(e($y, $z)) && $z == 5",
            "g(none, none)",
        ),
        (
            "(ask(e(4, $y)) || ask(e($x, $y))) && ask(e($y, $z)) && $z == 9",
            "g(7, none)",
        ),
    ] {
        let rules = file("e.rules", &format!("f($x) [ {condition} ] -> $y !-> none"));
        for order in ["FirstTop", "TopDown", "BottomTop", "NFirstTops"] {
            let term = "g(f(1), f(2))";
            let args = [
                &rules,
                "--term",
                term,
                "--facts",
                &facts,
                "--strategy",
                order,
            ];
            assert_eq!(rewritten(&args), gives, "{condition} by {order}");
        }
    }
}

#[test]
fn actions_change_facts_and_what_was_normal_is_looked_at_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let left = folder.path().join("left.facts");
    let left = left.to_str().expect("a path");
    for order in ["FirstTop", "TopDown", "BottomTop", "NFirstTops"] {
        let term = "[late(e), walk(a), late(b)]";
        let args = [
            PATHS,
            "--term",
            term,
            "--strategy",
            order,
            "--save-facts",
            left,
        ];
        // From `a` the first place that was not seen is `b`, where the walk ends.
        assert_eq!(rewritten(&args), "[late(e), walk(b), found(b)]", "{order}");
        let facts = std::fs::read_to_string(left).expect("facts");
        assert!(facts.contains("seen(b);\nlast(b);\n"), "{facts}");
        let again = [
            PATHS,
            "--term",
            "[late(e), walk(c)]",
            "--strategy",
            order,
            "--facts",
            left,
        ];
        assert_eq!(rewritten(&again), "[found(e), walk(c)]", "{order}");
        let args = [&again[..], &["--save-facts", left]].concat();
        rewritten(&args);
        let facts = std::fs::read_to_string(left).expect("facts");
        // Three edges further, and only the last place is left of `last`.
        assert!(facts.ends_with("last(c);\n"), "{facts}");
        assert_eq!(facts.matches("last").count(), 1, "{facts}");
    }
}

#[test]
fn rows_of_csv_are_facts() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("mass.csv");
    std::fs::write(
        &table,
        "# body, mass\nsun, 1.5\n\"a b\", 2\nmoon,-3e-2\nok,true\n",
    )
    .expect("written");
    let rules = folder.path().join("r.rules");
    std::fs::write(&rules, "weigh($x) [ ask(mass($x, $m)) ] -> $m").expect("written");
    let (table, rules) = (
        table.to_str().expect("a path"),
        rules.to_str().expect("a path"),
    );
    let term = "[weigh(sun), weigh(\"a b\"), weigh(moon), weigh(ok), weigh(x)]";
    let got = rewritten(&[rules, "--term", term, "--facts", table]);
    assert_eq!(got, "[1.5, 2, -0.03, True, weigh(x)]");
    let bad = folder.path().join("no name.csv");
    std::fs::write(&bad, "1\n").expect("written");
    let bad = bad.to_str().expect("a path");
    let done = glushkov(&["rewrite", rules, "--term", "x", "--facts", bad], "");
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("E0373"), "{}", done.err);
}

#[test]
fn lines_are_printed_before_the_result_in_the_order_of_rewriting() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("r.rules");
    let name = file.to_str().expect("a path");
    let rules = "system(Lines, default, ruleset(
        import(sys, println),
        down(s($n)) -> down($n) [ println($n) ],
        both($x) -> seen($x, println(\"after\")) [[ println(\"\"), println([$x + 1]), println() ]]
    ), FirstTop)";
    std::fs::write(&file, rules).expect("written");
    for order in ["FirstTop", "TopDown", "BottomTop", "NFirstTops"] {
        let got = |term: &str, more: &[&str]| {
            let args = [
                &["rewrite", name, "--term", term, "--strategy", order],
                more,
            ]
            .concat();
            let done = glushkov(&args, "");
            assert_eq!(done.code, Some(0), "{order}: {}", done.err);
            done.out
        };
        assert_eq!(got("down(s(s(0)))", &[]), "s(0)\n0\ndown(0)\n", "{order}");
        assert_eq!(
            got("both(1)", &[]),
            "\n[2]\n\nafter\nseen(1, True)\n",
            "{order}"
        );
        let object = got("down(s(s(0)))", &["--json"]);
        let object: serde_json::Value = serde_json::from_str(&object).expect("JSON");
        assert_eq!(
            object["printed"],
            serde_json::json!(["s(0)", "0"]),
            "{order}"
        );
    }
    // What was printed before a run was given up is there.
    let args = ["rewrite", name, "--term", "down(s(s(0)))", "--steps", "1"];
    let done = glushkov(&args, "");
    assert!(done.out.starts_with("s(0)\ndown"), "{}", done.out);
}

/// What is asked of the form of a term is computed beside rules that are compiled, too.
#[test]
fn the_order_of_terms_is_computed_by_every_strategy() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.rules");
    let system = "system(S, default, ruleset(f($x) -> f1($x)), FirstTop)";
    std::fs::write(&path, system).expect("a file");
    let path = path.to_str().expect("a path");
    let term = "[f(term_less(a, b)), term_less(f(a), f(b)), Equal(a, b)]";
    for order in ["FirstTop", "TopDown", "BottomTop", "NFirstTops"] {
        let got = rewritten(&[path, "--term", term, "--strategy", order]);
        assert_eq!(got, "[f1(True), True, False]", "{order}");
    }
}

#[test]
fn what_nothing_answers_and_nothing_does_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("r.rules");
    let name = file.to_str().expect("a path");
    for (rules, code, word) in [
        ("x -> y [setFlag(true)]", "E0371", "`setFlag(True)`"),
        (
            "x -> y [assert(f) && remember(1)]",
            "E0371",
            "`remember(1)`",
        ),
        ("p($x) [ q($x) || $x == 1 ] -> y", "E0370", "`q($x)`"),
        ("p($x) [ !ask(q($x)) ] -> y", "E0370", "`q($x)`"),
        (
            "p($x) -> y [assert(f($x))]; r($x) [ ask(f($x)) && q($x) -> z",
            "E0300",
            "expected",
        ),
    ] {
        std::fs::write(&file, rules).expect("written");
        let done = glushkov(&["rewrite", name, "--term", "x"], "");
        assert_eq!(done.code, Some(2), "{rules}\n{}", done.out);
        assert!(
            done.err.contains(code) && done.err.contains(word),
            "{rules}\n{}",
            done.err
        );
        // Lint tells of systems; rules outside of them are for schemes.
        if code != "E0300" {
            let system = format!("system(s, default, ruleset({rules}), FirstTop)");
            std::fs::write(&file, system).expect("written");
            let linted = glushkov(&["rules", "lint", name], "");
            let told = format!("{}{}", linted.out, linted.err);
            assert!(
                told.contains("N0357") && told.contains(word),
                "{rules}\n{told}"
            );
        }
    }
    // Another rule's action makes such facts.
    std::fs::write(
        &file,
        "p($x) -> y [assert(f($x))]; r($x) [ ask(f($x)) ] -> z",
    )
    .expect("written");
    assert_eq!(
        rewritten(&[name, "--term", "[p(1), r(1), r(2)]"]),
        "[y, z, r(2)]"
    );
    // What is not ground is no fact.
    std::fs::write(&file, "p($x) -> y [assert(f($x, $z))]").expect("written");
    let done = glushkov(&["rewrite", name, "--term", "p(1)"], "");
    assert_eq!(done.code, Some(2), "{}", done.out);
    assert!(done.err.contains("E0373"), "{}", done.err);
    let facts = folder.path().join("bad.facts");
    std::fs::write(&facts, "f(1); 3; g($x); h(").expect("written");
    let facts = facts.to_str().expect("a path");
    let done = glushkov(&["rewrite", name, "--term", "p(1)", "--facts", facts], "");
    assert_eq!(done.code, Some(2), "{}", done.out);
}

#[test]
fn a_program_answers_and_acts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("r.rules");
    let name = file.to_str().expect("a path");
    let rules = "kind($n) [ even($n) ] -> even !-> odd;
        after($n) [ ask(next($n, $m)) && even($m) ] -> $m [note(after($n))];
        say($x) [ silent($x) ] -> y; mis($x) [ wrong($x) ] -> y";
    std::fs::write(&file, rules).expect("written");
    let notes = folder.path().join("notes");
    let script = Path::new("tests/facts/oracle.sh");
    let oracle = format!("NOTES={} sh {}", notes.display(), script.display());
    let args = |term| [name, "--term", term, "--oracle", oracle.as_str()];
    let term = "[kind(4), kind(2 + 3), kind(6), after(1)]";
    assert_eq!(rewritten(&args(term)), "[even, odd, kind(6), 4]");
    let noted = std::fs::read_to_string(notes).expect("notes");
    assert_eq!(noted, "{\"act\":\"note(after(1))\"}\n");
    for (term, why) in [("say(1)", "it has ended"), ("mis(1)", "`yes`")] {
        let done = glushkov(&[&["rewrite"], &args(term)[..]].concat(), "");
        assert_eq!(done.code, Some(2), "{}", done.out);
        assert!(
            done.err.contains("E0372") && done.err.contains(why),
            "{}",
            done.err
        );
    }
    for command in ["exit 3", "echo nothing", "echo '{\"answers\": [\"even\"]}'"] {
        let done = glushkov(&["rewrite", name, "--term", "x", "--oracle", command], "");
        assert_eq!(done.code, Some(2), "{}", done.out);
        assert!(done.err.contains("E0372"), "{}", done.err);
    }
}

#[test]
fn facts_are_there_wherever_rewriting_is_looked_at() {
    let shown = rewritten(&[PATHS, "--term", "over(a, d)", "--trace"]);
    assert!(shown.contains("via(c)"), "{shown}");
    let shown = rewritten(&[PATHS, "--term", "[walk(a), late(b)]", "--trace"]);
    assert!(shown.ends_with("[walk(b), found(b)]"), "{shown}");
    // A strategy of combinators asks and acts, too.
    let args = [PATHS, "--term", "[walk(a), late(b)]", "--strategy"];
    let got = rewritten(&[&args[..], &["once(`walk.1`); once(`late.1`)"]].concat());
    assert_eq!(got, "[walk(b), found(b)]");
    // What one way asserts would hold for the ways beside it.
    let done = glushkov(&["rewrite", PATHS, "--term", "walk(a)", "--search"], "");
    assert_eq!(done.code, Some(2), "{}", done.out);
    assert!(done.err.contains("E0374"), "{}", done.err);
    // Going back takes facts back.
    let commands = "term [walk(a), late(b)]\nstep\nundo\nrun\nundo\nstep\nprint\n";
    let done = glushkov(&["rewrite", PATHS, "--prompt"], commands);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(
        done.out.trim_end().ends_with("[walk(b), late(b)]"),
        "{}",
        done.out
    );
    assert_eq!(
        done.out.matches("[walk(b), found(b)]").count(),
        1,
        "{}",
        done.out
    );
}

#[test]
fn the_prompt_takes_the_facts_of_the_rules_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let two = "system(A, first, ruleset(f($x) [ask(p($x))] -> a), FirstTop);
        system(B, second, ruleset(f($x) [ask(p($x))] -> b), FirstTop);
        system(C, default, ruleset(f($x) [ask(p($x))] -> c), FirstTop)";
    std::fs::write(path("two.rules"), two).expect("written");
    std::fs::write(path("first.facts"), "p(1);").expect("written");
    std::fs::write(path("second.facts"), "p(2);").expect("written");
    let commands = "term [f(1), f(2)]\nsystem A\nrun\nundo\nsystem B\nrun\nundo\nsystem C\nprint\n";
    let done = glushkov(&["rewrite", &path("two.rules"), "--prompt"], commands);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(
        done.out.contains("[a, f(2)]") && done.out.contains("[f(1), b]"),
        "{}",
        done.out
    );
    // The third system has no facts, which is told when it is taken.
    assert!(done.err.contains("E0370"), "{}", done.err);
    // What actions left is written at the end.
    let left = path("left.facts");
    let args = ["rewrite", PATHS, "--prompt", "--save-facts", &left];
    let done = glushkov(&args, "term walk(a)\nrun\n");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let facts = std::fs::read_to_string(&left).expect("facts");
    assert!(facts.ends_with("last(b);\n"), "{facts}");
}

#[test]
fn what_an_oracle_fails_at_once_does_not_fail_the_prompt() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("r.rules");
    let name = file.to_str().expect("a path");
    let rules =
        "mis($x) [ wrong($x) ] -> y; kind($n) [ even($n) ] -> even !-> odd; act($a) -> done [$a]";
    std::fs::write(&file, rules).expect("written");
    let args = [
        "rewrite",
        name,
        "--prompt",
        "--oracle",
        "sh tests/facts/oracle.sh",
    ];
    let done = glushkov(
        &args,
        "term mis(1)\nrun\nterm kind(4)\nrun\nterm act(assert(f))\nrun\nterm act(leap)\nrun\n",
    );
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(done.err.matches("E0372").count(), 1, "{}", done.err);
    assert!(done.out.contains("\neven"), "{}", done.out);
    // An action that only the run shows is not passed over.
    assert!(
        done.err.contains("E0371") && done.err.contains("leap"),
        "{}",
        done.err
    );
}
