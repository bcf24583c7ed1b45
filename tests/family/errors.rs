//! What is told of families that are wrong, and of choices that are none.

use super::{given, member_of};
use glushkov::pipeline::{ALL, Options, Run, Session, Source, Target, load, members};

/// A scheme of items of DATA and operators, after what is given.
fn scheme(givens: &str, data: &str, body: &str) -> String {
    format!(
        "SCHEME \"s\" ====\n{givens}\nDATA\n x : INTEGER OUTPUT\n{data}\nEND OF DATA\n{body}\nEND OF SCHEME\n"
    )
}

fn refused(text: &str, given: &[&str], code: &str, said: &str) {
    let given: Vec<String> = given.iter().map(|t| (*t).to_owned()).collect();
    let failure = match member_of(text, &given) {
        Err(failure) => failure,
        Ok(_) => panic!("{text}\n{given:?} is not refused"),
    };
    let told: Vec<String> = failure
        .diagnostics
        .iter()
        .map(|d| {
            format!(
                "{} {} [{}]",
                d.code,
                d.message,
                d.hint.as_deref().unwrap_or("")
            )
        })
        .collect();
    let is_meant = |t: &String| t.starts_with(code) && t.contains(said);
    assert!(
        told.iter().any(is_meant),
        "{text}\n{given:?}: {code} {said}: {told:#?}"
    );
    // An error of the text has a place in it.
    if code != "E0006" {
        assert!(
            failure.diagnostics.iter().all(|d| d.span.is_some()),
            "{told:#?}"
        );
    }
}

#[test]
fn choices_that_are_none_are_told_of() {
    let text = scheme(
        "GIVEN d IN {1, 2, 3}\nGIVEN method IN {\"euler\", \"leapfrog\"}\nGIVEN THAT d < 3",
        "",
        "x := d",
    );
    for (given, code, said) in [
        (
            &["d"][..],
            "E0006",
            "is not NAME=VALUE [for example --given d=1",
        ),
        (&["e=1"], "E0006", "not given `e` [its givens are d, method"),
        (&["methud=euler"], "E0006", "did you mean `method`?"),
        (&["d=4"], "E0006", "`d` cannot be 4 [its values are 1, 2, 3"),
        (&["d=two"], "E0006", "`d` cannot be two"),
        (&["method=leapfrgo"], "E0006", "did you mean \"leapfrog\"?"),
        (
            &["method=2"],
            "E0006",
            "its values are \"euler\", \"leapfrog\"",
        ),
        (&["d=3"], "E0251", "no member with d = 3, method = euler"),
        (&["all"], "E0006", "name a member"),
    ] {
        refused(&text, given, code, said);
    }
    // Of several values for a name, the last counts.
    let member = member_of(&text, &["d=3".to_owned(), "d = 2".to_owned()]).expect("a member");
    assert_eq!(member.choice.shown(), "d = 2, method = euler");
    refused(
        "SCHEME \"s\" ====\n \"A\"\nEND OF SCHEME\n",
        &["d=1"],
        "E0006",
        "it has no GIVEN",
    );
}

