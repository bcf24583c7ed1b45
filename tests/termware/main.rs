//! The classic systems of rewriting in TermWare's form: what they give and in how many rewrites, and
//! that it is what plain Rust computes.

mod files;
mod independent;
mod looking;
mod page;
mod rate;

use glushkov::rewrite::{Rewriting, Rewritten, RuleBase, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;

/// The orders of rewriting.
pub const STRATEGIES: [&str; 3] = ["FirstTop", "TopDown", "BottomTop"];

/// Rewrites beyond which a run is taken for endless.
const BOUND: u64 = 20_000;

/// The text of a case.
pub fn text(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/termware");
    std::fs::read_to_string(format!("{folder}/{name}.rules")).expect("a case")
}

/// The names of all cases, in order.
pub fn names() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/termware");
    let entries = std::fs::read_dir(folder).expect("the folder of cases");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut names: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "rules"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Rewrites a term by a case.
pub fn rewrite(name: &str, term: &str, strategy: &str, steps: u64) -> Rewritten {
    let mut sources = Sources::default();
    let rules = sources.add(format!("{name}.rules"), text(name));
    let term = sources.add("term", term);
    let base = RuleBase::load(&sources, &[rules]).unwrap_or_else(|d| panic!("{name}: {d:#?}"));
    let options = Rewriting {
        strategy: Some(strategy),
        steps,
        ..Rewriting::default()
    };
    run_rewrite(&base, &sources, term, &options).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

/// The result as text.
pub fn flat(done: &Rewritten) -> String {
    print_term_flat(&done.terms, done.root)
}

/// A term of a case's header, what it gives, and the rewrites under each strategy; none where the
/// bound is reached.
struct Header {
    term: String,
    gives: Option<String>,
    rewrites: Vec<Option<u64>>,
}

fn headers(name: &str) -> Vec<Header> {
    let mut found: Vec<Header> = Vec::new();
    for line in text(name).lines() {
        if let Some(term) = line.strip_prefix("# term: ") {
            found.push(Header {
                term: term.into(),
                gives: None,
                rewrites: Vec::new(),
            });
        } else if let Some(gives) = line.strip_prefix("# gives: ") {
            found.last_mut().expect("a term").gives = Some(gives.into());
        } else if let Some(counts) = line.strip_prefix("# rewrites: ") {
            for (count, strategy) in counts.split(", ").zip(STRATEGIES) {
                let count = count
                    .strip_prefix(strategy)
                    .expect("the strategies in order")
                    .trim();
                let endless = count == format!("> {BOUND}");
                let count = (!endless).then(|| count.parse().expect("a number of rewrites"));
                found.last_mut().expect("a term").rewrites.push(count);
            }
        }
    }
    found
}

#[test]
fn every_case_does_what_its_header_says() {
    for name in names() {
        let headers = headers(&name);
        assert!(!headers.is_empty(), "{name}");
        for header in headers {
            assert_eq!(header.rewrites.len(), STRATEGIES.len(), "{name}");
            for (strategy, wanted) in STRATEGIES.into_iter().zip(&header.rewrites) {
                let done = rewrite(&name, &header.term, strategy, BOUND);
                let place = format!("{name}, {strategy}: {}", header.term);
                match wanted {
                    None => {
                        assert_eq!(done.exit_code(), 1, "{place}");
                        assert_eq!(done.rewrites, BOUND, "{place}");
                        assert_eq!(done.diagnostics[0].code, "E0320", "{place}");
                    }
                    Some(rewrites) => {
                        assert_eq!(done.exit_code(), 0, "{place}");
                        assert_eq!(Some(flat(&done)), header.gives, "{place}");
                        assert_eq!(done.rewrites, *rewrites, "{place}");
                        // A normal form is left alone; a rule that ends the run leaves what it made.
                        if text(&name).contains("setCurrentStopFlag(true)") {
                            continue;
                        }
                        let again = rewrite(&name, &flat(&done), strategy, BOUND);
                        assert_eq!(again.rewrites, 0, "{place}");
                    }
                }
            }
        }
    }
}

#[test]
fn cases_are_systems_of_domains_under_all_strategies() {
    let names = names();
    assert!(names.len() >= 16, "{names:?}");
    for name in &names {
        let text = text(name);
        assert!(text.contains("domain(examples, system("), "{name}");
        assert!(text.contains(", default, ruleset("), "{name}");
    }
    for strategy in STRATEGIES {
        let own = format!("), {strategy}));");
        assert!(
            names.iter().any(|name| text(name).contains(&own)),
            "{strategy}"
        );
    }
}
