//! Names: hover, definitions, references, highlights, renaming.

use crate::client::{Client, URI, about, changed, place, shown};
use serde_json::{Value, json};

const TEXT: &str = "\
SCHEME \"Рух 🙂\" ====
DATA
  N : INTEGER := 8              # bodies
  r, v : VECTOR [N] OUTPUT      # positions and velocities
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP \"Штовхнути 🙂 тіло (i) на (2 * i)\" END OF LOOP;
  FOR (i FROM 0 TO N - 1) LOOP
    LOCAL i2 : INTEGER := i * i;
    IF 'far (i2)' THEN r[i] := r[i] + v[i] ELSE r[i] := v[i] END IF
  END OF LOOP
WHERE
  # Adds to a velocity.
  \"Штовхнути 🙂 тіло (k) на (a)\" ====
    v[k] := real(a) * vector(1, 2, 3)

  'far (n)' ==== n > N
DICTIONARY
  \"Штовхнути 🙂 тіло (k) на (a)\" ==== EN \"Kick body (k) by (a)\"
END OF SCHEME \"Рух 🙂\"
";

fn locations(all: &Value) -> Vec<(u64, u64)> {
    let all = all.as_array().expect("a list");
    let start = |l: &Value| {
        let start = &l["range"]["start"];
        (
            start["line"].as_u64().expect("a line"),
            start["character"].as_u64().expect("a character"),
        )
    };
    all.iter().map(start).collect()
}

fn at(word: &str, n: usize) -> (usize, usize) {
    place(TEXT, word, n)
}

#[test]
fn definitions_are_found() {
    let mut client = Client::with(TEXT);
    for (place, wanted) in [
        (at("v[i]", 0), "v"),
        (at("N - 1", 0), "N"),
        (at("i * i", 0), "i"),
        (at("i2)", 0), "i2"),
        (at("k] :=", 0), "k"),
        (at("far (i2)", 0), "'far (n)'"),
        (at("тіло (i)", 0), "\"Штовхнути 🙂 тіло (k) на (a)\""),
        (at("тіло (k)", 1), "\"Штовхнути 🙂 тіло (k) на (a)\""),
    ] {
        let found = client.at("definition", place);
        assert_eq!(
            shown(TEXT, &found["range"]),
            wanted,
            "at {place:?}: {found}"
        );
    }
    assert!(client.at("definition", at("SCHEME", 0)).is_null());
}

#[test]
fn each_loop_has_its_own_variable() {
    let mut client = Client::with(TEXT);
    let references = |client: &mut Client, place, declaration: bool| {
        let mut params = about(place);
        params["context"] = json!({"includeDeclaration": declaration});
        locations(&client.ask("textDocument/references", params))
    };
    let first = references(&mut client, at("i FROM", 0), true);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(first.iter().all(|(line, _)| *line == 5));
    let second = references(&mut client, at("i FROM", 1), false);
    assert_eq!(second.len(), 7, "{second:?}");
    // A call stands where its quote begins; what hides two units before it is counted.
    let calls = references(&mut client, at("тіло (k)", 0), true);
    assert_eq!(calls, [(5, 31), (12, 2), (17, 2)]);
    let highlights = client.at("documentHighlight", at("r[i]", 0));
    let kinds: Vec<i64> = highlights
        .as_array()
        .expect("a list")
        .iter()
        .map(|h| h["kind"].as_i64().expect("a kind"))
        .collect();
    // Declared, assigned, read, assigned.
    assert_eq!(kinds, [3, 3, 2, 3]);
}

