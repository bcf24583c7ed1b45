//! Records that were tampered with: each part of each step, each term, each text.
//!
//! All but a few changes are found by the checker. What the engine alone writes down, and nothing
//! follows from, is found by taking the steps again: the sentences for questions that are settled
//! by looking (comparisons, whether a sequence is empty), the order of bindings, and terms that no
//! step names.

use super::library::CLAIMED;
use super::{Saved, read};
use glushkov::certificate::verify;
use glushkov::derive::{Record, RecordedStep, Row, redo};
use glushkov::rewrite::{FloatClass, Place, Status};
use glushkov::toolchain::testing::in_campaign;
use std::collections::BTreeMap;

/// How many changes the checker finds, and how many of what kind only taking the steps again does.
#[derive(Debug, Default)]
struct Found {
    by_checker: usize,
    by_replay_only: BTreeMap<&'static str, usize>,
}

/// The kinds of changes that only taking the steps again may find.
const BY_REPLAY: [&str; 3] = ["wording", "order of bindings", "more terms"];

impl Found {
    /// Changes a record and sees that it is found: in a step, or in the whole.
    fn change(
        &mut self,
        saved: &Saved,
        what: &'static str,
        step: Option<usize>,
        change: &dyn Fn(&mut Record),
    ) {
        let mut record = saved.record.clone();
        change(&mut record);
        if record == saved.record {
            return;
        }
        let verdict = verify(&record, &saved.scheme);
        match verdict.fault {
            Some(fault) => {
                let named = fault.step == step || fault.step.is_none() || step.is_none();
                assert!(named, "{what}: {fault:?}");
                self.by_checker += 1;
            }
            None => {
                assert!(BY_REPLAY.contains(&what), "{what} is not found");
                assert!(differs(&record, saved), "{what} is found by nobody");
                *self.by_replay_only.entry(what).or_default() += 1;
            }
        }
    }
}

/// Whether taking the steps again leads to another record.
fn differs(record: &Record, saved: &Saved) -> bool {
    let steps = record.steps();
    let redone = redo(&saved.scheme, &saved.base, &steps, Some(record));
    redone.is_ok_and(|r| r.difference.is_some() || r.terms.len() != record.terms.len())
}

