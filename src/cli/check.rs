//! `glushkov check`.

use super::arguments::{Common, source};
use super::members::{each_member, one_only};
use super::output::{Done, Output, Stop};
use crate::analysis::doubts;
use crate::diagnostic::{Diagnostic, as_json};
use crate::machine::Kind;
use crate::pipeline::{
    self, Failure, Options, Tried, TriedBasic, facts, load_declared, meant, try_basics,
    undefined_note,
};
use crate::term::Sources;
use serde_json::{Value as Json, json};

/// Arguments of `check`.
#[derive(clap::Args)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print what is known of each loop: dependences, reductions, private scalars
    #[arg(long, conflicts_with = "json")]
    facts: bool,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    one_only(&args.common, "--json", args.json)?;
    match each_member(
        &args.file,
        &args.common.options(),
        output,
        |options, output| check(args, options, output),
    ) {
        Err(Stop::Failed(failure)) if args.json => {
            let all = listed(failure.diagnostics.iter(), &output.session.sources);
            output.json(&json!({"diagnostics": all, "machine": null}))?;
            Err(Stop::Code(failure.exit_code()))
        }
        done => done,
    }
}

fn listed<'a>(all: impl Iterator<Item = &'a Diagnostic>, sources: &Sources) -> Vec<Json> {
    all.map(|d| as_json(d, sources)).collect()
}

fn check(args: &Args, options: &Options, output: &mut Output) -> Done {
    let declared = load_declared(source(&args.file), options, &mut output.session)?;
    let basics = match args.facts {
        true => Vec::new(),
        false => try_basics(&declared, options, &mut output.session)?,
    };
    let scheme = meant(declared, options.meanings)?;
    if args.facts {
        return output.print(&facts(&scheme, &output.session.sources));
    }
    let mut notes = scheme.notes.clone();
    notes.extend(doubts(&scheme));
    let wrong: Vec<Diagnostic> = basics.iter().filter_map(|b| b.wrong.clone()).collect();
    if !wrong.is_empty() {
        return Err(Failure::no(wrong).into());
    }
    let tried = pipeline::check(&scheme, options)?;
    let error = tried.as_ref().and_then(|tried| tried.error.as_ref());
    if args.json {
        let sources = &output.session.sources;
        let not_run = tried.is_none().then(|| undefined_note(&scheme));
        let diagnostics = listed(notes.iter().chain(&not_run), sources);
        let machine = tried.as_ref().map(|tried| tried.json(sources));
        let mut answer = json!({"diagnostics": diagnostics, "machine": machine});
        if !basics.is_empty() {
            answer["operators"] = basics.iter().map(TriedBasic::json).collect();
        }
        output.json(&answer)?;
    } else {
        output.tell_all(&notes);
        for basic in &basics {
            output.say(&basic.line());
        }
        match (&tried, error) {
            (_, Some(error)) => output.tell(&error.diagnostic()),
            (None, _) => {
                output.tell(&undefined_note(&scheme));
                output.say("checked; not run");
            }
            (Some(Tried { note, .. }), None) => {
                let note = note.as_ref().map(|n| format!(" ({n})")).unwrap_or_default();
                output.say(&format!(
                    "checked and run on the reference machine{note}: no error"
                ));
            }
        }
    }
    match error.map(|e| e.kind) {
        None => Ok(()),
        // Sizes that cannot be used are not an answer about the scheme.
        Some(Kind::Data | Kind::Memory) => Err(Stop::Code(2)),
        Some(_) => Err(Stop::Code(1)),
    }
}
