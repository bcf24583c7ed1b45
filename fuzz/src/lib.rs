//! What fuzzers run: each function takes any bytes and panics where the program breaks a promise.
//! `tests/fuzzing.rs` runs the same functions over mutated seeds.

use glushkov::algebra::{Construct, Language, Precision};
use glushkov::check::{Scheme, author_names, check};
use glushkov::data::{read_npy, write_npy};
use glushkov::derive::{Record, Role, lint_schemes, redo, rule_base};
use glushkov::diagnostic::{Diagnostic, render};
use glushkov::family::{choose, family, member};
use glushkov::flowgraph::{draw, graph_of, has_graphs, scheme_of, svg};
use glushkov::rewrite::{RuleBase, lint};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::rules::{print_term, read_term};
use glushkov::syntax::text::{read_expression, read_file};
use glushkov::term::{Id, MOST_ERRORS, Sources, Terms, with_deep_stack};
use std::sync::OnceLock;

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// Diagnostics can be shown, and there are not too many of them.
fn told(errors: &[Diagnostic], sources: &Sources) {
    assert!(
        errors.len() <= MOST_ERRORS + 40,
        "{} diagnostics",
        errors.len()
    );
    for error in errors {
        assert!(!render(error, sources, false).is_empty());
    }
}

/// A tree is the same after it was printed as text or formula and read.
fn reads_back(terms: &Terms, root: Id, notation: Notation, language: Language, comments: bool) {
    let style = Style {
        notation,
        language,
        comments,
    };
    let printed = print(terms, root, style);
    let mut sources = Sources::default();
    let name = match notation {
        Notation::Text => "printed.saa",
        _ => "printed.saaf",
    };
    let file = sources.add(name, printed.clone());
    let mut back = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut back);
    assert!(errors.is_empty(), "{errors:?}\n{printed}");
    assert_eq!(items.len(), 1, "{printed}");
    assert!(terms.equal_across(root, &back, items[0]), "{printed}");
}

/// Schemes: read, print in all forms, check; what checks reads back.
pub fn scheme(data: &[u8]) {
    with_deep_stack(|| {
        let mut sources = Sources::default();
        let file = sources.add("fuzzed", text(data));
        let mut terms = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut terms);
        told(&errors, &sources);
        for &item in &items {
            for notation in [Notation::Text, Notation::Formula, Notation::Latex] {
                let style = Style {
                    notation,
                    language: Language::English,
                    comments: true,
                };
                let _ = print(&terms, item, style);
            }
            let mut item = item;
            match default_member(&mut terms, item, errors.is_empty()) {
                Ok(member) => item = member,
                Err(found) => {
                    told(&found, &sources);
                    continue;
                }
            }
            if has_graphs(&terms, item) {
                let _ = svg(&draw(&mut terms, item, None, Language::English));
                match scheme_of(&mut terms, item) {
                    Err(found) => {
                        told(&found, &sources);
                        continue;
                    }
                    Ok(scheme) => item = scheme,
                }
            }
            if terms.functor(item) != Some(Construct::Scheme.symbol()) {
                continue;
            }
            if errors.is_empty() {
                let graph = graph_of(&mut terms, item);
                let back = scheme_of(&mut terms, graph);
                let back = back.unwrap_or_else(|e| panic!("its own graph: {e:?}"));
                assert!(terms.equal(item, back));
            }
            let precision = [Precision::F32, Precision::F64][data.len() % 2];
            let checked = check(&terms, item, precision);
            match checked {
                Err(found) => told(&found, &sources),
                Ok(scheme) if errors.is_empty() => checks(&terms, item, &scheme),
                Ok(_) => {}
            }
        }
    });
}

/// The member of a family that has all defaults; a family that was read without errors is printed and read back.
fn default_member(terms: &mut Terms, item: Id, whole: bool) -> Result<Id, Vec<Diagnostic>> {
    if terms.arity(item) < 3 {
        return Ok(item);
    }
    let family = family(terms, item)?;
    if !family.is_one {
        return Ok(item);
    }
    let is_text = terms.functor(item) == Some(Construct::Scheme.symbol());
    if whole && is_text && !has_graphs(terms, item) {
        for language in Language::ALL {
            for notation in [Notation::Text, Notation::Formula, Notation::Typed] {
                reads_back(terms, item, notation, language, false);
            }
        }
    }
    let choice = choose(terms, &family, &[]).map_err(|wrong| vec![*wrong])?;
    member(terms, item, &choice)
}

