//! The forms of a scheme: what is printed in one of them is read back as the same tree.
//!
//! `SCHEMES=10000 GRAPHS=1000 cargo test --release --test forms` tries more of them.

mod dictionary;
mod drawing;
mod files;
mod formula;
mod graph;
mod latex;

use glushkov::derive::library::SCHEMES;
use glushkov::diagnostic::render;
use glushkov::syntax::text::read_file;
use glushkov::term::{Id, Sources, Terms};

/// Reads a text under a name; the name's end says its form.
fn read(name: &str, text: &str) -> (Terms, Id) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    let told: String = errors.iter().map(|e| render(e, &sources, false)).collect();
    assert!(errors.is_empty(), "{told}\n{text}");
    (terms, items[0])
}

/// How many are tried.
fn count(variable: &str, usual: usize) -> usize {
    let asked = std::env::var(variable).ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(usual)
}

/// Every scheme of the library, by path.
fn library() -> impl Iterator<Item = (&'static str, Terms, Id)> {
    SCHEMES.iter().map(|&(path, text)| {
        let (terms, root) = read(path, text);
        (path, terms, root)
    })
}
