//! Layout, outline, folding and colours.

use crate::client::{Client, URI, changed};
use serde_json::{Value, json};

fn of(client: &mut Client, method: &str) -> Value {
    let params =
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    client.ask(&format!("textDocument/{method}"), params)
}

const TEXT: &str = "# Two\n# lines.\nSCHEME \"Рух\" ====\nDATA\n  N : INTEGER := 8\n  r : REAL [N] OUTPUT\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP\n    \"Set (i)\"\n  END OF LOOP\nWHERE\n  \"Set (k)\" ====\n    r[k] := 2 * real(k)\nEND OF SCHEME \"Рух\"\n";

#[test]
fn a_document_is_laid_out() {
    let untidy = TEXT
        .replace("    \"Set (i)\"", "\"Set   (i)\"")
        .replace("  r :", " r   :");
    let mut client = Client::with(&untidy);
    let edits = of(&mut client, "formatting");
    let after = changed(&untidy, edits.as_array().expect("a list"));
    client.change(None, &after);
    assert_eq!(of(&mut client, "formatting"), json!([]));
    assert!(
        after.contains("    \"Set   (i)\"\n  END OF LOOP"),
        "{after}"
    );
    client.change(None, "SCHEME \"s\" ====\n  FRO\n");
    let params =
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    let answer = client.try_ask("textDocument/formatting", params);
    assert_eq!(answer["error"]["code"], -32803);
}

#[test]
fn a_document_has_an_outline_and_folds() {
    let mut client = Client::with(TEXT);
    let all = of(&mut client, "documentSymbol");
    let scheme = &all[0];
    assert_eq!(scheme["name"], "Рух");
    let inner = scheme["children"].as_array().expect("a list");
    let names: Vec<&str> = inner
        .iter()
        .map(|s| s["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["N", "r", "Set (k)"]);
    assert_eq!(scheme["range"]["end"]["line"], 13);
    assert_eq!(inner[2]["range"]["end"]["line"], 12);
    let folds = of(&mut client, "foldingRange");
    let folds = folds.as_array().expect("a list").iter();
    let lines = folds.map(|f| (f["startLine"].as_u64(), f["endLine"].as_u64()));
    let lines: Vec<(u64, u64)> = lines.filter_map(|(a, b)| a.zip(b)).collect();
    assert_eq!(lines, [(0, 1), (2, 13), (3, 6), (7, 9), (10, 12), (11, 12)]);
}

#[test]
fn words_have_colours() {
    let mut client = Client::silent();
    let told = client.ask("initialize", json!({"capabilities": {}}));
    let legend = told["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    client.open(URI, TEXT);
    let data = of(&mut client, "semanticTokens/full")["data"].clone();
    let numbers: Vec<usize> = data
        .as_array()
        .expect("a list")
        .iter()
        .map(|n| n.as_u64().expect("a number") as usize)
        .collect();
    let lines: Vec<Vec<u16>> = TEXT.lines().map(|l| l.encode_utf16().collect()).collect();
    let (mut line, mut start) = (0, 0);
    let mut found = Vec::new();
    for token in numbers.chunks(5) {
        let (down, right, length) = (token[0], token[1], token[2]);
        start = if down == 0 { start + right } else { right };
        line += down;
        let text =
            String::from_utf16(&lines[line][start..start + length]).expect("whole characters");
        found.push((text, legend[token[3]].as_str().expect("a type").to_owned()));
    }
    for (text, class) in [
        ("# Two", "comment"),
        ("SCHEME", "keyword"),
        ("\"Рух\"", "string"),
        ("N", "enumMember"),
        ("INTEGER", "type"),
        ("\"Set (", "method"),
        ("k", "parameter"),
        ("real", "function"),
        ("2", "number"),
        ("END OF LOOP", "keyword"),
    ] {
        assert!(
            found.contains(&(text.to_owned(), class.to_owned())),
            "{text}: {found:?}"
        );
    }
}

/// Every scheme and rule file that comes with the tool has an index of its whole text: no word of it is unknown.
#[test]
fn the_library_has_its_names() {
    let mut client = Client::ready();
    let mut files = Vec::new();
    for folder in std::fs::read_dir("schemes").expect("a folder").flatten() {
        for file in std::fs::read_dir(folder.path())
            .expect("a folder")
            .flatten()
        {
            files.push(file.path());
        }
    }
    assert!(files.len() > 10);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a scheme");
        client.open(URI, &text);
        let names = of(&mut client, "documentSymbol");
        let names = names[0]["children"].as_array().expect("a list").clone();
        assert!(!names.is_empty(), "{}", file.display());
        for name in names {
            let at = &name["selectionRange"]["start"];
            let place = (
                at["line"].as_u64().expect("a line") as usize,
                at["character"].as_u64().expect("a character") as usize,
            );
            let found = client.at("definition", place);
            assert_eq!(found["range"], name["selectionRange"], "{}", file.display());
        }
    }
}
