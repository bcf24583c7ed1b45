//! Saved derivations are checked without the rule engine: those of the library are accepted, those
//! that were tampered with are refused.

mod library;
mod predicates;
mod tampering;
mod time;

use glushkov::algebra::Precision;
use glushkov::certificate::{Verdict, verify};
use glushkov::check::{Scheme, check};
use glushkov::derive::{
    About, Input, Record, Role, SourceText, derive, record, redo, rule_base, rule_files,
};
use glushkov::family::by_default;
use glushkov::rewrite::{RuleBase, Setting};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};

/// A derivation as `derive --save` keeps it, with what it takes to redo it.
struct Saved {
    record: Record,
    scheme: Scheme,
    base: RuleBase,
}

/// What the text of a scheme reads as; none if it does not.
fn read(name: &str, text: &str) -> Option<Scheme> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    if !errors.is_empty() {
        return None;
    }
    let root = by_default(&mut terms, *items.first()?).ok()?;
    check(&terms, root, Precision::F32).ok()
}

impl Saved {
    /// A derivation; none where the strategy fails.
    fn new(name: &str, text: &str, strategy: &str, with: &[&str], rules: &str) -> Option<Saved> {
        let scheme = read(name, text).expect("a scheme that checks");
        // As at the command line: the scheme is the first text.
        let mut sources = Sources::default();
        sources.add(name, text);
        let further = match rules {
            "" => Vec::new(),
            rules => vec![("mine.rules".to_owned(), rules.to_owned())],
        };
        let base = rule_base(&mut sources, &further).expect("the rule base loads");
        let settings = with.iter().map(|s| Setting::parse(s));
        let settings: Vec<Setting> = settings.collect::<Result<_, _>>().expect("settings");
        let derived = derive(&scheme, &base, strategy, &settings, 10_000).expect("a strategy");
        if derived.failure.is_some() {
            return None;
        }
        let steps = &derived.derivation.steps;
        let source = SourceText {
            role: Role::Scheme,
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let about = About {
            input: Input {
                meanings: false,
                given: Vec::new(),
                scheme: scheme.name.to_string(),
                precision: scheme.precision,
                sources: vec![source],
            },
            settings: with.iter().map(|s| (*s).to_owned()).collect(),
            rules: rule_files(&base, &sources, steps, &further),
            derivation: &derived.derivation,
        };
        let redone = redo(&scheme, &base, steps, None).expect("it can be redone");
        assert_eq!(redone.difference, None, "{name}, {strategy}");
        Some(Saved {
            record: Record::read(&record(about, redone).text()).expect("what was written"),
            scheme,
            base,
        })
    }

    /// A derivation of a scheme of the library.
    fn of(scheme: &str, strategy: &str, with: &[&str]) -> Option<Saved> {
        let mut library = glushkov::derive::library::SCHEMES.iter();
        let (name, text) = library
            .find(|(name, _)| name.ends_with(&format!("/{scheme}.saa")))
            .expect("a scheme of the library");
        Saved::new(name, text, strategy, with, "")
    }

    fn verify(&self) -> Verdict {
        verify(&self.record, &self.scheme)
    }
}
