//! The table of targets and the cases: every row has one.

use crate::case::{Case, cases};
use glushkov::algebra::{Construct, FUNCTIONS, Precision, TABLE, TYPE_NAMES};
use glushkov::emit::support::{
    Absence, Event, LOWERINGS, Note, Place, Response, Runner, Support, response, support,
    targets_page,
};
use glushkov::emit::{EmitOptions, emit};
use std::collections::BTreeSet;

impl Case {
    /// What a runner does not have of what the case holds.
    pub fn absent(&self, runner: Runner) -> Option<(Construct, Absence)> {
        let scheme = self.scheme(Precision::F32);
        let terms = &scheme.terms;
        let held = terms.subterms(scheme.body);
        let held: BTreeSet<&str> = held
            .filter_map(|id| terms.functor(id))
            .map(|functor| functor.as_str())
            .collect();
        let rows = TABLE.iter().filter(|i| held.contains(i.functor));
        let mut absent = rows.filter_map(|info| match support(info.construct, runner) {
            Support::No(absence) => Some((info.construct, absence)),
            _ => None,
        });
        absent.next()
    }
}

/// The keys of all rows.
fn rows() -> Vec<String> {
    let runs = |info: &&glushkov::algebra::Info| {
        support(info.construct, Runner::Interpreter) != Support::Declared
    };
    let mut rows: Vec<String> = TABLE
        .iter()
        .filter(runs)
        .map(|i| i.functor.into())
        .collect();
    rows.extend(FUNCTIONS.iter().map(|f| format!("{}()", f.name)));
    rows.extend(TYPE_NAMES.iter().map(|t| t.name.to_owned()));
    for event in Event::ALL {
        rows.extend(event.places().iter().map(|place| match place {
            Place::Host => format!("! {}", event.name()),
            Place::Kernel => format!("! {} in kernel", event.name()),
        }));
    }
    rows
}

#[test]
fn every_row_has_a_case_and_every_case_rows() {
    let (rows, cases) = (rows(), cases());
    let covered: Vec<String> = cases.iter().flat_map(Case::rows).collect();
    let bare: Vec<_> = rows.iter().filter(|r| !covered.contains(r)).collect();
    assert!(bare.is_empty(), "rows without a case: {bare:?}");
    let unknown: Vec<_> = covered.iter().filter(|c| !rows.contains(c)).collect();
    assert!(unknown.is_empty(), "no such rows: {unknown:?}");
}

/// A case that says it covers something holds it.
#[test]
fn cases_hold_what_they_cover() {
    for case in cases() {
        let scheme = case.scheme(glushkov::algebra::Precision::F32);
        let terms = &scheme.terms;
        for key in &case.covers {
            let held = match key.strip_suffix("()") {
                Some(function) => case.text.contains(&format!("{function}(")),
                None if TYPE_NAMES.iter().any(|t| t.name == key) => case.text.contains(key),
                // Phrases that WHERE defines are expanded.
                None if matches!(key.as_str(), "Call" | "Test") => case.text.contains("===="),
                None => terms
                    .subterms(scheme.root)
                    .any(|t| terms.functor(t).is_some_and(|f| f.as_str() == key)),
            };
            assert!(held, "{} does not hold {key}", case.name);
        }
    }
}

/// Notes that name a code are held by a case that is refused with it.
#[test]
fn every_note_and_absence_that_refuses_has_a_case() {
    let cases = cases();
    for note in Note::ALL {
        let Some(code) = note.code() else { continue };
        let held = |c: &Case| c.refused.as_ref().is_some_and(|(other, _)| other == code);
        assert!(cases.iter().any(held), "{note:?}");
    }
    for info in TABLE {
        for runner in Runner::ALL {
            if let Support::No(absence) = support(info.construct, runner) {
                let held = |c: &Case| c.absent(runner).is_some_and(|(_, a)| a == absence);
                assert!(cases.iter().any(held), "{}", info.functor);
            }
        }
    }
}

/// What emitters change outside of the derivation is done in the case that is named, which is compared
/// with the reference machine like all cases.
#[test]
fn every_lowering_has_a_case() {
    let cases = cases();
    for lowering in LOWERINGS {
        let case = cases.iter().find(|c| c.name == lowering.case);
        let case = case.unwrap_or_else(|| panic!("there is no case {}", lowering.case));
        let scheme = case.scheme(Precision::F32);
        for target in lowering.runners.iter().filter_map(|r| r.target()) {
            let project = emit(&scheme, target, &EmitOptions::default()).expect("it is emitted");
            let seen = project.files.iter().any(|(_, t)| t.contains(lowering.sign));
            assert!(seen, "{} for {}", lowering.name, target.name());
        }
    }
}

/// The reference machine notices everything: it says what a scheme means.
#[test]
fn the_machine_notices_everything() {
    for event in Event::ALL {
        for &place in event.places() {
            let answer = response(event, Runner::Interpreter, place);
            assert!(matches!(answer, Response::Error(_)), "{event:?}");
        }
    }
}

#[test]
fn the_page_is_fresh() {
    let cases = cases();
    let of = |key: &str| {
        let held = cases.iter().filter(|c| c.rows().iter().any(|r| r == key));
        held.map(|c| c.name.clone()).collect::<Vec<_>>()
    };
    let made = targets_page(&of);
    let path = "docs/targets.md";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &made).expect("the page is writable");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == made,
        "{path} is out of date: run UPDATE=1 cargo test --test targets"
    );
}
