//! `glushkov derive`.

use super::common::{Common, strategy_name};
use super::files::write_whole;
use super::load::{load_checked, rule_files, texts_read};
use super::notes::near_misses;
use super::output::{Done, Output, Stop};
use super::show::Lang;
use crate::check::{Scheme, author_names};
use crate::derive::{self, About, Derived, Input, derive, record, redo, rule_base};
use crate::diagnostic::{Diagnostic, as_json};
use crate::rewrite::{DEFAULT_BOUND, Difference, RuleBase};
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
    /// The strategy: sequential, parallel, cpu, cpu-fast, gpu, gpu-fast, paper, or a rule's name
    #[arg(long, value_name = "NAME", default_value = "parallel", value_parser = strategy_name)]
    strategy: String,
    /// Print each step: rule, place, and the answers its condition got
    #[arg(long)]
    trace: bool,
    /// Save the derivation with all that it takes to redo it: see replay
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The language of keywords
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    #[command(flatten)]
    common: Common,
}

/// The rules of the command line: those that come with the tool, further ones, without some.
pub fn rules_of(common: &Common, output: &mut Output) -> Result<RuleBase, Stop> {
    let base = rule_base(&mut output.sources, &rule_files(&common.rules)?)?;
    Ok(base.without(&common.without)?)
}

/// Derives a scheme by a strategy of these rules; a failure of the strategy ends with exit code 1.
pub fn derive_with(
    base: &RuleBase,
    scheme: &Scheme,
    strategy: &str,
    common: &Common,
) -> Result<Derived, Stop> {
    let derived = derive(scheme, base, strategy, &common.settings()?, DEFAULT_BOUND)?;
    if let Some(failure) = &derived.failure {
        let mut all = near_misses(&derived.derivation);
        all.push(failure.clone());
        return Err(Stop::Told(all, 1));
    }
    Ok(derived)
}

/// A derivation in some lines: the strategy, and its rules with how often each was applied.
pub fn summary(derived: &Derived) -> String {
    let derivation = &derived.derivation;
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for step in &derivation.steps {
        match counts.iter_mut().find(|(rule, _)| *rule == step.rule) {
            Some((_, count)) => *count += 1,
            None => counts.push((&step.rule, 1)),
        }
    }
    let rules: Vec<String> = counts
        .iter()
        .map(|(rule, count)| {
            if *count > 1 {
                format!("{rule} ({count} times)")
            } else {
                (*rule).to_owned()
            }
        })
        .collect();
    let rules = if rules.is_empty() {
        "no rules".to_owned()
    } else {
        rules.join(", ")
    };
    format!(
        "Strategy {}, {}: {rules}.",
        derivation.strategy,
        derivation.float().name()
    )
}

/// A step that went otherwise than recorded, as a diagnostic.
pub fn told(difference: &Difference) -> Diagnostic {
    let message = match difference.rule.as_str() {
        "" => "the derivation cannot be redone as recorded".to_owned(),
        rule => {
            let number = difference.index + 1;
            format!("step {number} (`{rule}`) cannot be taken as recorded")
        }
    };
    Diagnostic::error("E0332", message).hint(difference.what.clone())
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let scheme = load_checked(&args.file, &args.common, output)?;
    let sources = texts_read(args.common.assume.len(), output);
    let further = rule_files(&args.common.rules)?;
    let base = rules_of(&args.common, output)?;
    let derived = derive_with(&base, &scheme, &args.strategy, &args.common)?;
    let mut terms = derived.scheme.terms.clone();
    let root = author_names(&mut terms, derived.scheme.root);
    let style = Style {
        notation: Notation::Text,
        language: args.lang.into(),
        comments: true,
    };
    let text = print(&terms, root, style);
    let notes = near_misses(&derived.derivation);
    if let Some(path) = &args.save {
        let input = Input {
            scheme: scheme.name.to_string(),
            precision: scheme.precision,
            sources,
        };
        let steps = &derived.derivation.steps;
        let about = About {
            input,
            settings: args.common.with.clone(),
            rules: derive::rule_files(&base, &output.sources, steps, &further),
            derivation: &derived.derivation,
        };
        // What is saved was taken twice.
        let redone = redo(&scheme, &base, steps, None)?;
        if let Some(difference) = &redone.difference {
            return Err(Stop::Told(vec![told(difference)], 1));
        }
        write_whole(path, &record(about, redone).text(), true)?;
    }
    if args.json {
        let notes: Vec<_> = notes.iter().map(|n| as_json(n, &output.sources)).collect();
        let object = serde_json::json!({
            "scheme": text,
            "steps": derived.derivation.steps,
            "notes": notes,
        });
        return output.json(&object);
    }
    if args.trace {
        let mut lines = String::new();
        for step in &derived.derivation.steps {
            lines.push_str(&format!(
                "{:>3}  {} ({})",
                step.number,
                step.rule,
                step.float.name()
            ));
            if let Some(phrase) = &step.phrase {
                lines.push_str(&format!(", in \"{phrase}\""));
            }
            lines.push('\n');
            for asked in &step.evidence {
                lines.push_str(&format!(
                    "       {}: {}: {}\n",
                    asked.question,
                    asked.status.name(),
                    asked.sentence
                ));
            }
        }
        lines.push('\n');
        output.print(&lines)?;
    }
    output.print(&text)?;
    output.tell_all(&notes);
    Ok(())
}
