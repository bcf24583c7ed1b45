//! `glushkov rules test`: what shows that rules of one's own are right.

use super::{lines, table};
use crate::cli::output::{Done, Output, Stop};
use crate::diagnostic::Diagnostic;
use crate::evidence::{Effort, Found};
use crate::pipeline::{Tested, test_rules};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Arguments of `rules test`.
#[derive(clap::Args)]
pub struct Args {
    /// Rule files, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only these rules
    #[arg(long, value_name = "NAME")]
    rule: Vec<String>,
    /// Random operands of a law; twice as many random schemes for any other rule
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    tries: u32,
    /// Change the rule in each part, and tell which change no test finds
    #[arg(long)]
    mutants: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let effort = Effort {
        tries: args.tries,
        mutants: args.mutants,
    };
    let all = test_rules(&args.files, &args.rule, effort, &mut output.session)?;
    let wrong: Vec<Diagnostic> = all.iter().flat_map(diagnostics).collect();
    if args.json {
        let all: Vec<Json> = all.iter().map(object).collect();
        output.json(&json!({ "rules": all }))?;
    } else {
        output.tell_all(&wrong);
        output.print(&text(&all, args.mutants))?;
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}

/// What is wrong with a rule, each with what showed it.
fn diagnostics(tested: &Tested) -> Vec<Diagnostic> {
    let one = |wrong: &crate::evidence::Wrong| {
        let message = format!("`{}` fails {}", tested.rule, wrong.by.name());
        Diagnostic::error("E0347", message)
            .at(tested.span)
            .hint(wrong.what.trim_end().to_owned())
    };
    tested.evidence.wrong.iter().map(one).collect()
}

fn text(all: &[Tested], mutants: bool) -> String {
    let mut head = vec![
        "rule",
        "examples",
        "near misses",
        "random schemes",
        "a second pass",
    ];
    if mutants {
        head.push("mutants found");
    }
    head.push("result");
    let mut shown = table(&head);
    for tested in all {
        let found = &tested.evidence;
        let mut row = vec![
            tested.rule.to_string(),
            found.examples.to_string(),
            format!("{} + {} made", found.shown_misses, found.made_misses),
            found.random.to_string(),
            found.again.name().to_owned(),
        ];
        if mutants {
            row.push(found.mutants.values().sum::<usize>().to_string());
        }
        row.push(match found.wrong.len() {
            0 => "passes".to_owned(),
            1 => "1 failure".to_owned(),
            n => format!("{n} failures"),
        });
        shown.add_row(row);
    }
    lines(&shown)
}

fn object(tested: &Tested) -> Json {
    let found = &tested.evidence;
    let count = |how: Found| found.mutants.get(&how).copied().unwrap_or(0);
    let wrong = found.wrong.iter();
    let wrong: Vec<Json> = wrong
        .map(|w| json!({"by": w.by.name(), "what": w.what}))
        .collect();
    json!({
        "name": tested.rule.as_str(),
        "examples": found.examples,
        "near_misses": found.shown_misses,
        "made_near_misses": found.made_misses,
        "random": found.random,
        "again": found.again.name(),
        "mutants": {
            "load": count(Found::Load),
            "example": count(Found::Example),
            "near_miss": count(Found::NearMiss),
            "random": count(Found::Random),
        },
        "wrong": wrong,
    })
}
