//! `glushkov equal`: two schemes, equal or told apart.

use super::arguments::source;
use super::output::{Done, Output, Stop};
use crate::check::{author_name, author_names};
use crate::diagnostic::{Diagnostic, as_json};
use crate::equality::{End, Place, Trace, Valued};
use crate::pipeline::{Equality, Pick, equal};
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Head, Id, Terms};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Of the actions and predicates that are not only names, so many are told.
const MOST_TOLD: usize = 3;
/// Texts of actions longer than this are cut.
const MOST_TEXT: usize = 80;

/// Arguments of `equal`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov equal one.saa two.saa\nExit codes: 0 equal; 1 different; 2 wrong use.\nEqual means: the same actions under the same predicates, up to a result, over the same DATA: types, shapes, marks, defaults, values and DEFAULT INPUT. Failure and endless repetition count as one: there is no result. Phrases of WHERE are expanded first; what is not composition, choice, WHILE, FILTER, EMPTY or UNDEFINED is compared as it is written."
)]
pub struct Args {
    /// A scheme's file, `-` for standard input, or an embedded scheme's name
    first: String,
    /// The other scheme
    second: String,
    /// Which scheme of the first file, by its name (the first, if not given)
    #[arg(long, value_name = "NAME")]
    scheme_a: Option<String>,
    /// Which scheme of the second file
    #[arg(long, value_name = "NAME")]
    scheme_b: Option<String>,
    /// Which member of the first file's family, by what it is GIVEN: --given method=leapfrog
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NAME=VALUE",
        visible_alias = "given-a"
    )]
    given: Vec<String>,
    /// Which member of the second file's family
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    given_b: Vec<String>,
    /// Files of basic operators that either scheme may use, or folders of them
    #[arg(long, value_name = "FILE")]
    operators: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    if args.first == "-" && args.second == "-" {
        let message = "standard input can be read only once";
        let hint = "name a file for one of the two schemes";
        return Err(Diagnostic::error("E0006", message).hint(hint).into());
    }
    let sources = [&args.first, &args.second].map(|file| source(file));
    let picks = [
        (&args.scheme_a, &args.given),
        (&args.scheme_b, &args.given_b),
    ];
    let picks = picks.map(|(scheme, given)| Pick {
        scheme: scheme.as_deref(),
        given,
        operators: &args.operators,
    });
    let schemes = Shown(equal(sources, picks, &mut output.session)?);
    let equal = &schemes.0;
    let mut notes = Vec::new();
    notes.extend(different_data(equal));
    if !equal.found.is_equal() {
        notes.extend(schemes.not_final());
    }
    if args.json {
        let sources = &output.session.sources;
        let all: Vec<Json> = notes.iter().map(|n| as_json(n, sources)).collect();
        let trace = equal.found.trace.as_ref().map(|t| schemes.json(t));
        let (is_equal, data) = (equal.is_equal(), &equal.data.shown);
        output.json(&json!({"equal": is_equal, "trace": trace, "data": data, "notes": all}))?;
    } else {
        output.print(&schemes.text())?;
        output.tell_all(&notes);
    }
    match equal.is_equal() {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}

/// What else DATA says differently: what no run shows and, where the actions differ already, the rest.
fn different_data(Equality { found, data, .. }: &Equality) -> Option<Diagnostic> {
    let told: Vec<&str> = match found.is_equal() {
        true => data.silent.iter().map(String::as_str).collect(),
        false => {
            let all = data.shown.iter().chain(&data.silent);
            all.map(String::as_str).collect()
        }
    };
    let message = format!("the schemes have different DATA: {}", told.join("; "));
    (!told.is_empty()).then(|| Diagnostic::note("N0341", message))
}

/// Two schemes that were compared, in words.
struct Shown(Equality);

impl Shown {
    fn at(&self, place: Place) -> (&Terms, Id) {
        match place {
            Place::First(id) => (&self.0.first.terms, id),
            Place::Second(id) => (&self.0.second.terms, id),
        }
    }

