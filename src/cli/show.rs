//! `glushkov show`.

use super::load::load;
use super::output::{Done, Output};
use crate::algebra::Language;
use crate::flowgraph::graph_of;
use crate::syntax::print::{Notation, Style, print};
use crate::syntax::rules::print_term;
use clap::ValueEnum;

/// The forms of a scheme.
#[derive(Clone, Copy, Debug, ValueEnum, Default)]
enum Form {
    /// Words, with keywords in the language of --lang
    #[default]
    Text,
    /// The analytic form of the algebra
    Formula,
    /// The formula for LaTeX
    Latex,
    /// The term that rules match
    Term,
    /// Nodes and edges, as text
    Graph,
}

/// A language of keywords.
#[derive(Clone, Copy, Debug, ValueEnum, Default)]
pub enum Lang {
    /// English
    #[default]
    En,
    /// Ukrainian
    Uk,
    /// Russian
    Ru,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Language {
        match lang {
            Lang::En => Language::English,
            Lang::Uk => Language::Ukrainian,
            Lang::Ru => Language::Russian,
        }
    }
}

/// Arguments of `show`.
#[derive(clap::Args)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// The form
    #[arg(long = "as", value_enum, default_value_t)]
    form: Form,
    /// The language of keywords
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    /// Print a formula with twins for its signs: << >> for ⟨ ⟩ and so on
    #[arg(long)]
    ascii: bool,
    /// Which scheme of the file, by its name (the first, if not given)
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let mut loaded = load(&args.file, args.scheme.as_deref(), output)?;
    let style = |notation| Style {
        notation,
        language: args.lang.into(),
        comments: false,
    };
    let text = match args.form {
        Form::Text => print(&loaded.terms, loaded.root, style(Notation::Text)),
        Form::Formula if args.ascii => print(&loaded.terms, loaded.root, style(Notation::Typed)),
        Form::Formula => print(&loaded.terms, loaded.root, style(Notation::Formula)),
        Form::Latex => print(&loaded.terms, loaded.root, style(Notation::Latex)),
        Form::Term => print_term(&loaded.terms, loaded.root),
        Form::Graph => {
            let graph = match loaded.graph {
                Some(graph) => graph,
                None => graph_of(&mut loaded.terms, loaded.root),
            };
            print(&loaded.terms, graph, style(Notation::Text))
        }
    };
    output.print(&text)
}