type Change = (&'static str, fn(&mut RecordedStep));

const OF_A_STEP: &[Change] = &[
    ("number", |s| s.step.number += 1),
    ("another rule", |s| s.step.rule = "interchange".into()),
    ("no rule", |s| s.step.rule.push('x')),
    ("file", |s| s.step.file = "rules/laws/loop.rules".into()),
    ("no file", |s| s.step.file.push('x')),
    ("class, weaker", |s| s.step.float = FloatClass::Approximate),
    ("class, exact", |s| s.step.float = FloatClass::Exact),
    ("deeper", |s| s.step.path.push(0)),
    ("higher", |s| {
        s.step.path.pop();
    }),
    ("another place in the term", |s| {
        s.step.path.iter_mut().for_each(|k| *k ^= 1);
    }),
    ("beyond", |s| s.step.path = vec![9, 9, 9]),
    ("place", |s| {
        s.step.place = s.step.place.map(|p| Place { to: p.to + 1, ..p });
    }),
    ("no place", |s| s.step.place = None),
    ("phrase", |s| s.step.phrase = Some("Another".into())),
    ("no phrase", |s| s.step.phrase = None),
    ("parameter", |s| {
        s.step.parameters.iter_mut().for_each(|p| p.1 += 1);
    }),
    ("parameter's name", |s| {
        s.step.parameters.iter_mut().for_each(|p| p.0.push('x'));
    }),
    ("no parameters", |s| s.step.parameters.clear()),
    ("more parameters", |s| {
        s.step.parameters.push(("more".into(), 1));
    }),
    ("matched", |s| s.step.matched += 1),
    ("matched far", |s| s.step.matched = usize::MAX),
    ("after all", |s| s.step.alternative = None),
    ("alternative", |s| s.step.alternative = Some(7)),
    ("no bindings", |s| s.step.bindings.clear()),
    ("order of bindings", |s| s.step.bindings.reverse()),
    ("no evidence", |s| s.step.evidence.clear()),
    ("size before", |s| s.step.size_before += 1),
    ("size after", |s| s.step.size_after -= 1),
    ("result", |s| s.result -= 1),
    ("no result", |s| s.result = u32::MAX),
];

/// Changes each part of each step in turn.
fn steps(saved: &Saved, found: &mut Found) {
    for i in 0..saved.record.steps.len() {
        for (what, change) in OF_A_STEP {
            found.change(saved, what, Some(i), &|r| change(&mut r.steps[i]));
        }
        let step = &saved.record.steps[i].step;
        for k in 0..step.bindings.len() {
            found.change(saved, "binding", Some(i), &|r| {
                r.steps[i].step.bindings[k].1.push('1');
            });
            found.change(saved, "binding's name", Some(i), &|r| {
                r.steps[i].step.bindings[k].0.push('x');
            });
            found.change(saved, "one binding less", Some(i), &|r| {
                r.steps[i].step.bindings.remove(k);
            });
        }
        for (k, asked) in step.evidence.iter().enumerate() {
            let decided = asked.status == Status::Decided;
            let sentence = if decided { "wording" } else { "sentence" };
            found.change(saved, "question", Some(i), &|r| {
                r.steps[i].step.evidence[k].question.push('x');
            });
            for answer in ["yes", "no", "unknown", "maybe"] {
                found.change(saved, "answer", Some(i), &|r| {
                    r.steps[i].step.evidence[k].answer = answer.into();
                });
            }
            use Status::{Assumed, Decided, Proved, Tested};
            for status in [Assumed, Decided, Proved, Tested] {
                found.change(saved, "status", Some(i), &|r| {
                    r.steps[i].step.evidence[k].status = status;
                });
            }
            found.change(saved, sentence, Some(i), &|r| {
                r.steps[i].step.evidence[k].sentence = "it is obvious".into();
            });
            let places = if decided { "wording" } else { "places" };
            found.change(saved, places, Some(i), &|r| {
                r.steps[i].step.evidence[k]
                    .places
                    .push((None, "here".into()));
            });
            found.change(saved, "one question less", Some(i), &|r| {
                r.steps[i].step.evidence.remove(k);
            });
        }
    }
}

/// Drops, doubles and exchanges steps; changes each term, and what stands beside the steps.
fn whole(saved: &Saved, found: &mut Found) {
    for i in 0..saved.record.steps.len() {
        found.change(saved, "dropped", None, &|r| {
            r.steps.remove(i);
        });
        // With the numbers of the steps made right, too.
        let renumber = |r: &mut Record| {
            for (step, number) in r.steps.iter_mut().zip(1..) {
                step.step.number = number;
            }
        };
        found.change(saved, "dropped, numbered", None, &|r| {
            r.steps.remove(i);
            renumber(r);
        });
        found.change(saved, "doubled", None, &|r| {
            let step = r.steps[i].clone();
            r.steps.insert(i, step);
            renumber(r);
        });
        if i > 0 {
            found.change(saved, "exchanged", None, &|r| r.steps.swap(i - 1, i));
            found.change(saved, "exchanged, numbered", None, &|r| {
                r.steps.swap(i - 1, i);
                renumber(r);
            });
        }
    }
    for i in 0..saved.record.terms.len() {
        found.change(saved, "term", None, &|r| match &mut r.terms[i] {
            Row::Functor(name, _) => name.push('x'),
            Row::Int(k) => *k += 1,
            Row::Real(x) => *x += 1.0,
            Row::Text(text) | Row::Variable(text) => text.push('x'),
        });
    }
    found.change(saved, "more terms", None, &|r| r.terms.push(Row::Int(1)));
    found.change(saved, "source", None, &|r| r.source = 0);
    found.change(saved, "float", None, &|r| r.float = FloatClass::Unordered);
    found.change(saved, "text", None, &|r| r.result.push('\n'));
    found.change(saved, "text", None, &|r| {
        r.result = r.result.replacen(":=", ": =", 1);
    });
    for i in 0..saved.record.rules.len() {
        found.change(saved, "digest", None, &|r| r.rules[i].sha256.clear());
        found.change(saved, "rule's text", None, &|r| {
            r.rules[i].text = Some("Empty -> Empty;".into());
        });
        found.change(saved, "rule's file", None, &|r| r.rules[i].name.push('x'));
        found.change(saved, "no file", None, &|r| {
            r.rules.remove(i);
        });
    }
}

/// Changes each number of the scheme's text in turn; what still reads is another scheme.
fn sources(saved: &Saved, found: &mut Found) {
    let source = &saved.record.input.sources[0];
    for (at, _) in source.text.match_indices(|c: char| c.is_ascii_digit()) {
        let mut text = source.text.clone();
        let other = if &text[at..=at] == "7" { "8" } else { "7" };
        text.replace_range(at..=at, other);
        if let Some(scheme) = read(&source.name, &text) {
            // A number in a comment says nothing.
            let first =
                scheme
                    .terms
                    .equal_across(scheme.root, &saved.scheme.terms, saved.scheme.root);
            let fault = verify(&saved.record, &scheme).fault;
            assert_eq!(fault.is_none(), first, "byte {at}");
            found.by_checker += usize::from(!first);
        }
    }
}

/// A derivation of the library with settings, and whether all that stands beside its steps is
/// changed, too.
type Case = (&'static str, &'static str, &'static [&'static str], bool);

const CASES: [Case; 6] = [
    ("claimed", "parallel", &[], true),
    ("matrix_product", "gpu", &["rows=4"], true),
    ("kmeans", "parallel", &["split_reductions=1"], true),
    ("heat", "gpu", &[], true),
    ("relaxation", "gpu", &[], true),
    ("leapfrog", "paper", &["chunk=64"], false),
];

/// The cases and the least number of changes; all of them in a campaign.
fn cases() -> (&'static [Case], usize) {
    match in_campaign() {
        true => (&CASES, 4_000),
        false => (&CASES[..2], 500),
    }
}

#[test]
fn every_change_is_found() {
    let (cases, least) = cases();
    let changes = |&(scheme, strategy, with, all): &Case| {
        std::thread::spawn(move || {
            let saved = match scheme {
                "claimed" => Saved::new("claimed.saa", CLAIMED, strategy, with, ""),
                _ => Saved::of(scheme, strategy, with),
            };
            let saved = saved.expect("it can be derived");
            let mut found = Found::default();
            steps(&saved, &mut found);
            if all {
                whole(&saved, &mut found);
            }
            sources(&saved, &mut found);
            found
        })
    };
    let cases: Vec<_> = cases.iter().map(changes).collect();
    let mut all = Found::default();
    for case in cases {
        let found = case.join().expect("every change is found");
        all.by_checker += found.by_checker;
        for (what, count) in found.by_replay_only {
            *all.by_replay_only.entry(what).or_default() += count;
        }
    }
    let by_replay: Vec<&str> = all.by_replay_only.into_keys().collect();
    println!("{} are found by the checker", all.by_checker);
    assert!(all.by_checker > least, "{}", all.by_checker);
    assert_eq!(by_replay, ["more terms", "order of bindings", "wording"]);
}
