//! `Source` → a scheme, or what a strategy derives from it, in one of its forms.

use super::{Failure, Loaded, Options, Session, Source, derive, load, read, read_family};
use crate::algebra::{Language, translated};
use crate::check::{Scheme, author_names, expanded};
use crate::diagnostic::Diagnostic;
use crate::flowgraph::{dependences, dot, draw, graph_of, svg};
use crate::syntax::print::{Notation, Style, print};
use crate::syntax::rules::print_term;
use crate::syntax::text::languages;

/// The forms of a scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Words, with the keywords of a language.
    #[default]
    Text,
    /// The analytic form of the algebra.
    Formula,
    /// The formula for LaTeX.
    Latex,
    /// The term that rules match.
    Term,
    /// Nodes and edges, as text.
    Graph,
    /// A drawing.
    Svg,
    /// The graph for Graphviz.
    Dot,
    /// A drawing of what depends on what.
    Dependences,
}

/// What is shown, and how.
#[derive(Clone, Debug, Default)]
pub struct Show {
    /// The form.
    pub form: Form,
    /// The language of keywords and, as far as the scheme has a dictionary, of phrases.
    pub language: Language,
    /// Whether a formula has twins for its signs: `<< >>` for `⟨ ⟩` and so on.
    pub ascii: bool,
    /// How many loops, kernels and phrases a drawing shows in each other; deeper ones are folded.
    pub depth: Option<usize>,
    /// The strategy that derives what is shown; the scheme itself, if not given.
    pub strategy: Option<String>,
    /// Whether a family is shown as it is, and no member of it: as text, formula or term.
    pub family: bool,
    /// How many levels of phrases are expanded; none are, and definitions are shown, if it is not said.
    pub level: Option<Level>,
    /// How the scheme is read and derived.
    pub options: Options,
}

/// How deep phrases are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// So many levels: with none, the outline alone.
    Of(usize),
    /// Until no phrase is left that is defined.
    All,
}

impl Show {
    /// The text of the form, or a drawing as SVG. The observer is told what the strategy left undone.
    ///
    /// # Errors
    ///
    /// A scheme that cannot be read or, where that is asked for, derived.
    pub fn show(&self, source: Source<'_>, session: &mut Session) -> Result<String, Failure> {
        let language = self.language;
        let takes_families = matches!(self.form, Form::Text | Form::Formula | Form::Term);
        if self.family && (!takes_families || self.strategy.is_some()) {
            let message =
                "a family is shown as text, formula or term, and nothing is derived from it";
            let hint = "leave out --family and name a member: --given d=2";
            return Err(Diagnostic::error("E0006", message).hint(hint).into());
        }
        if let Form::Dependences = self.form {
            let scheme = self.derived(source, false, session)?;
            return Ok(svg(&dependences(&scheme, language)));
        }
        if let Some(text) = self.as_written(source) {
            return Ok(text.to_owned());
        }
        let Loaded {
            mut terms,
            root,
            graph,
            ..
        } = self.shown(source, session)?;
        let mut root = translated(&mut terms, root, language);
        let mut comments = self.strategy.is_some();
        if let Some(level) = self.level {
            let levels = match level {
                Level::Of(levels) => levels,
                Level::All => usize::MAX,
            };
            let scheme = expanded(&terms, root, self.options.precision, levels)?;
            terms = scheme.terms;
            root = author_names(&mut terms, scheme.root);
            comments = true;
        }
        let graph = graph.filter(|_| self.level.is_none());
        let graph = graph.map(|graph| translated(&mut terms, graph, language));
        let style = |notation| Style {
            notation,
            language,
            comments,
        };
        Ok(match self.form {
            Form::Text => print(&terms, root, style(Notation::Text)),
            Form::Formula if self.ascii => print(&terms, root, style(Notation::Typed)),
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
                self.depth,
                language,
            )),
            Form::Dot => dot(&mut terms, graph.unwrap_or(root), language),
            Form::Dependences => String::new(),
        })
    }

    /// The text of a scheme of the library with its comments, where words in its own language are asked for.
    fn as_written(&self, source: Source<'_>) -> Option<&'static str> {
        let plain = self.form == Form::Text && self.strategy.is_none() && self.level.is_none();
        let text = source.embedded_text().filter(|_| plain)?;
        let own = self.options.scheme.is_none()
            && self.options.given.is_empty()
            && languages(text) == [self.language];
        own.then_some(text)
    }

    /// What is shown: its terms, the scheme and, if it was read from one, the graph.
    fn shown(&self, source: Source<'_>, session: &mut Session) -> Result<Loaded, Failure> {
        if self.strategy.is_none() {
            return match self.family {
                true => read_family(source, self.options.scheme.as_deref(), session),
                false => read(source, self.options.pick(), session),
            };
        }
        let scheme = self.derived(source, true, session)?;
        let mut terms = scheme.terms;
        let root = author_names(&mut terms, scheme.root);
        Ok(Loaded {
            terms,
            root,
            graph: None,
            choice: Default::default(),
        })
    }

    /// The scheme, derived by the strategy if there is one.
    fn derived(
        &self,
        source: Source<'_>,
        told: bool,
        session: &mut Session,
    ) -> Result<Scheme, Failure> {
        let options = &self.options;
        let scheme = load(source, options, session)?;
        let Some(strategy) = &self.strategy else {
            return Ok(scheme);
        };
        let base = derive::rules(options, session)?;
        let derived = derive::derive(&base, &scheme, strategy, options)?;
        if told {
            let sources = &session.sources;
            let notes = derive::notes(&base, &scheme, strategy, options, &derived, sources);
            session.tell(&notes);
        }
        Ok(derived.scheme)
    }
}
