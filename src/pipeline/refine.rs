//! `Source` + phrase → its text with a definition more, or less, and the same scheme as far as that is promised.

use super::files::write_whole;
use super::members::some_members;
use super::operators::texts;
use super::source::unreadable;
use super::{Failure, Options, Session, Source, load_declared};
use crate::check::Scheme;
use crate::construct::{Made, folded, folded_lines, refined};
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Span, Symbol};
use std::path::{Path, PathBuf};

/// So much of a term is shown where two schemes differ.
const MOST_SHOWN: usize = 80;

/// So many members of a family are checked.
const MOST_CHECKED: usize = 64;

/// The text of a scheme that was edited.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The path of its file.
    pub name: String,
    /// The text as it is now.
    pub text: String,
    /// What was taken out of it: the definition of a phrase.
    pub body: String,
}

impl Edited {
    /// Writes the text to where it came from, whole or not at all. A link stays one.
    ///
    /// # Errors
    ///
    /// E0001 where the system refuses, E0002 where there is no file of that name.
    pub fn write(&self) -> Result<(), Failure> {
        let path = Path::new(&self.name);
        let source = Source::Path(&self.name);
        if source.embedded_text().is_some() {
            let message = format!("{} is a scheme of the library, and no file", self.name);
            let hint = format!("glushkov show {0} > {0}.saa makes it one", self.name);
            return Err(Diagnostic::error("E0001", message).hint(hint).into());
        }
        let real = path.canonicalize().map_err(|e| unreadable(path, e))?;
        write_whole(&real, &self.text, true)
    }
}

/// The texts of basic operators that a scheme under construction may use: of files that are named, and of the library.
///
/// # Errors
///
/// A file that is named and cannot be read.
pub fn database(named: &[PathBuf]) -> Result<Vec<(String, String)>, Failure> {
    texts(named)
}

/// Gives a phrase of a scheme its definition.
///
/// # Errors
///
/// Texts that cannot be read, a phrase that is not used or is defined, and what the check says of the scheme then.
pub fn refine(
    source: Source<'_>,
    options: &Options,
    phrase: &str,
    body: Source<'_>,
    replace: bool,
    session: &mut Session,
) -> Result<Edited, Failure> {
    let file = source.read(session)?;
    let body = body.read(session)?;
    let scheme = options.scheme.as_deref();
    let made = refined(&session.sources, file, scheme, phrase, body, replace)?;
    each_member(source, &made, options, session, |_, _, _| Ok(()))?;
    Ok(edited(source, made.text, String::new()))
}

/// Takes the definition of a phrase out of a scheme: it stays as a basic operator.
///
/// # Errors
///
/// A text that cannot be read, a phrase that nothing defines, and what the check says of the scheme then.
pub fn fold(
    source: Source<'_>,
    options: &Options,
    phrase: &str,
    session: &mut Session,
) -> Result<Edited, Failure> {
    let file = source.read(session)?;
    let folded = folded(&session.sources, file, options.scheme.as_deref(), phrase)?;
    each_member(source, &folded.made, options, session, |_, _, _| Ok(()))?;
    Ok(edited(source, folded.made.text, folded.body))
}

/// Makes operators of some lines a call of a new phrase, which they define.
///
/// # Errors
///
/// A text that cannot be read, lines that hold no whole operators, and a scheme that would not be the same.
pub fn fold_lines(
    source: Source<'_>,
    options: &Options,
    lines: (usize, usize),
    phrase: &str,
    session: &mut Session,
) -> Result<Edited, Failure> {
    let file = source.read(session)?;
    let scheme = options.scheme.as_deref();
    let made = folded_lines(&mut session.sources, file, scheme, lines, phrase)?;
    let old = session.sources.get(file).map_or("", |s| &s.text).to_owned();
    each_member(
        source,
        &made,
        options,
        session,
        |after, options, session| {
            let before = load_declared(with_text(source, &old), options, session)?;
            let Some((one, other)) = difference(&before, after) else {
                return Ok(());
            };
            let message = format!(
                "it would not be the same scheme: where {} stands, {} would",
                print_term_short(&before.terms, one, MOST_SHOWN),
                print_term_short(&after.terms, other, MOST_SHOWN),
            );
            let hint = "a value that is passed is evaluated once, before the phrase acts; name in the parentheses what \
                    the lines take from around, and what they assign";
            Err(Diagnostic::error("E0367", message).hint(hint).into())
        },
    )?;
    Ok(edited(source, made.text, String::new()))
}

