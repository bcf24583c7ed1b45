//! The cases: each file says in its first lines what it covers and how it is run.
//!
//! - `# covers: ForLoop, sqrt(), REAL`: functors of constructs, functions, types.
//! - `# run: N=3`: a run with these parameters; `# run: K=1 ! overflow in kernel`: one that has no
//!   result, and why.
//! - `# refused: E0503 by rust, rust-cuda`: it is not emitted for these.
//! - `# approximate`: C's functions may give other values than Rust's.
//! - `# strategy: gpu`: it is derived before it is emitted.

#[path = "reals.rs"]
mod reals;

use crate::harness;
use crate::host::host_part;
use glushkov::algebra::Precision;
use glushkov::check::Scheme;
use glushkov::derive::{derive, rule_base};
use glushkov::emit::support::{Event, Place, Runner};
use glushkov::term::Sources;
use glushkov::toolchain::testing::in_campaign;
use reals::functions_of_reals;
use std::path::Path;

/// How a case is emitted: the precision, and whether the device checks subscripts and integers.
pub const WAYS: [(Precision, bool); 2] = [(Precision::F32, false), (Precision::F64, true)];

pub struct Case {
    pub name: String,
    pub text: String,
    pub covers: Vec<String>,
    pub runs: Vec<Run>,
    /// The code with which it is refused, and by whom.
    pub refused: Option<(String, Vec<Runner>)>,
    pub approximate: bool,
    pub strategy: Option<String>,
    /// The ways in which it is emitted: both in a campaign, else one.
    pub ways: &'static [(Precision, bool)],
}

pub struct Run {
    pub given: harness::Run,
    /// Why it has no result.
    pub event: Option<(Event, Place)>,
}

impl Case {
    /// The scheme as the author wrote it.
    pub fn written(&self, precision: Precision) -> Scheme {
        harness::scheme(&self.name, &self.text, precision)
    }

    /// The same as far as it is for a runner: of a case with launches, target `cpp` has the host's part.
    pub fn written_for(&self, runner: Runner, precision: Precision) -> Scheme {
        match runner {
            Runner::Cpp => harness::scheme(&self.name, &host_part(&self.text), precision),
            _ => self.written(precision),
        }
    }

    /// What is emitted of it for a runner.
    pub fn scheme_for(&self, runner: Runner, precision: Precision) -> Scheme {
        // What is recorded, or derived for a device, is for a device as a whole.
        let whole = self.strategy.is_some() || self.covers.iter().any(|c| c == "Recorded");
        match runner {
            Runner::Cpp if !whole => self.written_for(runner, precision),
            _ => self.scheme(precision),
        }
    }

    /// The scheme that is emitted.
    pub fn scheme(&self, precision: Precision) -> Scheme {
        let scheme = self.written(precision);
        let Some(strategy) = &self.strategy else {
            return scheme;
        };
        let base = rule_base(&mut Sources::default(), &[]).unwrap();
        let derived = derive(&scheme, &base, strategy, &[], 10_000).unwrap();
        assert!(derived.failure.is_none(), "{}", self.name);
        derived.scheme
    }

    /// The name of its library and program in a way.
    pub fn member(&self, precision: Precision) -> String {
        format!("{}_{precision:?}", self.name).to_lowercase()
    }

    /// The keys of the rows that it holds: what it covers, and the events of its runs.
    pub fn rows(&self) -> Vec<String> {
        let events = self.runs.iter().filter_map(|run| run.event);
        let mut rows = self.covers.clone();
        rows.extend(events.map(|(event, place)| match place {
            Place::Host => format!("! {}", event.name()),
            Place::Kernel => format!("! {} in kernel", event.name()),
        }));
        rows.sort();
        rows.dedup();
        rows
    }
}

/// All cases, in order of name: the files, and the one that is made from the table of functions.
pub fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/targets");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "saa"))
        .collect();
    paths.sort();
    let mut all: Vec<Case> = paths.iter().map(|path| case(harness::case(path))).collect();
    all.push(case(harness::case_of(
        "functions_of_reals",
        functions_of_reals(),
    )));
    all.sort_by(|a, b| a.name.cmp(&b.name));
    if !in_campaign() {
        for (number, case) in all.iter_mut().enumerate() {
            // What a device says where it checks is said in the way that checks.
            let fails = case.runs.iter().any(|run| run.event.is_some());
            let way = if fails { 1 } else { number % 2 };
            case.ways = &WAYS[way..=way];
        }
    }
    all
}

fn case(given: harness::Case) -> Case {
    let line = |start: &str| given.text.lines().find_map(|l| l.strip_prefix(start));
    let name = &given.name;
    let runner = |name: &str| {
        let found = Runner::ALL.into_iter().find(|r| r.name() == name.trim());
        found.unwrap_or_else(|| panic!("there is no target `{name}`"))
    };
    let covers = line("# covers:").unwrap_or_else(|| panic!("{name}: what does it cover?"));
    let events = given.text.lines().filter_map(|l| l.strip_prefix("# run:"));
    let mut events: Vec<_> = events
        .map(|run| run.split_once('!').map(|(_, event)| event_of(event)))
        .collect();
    events.resize(given.runs.len(), None);
    let runs = given.runs.iter().zip(events);
    Case {
        name: given.name.clone(),
        covers: covers.split(',').map(|c| c.trim().to_owned()).collect(),
        runs: runs
            .map(|(given, event)| Run {
                given: given.clone(),
                event,
            })
            .collect(),
        refused: line("# refused:").map(|refused| {
            let (code, by) = refused.split_once(" by ").unwrap();
            (code.trim().to_owned(), by.split(',').map(runner).collect())
        }),
        strategy: line("# strategy:").map(|s| s.trim().to_owned()),
        ways: &WAYS,
        approximate: given.text.lines().any(|l| l == "# approximate"),
        text: given.text,
    }
}

/// `overflow in kernel`.
fn event_of(text: &str) -> (Event, Place) {
    let (name, place) = match text.trim().split_once(" in ") {
        Some((name, _)) => (name, Place::Kernel),
        None => (text.trim(), Place::Host),
    };
    let found = Event::ALL.into_iter().find(|event| event.name() == name);
    let event = found.unwrap_or_else(|| panic!("there is no event `{name}`"));
    assert!(event.places().contains(&place), "{text}");
    (event, place)
}
