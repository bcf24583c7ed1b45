//! What is offered, and what hints can be done by the editor.

use crate::client::{Client, URI, about, changed, place};
use serde_json::{Value, json};

const TEXT: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 8 # bodies\n  mass : REAL [N] INPUT\n  \nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP\n    LOCAL q : REAL := mass[i];\n    \n  END OF LOOP;\n  \nWHERE\n  \"Halve the mass of (k)\" ====\n    mass[k] := mass[k] / 2\nEND OF SCHEME \"s\"\n";

fn offered(client: &mut Client, place: (usize, usize)) -> Vec<Value> {
    let all = client.ask("textDocument/completion", about(place));
    all.as_array().cloned().expect("a list")
}

fn labels(all: &[Value]) -> Vec<&str> {
    all.iter()
        .map(|i| i["label"].as_str().expect("a label"))
        .collect()
}

fn one<'a>(all: &'a [Value], label: &str) -> &'a Value {
    let found = all.iter().find(|i| i["label"] == label);
    found.unwrap_or_else(|| panic!("no {label} in {:?}", labels(all)))
}

#[test]
fn operators_begin_with_constructs_phrases_and_names() {
    let mut client = Client::with(TEXT);
    let all = offered(&mut client, (8, 4));
    let snippet = one(&all, "FOR (… FROM … TO …) LOOP");
    assert_eq!(
        snippet["textEdit"]["newText"],
        "FOR (${1:i} FROM ${2:0} TO ${3:N - 1}) LOOP\n\t$4\nEND OF LOOP"
    );
    assert_eq!(snippet["insertTextFormat"], 2);
    let phrase = one(&all, "\"Halve the mass of (k)\"");
    assert_eq!(
        phrase["textEdit"]["newText"],
        "\"Halve the mass of (${1:k})\""
    );
    assert_eq!(one(&all, "q")["detail"], "REAL, a LOCAL");
    assert_eq!(one(&all, "i")["detail"], "INTEGER, the variable of a loop");
    assert_eq!(
        one(&all, "mass")["detail"],
        "REAL [N] INPUT, data of the scheme"
    );
    assert!(!labels(&all).contains(&"sqrt"));
    // Behind the loop its names are gone.
    let all = offered(&mut client, (10, 2));
    assert!(!labels(&all).contains(&"q") && !labels(&all).contains(&"i"));
    assert!(labels(&all).contains(&"mass"));
}

#[test]
fn every_place_has_its_own_words() {
    let mut client = Client::with(TEXT);
    let (line, character) = place(TEXT, "mass[k] / 2", 0);
    let all = offered(&mut client, (line, character + 2));
    assert!(labels(&all).contains(&"k") && labels(&all).contains(&"sqrt"));
    assert!(!labels(&all).iter().any(|l| l.starts_with("FOR")));
    let edit = &one(&all, "mass")["textEdit"];
    assert_eq!(edit["range"]["start"]["character"], character);
    let (line, character) = place(TEXT, "REAL :=", 0);
    let all = offered(&mut client, (line, character));
    assert!(labels(&all).contains(&"VECTOR") && !labels(&all).contains(&"mass"));
    let all = offered(&mut client, (4, 2));
    assert!(
        labels(&all).contains(&"ASSUME") && labels(&all).contains(&"INPUT"),
        "{:?}",
        labels(&all)
    );
    let (line, character) = place(TEXT, "bodies", 0);
    assert!(offered(&mut client, (line, character + 3)).is_empty());
    client.change(None, "");
    assert!(labels(&offered(&mut client, (0, 0))).contains(&"SCHEME"));
}

#[test]
fn phrases_are_offered_while_they_are_written() {
    let text = TEXT.replace("    \n  END OF LOOP", "    \"Hal\n  END OF LOOP");
    let mut client = Client::with(&text);
    let (line, character) = place(&text, "\"Hal\n", 0);
    let all = offered(&mut client, (line, character + 4));
    let edit = &one(&all, "\"Halve the mass of (k)\"")["textEdit"];
    assert_eq!(edit["range"]["start"]["character"], character);
    assert_eq!(edit["range"]["end"]["character"], character + 4);
}

#[test]
fn words_are_of_the_language_of_the_document() {
    let text = include_str!("../../schemes/nbody/hermite_uk.saa");
    let mut client = Client::with(text);
    let (line, _) = place(text, "ЦИКЛ", 0);
    let all = offered(&mut client, (line + 1, 0));
    assert!(
        labels(&all).contains(&"ДЛЯ (… ВІД … ДО …) ЦИКЛ"),
        "{:?}",
        labels(&all)
    );
}

