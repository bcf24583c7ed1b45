//! `glushkov derive`.

use super::arguments::{Common, Lang, Within, source, strategy_name, within};
use super::members::{each_member, one_only};
use super::output::{Done, Output};
use crate::algebra::Words;
use crate::check::author_names;
use crate::diagnostic::as_json;
use crate::pipeline::{Options, derive, load, phrasebook};
use crate::syntax::print::{Notation, Style, print};
use std::path::PathBuf;

/// Arguments of `derive`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov derive hermite --strategy paper --trace\n          glushkov derive hermite --strategy paper --save d.json && glushkov replay d.json"
)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// The strategy: sequential, parallel, cpu, cpu-fast, gpu, gpu-blocks, gpu-fast, paper, or a rule's name
    #[arg(long, value_name = "NAME", default_value = "parallel", value_parser = strategy_name)]
    strategy: String,
    /// Print each step: rule, place, and the answers its condition got
    #[arg(long)]
    trace: bool,
    /// Save the derivation with all that it takes to redo it: see replay
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The most steps: beyond it the rules that go on are named. If not given, 10,000, or more for long schemes
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// How long it may take: beyond it the rules that go on are named
    #[arg(long, value_name = "S", value_parser = within)]
    seconds: Option<Within>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The language of keywords and, as far as the scheme has a dictionary, of phrases
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let options = Options {
        steps: args.steps,
        within: args.seconds.and_then(|within| within.0),
        ..args.common.options()
    };
    one_only(&args.common, "--json", args.json)?;
    one_only(&args.common, "--save", args.save.is_some())?;
    each_member(&args.file, &options, output, |options, output| {
        derived(args, options, output)
    })
}

fn derived(args: &Args, options: &Options, output: &mut Output) -> Done {
    let session = &mut output.session;
    let scheme = load(source(&args.file), options, session)?;
    let words = Words {
        language: args.lang.into(),
        signs: false,
    };
    let phrases = phrasebook(&scheme, options, words, session)?;
    let input = derive::input(&scheme, options, session);
    let base = derive::rules(options, session)?;
    let derived = derive::derive(&base, &scheme, &args.strategy, options)?;
    if let Some(path) = &args.save {
        derive::save(path, input, &scheme, &base, &derived, options, session)?;
    }
    let sources = &output.session.sources;
    let notes = derive::notes(&base, &scheme, &args.strategy, options, &derived, sources);
    let mut terms = derived.scheme.terms;
    let root = author_names(&mut terms, derived.scheme.root);
    let root = phrases.translated(&mut terms, root);
    let style = Style {
        notation: Notation::Text,
        language: args.lang.into(),
        comments: true,
    };
    let text = print(&terms, root, style);
    if args.json {
        let sources = &output.session.sources;
        let notes: Vec<_> = notes.all().map(|n| as_json(n, sources)).collect();
        let object = serde_json::json!({
            "scheme": text,
            "steps": derived.derivation.steps,
            "notes": notes,
        });
        return output.json(&object);
    }
    if args.trace {
        output.print(&derive::trace(&derived.derivation))?;
    }
    output.print(&text)?;
    output.tell_notes(&notes);
    Ok(())
}
