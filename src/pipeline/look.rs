//! `Source` → all that is said of a text of schemes without running it: what an editor shows while it is written.

use super::{Options, Session, Source, load};
use crate::algebra::Construct;
use crate::analysis::doubts;
use crate::check::Scheme;
use crate::diagnostic::Diagnostic;
use crate::syntax::text::{read_file, read_operators};
use crate::term::{Id, Span, Symbol, Terms};
use std::path::{Component, Path, PathBuf};

/// What a look over a text found.
#[derive(Default)]
pub struct Looked {
    /// Its schemes without errors, in order.
    pub schemes: Vec<Scheme>,
    /// Errors and notes, each once.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and checks every scheme of a text.
pub fn look_over(source: Source<'_>, options: &Options, session: &mut Session) -> Looked {
    let mut looked = Looked::default();
    let file = match source.read(session) {
        Ok(file) => file,
        Err(failure) => {
            looked.diagnostics = failure.diagnostics;
            return looked;
        }
    };
    if source.name().ends_with(".ops") {
        // What operators mean is checked where they are used.
        looked.diagnostics = read_operators(&session.sources, file, &mut Terms::new()).1;
        return looked;
    }
    let schemes = schemes_of(session, file);
    // The first one is meant where no name is said.
    let picks = match schemes.len() {
        0 | 1 => vec![None],
        _ => schemes.into_iter().map(|(name, _)| Some(name)).collect(),
    };
    for scheme in picks {
        let options = Options {
            scheme,
            ..options.clone()
        };
        let told = match load(source, &options, session) {
            Ok(scheme) => {
                let mut notes = scheme.notes.clone();
                notes.extend(doubts(&scheme));
                looked.schemes.push(scheme);
                notes
            }
            Err(failure) => failure.diagnostics,
        };
        for diagnostic in told {
            // Each reading of the text has a number of its own.
            let is_same = |known: &Diagnostic| {
                let place = |d: &Diagnostic| d.span.map(|s| (s.from, s.to));
                known.code == diagnostic.code
                    && known.message == diagnostic.message
                    && place(known) == place(&diagnostic)
            };
            if !looked.diagnostics.iter().any(is_same) {
                looked.diagnostics.push(diagnostic);
            }
        }
    }
    looked
}

/// The schemes of a text, in order: the name of each, and where it stands.
pub(super) fn schemes_of(session: &Session, file: u32) -> Vec<(String, Option<Span>)> {
    let mut terms = Terms::new();
    let (items, _) = read_file(&session.sources, file, &mut terms);
    let is_scheme = |&id: &Id| {
        let construct = terms.functor(id).and_then(Construct::of);
        matches!(construct, Some(Construct::Scheme | Construct::Graph))
    };
    let schemes = items.into_iter().filter(is_scheme).filter_map(|id| {
        let name = terms.as_text(terms.arg(id, 0))?;
        Some((name.to_string(), terms.span(id)))
    });
    schemes.collect()
}

/// The names and the texts of the files that a text of schemes uses, in order; those that cannot be read are left
/// out.
pub fn used_texts(source: Source<'_>) -> Vec<(String, String)> {
    let mut session = Session::new();
    let mut texts: Vec<(String, String)> = Vec::new();
    for (path, span) in uses(source, &mut session) {
        let read = source.read_used(path.as_str(), span, &mut session);
        let text = read.ok().and_then(|file| session.sources.get(file));
        if let Some(text) = text.filter(|t| texts.iter().all(|(name, _)| *name != t.name)) {
            texts.push((text.name.clone(), text.text.clone()));
        }
    }
    texts
}

/// The paths beside a file of schemes where what it uses is looked for first, whether there is a file or not.
pub fn used_paths(file: &Path) -> Vec<PathBuf> {
    let name = file.to_string_lossy();
    let folder = file.parent().unwrap_or(file);
    let used = uses(Source::Path(&name), &mut Session::new()).into_iter();
    let used = used.map(|(path, _)| PathBuf::from(path.as_str()));
    let is_inside = |path: &PathBuf| {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    used.filter(is_inside)
        .map(|path| folder.join(path))
        .collect()
}

/// What a text of schemes uses, as it is written, and where.
fn uses(source: Source<'_>, session: &mut Session) -> Vec<(Symbol, Option<Span>)> {
    let Ok(file) = source.read(session) else {
        return Vec::new();
    };
    let mut terms = Terms::new();
    let (items, _) = read_file(&session.sources, file, &mut terms);
    let is = |id: Id, construct: Construct| terms.functor(id) == Some(construct.symbol());
    let is_scheme = |id: Id| is(id, Construct::Scheme) || is(id, Construct::Graph);
    let of_data = |id: Id| terms.args(terms.arg(id, 1)).iter().copied();
    let inner = items
        .iter()
        .copied()
        .filter(|&id| is_scheme(id))
        .flat_map(of_data);
    let all = items.iter().copied().chain(inner);
    let paths = all.filter(|&id| is(id, Construct::Use)).filter_map(|id| {
        let path = terms.as_text(terms.arg(id, 0))?;
        Some((path, terms.span(id)))
    });
    paths.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_of_a_text_is_looked_at() {
        let text = "SCHEME \"A\" ====\nDATA x : REAL OUTPUT END OF DATA\n x := 1 / 2\nEND OF SCHEME\n\
                    SCHEME \"B\" ====\nDATA y : REAL OUTPUT END OF DATA\n z := 1\nEND OF SCHEME\n";
        let source = Source::Text {
            name: "two.saa",
            text,
        };
        let looked = look_over(source, &Options::default(), &mut Session::new());
        let names: Vec<String> = looked.schemes.iter().map(|s| s.name.to_string()).collect();
        assert_eq!(names, ["A"]);
        let codes: Vec<&str> = looked.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes.last(), Some(&"E0201"), "{codes:?}");
        assert!(codes.len() >= 2, "{codes:?}");
    }
}