#[test]
fn rule_files_have_facts_functions_and_functors() {
    let uri = "file:///nowhere/my.rules";
    let mut client = Client::ready();
    client.open(uri, "#@rule(mine) ForLoop($i, $a, $b, $A) [  ] -> $A;\n");
    let params = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 39}});
    let all = client.ask("textDocument/completion", params);
    let all = all.as_array().cloned().expect("a list");
    for label in [
        "independent",
        "$i",
        "ForLoop",
        "cpu",
        "interchange",
        "fresh",
    ] {
        one(&all, label);
    }
}

/// The titles of what can be done at a place, and the text after it.
fn actions(
    client: &mut Client,
    text: &str,
    (line, character): (usize, usize),
) -> Vec<(String, String)> {
    let at = json!({"line": line, "character": character});
    let params = json!({"textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}});
    let all = client.ask("textDocument/codeAction", params);
    let all = all.as_array().expect("a list").iter();
    all.map(|a| {
        let edits = a["edit"]["changes"][URI].as_array().expect("changes");
        (
            a["title"].as_str().expect("a title").to_owned(),
            changed(text, edits),
        )
    })
    .collect()
}

fn scheme(data: &str, body: &str) -> String {
    format!("SCHEME \"s\" ====\nDATA\n{data}\nEND OF DATA\n{body}\nEND OF SCHEME \"s\"\n")
}

#[test]
fn slips_are_mended() {
    for (body, wrong, mended) in [
        (
            "  FRO (i FROM 0 TO 3) LOOP x := 1 END OF LOOP",
            "FRO",
            "  FOR (i FROM 0",
        ),
        (
            "  FOR (i FROM 0 TO 3) LOOP x := 1 END FOR",
            "END FOR",
            "x := 1 END OF LOOP\n",
        ),
        ("  xx := 1", "xx", "  x := 1\n"),
    ] {
        let text = scheme("  x : REAL OUTPUT\n  other : REAL OUTPUT", body);
        let mut client = Client::with(&text);
        client.diagnostics();
        let all = actions(&mut client, &text, place(&text, wrong, 0));
        let (title, after) = all
            .first()
            .unwrap_or_else(|| panic!("nothing can be done about {body}"));
        assert!(title.starts_with("Write"), "{title}");
        assert!(after.contains(mended), "{body}: {after}");
        client.change(None, after);
        let all = client.diagnostics();
        assert!(all.iter().all(|d| d["severity"] != 1), "{all:#?}");
    }
}

#[test]
fn phrases_are_defined_and_names_declared() {
    let text = scheme(
        "  x : REAL [4] OUTPUT",
        "  \"Set (x[1]) and (x) to (2 + 1)\"; IF 'done' THEN speed := 2 END IF",
    );
    let mut client = Client::with(&text);
    client.diagnostics();
    let all = actions(&mut client, &text, place(&text, "Set", 0));
    let (title, after) = &all[0];
    assert_eq!(title, "Define \"Set (value) and (x) to (value2)\"");
    assert!(
        after.contains(
            "WHERE\n  \"Set (value) and (x) to (value2)\" ====\n    EMPTY\nEND OF SCHEME"
        ),
        "{after}"
    );
    let all = actions(&mut client, &text, place(&text, "done", 0));
    assert!(all[0].1.contains("  'done' ==== TRUE\n"), "{all:?}");
    let all = actions(&mut client, &text, place(&text, "speed", 0));
    let (_, after) = all
        .iter()
        .find(|(title, _)| title.starts_with("Declare"))
        .expect("a declaration");
    assert!(after.contains("  speed : REAL\nEND OF DATA"), "{after}");
}

#[test]
fn a_claim_is_added_where_it_would_help() {
    let text = scheme(
        "  N : INTEGER := 8\n  at : INTEGER [N] INPUT\n  y : REAL [N] INPUT OUTPUT",
        "  FOR (i FROM 0 TO N - 1) LOOP y[at[i]] := 1 END OF LOOP",
    );
    let mut client = Client::with(&text);
    client.wait(|m| m["method"] == "workspace/inlayHint/refresh");
    let all = actions(&mut client, &text, place(&text, "FOR", 0));
    let (title, after) = all.first().expect("a claim");
    assert!(title.contains("ASSUME independent (i)"), "{title}");
    assert!(
        after.contains("INPUT OUTPUT\n  ASSUME independent (i)\nEND OF DATA"),
        "{after}"
    );
}
