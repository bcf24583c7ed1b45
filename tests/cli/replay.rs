//! Derivations that are saved and taken again, and records that were tampered with.

use super::{Ran, glushkov};
use serde_json::{Value, json};
use std::path::PathBuf;

const SCHEME: &str = "SCHEME \"halves\" ====\nDATA\n  N : INTEGER := 5\n  x : REAL [N] OUTPUT\n  \
                      k : INTEGER [N] INPUT\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.5 * i END OF LOOP;\n  \
                      FOR (i FROM 0 TO N - 1) LOOP x[k[i]] := 1 END OF LOOP\nEND OF SCHEME \"halves\"\n";

/// A folder with a saved derivation.
struct Saved {
    folder: tempfile::TempDir,
}

impl Saved {
    fn of(arguments: &[&str], input: &str) -> Saved {
        let folder = tempfile::tempdir().expect("a folder");
        let saved = Saved { folder };
        let path = saved.path("d.json");
        let mut all = vec!["derive"];
        all.extend(arguments);
        let path = path.to_str().expect("UTF-8");
        all.extend(["--save", path]);
        let ran = glushkov(&all, input);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        saved
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path("d.json")).expect("a saved derivation")
    }

    /// Replays the derivation after a change.
    fn tampered(&self, change: impl FnOnce(&mut Value)) -> Ran {
        let mut value: Value = serde_json::from_str(&self.text()).expect("JSON");
        change(&mut value);
        glushkov(&["replay", "-"], &value.to_string())
    }
}

/// A change with its name.
type Change = (&'static str, fn(&mut Value));

#[test]
fn every_derivation_of_the_library_is_redone_to_the_byte() {
    for scheme in ["hermite", "hermite_uk", "leapfrog"] {
        for strategy in ["sequential", "parallel", "gpu", "paper"] {
            let saved = Saved::of(&[scheme, "--strategy", strategy], "");
            let (path, again) = (saved.path("d.json"), saved.path("again.json"));
            let (path, again) = (
                path.to_str().expect("UTF-8"),
                again.to_str().expect("UTF-8"),
            );
            let ran = glushkov(&["replay", path, "--save", again], "");
            assert_eq!(ran.code, Some(0), "{scheme} {strategy}\n{}", ran.err);
            let kept = std::fs::read_to_string(again).expect("saved again");
            assert!(kept == saved.text(), "{scheme} {strategy}");
            // The recorded result is what derive prints.
            let printed = glushkov(&["derive", scheme, "--strategy", strategy], "").out;
            let value: Value = serde_json::from_str(&kept).expect("JSON");
            assert_eq!(value["result"].as_str(), Some(printed.as_str()));
        }
    }
}

#[test]
fn settings_claims_and_further_rules_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("mine.rules");
    let text = "# Nothing after nothing.\n#@rule(halve) #@float(approximate)\nTimes($a, 0.5) -> \
                Div($a, 2);\nstrategy mine = topdown(parallel_loop);\n";
    std::fs::write(&rules, text).expect("a file");
    let saved = Saved::of(
        &[
            "-",
            "--strategy",
            "mine",
            "--assume",
            "independent (i)",
            "--precision",
            "f64",
            "--rules",
            rules.to_str().expect("UTF-8"),
        ],
        SCHEME,
    );
    // The record is enough: the rules' file is not looked for.
    std::fs::remove_file(&rules).expect("it was there");
    let ran = glushkov(
        &["replay", saved.path("d.json").to_str().expect("UTF-8")],
        "",
    );
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("assumed"), "{}", ran.err);
    let saved = Saved::of(
        &["hermite", "--strategy", "paper", "--with", "chunk=64"],
        "",
    );
    assert!(
        saved
            .text()
            .contains("\"settings\": [\n    \"chunk=64\"\n  ]")
    );
    let ran = saved.tampered(|_| {});
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn every_change_of_a_step_is_found_at_that_step() {
    let saved = Saved::of(&["hermite", "--strategy", "paper"], "");
    type At = (&'static str, &'static str, fn(&mut Value));
    let changes: [At; 16] = [
        ("rule", "step 3 ", |s| s["rule"] = json!("interchange")),
        ("rule", "step 3 ", |s| s["rule"] = json!("no_such_rule")),
        ("file", "step 3 ", |s| s["file"] = json!("rules/x.rules")),
        ("float", "step 3 ", |s| s["float"] = json!("reassociating")),
        ("path", "step 3 ", |s| s["path"] = json!([2, 0])),
        ("path", "step 3 ", |s| s["path"] = json!([9, 9, 9])),
        ("place", "step 3 ", |s| {
            s["place"] = json!({"file": 0, "from": 0, "to": 9});
        }),
        ("phrase", "step 3 ", |s| s["phrase"] = json!("Something")),
        ("matched", "step 3 ", |s| s["matched"] = json!(7)),
        ("alternative", "step 3 ", |s| s["alternative"] = json!(null)),
        ("binding", "step 3 ", |s| {
            s["bindings"][1][1] = json!("something");
        }),
        ("evidence", "step 3 ", |s| {
            s["evidence"][0]["sentence"] = json!("it is obvious");
        }),
        ("status", "step 3 ", |s| {
            s["evidence"][0]["status"] = json!("proved");
        }),
        ("answer", "step 3 ", |s| {
            s["evidence"][0]["answer"] = json!("unknown");
        }),
        ("fewer", "step 3 ", |s| s["evidence"] = json!([])),
        ("result", "step 3 ", |s| s["result"] = json!(0)),
    ];
    for (what, named, change) in changes {
        let ran = saved.tampered(|d| {
            let before = d["steps"][2].clone();
            change(&mut d["steps"][2]);
            assert_ne!(before, d["steps"][2], "{what}: nothing was changed");
        });
        assert_eq!(ran.code, Some(1), "{what}\n{}\n{}", ran.out, ran.err);
        assert!(ran.err.contains("E0332"), "{what}\n{}", ran.err);
        assert!(ran.err.contains(named), "{what}\n{}", ran.err);
        assert!(ran.out.contains("   2  ") && ran.out.contains("DIFFERS"));
    }
    let chunk = saved.tampered(|d| {
        let steps = d["steps"].as_array_mut().expect("steps");
        let step = steps.iter_mut().find(|s| s["rule"] == "strip_mine");
        step.expect("a step of strip_mine")["parameters"][0][1] = json!(256);
    });
    assert_eq!(chunk.code, Some(1), "{}", chunk.err);
    for change in [
        (|d: &mut Value| {
            d["steps"].as_array_mut().expect("steps").remove(4);
        }) as fn(&mut Value),
        |d| {
            d["steps"].as_array_mut().expect("steps").pop();
        },
        |d| d["steps"].as_array_mut().expect("steps").swap(5, 6),
    ] {
        let ran = saved.tampered(change);
        assert_eq!(ran.code, Some(1), "{}\n{}", ran.out, ran.err);
    }
}