    /// What stands at a place, as its author wrote it, on one line.
    fn shown(&self, place: Place) -> String {
        let (terms, id) = self.at(place);
        let (mut terms, root) = terms.compact(id);
        let root = author_names(&mut terms, root);
        let root = without_numbers(&mut terms, root);
        let style = Style {
            notation: Notation::Text,
            language: crate::algebra::Language::English,
            comments: false,
        };
        let text = print(&terms, root, style);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() <= MOST_TEXT {
            return line;
        }
        let cut: String = line.chars().take(MOST_TEXT - 1).collect();
        format!("{cut}…")
    }

    fn text(&self) -> String {
        let Equality { found, data, .. } = &self.0;
        let [first, second] = &self.0.names;
        let Some(trace) = &found.trace else {
            if !data.shown.is_empty() {
                let told = data.shown.join("\n  ");
                return format!(
                    "{first} and {second} are not equal: they do the same actions under the same predicates, over different DATA:\n  {told}"
                );
            }
            return format!(
                "{first} and {second} are equal: the same actions under the same predicates, up to a result\n(failure and endless repetition count as one: there is no result)"
            );
        };
        let mut text =
            format!("{first} and {second} are not equal; a shortest way to tell them apart:\n");
        let show = |place| self.shown(place);
        for line in trace.lines(&show, [first, second]) {
            text.push_str(&format!("  {line}\n"));
        }
        let no_result = [trace.first, trace.second].contains(&End::NoResult);
        if no_result {
            text.push_str("(no result: it fails or never ends, which count as one)\n");
        }
        text
    }

    fn json(&self, trace: &Trace) -> Json {
        let values = |all: &[Valued]| -> Vec<Json> {
            let one = |v: &Valued| json!({"predicate": self.shown(v.predicate), "holds": v.holds});
            all.iter().map(one).collect()
        };
        let end = |end: End| match end {
            End::Stops => json!({"does": "stops", "action": null}),
            End::GoesOn(action) => json!({"does": "goes on", "action": self.shown(action)}),
            End::NoResult => json!({"does": "no result", "action": null}),
        };
        let steps: Vec<Json> = trace
            .steps
            .iter()
            .map(|s| json!({"where": values(&s.values), "action": self.shown(s.action)}))
            .collect();
        json!({
            "steps": steps,
            "where": values(&trace.values),
            "first": end(trace.first),
            "second": end(trace.second),
        })
    }

    /// That a no rests on operators or predicates whose meaning was not looked at.
    fn not_final(&self) -> Option<Diagnostic> {
        let found = &self.0.found;
        if found.meaning.is_empty() {
            return None;
        }
        let mut told: Vec<String> = Vec::new();
        for &place in &found.meaning {
            let text = format!("`{}`", self.shown(place));
            if told.len() < MOST_TOLD && !told.contains(&text) {
                told.push(text);
            }
        }
        let more = if found.meaning.len() > told.len() {
            " and others"
        } else {
            ""
        };
        let message = format!(
            "this no may not be final, as it does not look at what these do: {}{more}",
            told.join(", ")
        );
        let hint = "the schemes could still have the same results; run both to compare these";
        Some(Diagnostic::note("N0342", message).hint(hint))
    }
}

/// The term with the author's names for variables that are declared outside of it.
fn without_numbers(terms: &mut Terms, root: Id) -> Id {
    // In an arena of its own, arguments stand before what they are arguments of.
    let mut new: Vec<Id> = Vec::with_capacity(root.index() + 1);
    for number in 0..=root.index() {
        let id = Id(number as u32);
        let made = match terms.head(id) {
            Head::Functor(name) if terms.arity(id) == 0 => terms.atom(author_name(name).into()),
            _ => {
                let arguments: Vec<Id> = terms.args(id).iter().map(|a| new[a.index()]).collect();
                terms.with_args(id, &arguments)
            }
        };
        new.push(made);
    }
    new[root.index()]
}
