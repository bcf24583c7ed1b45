//! `Source` → the term of a scheme: which scheme of the text, which member of a family, what it uses.

use super::members::chosen;
use super::operators::{with_operators, with_recorded};
use super::{Failure, Options, Session, Source};
use crate::algebra::Construct;
use crate::diagnostic::Diagnostic;
use crate::family::{Choice, title};
use crate::flowgraph;
use crate::syntax::text::read_file;
use crate::term::{Id, Terms};
use std::path::PathBuf;

/// Which scheme of a text is meant, and where its operators are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pick<'a> {
    /// Its name; the first, if not given.
    pub scheme: Option<&'a str>,
    /// Which member of a family: texts such as `d=2`. What they leave open has its default.
    pub given: &'a [String],
    /// Files of operators that are named, and folders of them.
    pub operators: &'a [PathBuf],
}

impl Options {
    /// Which scheme they name.
    pub fn pick(&self) -> Pick<'_> {
        Pick {
            scheme: self.scheme.as_deref(),
            given: &self.given,
            operators: &self.operators,
        }
    }
}

/// A scheme as it was read.
pub struct Loaded {
    /// Its arena.
    pub terms: Terms,
    /// The `Scheme` term, with what its USE lines bring.
    pub root: Id,
    /// The `Graph` term that the scheme was made of, if it was read from one.
    pub graph: Option<Id>,
    /// Which member of its family it is.
    pub choice: Choice,
}

/// Reads a text and picks a scheme, by its name or the first; of a family, a member.
///
/// # Errors
///
/// A text that cannot be read, one that is not a scheme, and one without the scheme that is wanted.
pub fn read(source: Source<'_>, pick: Pick<'_>, session: &mut Session) -> Result<Loaded, Failure> {
    match read_with_errors(source, pick, session)? {
        (loaded, errors) if errors.is_empty() => Ok(loaded),
        (_, errors) => Err(errors.into()),
    }
}

/// Reads a text and picks a scheme. With errors, the scheme holds what could be read.
pub(super) fn read_with_errors(
    source: Source<'_>,
    pick: Pick<'_>,
    session: &mut Session,
) -> Result<(Loaded, Vec<Diagnostic>), Failure> {
    let file = source.read(session)?;
    let mut texts = Texts::Of(source, pick.operators);
    let (loaded, errors) = pick_scheme(file, source.name(), pick, &mut texts, session)?;
    if !loaded.choice.by_default.is_empty() {
        let taken = loaded.choice.shown_defaults();
        session.say_once(&format!(
            "note: given {taken} by default; --given NAME=VALUE chooses"
        ));
    }
    Ok((loaded, errors))
}

/// Where the texts that a scheme uses come from.
pub(super) enum Texts<'a> {
    /// From where its own came, and files of operators.
    Of(Source<'a>, &'a [PathBuf]),
    /// Texts that were read before, in the order in which they were read: what it uses, and files of operators.
    Read(&'a mut dyn Iterator<Item = u32>, &'a [u32]),
}

/// Picks a scheme of a text, and a member of it. With errors, the scheme holds what could be read.
pub(super) fn pick_scheme(
    file: u32,
    source: &str,
    pick: Pick<'_>,
    texts: &mut Texts<'_>,
    session: &mut Session,
) -> Result<(Loaded, Vec<Diagnostic>), Failure> {
    let (mut terms, root, mut errors) = picked(file, source, pick, texts, session)?;
    let (root, choice) = match chosen(&mut terms, root, pick.given) {
        Ok(chosen) => chosen,
        Err(wrong) => {
            errors.extend(wrong);
            return Err(errors.into());
        }
    };
    // What the scheme and the files that it uses declare, before files of operators add to it.
    errors.extend(code_in_scheme(&terms, root));
    let root = match texts {
        Texts::Of(source, named) => {
            with_operators(*source, named, root, &mut terms, &mut errors, session)?
        }
        Texts::Read(_, files) => with_recorded(files, root, &mut terms, &mut errors, session),
    };
    let mut graph = None;
    let root = match flowgraph::has_graphs(&terms, root) {
        false => root,
        true => {
            graph = (terms.functor(root) == Some(Construct::Graph.symbol())).then_some(root);
            match flowgraph::scheme_of(&mut terms, root) {
                Ok(scheme) => scheme,
                // Nothing more can be said of a graph whose edges lead nowhere.
                Err(wrong) => {
                    errors.extend(wrong);
                    return Err(errors.into());
                }
            }
        }
    };
    let loaded = Loaded {
        terms,
        root,
        graph,
        choice,
    };
    Ok((loaded, errors))
}

/// Reads a text and picks a scheme or a family, whose givens are still open.
///
/// # Errors
///
/// A text that cannot be read, one that is not a scheme, and one without the scheme that is wanted.
pub fn read_family(
    source: Source<'_>,
    pick: Option<&str>,
    session: &mut Session,
) -> Result<Loaded, Failure> {
    let file = source.read(session)?;
    let pick = Pick {
        scheme: pick,
        ..Pick::default()
    };
    let (terms, root, errors) = picked(
        file,
        source.name(),
        pick,
        &mut Texts::Of(source, &[]),
        session,
    )?;
    if !errors.is_empty() {
        return Err(errors.into());
    }
    Ok(Loaded {
        terms,
        root,
        graph: None,
        choice: Choice::default(),
    })
}

