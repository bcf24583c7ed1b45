//! `Scheme` + strategy + options → derived `Scheme` with its `Derivation`; a derivation → its record.

use super::files::write_whole;
use super::idle::idle;
use super::notes::{Notes, near_misses};
use super::recorded::texts_read;
use super::rule_files::rule_files;
use super::tested::{mark_untested, untested};
use super::unmoved::unmoved;
use super::{Failure, Options, Session};
use crate::check::Scheme;
use crate::derive::{self, About, Derived, Input, record, redo, rule_base};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Bound, Derivation, Difference, RuleBase};
use crate::term::Sources;
use std::path::Path;
use std::time::Instant;

/// The rules: those that come with the tool and those of the options, without some.
///
/// # Errors
///
/// Rule files that cannot be read or do not load, and names that are not rules.
pub fn rules(options: &Options, session: &mut Session) -> Result<RuleBase, Failure> {
    let further = rule_files(&options.rules)?;
    let mut base = rule_base(&mut session.sources, &further)?;
    mark_untested(&mut base, &further);
    Ok(base.without(&options.without)?)
}

/// Derives a scheme by a strategy of these rules.
///
/// # Errors
///
/// Settings that are none, a strategy that is not there, and a step that cannot be taken; the last
/// is an answer, with the near misses before it. E0346: a rule of the user was applied that was not tested.
pub fn derive(
    base: &RuleBase,
    scheme: &Scheme,
    strategy: &str,
    options: &Options,
) -> Result<Derived, Failure> {
    let settings = options.settings()?;
    let bound = Bound {
        steps: options.steps,
        until: options.within.map(|within| Instant::now() + within),
        stop: options.stop.as_deref(),
    };
    let derived = derive::derive(scheme, base, strategy, &settings, bound)?;
    if let Some(failure) = &derived.failure {
        let mut all = near_misses(&derived.derivation);
        all.push(failure.clone());
        return Err(Failure::no(all));
    }
    match untested(&derived.derivation) {
        Some(refused) if !options.untested => Err(Failure::no(vec![refused])),
        _ => Ok(derived),
    }
}

/// What a derivation left undone and why, and which settings and rules left out change nothing.
pub fn notes(
    base: &RuleBase,
    scheme: &Scheme,
    strategy: &str,
    options: &Options,
    derived: &Derived,
    sources: &Sources,
) -> Notes {
    let mut idle = idle(base, scheme, strategy, options, derived);
    idle.extend(unmoved(base, strategy, derived));
    Notes::of(derived, idle, sources)
}

/// What a derivation begins with, as its record has it, in a session that has read the scheme and
/// nothing else: no rules yet, either.
pub fn input(scheme: &Scheme, options: &Options, session: &Session) -> Input {
    Input {
        scheme: scheme.name.to_string(),
        given: scheme.given.clone(),
        precision: scheme.precision,
        meanings: options.meanings,
        sources: texts_read(options.assume.len(), session),
    }
}

/// Saves a derivation of a scheme with all that it takes to redo it.
///
/// # Errors
///
/// A step that does not go the same way again (E0332), and a file that cannot be written.
pub fn save(
    path: &Path,
    input: Input,
    scheme: &Scheme,
    base: &RuleBase,
    derived: &Derived,
    options: &Options,
    session: &Session,
) -> Result<(), Failure> {
    let steps = &derived.derivation.steps;
    let further = rule_files(&options.rules)?;
    let about = About {
        input,
        settings: options.with.clone(),
        rules: derive::rule_files(base, &session.sources, steps, &further),
        derivation: &derived.derivation,
    };
    // What is saved was taken twice.
    let redone = redo(scheme, base, steps, None)?;
    match &redone.difference {
        Some(difference) => Err(Failure::no(vec![told(difference)])),
        None => write_whole(path, &record(about, redone).text(), true),
    }
}

/// A step that went otherwise than recorded, as a diagnostic.
pub(super) fn told(difference: &Difference) -> Diagnostic {
    let message = match difference.rule.as_str() {
        "" => "the derivation cannot be replayed as recorded".to_owned(),
        rule => {
            let number = difference.index + 1;
            format!("step {number} (`{rule}`) cannot be taken as recorded")
        }
    };
    Diagnostic::error("E0332", message).hint(difference.what.clone())
}

/// A derivation in some lines: the strategy, and its rules with how often each was applied.
pub(super) fn summary(derived: &Derived) -> String {
    let derivation = &derived.derivation;
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for step in &derivation.steps {
        match counts.iter_mut().find(|(rule, _)| *rule == step.rule) {
            Some((_, count)) => *count += 1,
            None => counts.push((&step.rule, 1)),
        }
    }
    let rules = counts.iter().map(|&(rule, count)| match count {
        1 => rule.to_owned(),
        _ => format!("{rule} ({count} times)"),
    });
    let rules: Vec<String> = rules.collect();
    let rules = match rules.is_empty() {
        true => "no rules".to_owned(),
        false => rules.join(", "),
    };
    let (float, whole) = (derivation.float_of_results(), derivation.float());
    let reports = match whole > float {
        true => format!(", {} in what reports tell", whole.name()),
        false => String::new(),
    };
    let float = float.name();
    format!(
        "Strategy {}, {float}{reports}: {rules}.",
        derivation.strategy
    )
}

/// Each step in some lines: its rule, its phrase, and what its condition asked.
pub fn trace(derivation: &Derivation) -> String {
    let mut lines = String::new();
    for step in &derivation.steps {
        let float = step.float.name();
        let tested = if step.untested { ", untested" } else { "" };
        let reach = if step.only_reported {
            " in reports"
        } else {
            ""
        };
        lines.push_str(&format!(
            "{:>3}  {} ({float}{reach}{tested})",
            step.number, step.rule
        ));
        if let Some(phrase) = &step.phrase {
            lines.push_str(&format!(", in \"{phrase}\""));
        }
        lines.push('\n');
        for asked in &step.evidence {
            let (question, status) = (&asked.question, asked.status.name());
            lines.push_str(&format!(
                "       {question}: {status}: {}\n",
                asked.sentence
            ));
        }
    }
    lines.push('\n');
    lines
}