#[test]
fn hover_tells_what_is_known() {
    let mut client = Client::with(TEXT);
    let mut hover = |place| {
        let told = client.at("hover", place);
        told["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let told = hover(at("v[i]", 0));
    assert!(
        told.contains("VECTOR [N] OUTPUT") && told.contains("positions and velocities"),
        "{told}"
    );
    let told = hover(at("N - 1", 0));
    assert!(
        told.contains("N : INTEGER := 8") && told.contains("bodies"),
        "{told}"
    );
    let told = hover(at("Штовхнути", 0));
    assert!(
        told.contains("Adds to a velocity.") && told.contains("v[k] :="),
        "{told}"
    );
    let told = hover(at("vector(", 0));
    assert!(
        told.contains("`vector`") && told.contains("2 to 4"),
        "{told}"
    );
    let told = hover(at("IF 'far", 0));
    assert!(
        told.contains("One operator if the predicate holds"),
        "{told}"
    );
    let told = hover(at("INTEGER", 0));
    assert!(told.contains("32-bit integer"), "{told}");
}

#[test]
fn loops_are_told_of_when_that_is_known() {
    let text = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 8\n  a, b : REAL [N] OUTPUT\n  s : REAL OUTPUT\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP\n    a[i] := i; b[i] := 2 * a[i]\n  END OF LOOP;\n  s := 0;\n  FOR (i FROM 0 TO N - 1) LOOP s := s + a[i] * b[i] END OF LOOP\nEND OF SCHEME \"s\"\n";
    let mut client = Client::with(text);
    client.wait(|m| m["method"] == "workspace/inlayHint/refresh");
    let told = client.at("hover", place(text, "FOR", 0));
    let told = told["contents"]["value"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(
        told.contains("shared out among threads") && told.contains("threads of a launch"),
        "{told}"
    );
    let told = client.at("hover", place(text, "FOR", 1));
    let told = told["contents"]["value"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(
        told.contains("stays sequential") && told.contains("split_reductions"),
        "{told}"
    );
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = client.ask(
        "textDocument/inlayHint",
        json!({"textDocument": {"uri": URI}, "range": range}),
    );
    let labels: Vec<&str> = hints
        .as_array()
        .expect("a list")
        .iter()
        .map(|h| h["label"].as_str().expect("a label"))
        .collect();
    assert_eq!(
        labels,
        [
            "cpu: threads, lanes; gpu: launch",
            "cpu: sequential; gpu: sequential"
        ]
    );
}

#[test]
fn loops_are_looked_at_under_the_strategies_that_are_wished() {
    let text = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 8\n  a : REAL [N] OUTPUT\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP a[i] := i END OF LOOP\nEND OF SCHEME \"s\"\n";
    // One that there is not says nothing.
    let mut client = Client::wishing(json!({"strategies": ["gpu", "no such"]}));
    client.open(URI, text);
    client.wait(|m| m["method"] == "workspace/inlayHint/refresh");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = client.ask(
        "textDocument/inlayHint",
        json!({"textDocument": {"uri": URI}, "range": range}),
    );
    assert_eq!(hints[0]["label"], "gpu: launch");
    assert_eq!(hints.as_array().map(Vec::len), Some(1));
}

fn rename(
    client: &mut Client,
    text: &str,
    place: (usize, usize),
    new: &str,
) -> Result<String, String> {
    let mut params = about(place);
    params["newName"] = json!(new);
    let answer = client.try_ask("textDocument/rename", params);
    match answer.get("error") {
        Some(error) => Err(error["message"].as_str().expect("a message").to_owned()),
        None => {
            let edits = answer["result"]["changes"][URI]
                .as_array()
                .expect("changes");
            Ok(changed(text, edits))
        }
    }
}

#[test]
fn names_are_changed_everywhere() {
    let mut client = Client::with(TEXT);
    let prepared = client.at("prepareRename", at("i * i", 0));
    assert_eq!(prepared["placeholder"], "i");
    let after = rename(&mut client, TEXT, at("i * i", 0), "тіло").expect("a change");
    let wanted = "    LOCAL i2 : INTEGER := тіло * тіло;\n    IF 'far (i2)' THEN r[тіло] := r[тіло] + v[тіло] ELSE r[тіло] := v[тіло] END IF";
    assert!(after.contains(wanted), "{after}");
    assert!(after.contains("тіло (i) на (2 * i)"), "{after}");
    let after = rename(&mut client, TEXT, at("v[k]", 0), "w").expect("a change");
    assert!(
        after.contains("r, w : VECTOR") && after.contains("w[k] :="),
        "{after}"
    );
    // What is renamed reads as before: a second change leads back.
    let mut again = Client::with(&after);
    let back = rename(&mut again, &after, place(&after, "w[k]", 0), "v").expect("a change");
    assert_eq!(back, TEXT);
}

#[test]
fn phrases_are_reworded_with_their_arguments() {
    let mut client = Client::with(TEXT);
    let definition = at("тіло (k)", 0);
    let prepared = client.at("prepareRename", definition);
    assert_eq!(prepared["placeholder"], "Штовхнути 🙂 тіло (k) на (a)");
    let after = rename(&mut client, TEXT, definition, "By (a) push (k)").expect("a change");
    assert!(
        after.contains("LOOP \"By (2 * i) push (i)\" END"),
        "{after}"
    );
    assert!(after.contains("\"By (a) push (k)\" ====\n"), "{after}");
    assert!(after.contains("\"By (a) push (k)\" ==== EN"), "{after}");
    for wrong in ["Push (k)", "Push (k) by (b)", "Push \"(k)\" by (a)", "  "] {
        let refused = rename(&mut client, TEXT, definition, wrong);
        assert!(refused.is_err(), "{wrong}: {refused:?}");
    }
}

#[test]
fn renaming_refuses_what_would_change_the_meaning() {
    let mut client = Client::with(TEXT);
    for (place, new, why) in [
        (at("i * i", 0), "LOOP", "no name"),
        (at("i * i", 0), "ЦИКЛ", "no name"),
        (at("i * i", 0), "a b", "no name"),
        (at("i * i", 0), "", "no name"),
        (at("i * i", 0), "block", "meaning of its own"),
        (at("i * i", 0), "Empty", "meaning of its own"),
        (at("i * i", 0), "N", "declared in line 3 already"),
        (at("i * i", 0), "i2", "already"),
        (at("N : INTEGER", 0), "i", "already"),
        (at("r, v", 0), "v", "already"),
    ] {
        let refused = rename(&mut client, TEXT, place, new).expect_err(new);
        assert!(refused.contains(why), "{new}: {refused}");
    }
    for place in [at("FOR", 0), at("vector(", 0), at("DATA", 0)] {
        let answer = client.try_ask("textDocument/prepareRename", about(place));
        assert!(answer.get("error").is_some(), "{answer}");
    }
    let text = TEXT.replace("END OF DATA", "  ASSUME independent (i)\nEND OF DATA");
    client.change(None, &text);
    let refused = rename(&mut client, &text, place(&text, "i * i", 0), "j").expect_err("claimed");
    assert!(refused.contains("ASSUME"), "{refused}");
}

#[test]
fn names_of_rule_files() {
    let uri = "file:///nowhere/my.rules";
    let text = "# Goes on.\n#@rule(swap_all)\nPlus($a, $b) [ independent($a, $b) ] -> Plus($b, $a);\nPlus($a, 0) -> $a;\n# Both.\nstrategy both(n: 1..4 = 2) = try(swap_all); other(n = n);\nstrategy other(n: 1..4 = 1) = id;\n";
    let mut client = Client::ready();
    client.open(uri, text);
    let about = |word: &str, n: usize| {
        let (line, character) = place(text, word, n);
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character + 1}})
    };
    let definition = client.ask("textDocument/definition", about("swap_all", 1));
    assert_eq!(
        definition["range"]["start"],
        json!({"line": 1, "character": 7})
    );
    let highlights = client.ask("textDocument/documentHighlight", about("$a", 0));
    assert_eq!(highlights.as_array().expect("a list").len(), 3);
    let told = client
        .ask("textDocument/hover", about("swap_all", 1))
        .to_string();
    assert!(told.contains("Goes on."), "{told}");
    let told = client
        .ask("textDocument/hover", about("independent", 0))
        .to_string();
    assert!(told.contains("a fact"), "{told}");
    let told = client
        .ask("textDocument/hover", about("Plus", 0))
        .to_string();
    assert!(told.contains("Sum, of numbers or of vectors"), "{told}");
    let mut params = about("other", 0);
    params["newName"] = json!("another");
    let edits = client.ask("textDocument/rename", params)["changes"][uri].clone();
    let after = changed(text, edits.as_array().expect("changes"));
    assert!(
        after.contains("another(n = n)") && after.contains("strategy another("),
        "{after}"
    );
}

/// A text that uses another file: what is not written yet is checked with what is beside it.
#[test]
fn names_of_files_that_are_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let common = "SCHEME \"common\" ====\nDATA\n  mass : REAL [4] INPUT OUTPUT # masses\nEND OF DATA\n  EMPTY\nWHERE\n  \"Halve (x)\" ==== x := x / 2\nEND OF SCHEME\n";
    std::fs::write(folder.path().join("common.saa"), common).expect("a file");
    let text = "USE \"common.saa\"\nSCHEME \"s\" ====\nDATA\n  y : REAL OUTPUT\nEND OF DATA\n  y := mass[0];\n  \"Halve (mass[1])\";\n  \nEND OF SCHEME\n";
    // The file of the document itself is not there.
    let path = folder
        .path()
        .canonicalize()
        .expect("a folder")
        .join("open.saa");
    let uri = format!("file://{}", path.display());
    let mut client = Client::ready();
    client.open(&uri, text);
    let all = client.diagnostics_of(&uri);
    assert!(all.is_empty(), "{all:#?}");
    let about = |word: &str, n: usize| {
        let (line, character) = place(text, word, n);
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
    };
    for (word, declared) in [("mass[0]", "mass"), ("\"Halve", "\"Halve (x)\"")] {
        let found = client.ask("textDocument/definition", about(word, 0));
        assert!(
            found["uri"]
                .as_str()
                .expect("a URI")
                .ends_with("common.saa"),
            "{found}"
        );
        assert_eq!(shown(common, &found["range"]), declared);
    }
    let told = client
        .ask("textDocument/hover", about("mass[0]", 0))
        .to_string();
    assert!(told.contains("REAL [4] INPUT OUTPUT"), "{told}");
    let answer = client.try_ask("textDocument/prepareRename", about("mass[0]", 0));
    let why = answer["error"]["message"].as_str().expect("a refusal");
    assert!(why.contains("common.saa"), "{why}");
    let params = json!({"textDocument": {"uri": uri}, "position": {"line": 7, "character": 2}});
    let all = client.ask("textDocument/completion", params).to_string();
    assert!(
        all.contains("\"mass\"") && all.contains("Halve (x)"),
        "{all}"
    );
}
