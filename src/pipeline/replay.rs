//! A saved derivation → whether every step goes as recorded, and whether it follows.

use super::derive::told;
use super::files::write_whole;
use super::recorded::load_recorded;
use super::{Failure, Session, Source};
use crate::certificate::{Fault, Verdict, verify};
use crate::check::Scheme;
use crate::derive::{About, Record, Redone, digest, record, redo, rule_base, rule_files};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Derivation, RuleBase};
use crate::term::{Sources, Symbol};
use std::path::Path;

/// What came of a saved derivation.
pub struct Replay {
    /// What was saved.
    pub saved: Record,
    /// What the engine made of it, where it was asked.
    pub redone: Option<Redone>,
    /// What the checker says, which shares nothing with the engine but terms and facts.
    pub verdict: Verdict,
    /// What is wrong, and notes on rules that have changed since.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks every step of a saved derivation and, with `redo`, takes it again. The session holds the
/// recorded texts then, and no others. With `save`, what went as recorded is saved anew.
///
/// # Errors
///
/// A file that cannot be read or holds no derivation, recorded texts that do not check, and a file
/// that cannot be written. A step that differs is not a failure: the replay tells of it.
pub fn replay(
    source: Source<'_>,
    redo: bool,
    save: Option<&Path>,
    session: &mut Session,
) -> Result<Replay, Failure> {
    let saved = saved(source, session)?;
    // Spans of the record count its own texts from the first.
    session.sources = Sources::default();
    let input = &saved.input;
    let scheme = load_recorded(input, session)?;
    let mut replay = Replay {
        verdict: verify(&saved, &scheme),
        saved,
        redone: None,
        diagnostics: Vec::new(),
    };
    if redo {
        replay.redone = Some(replay.redo(&scheme, save, session)?);
    }
    let fault = replay.verdict.fault.as_ref();
    let refused = fault.map(|fault| refused(fault, &replay.saved));
    replay.diagnostics.extend(refused);
    Ok(replay)
}

impl Replay {
    /// Whether nothing is wrong.
    pub fn holds(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// What is wrong with a step: how it went otherwise, why it does not follow.
    pub fn wrong(&self, step: usize) -> [Option<&str>; 2] {
        let difference = self.redone.as_ref().and_then(|r| r.difference.as_ref());
        let differs = difference.filter(|d| d.index == step);
        let fault = self.verdict.fault.as_ref();
        let refused = fault.filter(|f| f.step == Some(step));
        [
            differs.map(|d| d.what.as_str()),
            refused.map(|f| f.what.as_str()),
        ]
    }

    /// How many steps went as recorded.
    pub fn taken(&self) -> usize {
        let difference = self.redone.as_ref().and_then(|r| r.difference.as_ref());
        match (&self.redone, difference) {
            (None, _) => 0,
            (_, Some(difference)) => difference.index,
            _ => self.saved.steps.len(),
        }
    }

    /// Takes the steps again. What went as recorded is saved.
    fn redo(
        &mut self,
        scheme: &Scheme,
        save: Option<&Path>,
        session: &mut Session,
    ) -> Result<Redone, Failure> {
        let saved = &self.saved;
        let further: Vec<(String, String)> = saved
            .rules
            .iter()
            .filter_map(|f| Some((f.name.clone(), f.text.clone()?)))
            .collect();
        let mut base = rule_base(&mut session.sources, &further)?;
        let untested = saved.steps.iter().filter(|s| s.step.untested);
        base.mark_untested(untested.map(|s| Symbol::new(&s.step.rule)).collect());
        self.diagnostics
            .extend(changed_rules(saved, &base, &session.sources));
        let steps = saved.steps();
        let redone = redo(scheme, &base, &steps, Some(saved))?;
        let now = Derivation {
            strategy: saved.strategy.clone(),
            steps,
            near_misses: saved.near_misses.clone(),
        };
        match &redone.difference {
            Some(difference) => self.diagnostics.push(told(difference)),
            None => self.diagnostics.extend(remaining(saved, &redone, &now)),
        }
        if let (Some(path), true) = (save, self.holds()) {
            let about = About {
                input: saved.input.clone(),
                settings: saved.settings.clone(),
                rules: rule_files(&base, &session.sources, &now.steps, &further),
                derivation: &now,
            };
            write_whole(path, &record(about, redone.clone()).text(), true)?;
        }
        Ok(redone)
    }
}

/// Reads a saved derivation.
fn saved(source: Source<'_>, session: &mut Session) -> Result<Record, Failure> {
    let number = source.read(session)?;
    let text = session.sources.get(number).map_or("", |s| s.text.as_str());
    Record::read(text).map_err(|why| {
        let file = source.name();
        Diagnostic::error("E0333", format!("{file} holds no derivation: {why}"))
            .hint("glushkov derive FILE --strategy S --save d.json writes one")
            .into()
    })
}

/// What the checker refuses, as a diagnostic.
fn refused(fault: &Fault, saved: &Record) -> Diagnostic {
    let message = match fault.step {
        Some(i) => format!(
            "step {} (`{}`) does not follow",
            i + 1,
            saved.steps[i].step.rule
        ),
        None => "the derivation does not show what it claims".to_owned(),
    };
    Diagnostic::error("E0336", message).hint(fault.what.clone())
}

/// Files of rules whose text is not the recorded one.
fn changed_rules(saved: &Record, base: &RuleBase, sources: &Sources) -> Vec<Diagnostic> {
    let text_of = |name: &str| {
        let of_file = base.rules.iter().find(|r| base.file(r.span) == name)?;
        Some(sources.get(of_file.span.file)?.text.as_str())
    };
    saved
        .rules
        .iter()
        .filter_map(|file| {
            let same = |text: &str| digest(text) == file.sha256;
            match (&file.text, text_of(&file.name)) {
                (Some(text), _) if !same(text) => Some(Diagnostic::error(
                    "E0332",
                    format!(
                        "the recorded text of {} is not that of its digest",
                        file.name
                    ),
                )),
                (None, Some(text)) if !same(text) => Some(Diagnostic::note(
                    "N0334",
                    format!("{} has changed since the derivation was saved", file.name),
                )),
                (None, None) => Some(Diagnostic::note(
                    "N0334",
                    format!("there is no file {} of rules any more", file.name),
                )),
                _ => None,
            }
        })
        .collect()
}

/// What differs where every step goes as recorded.
fn remaining(saved: &Record, redone: &Redone, now: &Derivation) -> Option<Diagnostic> {
    let what = if saved.result != redone.text {
        "the result is another text than recorded"
    } else if saved.terms.len() != redone.terms.len() {
        "terms are recorded that no step made"
    } else if saved.float != now.float() {
        "the float class of the whole is not that of its steps"
    } else {
        return None;
    };
    Some(Diagnostic::error("E0332", what))
}
