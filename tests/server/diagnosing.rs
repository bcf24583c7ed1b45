//! What is said of documents: errors, notes, what the reference machine finds, rule files, and how soon.

use crate::client::{Client, URI, shown};
use crate::slips::{PARTS, SLIPS};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};
use serde_json::Value;
use std::fmt::Write;
use std::time::{Duration, Instant};

fn scheme(data: &str, body: &str) -> String {
    format!("SCHEME \"s\" ====\nDATA\n{data}\nEND OF DATA\n{body}\nEND OF SCHEME \"s\"\n")
}

fn said(all: &[Value], code: &str) -> Value {
    let one = all.iter().find(|d| d["code"] == code);
    one.unwrap_or_else(|| panic!("no {code} in {all:#?}"))
        .clone()
}

#[test]
fn errors_stand_where_they_are_and_go_when_they_are_mended() {
    // Letters of two bytes and signs of two units stand before the error on its line.
    let text = scheme("  x : REAL OUTPUT", "  \"Тіло 🙂\"; x := y");
    let mut client = Client::with(&text);
    let all = client.diagnostics();
    let one = said(&all, "E0201");
    assert_eq!(shown(&text, &one["range"]), "y");
    assert_eq!(one["range"]["start"]["character"], 18);
    assert_eq!(one["severity"], 1);
    assert_eq!(one["source"], "glushkov");
    let range = one["range"].clone();
    client.change(Some(range), "2");
    let all = client.diagnostics();
    assert!(all.iter().all(|d| d["severity"] != 1), "{all:#?}");
    assert_eq!(client.end(), 0);
}

#[test]
fn hints_are_related_information() {
    let text = scheme("  abc : REAL OUTPUT", "  abc := 1; abd := 2");
    let mut client = Client::with(&text);
    let one = said(&client.diagnostics(), "E0201");
    let related = one["relatedInformation"]
        .as_array()
        .expect("related information");
    assert_eq!(related[0]["message"], "did you mean `abc`?");
    assert_eq!(related[0]["location"]["uri"], URI);
}

#[test]
fn a_client_that_shows_no_related_information_has_hints_in_messages() {
    let mut client = Client::silent();
    client.ask("initialize", serde_json::json!({"capabilities": {}}));
    client.open(URI, &scheme("  abc : REAL OUTPUT", "  abc := 1; abd := 2"));
    let one = said(&client.diagnostics(), "E0201");
    let message = one["message"].as_str().expect("a message");
    assert!(
        message.ends_with("\nhelp: did you mean `abc`?"),
        "{message}"
    );
}

#[test]
fn notes_of_the_analyses_are_told() {
    let text = scheme("  x : REAL OUTPUT", "  x := 1 / 2");
    let mut client = Client::with(&text);
    let one = said(&client.diagnostics(), "N0240");
    assert_eq!(shown(&text, &one["range"]), "1 / 2");
    assert_eq!(one["severity"], 3);
}

/// What runs later adds to what was said at once, and is dropped where the text changes.
#[test]
fn findings_of_the_reference_machine_come_later() {
    let data = "  N : INTEGER := 4\n  a : REAL [N] OUTPUT";
    let text = scheme(data, "  FOR (i FROM 0 TO N) LOOP a[i] := 1 END OF LOOP");
    let mut client = Client::with(&text);
    assert!(client.diagnostics().is_empty());
    let all = client.diagnostics();
    let one = said(&all, "E0403");
    assert_eq!(shown(&text, &one["range"]), "a[i]");
    client.change(
        None,
        &scheme(data, "  FOR (i FROM 0 TO N - 1) LOOP a[i] := 1 END OF LOOP"),
    );
    assert!(client.diagnostics().is_empty());
}

