//! `glushkov show`.

use super::arguments::{Common, Lang, source, strategy_name};
use super::output::{Done, Output, Stop};
use crate::algebra::translated;
use crate::check::{Scheme, author_names};
use crate::flowgraph::{dependences, dot, draw, graph_of, svg};
use crate::pipeline::{Loaded, Notes, derive, load, read};
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
    form: Form,
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
    #[command(flatten)]
    common: Common,
}

/// What is shown: its terms, the scheme and, if it was read from one, the graph.
fn shown(args: &Args, output: &mut Output) -> Result<Loaded, Stop> {
    if args.strategy.is_none() {
        let (source, pick) = (source(&args.file), args.common.scheme.as_deref());
        return Ok(read(source, pick, &mut output.session)?);
    }
    let (scheme, notes) = derived(args, output)?;
    let mut terms = scheme.terms;
    let root = author_names(&mut terms, scheme.root);
    output.tell_notes(&notes);
    Ok(Loaded {
        terms,
        root,
        graph: None,
    })
}

/// The scheme, derived by the strategy if there is one, with what that left undone.
fn derived(args: &Args, output: &mut Output) -> Result<(Scheme, Notes), Stop> {
    let (options, session) = (args.common.options(), &mut output.session);
    let scheme = load(source(&args.file), &options, session)?;
    let Some(strategy) = &args.strategy else {
        return Ok((scheme, Notes::default()));
    };
    let base = derive::rules(&options, session)?;
    let derived = derive::derive(&base, &scheme, strategy, &options)?;
    let sources = &session.sources;
    let notes = derive::notes(&base, &scheme, strategy, &options, &derived, sources);
    Ok((derived.scheme, notes))
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let language = args.lang.into();
    if let Form::Dependences = args.form {
        let (scheme, _) = derived(args, output)?;
        return output.print(&svg(&dependences(&scheme, language)));
    }
    let Loaded {
        mut terms,
        root,
        graph,
    } = shown(args, output)?;
    let root = translated(&mut terms, root, language);
    let graph = graph.map(|graph| translated(&mut terms, graph, language));
    let style = |notation| Style {
        notation,
        language,
        comments: args.strategy.is_some(),
    };
    let text = match args.form {
        Form::Text => print(&terms, root, style(Notation::Text)),
        Form::Formula if args.ascii => print(&terms, root, style(Notation::Typed)),
        Form::Formula => print(&terms, root, style(Notation::Formula)),
        Form::Latex => print(&terms, root, style(Notation::Latex)),
        Form::Term => print_term(&terms, root),
        Form::Graph => {
            let graph = match graph {
                Some(graph) => graph,
                None => graph_of(&mut terms, root),
            };
            print(&terms, graph, style(Notation::Text))
        }
        Form::Svg => svg(&draw(
            &mut terms,
            graph.unwrap_or(root),
            args.depth,
            language,
        )),
        Form::Dot => dot(&mut terms, graph.unwrap_or(root), language),
        Form::Dependences => String::new(),
    };
    output.print(&text)
}
