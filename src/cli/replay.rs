//! `glushkov replay`: a saved derivation, taken again step by step, and checked without the engine.

use super::derive::told;
use super::files::write_whole;
use super::load::{load_recorded, read_text};
use super::output::{Done, Output, Stop};
use crate::certificate::{Fault, Verdict, verify};
use crate::check::Scheme;
use crate::derive::{About, Record, Redone, digest, record, redo, rule_base, rule_files};
use crate::diagnostic::{Diagnostic, as_json};
use crate::rewrite::{Derivation, RuleBase, Status};
use std::path::PathBuf;

/// Arguments of `replay`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov derive hermite --strategy paper --save d.json && glushkov replay d.json\nEvery step is taken again at its recorded place with its condition asked anew, and every step is checked by code that shares nothing with the rule engine but terms and facts; the first one that goes otherwise, or does not follow, is named, with exit code 1. That the strategy would choose these steps is not asked."
)]
pub struct Args {
    /// What `derive --save` wrote, `-` for standard input
    file: String,
    /// Only check that every step follows; the rule engine takes no part
    #[arg(long, conflicts_with = "save")]
    check_only: bool,
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
    let verdict = verify(&saved, &scheme);
    let mut diagnostics = Vec::new();
    let redone = match args.check_only {
        true => None,
        false => Some(redone(&saved, &scheme, args, &mut diagnostics, output)?),
    };
    diagnostics.extend(verdict.fault.as_ref().map(|fault| refused(fault, &saved)));
    let holds = diagnostics.iter().all(|d| d.code.starts_with('N'));
    let outcome = Outcome {
        saved: &saved,
        redone: redone.as_ref(),
        verdict: &verdict,
    };
    if args.json {
        output.json(&outcome.object(holds, &diagnostics, output))?;
    } else {
        output.print(&outcome.lines())?;
        output.tell_all(&diagnostics);
        if holds {
            output.say(&outcome.summary());
        }
    }
    match holds {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}

/// Takes the steps again; what differs goes to `diagnostics`. What went as recorded is saved.
fn redone(
    saved: &Record,
    scheme: &Scheme,
    args: &Args,
    diagnostics: &mut Vec<Diagnostic>,
    output: &mut Output,
) -> Result<Redone, Stop> {
    let further: Vec<(String, String)> = saved
        .rules
        .iter()
        .filter_map(|f| Some((f.name.clone(), f.text.clone()?)))
        .collect();
    let base = rule_base(&mut output.sources, &further)?;
    diagnostics.extend(changed_rules(saved, &base, output));
    let steps = saved.steps();
    let redone = redo(scheme, &base, &steps, Some(saved))?;
    let now = Derivation {
        strategy: saved.strategy.clone(),
        steps,
        near_misses: saved.near_misses.clone(),
    };
    match &redone.difference {
        Some(difference) => diagnostics.push(told(difference)),
        None => diagnostics.extend(remaining(saved, &redone, &now)),
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
    Ok(redone)
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

/// What came of a record.
struct Outcome<'a> {
    saved: &'a Record,
    /// What the engine made of it, where it was asked.
    redone: Option<&'a Redone>,
    verdict: &'a Verdict,
}

impl Outcome<'_> {
    /// What is wrong with a step: how it went otherwise, why it does not follow.
    fn wrong(&self, step: usize) -> [Option<&str>; 2] {
        let difference = self.redone.and_then(|r| r.difference.as_ref());
        let differs = difference.filter(|d| d.index == step);
        let fault = self.verdict.fault.as_ref();
        let refused = fault.filter(|f| f.step == Some(step));
        [
            differs.map(|d| d.what.as_str()),
            refused.map(|f| f.what.as_str()),
        ]
    }

    /// How many steps went as recorded.
    fn taken(&self) -> usize {
        let difference = self.redone.and_then(|r| r.difference.as_ref());
        match (self.redone, difference) {
            (None, _) => 0,
            (_, Some(difference)) => difference.index,
            _ => self.saved.steps.len(),
        }
    }

    fn lines(&self) -> String {
        let saved = self.saved;
        let mut text = format!(
            "{}\nstrategy {}, {} steps\n",
            saved.input.scheme,
            saved.strategy,
            saved.steps.len()
        );
        for (i, recorded) in saved.steps.iter().enumerate() {
            let [differs, refused] = self.wrong(i);
            let how = match (differs, refused) {
                (None, None) => "ok".to_owned(),
                (Some(what), None) => format!("DIFFERS: {what}"),
                (None, Some(what)) => format!("REFUSED: {what}"),
                (Some(what), Some(why)) => format!("DIFFERS: {what}; REFUSED: {why}"),
            };
            text.push_str(&format!("{:>4}  {}  {how}\n", i + 1, recorded.step.rule));
            if how != "ok" {
                break;
            }
        }
        text
    }

    fn summary(&self) -> String {
        let statuses = [
            Status::Proved,
            Status::Decided,
            Status::Tested,
            Status::Assumed,
        ];
        let count = |status: Status| {
            let asked = self.saved.steps.iter().flat_map(|s| &s.step.evidence);
            asked.filter(|a| a.status == status).count()
        };
        let counts: Vec<String> = statuses
            .into_iter()
            .filter(|&s| count(s) > 0)
            .map(|s| format!("{} {}", count(s), s.name()))
            .collect();
        let answers = match counts.is_empty() {
            true => "none asked for".to_owned(),
            false => counts.join(", "),
        };
        let again = match self.redone {
            Some(_) => "every step goes as recorded, and the result is the same; ",
            None => "",
        };
        format!("{again}every step was checked without the engine; answers: {answers}")
    }

    fn object(
        &self,
        holds: bool,
        diagnostics: &[Diagnostic],
        output: &Output,
    ) -> serde_json::Value {
        let (taken, checked) = (self.taken(), self.verdict.checked);
        let step = |(i, recorded): (usize, &crate::derive::RecordedStep)| {
            let [differs, refused] = self.wrong(i);
            // Steps after the first that is wrong are neither taken nor checked.
            let told = |done: usize, wrong: Option<&str>| match (i < done, wrong) {
                (true, _) => Some(true),
                (false, Some(_)) => Some(false),
                (false, None) => None,
            };
            serde_json::json!({
                "number": recorded.step.number,
                "rule": recorded.step.rule,
                "ok": told(taken, differs),
                "differs": differs,
                "checked": told(checked, refused),
                "refused": refused,
            })
        };
        let steps: Vec<serde_json::Value> = self.saved.steps.iter().enumerate().map(step).collect();
        let diagnostics: Vec<serde_json::Value> = diagnostics
            .iter()
            .map(|d| as_json(d, &output.sources))
            .collect();
        let fault = self.verdict.fault.as_ref();
        serde_json::json!({
            "scheme": self.saved.input.scheme,
            "strategy": self.saved.strategy,
            "ok": holds,
            "replayed": self.redone.is_some(),
            "checked": {
                "ok": fault.is_none(),
                "steps": checked,
                "refused": fault.map(|f| f.what.as_str()),
            },
            "steps": steps,
            "diagnostics": diagnostics,
        })
    }
}