#[test]
fn changes_outside_the_steps_are_found() {
    let saved = Saved::of(&["-", "--strategy", "parallel"], SCHEME);
    let changes: [Change; 7] = [
        ("result", |d| {
            let text = d["result"].as_str().expect("a text").replace("0.5", "0.25");
            d["result"] = json!(text);
        }),
        ("the scheme's text", |d| {
            let text = &mut d["input"]["sources"][0]["text"];
            *text = json!(text.as_str().expect("a text").replace("0.5", "0.7"));
        }),
        ("precision", |d| d["input"]["precision"] = json!("f64")),
        ("float", |d| d["float"] = json!("approximate")),
        ("source", |d| d["source"] = json!(0)),
        ("terms", |d| d["terms"][0] = json!({"text": "t"})),
        ("more terms", |d| {
            d["terms"]
                .as_array_mut()
                .expect("terms")
                .push(json!({"int": 1}));
        }),
    ];
    for (what, change) in changes {
        let ran = saved.tampered(change);
        // The precision changes no term, but what is known of types; either way it is not a crash.
        let wanted: &[i32] = match what {
            "precision" => &[0, 1],
            _ => &[1],
        };
        let code = ran.code.expect("a code");
        assert!(
            wanted.contains(&code),
            "{what}: {code}\n{}\n{}",
            ran.out,
            ran.err
        );
    }
    // Rules that come with the tool: their steps may go as recorded, and show nothing.
    let note = saved.tampered(|d| d["rules"][0]["sha256"] = json!("00"));
    assert_eq!(note.code, Some(1), "{}", note.err);
    assert!(
        note.err.contains("N0334") && note.err.contains("E0336"),
        "{}",
        note.err
    );
    assert!(!note.err.contains("E0332"), "{}", note.err);
}

