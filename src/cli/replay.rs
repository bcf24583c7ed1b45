//! `glushkov replay`: a saved derivation, taken again step by step.

use super::derive::told;
use super::files::write_whole;
use super::load::{load_recorded, read_text};
use super::output::{Done, Output, Stop};
use crate::derive::{About, Record, Redone, digest, record, redo, rule_base, rule_files};
use crate::diagnostic::{Diagnostic, as_json};
use crate::rewrite::{Derivation, RuleBase, Status};
use std::path::PathBuf;

/// Arguments of `replay`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov derive hermite --strategy paper --save d.json && glushkov replay d.json\nEvery step is taken again at its recorded place with its condition asked anew; the first one that goes otherwise is named, with exit code 1. That the strategy would choose these steps is not asked."
)]
pub struct Args {
    /// What `derive --save` wrote, `-` for standard input
    file: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Save the derivation as it went now; it is the same file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let saved = saved(&args.file, output)?;
    // Spans of the record count its own texts from the first.
    output.sources = Default::default();
    let input = &saved.input;
    let scheme = load_recorded(&input.sources, &input.scheme, input.precision, output)?;
    let further: Vec<(String, String)> = saved
        .rules
        .iter()
        .filter_map(|f| Some((f.name.clone(), f.text.clone()?)))
        .collect();
    let base = rule_base(&mut output.sources, &further)?;
    let mut diagnostics = changed_rules(&saved, &base, output);
    let steps = saved.steps();
    let redone = redo(&scheme, &base, &steps, Some(&saved))?;
    let taken = redone.difference.as_ref().map_or(steps.len(), |d| d.index);
    let now = Derivation {
        strategy: saved.strategy.clone(),
        steps,
        near_misses: saved.near_misses.clone(),
    };
    match &redone.difference {
        Some(difference) => diagnostics.push(told(difference)),
        None => diagnostics.extend(remaining(&saved, &redone, &now)),
    }
    let holds = diagnostics.iter().all(|d| d.code.starts_with('N'));
    if let (Some(path), true) = (&args.save, holds) {
        let about = About {
            input: saved.input.clone(),
            settings: saved.settings.clone(),
            rules: rule_files(&base, &output.sources, &now.steps, &further),
            derivation: &now,
        };
        write_whole(path, &record(about, redone.clone()).text(), true)?;
    }
    if args.json {
        output.print(&object(&saved, &redone, taken, holds, &diagnostics, output).to_string())?;
    } else {
        output.print(&lines(&saved, &redone, taken))?;
        output.tell_all(&diagnostics);
        if holds {
            output.say(&summary(&saved));
        }
    }
    match holds {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}

/// Reads a saved derivation.
fn saved(file: &str, output: &mut Output) -> Result<Record, Stop> {
    let number = read_text(file, output)?;
    let text = output.sources.get(number).map_or("", |s| s.text.as_str());
    Record::read(text).map_err(|why| {
        Diagnostic::error("E0333", format!("{file} holds no derivation: {why}"))
            .hint("glushkov derive FILE --strategy S --save d.json writes one")
            .into()
    })
}

/// Files of rules whose text is not the recorded one.
fn changed_rules(saved: &Record, base: &RuleBase, output: &Output) -> Vec<Diagnostic> {
    let text_of = |name: &str| {
        let of_file = base.rules.iter().find(|r| base.file(r.span) == name)?;
        Some(output.sources.get(of_file.span.file)?.text.as_str())
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

fn lines(saved: &Record, redone: &Redone, taken: usize) -> String {
    let mut text = format!(
        "{}\nstrategy {}, {} steps\n",
        saved.input.scheme,
        saved.strategy,
        saved.steps.len()
    );
    for recorded in &saved.steps[..taken] {
        let step = &recorded.step;
        text.push_str(&format!("{:>4}  {}  ok\n", step.number, step.rule));
    }
    if let Some(difference) = &redone.difference {
        text.push_str(&format!(
            "{:>4}  {}  DIFFERS: {}\n",
            difference.index + 1,
            difference.rule,
            difference.what
        ));
    }
    text
}

fn summary(saved: &Record) -> String {
    let statuses = [
        Status::Proved,
        Status::Decided,
        Status::Tested,
        Status::Assumed,
    ];
    let count = |status: Status| {
        let asked = saved.steps.iter().flat_map(|s| &s.step.evidence);
        asked.filter(|a| a.status == status).count()
    };
    let counts: Vec<String> = statuses
        .into_iter()
        .filter(|&s| count(s) > 0)
        .map(|s| format!("{} {}", count(s), s.name()))
        .collect();
    format!(
        "every step goes as recorded, and the result is the same; answers: {}",
        match counts.is_empty() {
            true => "none asked for".to_owned(),
            false => counts.join(", "),
        }
    )
}

fn object(
    saved: &Record,
    redone: &Redone,
    taken: usize,
    holds: bool,
    diagnostics: &[Diagnostic],
    output: &Output,
) -> serde_json::Value {
    let steps: Vec<serde_json::Value> = saved
        .steps
        .iter()
        .enumerate()
        .map(|(i, recorded)| {
            let what = redone.difference.as_ref().filter(|d| d.index == i);
            serde_json::json!({
                "number": recorded.step.number,
                "rule": recorded.step.rule,
                // Steps after the first that differs are not taken.
                "ok": if i < taken { Some(true) } else { what.map(|_| false) },
                "differs": what.map(|d| d.what.clone()),
            })
        })
        .collect();
    let diagnostics: Vec<serde_json::Value> = diagnostics
        .iter()
        .map(|d| as_json(d, &output.sources))
        .collect();
    serde_json::json!({
        "scheme": saved.input.scheme,
        "strategy": saved.strategy,
        "ok": holds,
        "steps": steps,
        "diagnostics": diagnostics,
    })
}