/// A run of a thousand million steps takes longer than anybody waits here, and gives way to a newer text.
#[test]
fn a_run_ends_when_the_text_is_changed() {
    let data = "  a : REAL [4] OUTPUT";
    let mut client = Client::with(&scheme(
        data,
        "  LOCAL n : INTEGER64 := 0;\n  WHILE n >= 0 LOOP n := (n + 1) MOD 1000 END OF LOOP",
    ));
    assert!(client.diagnostics().is_empty());
    // It runs soon after its loops are told of.
    client.wait(|m| m["method"] == "workspace/inlayHint/refresh");
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    client.change(None, &scheme(data, "  a[4] := 1"));
    assert!(client.diagnostics().is_empty());
    said(&client.diagnostics(), "E0403");
    println!("found in {:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn every_scheme_of_a_file_is_checked() {
    let text = format!(
        "{}{}",
        scheme("  x : REAL OUTPUT", "  x := y"),
        scheme("  x : REAL OUTPUT", "  x := z").replace("\"s\"", "\"t\"")
    );
    let mut client = Client::with(&text);
    let all = client.diagnostics();
    let places: Vec<String> = all.iter().map(|d| shown(&text, &d["range"])).collect();
    assert!(
        places.contains(&"y".to_owned()) && places.contains(&"z".to_owned()),
        "{all:#?}"
    );
}

#[test]
fn rule_files_are_linted() {
    let uri = "file:///nowhere/my.rules";
    let mut client = Client::ready();
    let text = "# Two.\n#@rule(two)\nForLoop($i, $a, $b, $A) [ no_such_fact($i) ] -> $A;\n";
    client.open(uri, text);
    let all = client.diagnostics_of(uri);
    let one = all.iter().find(|d| d["severity"] == 1).expect("an error");
    assert!(
        shown(text, &one["range"]).starts_with("no_such_fact"),
        "{one:#?}"
    );
    let text = "f($x -> $x;\n";
    client.open(uri, text);
    let all = client.diagnostics_of(uri);
    assert_eq!(all[0]["severity"], 1, "{all:#?}");
    assert_eq!(client.end(), 0);
}

/// A scheme of a thousand lines: many loops, phrases and names.
pub fn long_scheme() -> String {
    let mut text = String::from("SCHEME \"long\" ====\nDATA\n  N : INTEGER := 8\n");
    for n in 0..100 {
        writeln!(text, "  a{n} : REAL [N] OUTPUT # values of kind {n}").expect("a string");
    }
    text.push_str("END OF DATA\n");
    for n in 0..100 {
        writeln!(
            text,
            "  FOR (i FROM 0 TO N - 1) LOOP\n    \"Set kind {n} of (i)\";\n    a{n}[i] := a{n}[i] + 1\n  END OF LOOP;"
        )
        .expect("a string");
    }
    text.push_str("  a0[0] := 1\nWHERE\n");
    for n in 0..100 {
        writeln!(
            text,
            "  \"Set kind {n} of (k)\" ====\n    LOCAL t : REAL := real(k);\n    t := t * 2 + {n};\n    a{n}[k] := sqrt(t)\n"
        )
        .expect("a string");
    }
    text.push_str("END OF SCHEME \"long\"\n");
    text
}

/// The bound is generous, since tests share a machine and are not optimized; the time is told.
#[test]
fn a_thousand_lines_are_checked_while_one_writes() {
    let text = long_scheme();
    assert!(text.lines().count() >= 1000);
    let mut client = Client::with(&text);
    let start = Instant::now();
    assert!(client.diagnostics().is_empty());
    let opened = start.elapsed();
    let mut times = Vec::new();
    for n in 0..10 {
        let place = crate::client::place(&text, "a0[0] := 1", 0);
        let at = serde_json::json!({"line": place.0, "character": place.1});
        let start = Instant::now();
        let range = serde_json::json!({"start": at, "end": at});
        client.change(Some(range), &format!("b{n} := 2; "));
        let all = client.diagnostics();
        assert_eq!(
            all.iter().filter(|d| d["code"] == "E0201").count(),
            n + 1,
            "{all:#?}"
        );
        times.push(start.elapsed());
    }
    times.sort();
    println!(
        "opened and checked in {opened:?}; after a change in {:?} (median)",
        times[5]
    );
    assert!(times[5] < Duration::from_secs(2), "{times:?}");
    let start = Instant::now();
    client.at("completion", (1004, 0));
    println!("completion in {:?}", start.elapsed());
    assert_eq!(client.end(), 0);
}

/// Each slip of the pen as the editor shows it: the message of the reader at its place, with what belongs to it.
#[test]
fn slips_of_the_pen_are_shown_where_they_stand() {
    let bodies = SLIPS
        .iter()
        .map(|(body, says)| (format!("  {body}\n"), *says));
    let parts = PARTS.iter().map(|(parts, says)| (parts.to_string(), *says));
    let mut client = Client::with("");
    let mut fixed = 0;
    for (body, says) in bodies.chain(parts) {
        let text = format!("SCHEME \"s\" ====\n{body}END OF SCHEME \"s\"\n");
        let mut sources = Sources::default();
        let file = sources.add("open.saa", text.clone());
        let (_, errors) = read_file(&sources, file, &mut Terms::new());
        let wanted = errors.first().expect("a slip");
        client.change(None, &text);
        let all = client.diagnostics();
        let one = all.iter().find(|d| d["message"] == wanted.message);
        let one = one.unwrap_or_else(|| panic!("{body}: {all:#?}"));
        let span = wanted.span.expect("a place");
        let place = &text[span.from as usize..span.to as usize];
        assert_eq!(shown(&text, &one["range"]), place, "{body}");
        assert_eq!(one["code"], wanted.code);
        let related = one["relatedInformation"].to_string();
        let related = related.replace("\\\"", "\"").replace("\\\\", "\\");
        for says in says
            .iter()
            .filter(|s| !s.contains("slip.saa") && !wanted.label.contains(**s))
        {
            let told =
                wanted.code == *says || wanted.message.contains(says) || related.contains(says);
            assert!(told, "{body}: {says} is not in {one:#?}");
        }
        // What is written for a slip is no slip again: the message is gone.
        let Some(fix) = &wanted.fix else { continue };
        fixed += 1;
        let (from, to) = (fix.span.from as usize, fix.span.to as usize);
        let mended = format!("{}{}{}", &text[..from], fix.text, &text[to..]);
        let file = sources.add("open.saa", mended.clone());
        let (_, errors) = read_file(&sources, file, &mut Terms::new());
        assert!(
            errors.iter().all(|e| e.message != wanted.message),
            "{mended}{errors:?}"
        );
    }
    assert!(fixed > 30, "{fixed} of the slips can be mended");
}