#[test]
fn a_derivation_is_checked_without_the_engine() {
    let saved = Saved::of(&["hermite", "--strategy", "paper"], "");
    let path = saved.path("d.json");
    let path = path.to_str().expect("UTF-8");
    for arguments in [&["replay", path][..], &["replay", path, "--check-only"]] {
        let ran = glushkov(arguments, "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(
            ran.err.contains("checked without the engine"),
            "{}",
            ran.err
        );
        let replayed = ran.err.contains("goes as recorded");
        assert_eq!(replayed, arguments.len() == 2, "{}", ran.err);
    }
    // A step that does not follow, and a whole that does not.
    let mut record: Value = serde_json::from_str(&saved.text()).expect("JSON");
    record["steps"][2]["evidence"][0]["answer"] = json!("unknown");
    let ran = glushkov(&["replay", "-", "--check-only"], &record.to_string());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        ran.err.contains("E0336") && ran.err.contains("step 3 "),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("E0332"), "{}", ran.err);
    assert!(
        ran.out.contains("REFUSED: ") && !ran.out.contains("DIFFERS"),
        "{}",
        ran.out
    );
    let ran = glushkov(&["replay", "-", "--json"], &record.to_string());
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &value["ok"]), (Some(1), &json!(false)));
    assert_eq!(
        (&value["checked"]["ok"], &value["checked"]["steps"]),
        (&json!(false), &json!(2))
    );
    assert_eq!(value["steps"][1]["checked"], json!(true));
    assert_eq!(value["steps"][2]["checked"], json!(false));
    assert_eq!(value["steps"][3]["checked"], json!(null));
    // What only the engine knows: the wording of a question settled by looking.
    let mut record: Value = serde_json::from_str(&saved.text()).expect("JSON");
    let steps = record["steps"].as_array_mut().expect("steps");
    let settled = steps.iter_mut().find_map(|s| {
        let asked = s["evidence"].as_array_mut()?;
        asked.iter_mut().find(|a| {
            a["question"]
                .as_str()
                .is_some_and(|q| q.contains("nonempty"))
        })
    });
    settled.expect("a question")["sentence"] = json!("it is obvious");
    let text = record.to_string();
    assert_eq!(
        glushkov(&["replay", "-", "--check-only"], &text).code,
        Some(0)
    );
    let ran = glushkov(&["replay", "-"], &text);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        ran.err.contains("E0332") && !ran.err.contains("E0336"),
        "{}",
        ran.err
    );
    let both = glushkov(&["replay", path, "--check-only", "--save", "x.json"], "");
    assert_eq!(both.code, Some(2));
}

#[test]
fn files_that_are_no_derivations_are_refused() {
    let saved = Saved::of(&["-", "--strategy", "parallel"], SCHEME);
    let text = saved.text();
    let half = &text[..text.len() / 2];
    for foreign in ["", "{}", "[1, 2]", "no JSON", half, SCHEME] {
        let ran = glushkov(&["replay", "-"], foreign);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("E0333"), "{}", ran.err);
    }
    let changes: [fn(&mut Value); 7] = [
        |d| d["version"] = json!(2),
        |d| d["version"] = json!("1"),
        |d| d["format"] = json!("something else"),
        |d| d["steps"] = json!("none"),
        |d| d["input"]["sources"] = json!([]),
        |d| d["input"]["sources"][0]["text"] = json!("SCHEME"),
        |d| d["input"]["scheme"] = json!("another"),
    ];
    for change in changes {
        let ran = saved.tampered(change);
        assert_eq!(ran.code, Some(2), "{}\n{}", ran.out, ran.err);
        assert!(ran.err.contains("error[E"), "{}", ran.err);
    }
    assert_eq!(glushkov(&["replay", "nothing.json"], "").code, Some(2));
}

#[test]
fn the_answer_for_machines_names_the_step() {
    let saved = Saved::of(&["hermite", "--strategy", "gpu"], "");
    let path = saved.path("d.json");
    let ran = glushkov(&["replay", path.to_str().expect("UTF-8"), "--json"], "");
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &value["ok"]), (Some(0), &json!(true)));
    let mut record: Value = serde_json::from_str(&saved.text()).expect("JSON");
    record["steps"][1]["rule"] = json!("sink");
    let ran = glushkov(&["replay", "-", "--json"], &record.to_string());
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &value["ok"]), (Some(1), &json!(false)));
    let oks: Vec<&Value> = (0..3).map(|i| &value["steps"][i]["ok"]).collect();
    assert_eq!(oks, [&json!(true), &json!(false), &json!(null)]);
}
