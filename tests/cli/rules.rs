//! The rule base, listed and explained.

use super::glushkov;
use glushkov::toolchain::testing::in_share;
use serde_json::Value;

#[test]
fn the_list_names_every_rule_and_every_strategy() {
    let list = glushkov(&["rules", "list"], "");
    assert_eq!(list.code, Some(0), "{}", list.err);
    let json = glushkov(&["rules", "list", "--json"], "");
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    for kind in ["rules", "strategies"] {
        let all = json[kind].as_array().expect("a list");
        assert!(all.len() > 5, "{kind}");
        for (number, one) in all.iter().enumerate() {
            let name = one["name"].as_str().expect("a name");
            assert!(list.out.contains(&format!(" {name} ")), "{name}");
            assert!(!one["does"].as_str().expect("a line").is_empty(), "{name}");
            if !in_share(number, 5) {
                continue;
            }
            let page = glushkov(&["rules", "explain", name], "");
            assert_eq!(page.code, Some(0), "{name}\n{}", page.err);
            let file = one["file"].as_str().expect("a file");
            assert!(page.out.contains(file), "{name}\n{}", page.out);
            // The text reads again.
            let (_, text) = page.out.trim_end().rsplit_once("\n\n").expect("parts");
            assert!(text.ends_with(';') && !text.ends_with(";;"), "{text}");
        }
    }
}

#[test]
fn a_page_has_everything() {
    let page = glushkov(&["rules", "explain", "interchange"], "").out;
    for wanted in [
        "interchange (rules/refine/chunks.rules): exact",
        "used by: chunked",
        "Sound because",
        "becomes",
        "#@rule(interchange)",
        "-> ForLoop($c, $p, $q, ForLoop($i, $a, $b, $B));",
    ] {
        assert!(page.contains(wanted), "{wanted}\n{page}");
    }
    let page = glushkov(&["rules", "explain", "gpu", "--json"], "").out;
    let page: Value = serde_json::from_str(&page).expect("JSON");
    assert!(
        page["text"]
            .as_str()
            .expect("a text")
            .starts_with("strategy gpu(")
    );
    assert_eq!(page["parameters"][0]["name"], "threads");
}

#[test]
fn unknown_names_are_answered_with_near_ones() {
    for (name, near) in [
        ("kernels", "`kernel`"),
        ("copy", "`copy_in`"),
        ("in-plase", "`in_place`"),
    ] {
        let ran = glushkov(&["rules", "explain", name], "");
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(
            ran.err.contains("E0314") && ran.err.contains(near),
            "{}",
            ran.err
        );
    }
    assert_eq!(glushkov(&["rules"], "").code, Some(2));
}

#[test]
fn questions_that_no_fact_answers_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.rules");
    let rule = "# Mine.\n#@rule(mine) #@float(exact)\nTimed($A) [independant($A)] -> $A;\n";
    std::fs::write(&file, rule).expect("a writable file");
    let file = file.display().to_string();
    let ran = glushkov(
        &["derive", "heat", "--strategy", "cpu", "--rules", &file],
        "",
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("E0317"), "{}", ran.err);
    assert!(
        ran.err.contains("did you mean `independent`?"),
        "{}",
        ran.err
    );
}

#[test]
fn functions_that_nothing_knows_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.rules");
    let path = file.display().to_string();
    let derived = |rule: &str| {
        let text = format!("# Mine.\n#@rule(mine) #@float(exact)\n{rule};\n");
        std::fs::write(&file, text).expect("a writable file");
        glushkov(
            &["derive", "heat", "--strategy", "cpu", "--rules", &path],
            "",
        )
    };
    let refused = [
        (
            "Timed($A) let ($B <- substitut($A, $A, $A)) -> $B",
            "did you mean `substitute`?",
        ),
        (
            "Timed($A) -> Timed(substitute($A, $A))",
            "substitute(t, old, new)",
        ),
        (
            "Timed($A) -> Filter(rename($A))",
            "there is no function `rename`",
        ),
        ("Timed($A) -> Timmed($A)", "did you mean `Timed`?"),
        ("Timed($A) [beside($A) == $A] -> $A", "`beside` takes"),
    ];
    for (rule, says) in refused {
        let ran = derived(rule);
        assert_eq!(ran.code, Some(2), "{rule}: {}", ran.err);
        assert!(ran.err.contains("E0318"), "{rule}: {}", ran.err);
        assert!(ran.err.contains(says), "{rule}: {}", ran.err);
    }
    // What another rule matches, and rules about terms of the user.
    for rule in [
        "Timed($A) -> mine($A);\nmine($A) -> Timed($A)",
        "mine($A) -> other($A, $A)",
    ] {
        let ran = derived(rule);
        assert_eq!(ran.code, Some(0), "{rule}: {}", ran.err);
    }
}