#[test]
fn families_that_are_wrong_are_told_of() {
    for (givens, data, body, code, said) in [
        (
            "GIVEN d IN {1, 1}",
            "",
            "x := d",
            "E0250",
            "may be 1 already",
        ),
        (
            "GIVEN d IN {1, \"a\"}",
            "",
            "x := d",
            "E0250",
            "a number or a word",
        ),
        (
            "GIVEN d IN {1, 2} := 3",
            "",
            "x := d",
            "E0250",
            "default of `d` is none of its values [its values are 1, 2",
        ),
        ("GIVEN d IN 3..1", "", "x := d", "E0250", "holds nothing"),
        (
            "GIVEN d IN 1..1000000",
            "",
            "x := d",
            "E0250",
            "more than 10000 values",
        ),
        (
            "GIVEN d IN {1.5}",
            "",
            "x := d",
            "E0250",
            "an integer or a word",
        ),
        (
            "GIVEN w IN {\"a (b)\"}",
            "",
            "x := 1",
            "E0250",
            "parentheses",
        ),
        (
            "GIVEN d IN {1}\nGIVEN d IN {2}",
            "",
            "x := d",
            "E0202",
            "given twice",
        ),
        (
            "GIVEN d IN {1}",
            "d : INTEGER := 3",
            "x := d",
            "E0253",
            "`d` is given",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "FOR (d FROM 1 TO 2) LOOP x := d END OF LOOP",
            "E0253",
            "`d` is given",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "LOCAL d : INTEGER := 2; x := d",
            "E0253",
            "`d` is given",
        ),
        ("GIVEN d IN {1}", "", "d := 2", "E0253", "`d` is given"),
        (
            "GIVEN d IN {1}",
            "",
            "\"A (x)\" WHERE \"A (d)\" ==== d := 1",
            "E0253",
            "`d` is given",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "\"A (1)\" WHERE \"A (m)\" ==== BASIC (m : INTEGER) WRITES x \
             MEANS GIVEN FOR (m FROM 0 TO d) x := m END GIVEN END OF BASIC",
            "E0253",
            "names a variable",
        ),
        (
            "GIVEN d IN {1}",
            "k : INTEGER := 1",
            "GIVEN FOR (k FROM 1 TO d) x := k END GIVEN",
            "E0253",
            "names a variable",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "FOR (k FROM 1 TO 2) LOOP GIVEN FOR (k FROM 1 TO d) x := k END GIVEN END OF LOOP",
            "E0253",
            "names a variable",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "GIVEN FOR (d FROM 1 TO 2) x := 1 END GIVEN",
            "E0253",
            "`d` is given",
        ),
        ("GIVEN w IN {\"a\"}", "", "x := w", "E0252", "`w` is a word"),
        (
            "GIVEN d IN {1}",
            "",
            "x := y{e}",
            "E0252",
            "`e` is not given",
        ),
        (
            "GIVEN width IN {1}",
            "",
            "\"Do {widht}\"",
            "E0252",
            "did you mean `width`?",
        ),
        ("GIVEN d IN {-1}", "", "x := y{d}", "E0252", "is no name"),
        (
            "GIVEN w IN {\"a b\"}",
            "",
            "x := y{w}",
            "E0252",
            "is no name",
        ),
        (
            "GIVEN w IN {\"a\"}",
            "",
            "x := y{w + 1}",
            "E0252",
            "nothing can be added",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "GIVEN IF x = 1 THEN x := 1 END GIVEN",
            "E0252",
            "`x` is not given",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "GIVEN IF d THEN x := 1 END GIVEN",
            "E0252",
            "a condition is needed",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "GIVEN IF d = \"a\" THEN x := 1 END GIVEN",
            "E0252",
            "an integer and a word",
        ),
        (
            "GIVEN d IN {0}",
            "",
            "GIVEN IF 1 / d = 1 THEN x := 1 END GIVEN",
            "E0252",
            "divides by 0",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "GIVEN IF sin(d) > 0 THEN x := 1 END GIVEN",
            "E0252",
            "not known before anything is run",
        ),
        (
            "GIVEN d IN {1}",
            "GIVEN IF d = 1 THEN GIVEN e IN {1} END GIVEN",
            "x := d",
            "E0250",
            "cannot depend on what is given",
        ),
        (
            "GIVEN d IN {1}",
            "GIVEN IF d = 1 THEN USE \"heat.saa\" END GIVEN",
            "x := d",
            "E0250",
            "USE cannot depend",
        ),
        ("", "", "x := y{k}", "E0252", "nothing is given"),
        (
            "GIVEN d IN {1}",
            "",
            "GIVEN IF d = 1 THEN x := 1",
            "E0104",
            "expected END GIVEN",
        ),
        (
            "GIVEN d IN {1}",
            "",
            "x := 1 WHERE GIVEN IF d = 1 THEN \"A\" ==== x := 1",
            "E0104",
            "expected END GIVEN",
        ),
        ("GIVEN d IN 1, 2", "", "x := 1", "E0104", "expected `..`"),
        ("GIVEN FOR IN {1}", "", "x := 1", "E0104", "expected"),
    ] {
        refused(&scheme(givens, data, body), &[], code, said);
    }
}