fn edited(source: Source<'_>, text: String, body: String) -> Edited {
    Edited {
        name: source.name().to_owned(),
        text,
        body,
    }
}

/// A source whose text is another one.
fn with_text<'t>(source: Source<'t>, text: &'t str) -> Source<'t> {
    match source {
        Source::Path(path) | Source::Open { path, .. } => Source::Open { path, text },
        Source::Text { name, .. } => Source::Text { name, text },
        Source::Input => Source::Text {
            name: "<stdin>",
            text,
        },
    }
}

/// Checks the scheme of a text that takes the place of a source's; of a family, its members with what options choose,
/// or the first [`MOST_CHECKED`] of them. `more` may find that they will not do.
fn each_member(
    source: Source<'_>,
    made: &Made,
    options: &Options,
    session: &mut Session,
    more: impl Fn(&Scheme, &Options, &mut Session) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let new = with_text(source, &made.text);
    let before = session.sources.count();
    let (members, are_more) = some_members(new, options, MOST_CHECKED, session)
        .map_err(|failure| of_made(failure, made, before, "", session))?;
    for (member, options) in &members {
        let check = |session: &mut Session| -> Result<Scheme, Failure> {
            let before = session.sources.count();
            load_declared(new, options, session)
                .map_err(|failure| of_made(failure, made, before, member, session))
        };
        // Texts of the session are those of messages.
        let mut own = Session::new();
        let done = load_declared(new, options, &mut own).and_then(|s| more(&s, options, &mut own));
        if done.is_err() {
            let scheme = check(session)?;
            more(&scheme, options, session).map_err(|failure| of_member(failure, member))?;
        }
    }
    if are_more {
        session.say(&format!(
            "note: {} members of the family were checked, and not the others",
            members.len()
        ));
    }
    Ok(())
}

/// A failure that says of which member it is.
fn of_member(mut failure: Failure, member: &str) -> Failure {
    for diagnostic in failure.diagnostics.iter_mut().filter(|d| d.is_error()) {
        if !member.is_empty() {
            diagnostic.message = format!("{member}: {}", diagnostic.message);
        }
    }
    failure
}

/// What is wrong with a text that was made, told of the texts that it was made of. `first` numbers the first text that
/// was read for the check.
fn of_made(
    mut failure: Failure,
    made: &Made,
    first: u32,
    member: &str,
    session: &mut Session,
) -> Failure {
    let read = first..session.sources.count();
    let is_made = |file: u32| {
        let source = session.sources.get(file);
        read.contains(&file) && source.is_some_and(|s| s.text == made.text)
    };
    let Some(file) = read.clone().find(|&file| is_made(file)) else {
        return failure;
    };
    let name = session.sources.get(file).map_or("", |s| s.name.as_str());
    let name = format!("<{name} as it would be>");
    let as_it_would_be = session.sources.add(name, made.text.clone());
    let place = |span: Span| match span.file == file {
        true => made.origin(span.from, span.to).unwrap_or(Span {
            file: as_it_would_be,
            ..span
        }),
        false => span,
    };
    for diagnostic in failure.diagnostics.iter_mut().filter(|d| d.is_error()) {
        let comma = if member.is_empty() { "" } else { ", " };
        diagnostic.message = format!(
            "in the scheme that would be made{comma}{member}: {}",
            diagnostic.message
        );
        diagnostic.span = diagnostic.span.map(place);
        for other in &mut diagnostic.others {
            other.span = place(other.span);
        }
        // What it would be mended by may stand in no file.
        diagnostic.fix = None;
    }
    failure
}

/// The first terms by which two schemes differ in what they do.
fn difference(one: &Scheme, other: &Scheme) -> Option<(Id, Id)> {
    let types = |scheme: &Scheme| -> Vec<(Symbol, crate::algebra::Type)> {
        scheme.variables.iter().map(|(&n, v)| (n, v.ty)).collect()
    };
    let (mut a, mut b) = (one.body, other.body);
    if one.terms.equal_across(a, &other.terms, b) {
        return (types(one) != types(other)).then_some((a, b));
    }
    // Down to where they begin to differ.
    loop {
        let (x, y) = (one.terms.args(a), other.terms.args(b));
        let heads = one.terms.head(a) == other.terms.head(b);
        let pairs = || x.iter().copied().zip(y.iter().copied());
        let differ = pairs().find(|&(x, y)| !one.terms.equal_across(x, &other.terms, y));
        match differ.filter(|_| heads) {
            Some((x, y)) => (a, b) = (x, y),
            None => return Some((a, b)),
        }
    }
}
