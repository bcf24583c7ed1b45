//! Reading what was printed gives the same tree.

use glushkov::algebra::{Language, Precision};
use glushkov::check::{author_names, check};
use glushkov::diagnostic::render;
use glushkov::family::by_default;
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};

fn files(folder: &std::path::Path, into: &mut Vec<std::path::PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of schemes")
        .map(|e| e.expect("an entry").path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files(&entry, into);
        } else if entry.extension().is_some_and(|e| e == "saa") {
            into.push(entry);
        }
    }
}

#[test]
fn every_scheme_reads_back_in_every_language() {
    let mut paths = Vec::new();
    files("schemes".as_ref(), &mut paths);
    assert!(!paths.is_empty());
    for path in paths {
        let mut sources = Sources::default();
        let text = std::fs::read_to_string(&path).expect("a readable scheme");
        let file = sources.add(path.display().to_string(), text);
        let mut terms = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut terms);
        let shown: String = errors.iter().map(|e| render(e, &sources, false)).collect();
        assert!(errors.is_empty(), "{shown}");
        for item in items {
            for language in Language::ALL {
                let style = Style {
                    notation: Notation::Text,
                    language,
                    comments: false,
                };
                let printed = print(&terms, item, style);
                let again = sources.add("printed", printed.clone());
                let (back, errors) = read_file(&sources, again, &mut terms);
                let shown: String = errors.iter().map(|e| render(e, &sources, false)).collect();
                assert!(errors.is_empty(), "{shown}\n{printed}");
                assert!(terms.equal(item, back[0]), "{printed}");
            }
            // The checked scheme, too, and checking it again changes nothing.
            let item = by_default(&mut terms, item).expect("a member");
            let checked = check(&terms, item, Precision::F32).unwrap_or_else(|errors| {
                panic!(
                    "{}",
                    errors
                        .iter()
                        .map(|e| render(e, &sources, false))
                        .collect::<String>()
                )
            });
            let again = check(&checked.terms, checked.root, Precision::F32).expect("checks again");
            assert!(
                checked
                    .terms
                    .equal_across(checked.root, &again.terms, again.root)
            );
            let mut named = checked.terms.clone();
            let root = author_names(&mut named, checked.root);
            let style = Style {
                notation: Notation::Text,
                language: Language::Ukrainian,
                comments: true,
            };
            let printed = print(&named, root, style);
            let file = sources.add("checked", printed.clone());
            let mut terms = Terms::new();
            let (back, errors) = read_file(&sources, file, &mut terms);
            assert!(errors.is_empty(), "{printed}");
            assert!(named.equal_across(root, &terms, back[0]), "{printed}");
            println!("{printed}");
        }
    }
}
