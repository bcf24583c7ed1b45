//! Families in `cases/`: the text of each member is the one beside it. `UPDATE=1` writes these.

use super::{member_of, printed};
use glushkov::pipeline::{ALL, Options, Session, Source, members, replay};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/family/cases")
}

/// The families, each with its name and its text.
fn families() -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder()).expect("a folder").flatten();
    let mut all: Vec<(String, String)> = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|e| e == "saa"))
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, std::fs::read_to_string(path).expect("a text"))
        })
        .collect();
    all.sort();
    all
}

/// Every member of the family in a text: what is chosen.
fn all_of(text: &str) -> Vec<Options> {
    let options = Options {
        given: vec![ALL.to_owned()],
        ..Options::default()
    };
    let source = Source::Text {
        name: "text.saa",
        text,
    };
    let all = members(source, &options, &mut Session::new());
    let all = all.unwrap_or_else(|failure| panic!("{}", failure.said()));
    all.into_iter().map(|(_, options)| options).collect()
}

#[test]
fn members_are_the_schemes_beside_the_families() {
    let families = families();
    assert!(families.len() >= 2, "{families:?}");
    for (name, text) in families {
        let mut shown = String::new();
        for options in all_of(&text) {
            let loaded = member_of(&text, &options.given);
            let loaded = loaded.unwrap_or_else(|failure| panic!("{name}: {}", failure.said()));
            shown.push_str(&format!(
                "# {}\n{}\n",
                options.given.join(", "),
                printed(&loaded)
            ));
        }
        let path = folder().join(format!("{name}.members"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &shown).expect("written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(shown, expected, "members of {name}; UPDATE=1 writes them");
    }
}

#[test]
fn the_text_of_a_member_is_read_as_the_same_scheme() {
    for (name, text) in families() {
        for options in all_of(&text) {
            let member = member_of(&text, &options.given).expect("a member");
            let shown = printed(&member);
            let again = member_of(&shown, &[]);
            let again = again.unwrap_or_else(|failure| panic!("{name}: {}", failure.said()));
            assert!(again.choice.values.is_empty());
            let same = member
                .terms
                .equal_across(member.root, &again.terms, again.root);
            assert!(same, "{name}, {:?}:\n{shown}", options.given);
        }
    }
}

/// A derivation of a member holds the family's text and what was chosen, and is replayed as it was.
#[test]
fn derivations_of_members_are_replayed() {
    let (_, text) = families().pop().expect("a family");
    let source = Source::Text {
        name: "text.saa",
        text: &text,
    };
    for options in all_of(&text) {
        let session = &mut Session::new();
        let scheme = glushkov::pipeline::load(source, &options, session).expect("a scheme");
        use glushkov::pipeline::derive;
        let input = derive::input(&scheme, &options, session);
        assert_eq!(input.given, options.given);
        let base = derive::rules(&options, session).expect("rules");
        let derived = derive::derive(&base, &scheme, "parallel", &options).expect("derived");
        assert!(!derived.derivation.steps.is_empty());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("d.json");
        let saved = derive::save(&path, input, &scheme, &base, &derived, &options, session);
        assert!(saved.is_ok());
        let path = path.to_string_lossy();
        let replayed = replay(Source::Path(&path), true, None, &mut Session::new());
        let replayed = replayed.unwrap_or_else(|failure| panic!("{}", failure.said()));
        assert!(replayed.holds(), "{:?}", replayed.diagnostics);
        // Another member is another scheme: the checker does not take it for this one.
        let text = std::fs::read_to_string(path.as_ref()).expect("a record");
        let other = text
            .replace("\"d=1\"", "\"d=3\"")
            .replace("d = 1\"", "d = 3\"");
        if other != text {
            let source = Source::Text {
                name: "d.json",
                text: &other,
            };
            let refused = replay(source, true, None, &mut Session::new());
            assert!(refused.is_err() || refused.is_ok_and(|replay| !replay.holds()));
        }
    }
}
