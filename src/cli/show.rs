//! `glushkov show`.

use super::arguments::{Common, Lang, source, strategy_name};
use super::members::each_member;
use super::output::{Done, Output};
use crate::pipeline::{Form, Level, Options, Show};
use clap::ValueEnum;

/// The forms of a scheme.
#[derive(Clone, Copy, Debug, ValueEnum, Default)]
enum FormName {
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
    /// A drawing
    Svg,
    /// The graph for Graphviz
    Dot,
    /// A drawing of what depends on what
    Dependences,
}

/// Arguments of `show`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov show hermite --as formula > hermite.saaf\n          glushkov show hermite --strategy paper --as svg > paper.svg\nFiles that end in .saaf hold formulas, in .saag graphs; both are read wherever a scheme is."
)]
pub struct Args {
    /// The scheme's file, `-` for standard input, or an embedded scheme's name
    file: String,
    /// The form
    #[arg(long = "as", value_enum, default_value_t)]
    form: FormName,
    /// The language of keywords and, as far as the scheme has a dictionary, of phrases
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    /// Print a formula with twins for its signs: << >> for ⟨ ⟩ and so on
    #[arg(long)]
    ascii: bool,
    /// How many loops, kernels and phrases a drawing shows in each other; deeper ones are folded
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Show what this strategy derives: sequential, parallel, gpu, gpu-fast, paper, or a rule's name
    #[arg(long, value_name = "NAME", value_parser = strategy_name)]
    strategy: Option<String>,
    /// Show a family as it is, with what it is GIVEN, and no member of it
    #[arg(long, conflicts_with_all = ["strategy", "given"])]
    family: bool,
    /// Expand phrases so many levels deep: 0 for the outline alone, or all
    #[arg(long, value_name = "K", value_parser = level, conflicts_with_all = ["strategy", "family"])]
    level: Option<Level>,
    #[command(flatten)]
    common: Common,
}

/// How deep phrases are expanded.
fn level(text: &str) -> Result<Level, String> {
    match text {
        "all" => Ok(Level::All),
        text => (text.parse().map(Level::Of))
            .map_err(|_| "it is a number of levels, from 0 on, or all".to_owned()),
    }
}

impl From<FormName> for Form {
    fn from(form: FormName) -> Form {
        match form {
            FormName::Text => Form::Text,
            FormName::Formula => Form::Formula,
            FormName::Latex => Form::Latex,
            FormName::Term => Form::Term,
            FormName::Graph => Form::Graph,
            FormName::Svg => Form::Svg,
            FormName::Dot => Form::Dot,
            FormName::Dependences => Form::Dependences,
        }
    }
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let options = args.common.options();
    each_member(&args.file, &options, output, |options, output| {
        show(args, options, output)
    })
}

fn show(args: &Args, options: &Options, output: &mut Output) -> Done {
    let show = Show {
        form: args.form.into(),
        language: args.lang.into(),
        ascii: args.ascii,
        depth: args.depth,
        strategy: args.strategy.clone(),
        family: args.family,
        level: args.level,
        options: options.clone(),
    };
    let text = show.show(source(&args.file), &mut output.session)?;
    output.print(&text)
}
