//! Families of schemes: their members are the schemes that are expected, those of the library have the results of
//! the schemes beside them, and members of random families are what a text without any choice says.

mod cases;
mod convergence;
mod errors;
mod library;
mod random;

use glushkov::pipeline::{Failure, Loaded, Options, Pick, Session, Source, read};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::term::with_deep_stack;

/// Options that choose a member: `d=2`.
fn given(texts: &[&str]) -> Options {
    Options {
        given: texts.iter().map(|t| (*t).to_owned()).collect(),
        ..Options::default()
    }
}

/// A member of the family in a text.
fn member_of(text: &str, given: &[String]) -> Result<Loaded, Failure> {
    let source = Source::Text {
        name: "text.saa",
        text,
    };
    let pick = Pick {
        scheme: None,
        given,
        ..Pick::default()
    };
    with_deep_stack(|| read(source, pick, &mut Session::new()))
}

/// A scheme as text.
fn printed(loaded: &Loaded) -> String {
    let style = Style {
        notation: Notation::Text,
        language: Default::default(),
        comments: false,
    };
    print(&loaded.terms, loaded.root, style)
}