/// Picks a scheme of a text, with what it uses.
pub(super) fn picked(
    file: u32,
    source: &str,
    pick: Pick<'_>,
    texts: &mut Texts<'_>,
    session: &mut Session,
) -> Result<(Terms, Id, Vec<Diagnostic>), Failure> {
    let mut terms = Terms::new();
    let (items, mut errors) = read_file(&session.sources, file, &mut terms);
    let is = |id: Id, c: Construct| terms.functor(id) == Some(c.symbol());
    let name = |id: Id| terms.as_text(terms.arg(id, 0)).map_or("", |n| n.as_str());
    let is_scheme = |&id: &Id| is(id, Construct::Scheme) || is(id, Construct::Graph);
    let schemes: Vec<Id> = items.iter().copied().filter(is_scheme).collect();
    let mut wanted = schemes.iter().copied();
    let root = wanted.find(|&s| pick.scheme.is_none_or(|pick| name(s) == pick));
    // A member may have a name of its own.
    let is_member = |&s: &Id| title(&terms, s, pick.given).as_deref() == pick.scheme;
    let root = root.or_else(|| schemes.iter().copied().find(is_member));
    let Some(root) = root else {
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let names = schemes.iter().map(|&s| format!("\"{}\"", name(s)));
        let names = names.collect::<Vec<_>>().join(", ");
        let message = match pick.scheme {
            Some(wanted) => format!("there is no scheme \"{wanted}\" in {source}"),
            None => format!("there is no scheme in {source}"),
        };
        let hint = format!("the schemes of this file are {names}");
        return Err(Diagnostic::error("E0004", message).hint(hint).into());
    };
    let own = terms.args(terms.arg(root, 1));
    let uses = items.iter().chain(own).copied();
    let uses: Vec<Id> = uses.filter(|&i| is(i, Construct::Use)).collect();
    let root = match uses.is_empty() {
        true => root,
        false => with_uses(texts, root, &uses, &mut terms, &mut errors, session)?,
    };
    Ok((terms, root, errors))
}

/// The scheme with the data and definitions of the files that it uses before its own.
fn with_uses(
    texts: &mut Texts<'_>,
    root: Id,
    uses: &[Id],
    terms: &mut Terms,
    errors: &mut Vec<Diagnostic>,
    session: &mut Session,
) -> Result<Id, Failure> {
    let mut data = Vec::new();
    let mut definitions = Vec::new();
    for &one in uses {
        let wanted = terms.as_text(terms.arg(one, 0)).map_or("", |t| t.as_str());
        let file = match texts {
            Texts::Of(source, _) => source.read_used(wanted, terms.span(one), session)?,
            Texts::Read(files, _) => files.next().ok_or_else(|| {
                let message = format!("the text of USE \"{wanted}\" is not among those recorded");
                Diagnostic::error("E0333", message)
            })?,
        };
        let (items, wrong) = read_file(&session.sources, file, terms);
        errors.extend(wrong);
        for item in items {
            if terms.functor(item) == Some(Construct::Use.symbol()) {
                return Err(Diagnostic::error(
                    "E0005",
                    "nested USE: a file that is used cannot use another one",
                )
                .at(terms.span(item))
                .hint("name both files in the scheme itself")
                .into());
            }
            data.extend_from_slice(terms.args(terms.arg(item, 1)));
            if terms.arity(item) > 3 {
                definitions.extend_from_slice(terms.args(terms.arg(item, 3)));
            }
        }
    }
    let own = terms.args(terms.arg(root, 1)).to_vec();
    data.extend(
        own.into_iter()
            .filter(|&i| terms.functor(i) != Some(Construct::Use.symbol())),
    );
    if terms.arity(root) > 3 {
        definitions.extend_from_slice(terms.args(terms.arg(root, 3)));
    }
    let data = terms.apply(Construct::Data.symbol(), &data);
    let mut parts = vec![terms.arg(root, 0), data, terms.arg(root, 2)];
    if !definitions.is_empty() {
        parts.push(terms.apply(Construct::Where.symbol(), &definitions));
    }
    Ok(terms.with_args(root, &parts))
}

/// What is told of code for targets in a scheme itself: a scheme can compute, but not act.
fn code_in_scheme(terms: &Terms, root: Id) -> Option<Diagnostic> {
    let definitions = terms.args(root).get(3)?;
    let parts = terms.args(*definitions).iter();
    let mut parts = parts.flat_map(|&d| terms.args(d));
    let code = parts.find(|&&part| terms.functor(part) == Some(Construct::Code.symbol()));
    let code = terms.span(*code?);
    Some(
        Diagnostic::error("E0227", "a scheme holds no code of other languages")
            .at(code)
            .hint("put the operator into a file of operators, such as operators/mine.ops"),
    )
}
