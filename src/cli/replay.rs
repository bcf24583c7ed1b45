//! `glushkov replay`: a saved derivation, taken again step by step, and checked without the engine.

use super::arguments::source;
use super::output::{Done, Output, Stop};
use crate::derive::RecordedStep;
use crate::diagnostic::as_json;
use crate::pipeline::{Replay, replay};
use crate::rewrite::Status;
use crate::term::Sources;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Arguments of `replay`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov derive hermite --strategy paper --save d.json && glushkov replay d.json\nEvery step is taken again at its recorded place with its condition asked anew, and every step is checked by code that shares nothing with the rule engine but terms and facts; the first one that differs or does not follow is named, with exit code 1. That the strategy would choose these steps is not asked."
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
    let (source, save) = (source(&args.file), args.save.as_deref());
    let replay = replay(source, !args.check_only, save, &mut output.session)?;
    let holds = replay.holds();
    if args.json {
        output.json(&object(&replay, &output.session.sources))?;
    } else {
        output.print(&lines(&replay))?;
        output.tell_all(&replay.diagnostics);
        if holds {
            output.say(&summary(&replay));
        }
    }
    match holds {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}

fn lines(replay: &Replay) -> String {
    let saved = &replay.saved;
    let mut text = format!(
        "{}\nstrategy {}, {} steps\n",
        saved.input.scheme,
        saved.strategy,
        saved.steps.len()
    );
    for (i, recorded) in saved.steps.iter().enumerate() {
        let [differs, refused] = replay.wrong(i);
        let how = match (differs, refused) {
            (None, None) if recorded.step.untested => {
                "ok, by a rule that was not tested".to_owned()
            }
            (None, None) => "ok".to_owned(),
            (Some(what), None) => format!("DIFFERS: {what}"),
            (None, Some(what)) => format!("REFUSED: {what}"),
            (Some(what), Some(why)) => format!("DIFFERS: {what}; REFUSED: {why}"),
        };
        text.push_str(&format!("{:>4}  {}  {how}\n", i + 1, recorded.step.rule));
        if differs.is_some() || refused.is_some() {
            break;
        }
    }
    text
}

fn summary(replay: &Replay) -> String {
    let statuses = [
        Status::Proved,
        Status::Decided,
        Status::Tested,
        Status::Assumed,
    ];
    let count = |status: Status| {
        let asked = replay.saved.steps.iter().flat_map(|s| &s.step.evidence);
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
    let again = match replay.redone {
        Some(_) => "every step goes as recorded, and the result is the same; ",
        None => "",
    };
    format!("{again}every step was checked without the engine; answers: {answers}")
}

fn object(replay: &Replay, sources: &Sources) -> Json {
    let (taken, checked) = (replay.taken(), replay.verdict.checked);
    let step = |(i, recorded): (usize, &RecordedStep)| {
        let [differs, refused] = replay.wrong(i);
        // Steps after the first that is wrong are neither taken nor checked.
        let told = |done: usize, wrong: Option<&str>| match (i < done, wrong) {
            (true, _) => Some(true),
            (false, Some(_)) => Some(false),
            (false, None) => None,
        };
        json!({
            "number": recorded.step.number,
            "rule": recorded.step.rule,
            "ok": told(taken, differs),
            "differs": differs,
            "checked": told(checked, refused),
            "refused": refused,
        })
    };
    let steps: Vec<Json> = replay.saved.steps.iter().enumerate().map(step).collect();
    let diagnostics = replay.diagnostics.iter();
    let diagnostics: Vec<Json> = diagnostics.map(|d| as_json(d, sources)).collect();
    let fault = replay.verdict.fault.as_ref();
    json!({
        "scheme": replay.saved.input.scheme,
        "strategy": replay.saved.strategy,
        "ok": replay.holds(),
        "replayed": replay.redone.is_some(),
        "checked": {
            "ok": fault.is_none(),
            "steps": checked,
            "refused": fault.map(|f| f.what.as_str()),
        },
        "steps": steps,
        "diagnostics": diagnostics,
    })
}
