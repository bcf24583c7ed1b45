//! The scheme so far → one of its forms, in which open places can be seen.

use super::state::Constructor;
use crate::algebra::Language;
use crate::flowgraph::graph_of;
use crate::syntax::print::{Notation, Style, print};
use crate::syntax::rules::print_term;
use crate::term::{Id, Terms};

/// The forms in which a scheme is shown while it is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Words, with the keywords of a language.
    #[default]
    Text,
    /// The analytic form of the algebra.
    Formula,
    /// Nodes and edges, as text.
    Graph,
    /// The formula for LaTeX.
    Latex,
    /// The term that rules match.
    Term,
}

impl Constructor {
    /// The scheme so far. What is not finished ends with a line that no reader takes.
    pub fn scheme(&mut self, form: Form, language: Language) -> String {
        let mut text = match form {
            Form::Graph => {
                let graph = graph_of(&mut self.terms, self.now.root);
                printed(&self.terms, graph, Form::Text, language)
            }
            form => printed(&self.terms, self.now.root, form, language),
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        match self.places().len() {
            0 => {}
            1 => text.push_str("… 1 open place\n"),
            n => text.push_str(&format!("… {n} open places\n")),
        }
        text
    }
}

/// A term in a form.
pub(super) fn printed(terms: &Terms, id: Id, form: Form, language: Language) -> String {
    let notation = match form {
        Form::Text | Form::Graph => Notation::Text,
        Form::Formula => Notation::Formula,
        Form::Latex => Notation::Latex,
        Form::Term => return print_term(terms, id),
    };
    let style = Style {
        notation,
        language,
        comments: false,
    };
    print(terms, id, style)
}
