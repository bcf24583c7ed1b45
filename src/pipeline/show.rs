//! `Source` → a scheme, or what a strategy derives from it, in one of its forms.

use super::{
    Failure, Loaded, Options, Session, Source, derive, load, phrasebook, read, read_family,
};
use crate::algebra::{Language, Phrasebook, Words};
use crate::check::{Scheme, author_names, expanded};
use crate::diagnostic::Diagnostic;
use crate::flowgraph::{dependences, dot, draw, graph_of, svg};
use crate::syntax::print::{Notation, Style, print, print_typeset};
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
            let (scheme, _) = self.derived(source, false, session)?;
            return Ok(svg(&dependences(&scheme, language)));
        }
        if let Some(text) = self.as_written(source) {
            return Ok(text.to_owned());
        }
        let (loaded, phrases) = self.shown(source, session)?;
        let Loaded {
            mut terms,
            root,
            graph,
            ..
        } = loaded;
        self.note_lacking(&phrases.lacking(&terms, root), session);
        let mut root = phrases.translated(&mut terms, root);
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
        let graph = graph.map(|graph| phrases.translated(&mut terms, graph));
        let style = |notation| Style {
            notation,
            language,
            comments,
        };
        Ok(match self.form {
            Form::Text => print(&terms, root, style(Notation::Text)),
            Form::Formula if self.ascii => print(&terms, root, style(Notation::Typed)),
            Form::Formula => print(&terms, root, style(Notation::Formula)),
            Form::Latex => print_typeset(&terms, root, style(Notation::Latex), phrases.typeset()),
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

    /// The words that phrases are shown in: formulas have signs.
    fn words(&self) -> Words {
        Words {
            language: self.language,
            signs: matches!(self.form, Form::Formula | Form::Latex),
        }
    }

    /// Tells which phrases the scheme has no words for, where another language than its own is asked for.
    fn note_lacking(&self, phrases: &[String], session: &mut Session) {
        let in_words = !matches!(self.form, Form::Term);
        if phrases.is_empty() || !in_words || self.language == Language::English {
            return;
        }
        let language = match self.language {
            Language::English => "English",
            Language::Ukrainian => "Ukrainian",
            Language::Russian => "Russian",
        };
        session.say_once(&format!(
            "note: the dictionary has nothing in {language} for {}",
            phrases.join(", ")
        ));
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

    /// What is shown: its terms, the scheme and, if it was read from one, the graph; and its phrases in other words.
    fn shown(
        &self,
        source: Source<'_>,
        session: &mut Session,
    ) -> Result<(Loaded, Phrasebook), Failure> {
        if self.strategy.is_none() {
            let loaded = match self.family {
                true => read_family(source, self.options.scheme.as_deref(), session)?,
                false => read(source, self.options.pick(), session)?,
            };
            let phrases = Phrasebook::of(&loaded.terms, loaded.root, self.words());
            return Ok((loaded, phrases));
        }
        let (scheme, phrases) = self.derived(source, true, session)?;
        let mut terms = scheme.terms;
        let root = author_names(&mut terms, scheme.root);
        let loaded = Loaded {
            terms,
            root,
            graph: None,
            choice: Default::default(),
        };
        Ok((loaded, phrases))
    }

    /// The scheme, derived by the strategy if there is one, and its phrases in other words.
    fn derived(
        &self,
        source: Source<'_>,
        told: bool,
        session: &mut Session,
    ) -> Result<(Scheme, Phrasebook), Failure> {
        let options = &self.options;
        let scheme = load(source, options, session)?;
        let phrases = phrasebook(&scheme, options, self.words(), session)?;
        let Some(strategy) = &self.strategy else {
            return Ok((scheme, phrases));
        };
        let base = derive::rules(options, session)?;
        let derived = derive::derive(&base, &scheme, strategy, options)?;
        if told {
            let sources = &session.sources;
            let notes = derive::notes(&base, &scheme, strategy, options, &derived, sources);
            session.tell(&notes);
        }
        Ok((derived.scheme, phrases))
    }
}
