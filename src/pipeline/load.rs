//! `Source` → checked `Scheme`: with claims of the user's, and with basic operators as they are used or as they are meant.

use super::reading::{Loaded, Pick, read, read_with_errors};
use super::{Failure, Options, Session, Source};
use crate::algebra::{Construct, Precision};
use crate::check::{Basic, Expand, Scheme, check, unfounded, with_meanings};
use crate::diagnostic::Diagnostic;
use crate::flowgraph;
use crate::syntax::text::read_expression;
use crate::term::{Id, Terms};

/// Reads and checks a scheme with the claims of the options.
///
/// # Errors
///
/// A text that cannot be read, and everything that is wrong with the scheme.
pub fn load(
    source: Source<'_>,
    options: &Options,
    session: &mut Session,
) -> Result<Scheme, Failure> {
    founded(meant(
        load_declared(source, options, session)?,
        options.meanings,
    )?)
}

/// The same with all basic operators as they are used, also those that become what they mean.
///
/// # Errors
///
/// As [`load`].
pub fn load_declared(
    source: Source<'_>,
    options: &Options,
    session: &mut Session,
) -> Result<Scheme, Failure> {
    let (loaded, errors) = read_with_errors(source, options.pick(), session)?;
    let Loaded {
        mut terms,
        root,
        choice,
        ..
    } = loaded;
    if !errors.is_empty() {
        return Err(with_more(errors, &terms, root, options.precision).into());
    }
    let claims = options.assume.iter();
    let claims: Vec<u32> = claims
        .map(|claim| session.sources.add("--assume", claim.clone()))
        .collect();
    let root = with_claims(&claims, root, &mut terms, session)?;
    let mut scheme = founded(check(&terms, root, options.precision)?)?;
    scheme.given = choice.texts();
    Ok(scheme)
}

/// A scheme in which basic operators that have a meaning and no code, or with `all` those that have a meaning, are what
/// they mean.
///
/// # Errors
///
/// What is wrong with what they mean where they stand.
pub fn meant(scheme: Scheme, all: bool) -> Result<Scheme, Failure> {
    let (expand, is_expanded): (Expand, fn(&Basic) -> bool) = match all {
        true => (Expand::All, |basic| basic.has_meaning),
        false => (Expand::WithoutCode, |basic| {
            basic.has_meaning && basic.codes.is_empty()
        }),
    };
    match scheme.basics.values().any(is_expanded) {
        false => Ok(scheme),
        true => {
            let (notes, given) = (scheme.notes.clone(), scheme.given.clone());
            Ok(Scheme {
                notes,
                given,
                ..with_meanings(&scheme, expand)?
            })
        }
    }
}

/// A scheme whose claims speak of what it has.
pub(super) fn founded(scheme: Scheme) -> Result<Scheme, Failure> {
    match unfounded(&scheme) {
        wrong if wrong.is_empty() => Ok(scheme),
        wrong => Err(wrong.into()),
    }
}

/// Reads and checks a scheme that is only looked at: what it leaves undefined is not told. A graph
/// keeps its edges.
pub(super) fn load_to_compare(
    source: Source<'_>,
    pick: Pick<'_>,
    session: &mut Session,
) -> Result<Scheme, Failure> {
    let Loaded {
        mut terms,
        root,
        graph,
        ..
    } = read(source, pick, session)?;
    let root = match graph {
        Some(graph) => flowgraph::to_compare(&mut terms, graph)?,
        None => root,
    };
    founded(check(&terms, root, Precision::F32)?)
}

/// The errors of reading, and those that checking finds in what could be read; in order of place.
fn with_more(
    mut errors: Vec<Diagnostic>,
    terms: &Terms,
    root: Id,
    precision: Precision,
) -> Vec<Diagnostic> {
    let data = terms.span(terms.arg(root, 1));
    let inside = |d: &Diagnostic| {
        d.span.zip(data).is_some_and(|(s, data)| {
            s.file == data.file && data.from <= s.from && s.from <= data.to
        })
    };
    let data_is_broken = errors.iter().any(inside);
    if let Err(more) = check(terms, root, precision) {
        // What DATA declares is not known then, so nobody can say that a name is not declared.
        errors.extend(
            more.into_iter()
                .filter(|d| !(data_is_broken && d.code == "E0201")),
        );
    }
    errors.sort_by_key(|d| d.span.map(|s| (s.file, s.from)));
    errors
}

/// The scheme with the claims of `--assume` among its own.
pub(super) fn with_claims(
    claims: &[u32],
    root: Id,
    terms: &mut Terms,
    session: &Session,
) -> Result<Id, Failure> {
    if claims.is_empty() {
        return Ok(root);
    }
    let mut parts = terms.args(root).to_vec();
    let mut items = terms.args(parts[1]).to_vec();
    for &file in claims {
        let claim = read_expression(&session.sources, file, terms)?;
        items.push(terms.apply(Construct::Assume.symbol(), &[claim]));
    }
    parts[1] = terms.with_args(parts[1], &items);
    Ok(terms.with_args(root, &parts))
}