/// Repeated parts in repeated parts are refused where they become too much, and soon.
#[test]
fn members_that_are_too_large_are_refused() {
    let mut body = "x := a{a} + b{b}".to_owned();
    for index in ["a", "b", "c", "e"] {
        body = format!("GIVEN FOR ({index} FROM 1 TO d) {body} END GIVEN");
    }
    refused(
        &scheme("GIVEN d IN {1000}", "", &body),
        &[],
        "E0207",
        "more than 10000000 nodes",
    );
    let empty = "GIVEN FOR (a FROM 1 TO 1000000000) GIVEN IF a = 0 THEN x := 1 END GIVEN END GIVEN";
    refused(&scheme("GIVEN d IN {1}", "", empty), &[], "E0207", "nodes");
    let givens = "GIVEN a IN 1..100 GIVEN b IN 1..100 GIVEN c IN 1..100";
    let text = scheme(givens, "", "x := a + b + c");
    let source = Source::Text {
        name: "text",
        text: &text,
    };
    let all = members(source, &given(&[ALL]), &mut Session::new());
    assert!(all.is_err_and(|failure| failure.diagnostics[0].code == "E0250"));
    let all = members(source, &given(&[ALL, "a=1"]), &mut Session::new());
    assert!(all.is_ok_and(|all| all.len() == 10_000));
}

/// Parts that were not chosen need not make sense, and errors of those that were are where the family has them.
#[test]
fn errors_of_members_are_in_the_text_of_the_family() {
    let text = scheme(
        "GIVEN d IN {1, 2}",
        "",
        "GIVEN FOR (k FROM 1 TO d) GIVEN IF k = 2 THEN x := y{k} ELSE x := k END GIVEN END GIVEN",
    );
    let source = Source::Text {
        name: "text",
        text: &text,
    };
    assert!(load(source, &given(&["d=1"]), &mut Session::new()).is_ok());
    let Err(failure) = load(source, &given(&["d=2"]), &mut Session::new()) else {
        panic!("y2 is not declared");
    };
    let [told] = &failure.diagnostics[..] else {
        panic!("{}", failure.said());
    };
    assert_eq!(
        (told.code, told.message.as_str()),
        ("E0201", "`y2` is not declared")
    );
    let span = told.span.expect("a place");
    assert_eq!(&text[span.from as usize..span.to as usize], "y{k}");
}

/// A file that is used may give something, too; what the scheme gives itself counts.
#[test]
fn files_that_are_used_may_give_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let used = "SCHEME \"parts\" ====\nGIVEN d IN {1, 2, 3} := 3\nGIVEN e IN {4, 5}\nDATA\n GIVEN FOR (k FROM 1 TO d) x{k} : INTEGER OUTPUT END GIVEN\nEND OF DATA\n EMPTY\nWHERE GIVEN FOR (k FROM 1 TO d) \"Set {k}\" ==== x{k} := k + e END GIVEN\nEND OF SCHEME\n";
    let scheme = "USE \"parts.saa\"\nSCHEME \"s\" ====\nGIVEN d IN {1, 2}\n GIVEN FOR (k FROM 1 TO d) \"Set {k}\" END GIVEN\nEND OF SCHEME\n";
    std::fs::write(folder.path().join("parts.saa"), used).expect("written");
    let path = folder.path().join("s.saa");
    std::fs::write(&path, scheme).expect("written");
    let path = path.to_string_lossy();
    let run = |texts: &[&str]| {
        let run = Run {
            target: Target::Interpreter,
            options: given(texts),
            ..Run::default()
        };
        run.run(Source::Path(&path), &mut Session::new())
    };
    let values = |texts: &[&str]| -> Vec<(String, Vec<f64>)> {
        let outcome = run(texts).unwrap_or_else(|failure| panic!("{}", failure.said()));
        let arrays = outcome.arrays.iter();
        arrays
            .map(|(name, array)| (name.clone(), array.to_f64s()))
            .collect()
    };
    assert_eq!(values(&[]), [("x1".to_owned(), vec![5.0])]);
    let two = [("x1".to_owned(), vec![6.0]), ("x2".to_owned(), vec![7.0])];
    assert_eq!(values(&["d=2", "e=5"]), two);
    assert!(run(&["d=3"]).is_err());
    let all = Options {
        given: vec![ALL.to_owned()],
        ..Options::default()
    };
    let all = members(Source::Path(&path), &all, &mut Session::new());
    assert!(all.is_ok_and(|all| all.len() == 4));
}