fn checks(terms: &Terms, item: Id, scheme: &Scheme) {
    for language in Language::ALL {
        for notation in [Notation::Text, Notation::Formula, Notation::Typed] {
            reads_back(terms, item, notation, language, false);
        }
    }
    let mut named = scheme.terms.clone();
    let root = author_names(&mut named, scheme.root);
    reads_back(&named, root, Notation::Text, Language::English, true);
    let again = check(&scheme.terms, scheme.root, scheme.precision);
    let again = again.unwrap_or_else(|errors| panic!("checked, and not again: {errors:?}"));
    assert!(
        scheme
            .terms
            .equal_across(scheme.root, &again.terms, again.root)
    );
}

/// Rule files: read, load, and decide their laws.
pub fn rules(data: &[u8]) {
    with_deep_stack(|| {
        let mut sources = Sources::default();
        let rules = text(data);
        let file = sources.add("fuzzed", rules.clone());
        match RuleBase::load(&sources, &[file]) {
            Err(errors) => told(&errors, &sources),
            Ok(base) => {
                let mut found = lint(&base, &[file]).findings;
                found.extend(lint_schemes(&base, &[file]));
                for finding in &found {
                    assert!(!render(finding, &sources, false).is_empty());
                }
                let further = [("fuzzed.rules".to_owned(), rules)];
                if let Err(errors) = rule_base(&mut sources, &further) {
                    told(&errors, &sources);
                }
            }
        }
    });
}

/// Terms in the syntax of rules, and expressions of schemes.
pub fn term(data: &[u8]) {
    with_deep_stack(|| {
        let mut sources = Sources::default();
        let text = text(data);
        let file = sources.add("fuzzed", text.clone());
        let mut terms = Terms::new();
        match read_term(&mut terms, file, &text) {
            Err(errors) => told(&errors, &sources),
            Ok(id) => {
                let printed = print_term(&terms, id);
                let mut back = Terms::new();
                let again = read_term(&mut back, 0, &printed);
                let again = again.unwrap_or_else(|e| panic!("{e:?}\n{printed}"));
                assert!(terms.equal_across(id, &back, again), "{printed}");
            }
        }
        let mut terms = Terms::new();
        if let Err(errors) = read_expression(&sources, file, &mut terms) {
            told(&errors, &sources);
        }
    });
}

/// Files of arrays: read, and the same after they were written.
pub fn npy(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.npy");
    std::fs::write(&path, data).expect("a file");
    if let Ok(array) = read_npy(&path) {
        write_npy(&path, &array).expect("an array that was read");
        let again = read_npy(&path).expect("an array that was written");
        assert_eq!(again.shape(), array.shape());
        assert!(glushkov::data::identical(&again, &array));
    }
}

/// The rules that come with the program.
fn own_rules() -> &'static RuleBase {
    static BASE: OnceLock<RuleBase> = OnceLock::new();
    BASE.get_or_init(|| rule_base(&mut Sources::default(), &[]).unwrap_or_else(|e| panic!("{e:?}")))
}

/// Saved derivations: read, and taken again.
pub fn derivation(data: &[u8]) {
    with_deep_stack(|| {
        let Ok(record) = Record::read(&text(data)) else {
            return;
        };
        // What is read can be written and read again.
        assert_eq!(Record::read(&record.text()).as_ref(), Ok(&record));
        let mut sources = Sources::default();
        let mut terms = Terms::new();
        let mut roots = Vec::new();
        for source in record
            .input
            .sources
            .iter()
            .filter(|s| s.role == Role::Scheme)
        {
            let file = sources.add(source.name.clone(), source.text.clone());
            let (items, errors) = read_file(&sources, file, &mut terms);
            told(&errors, &sources);
            let schemes = items
                .into_iter()
                .filter(|&i| terms.functor(i) == Some(Construct::Scheme.symbol()));
            roots.extend(schemes.filter(|_| errors.is_empty()));
        }
        let Some(&root) = roots.first() else { return };
        match check(&terms, root, record.input.precision) {
            Err(errors) => told(&errors, &sources),
            Ok(scheme) => {
                let steps = record.steps();
                if let Err(errors) = redo(&scheme, own_rules(), &steps, Some(&record)) {
                    told(&errors, &sources);
                }
            }
        }
    });
}