#[test]
fn rules_of_the_user_are_listed_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "# Mine does nothing.\n#@rule(mine) #@float(exact)\nEmpty -> Empty;\n";
    std::fs::write(folder.path().join("mine.rules"), text).expect("a file");
    let path = folder.path().to_str().expect("UTF-8");
    let list = glushkov(&["rules", "list", "--rules", path], "");
    assert!(list.out.contains("Mine does nothing."), "{}", list.err);
    std::fs::write(folder.path().join("mine.rules"), "f($x -> 1").expect("a file");
    let list = glushkov(&["rules", "list", "--rules", path], "");
    assert_eq!(list.code, Some(2), "{}", list.err);
}

#[test]
fn rules_are_looked_at() {
    let own = glushkov(&["rules", "lint"], "");
    assert_eq!(own.code, Some(0), "{}{}", own.out, own.err);
    assert!(own.out.contains("no findings"), "{}", own.out);

    let found = glushkov(&["rules", "lint", "tests/lint/findings.rules"], "");
    assert_eq!(found.code, Some(1), "{}", found.err);
    assert!(found.err.contains("findings.rules:14:1"), "{}", found.err);
    let json = glushkov(
        &["rules", "lint", "tests/lint/findings.rules", "--json"],
        "",
    );
    assert_eq!(json.code, Some(1), "{}", json.err);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    let findings = json["findings"].as_array().expect("a list");
    assert!(findings.iter().any(|f| f["code"] == "N0354"), "{json}");
    let sets = json["sets"].as_array().expect("a list");
    let outside = sets
        .iter()
        .find(|s| s["name"] == "rules outside of systems");
    assert_eq!(outside.map(|s| &s["ends"]), Some(&false.into()), "{json}");

    // A strategy that uses rules of the tool is read together with these.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.rules");
    std::fs::write(&file, "strategy own = repeat(once(in_place));\n").expect("written");
    let own = glushkov(&["rules", "lint", file.to_str().expect("a path")], "");
    assert_eq!(own.code, Some(0), "{}", own.err);
    assert!(own.out.contains("in strategy own"), "{}", own.out);

    let none = glushkov(&["rules", "lint", "tests/lint/absent.rules"], "");
    assert_eq!(none.code, Some(2), "{}", none.out);
    let wrong = glushkov(
        &["rules", "lint", "tests/rewrite/refused_variables.rules"],
        "",
    );
    assert_eq!(wrong.code, Some(2), "{}", wrong.out);
    assert!(wrong.err.contains("`$y` has no value"), "{}", wrong.err);
}

#[test]
fn the_rule_of_the_page_on_writing_rules_works() {
    let page = std::fs::read_to_string("docs/writing-rules.md").expect("a page");
    let (_, rest) = page.split_once("```rules\n").expect("a rule");
    let (rule, _) = rest.split_once("```").expect("its end");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.rules");
    std::fs::write(&file, rule).expect("written");
    let file = file.to_str().expect("a path");
    let linted = glushkov(&["rules", "lint", file], "");
    assert_eq!(linted.code, Some(0), "{}{}", linted.out, linted.err);
    let tested = glushkov(&["rules", "test", file], "");
    assert_eq!(tested.code, Some(0), "{}{}", tested.out, tested.err);
    let scheme = "SCHEME \"s\" ==== DATA N : INTEGER := 5 y : REAL [N] OUTPUT END OF DATA \
                  FOR (i FROM 0 TO N - 1) LOOP y[i] := 2 * i END OF LOOP END OF SCHEME \"s\"";
    let derived = glushkov(
        &["derive", "-", "--rules", file, "--strategy", "turned"],
        scheme,
    );
    assert_eq!(derived.code, Some(0), "{}", derived.err);
    assert!(
        derived.out.contains("FROM N - 1 TO 0 STEP -1"),
        "{}",
        derived.out
    );
}
