//! `Source` → checked `Scheme`: which scheme of the text, what it uses, claims of the user's.

use super::operators::{with_operators, with_recorded};
use super::{Failure, Options, Session, Source};
use crate::algebra::{Construct, Phrasebook, Precision, Words};
use crate::check::{Basic, Expand, Scheme, check, unfounded, with_meanings};
use crate::derive::{Input, Role, SourceText};
use crate::diagnostic::Diagnostic;
use crate::family::{Choice, choose, family, member, title};
use crate::flowgraph;
use crate::syntax::text::{read_expression, read_file};
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

/// The word for every member of a family, among the texts that choose.
pub const ALL: &str = "all";

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
fn read_with_errors(
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
enum Texts<'a> {
    /// From where its own came, and files of operators.
    Of(Source<'a>, &'a [PathBuf]),
    /// Texts that were read before, in the order in which they were read: what it uses, and files of operators.
    Read(&'a mut dyn Iterator<Item = u32>, &'a [u32]),
}

/// Picks a scheme of a text, and a member of it. With errors, the scheme holds what could be read.
fn pick_scheme(
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

/// The member of a family that texts choose; a scheme that is none stays.
fn chosen(terms: &mut Terms, root: Id, given: &[String]) -> Result<(Id, Choice), Vec<Diagnostic>> {
    if given.iter().any(|text| text == ALL) {
        let message = "--given all makes every member of a family, and one is needed here";
        let hint =
            "check, derive, run, show and test take it; elsewhere name a member: --given d=2";
        return Err(vec![Diagnostic::error("E0006", message).hint(hint)]);
    }
    let family = family(terms, root)?;
    let choice = choose(terms, &family, given).map_err(|wrong| vec![*wrong])?;
    match family.is_one {
        true => Ok((member(terms, root, &choice)?, choice)),
        false => Ok((root, choice)),
    }
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
fn picked(
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
fn founded(scheme: Scheme) -> Result<Scheme, Failure> {
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

/// The texts read so far as a record keeps them; the last so many are claims.
pub(super) fn texts_read(claims: usize, session: &Session) -> Vec<SourceText> {
    let texts: Vec<_> = (0..).map_while(|i| session.sources.get(i)).collect();
    let role = |i: usize| match i {
        0 => Role::Scheme,
        i if i + claims >= texts.len() => Role::Claim,
        i if texts[i].name.ends_with(".ops") => Role::Operators,
        _ => Role::Use,
    };
    let text = |(i, source): (usize, &&crate::term::Source)| SourceText {
        role: role(i),
        name: source.name.clone(),
        text: source.text.clone(),
    };
    texts.iter().enumerate().map(text).collect()
}

/// The number of a scheme's own text in its session.
fn first_text(scheme: &Scheme) -> u32 {
    let span = scheme.terms.span(scheme.root);
    span.map_or(0, |span| span.file)
}

/// The wordings that a scheme has for its phrases, from the texts of the session that loaded it: what the
/// check makes of it has no dictionary.
///
/// # Errors
///
/// What is wrong with a text; nothing, where the scheme was loaded.
pub fn phrasebook(
    scheme: &Scheme,
    options: &Options,
    words: Words,
    session: &mut Session,
) -> Result<Phrasebook, Failure> {
    // Those that it uses stand behind it, in order.
    let first = first_text(scheme);
    let name = |i: u32| session.sources.get(i).map(|source| source.name.clone());
    let others = (first + 1..).map_while(|i| Some((i, name(i)?)));
    let (operators, uses): (Vec<_>, Vec<_>) = others.partition(|(_, name)| name.ends_with(".ops"));
    let operators: Vec<u32> = operators.into_iter().map(|(i, _)| i).collect();
    let mut uses = uses.into_iter().map(|(i, _)| i);
    let name = name(first).unwrap_or_default();
    let mut texts = Texts::Read(&mut uses, &operators);
    let (read, _) = pick_scheme(first, &name, options.pick(), &mut texts, session)?;
    Ok(Phrasebook::of(&read.terms, read.root, words))
}

/// Reads and checks a scheme whose texts were recorded, as [`texts_read`] has them. Nothing else is read.
pub(super) fn load_recorded(input: &Input, session: &mut Session) -> Result<Scheme, Failure> {
    let texts = &input.sources;
    let pick = Pick {
        scheme: Some(&input.scheme),
        given: &input.given,
        operators: &[],
    };
    let (precision, meanings) = (input.precision, input.meanings);
    let mut numbers = Vec::new();
    for text in texts {
        let number = session.sources.add(text.name.clone(), text.text.clone());
        numbers.push((text.role, number));
    }
    let of = |role: Role| -> Vec<u32> {
        let with_role = numbers.iter().filter(|(r, _)| *r == role);
        with_role.map(|&(_, number)| number).collect()
    };
    let (Some(&file), Some(first)) = (of(Role::Scheme).first(), texts.first()) else {
        return Err(Diagnostic::error(
            "E0333",
            "the derivation does not contain the text of its scheme",
        )
        .into());
    };
    let mut used = of(Role::Use).into_iter();
    let operators = of(Role::Operators);
    let mut from = Texts::Read(&mut used, &operators);
    let (loaded, errors) = pick_scheme(file, &first.name, pick, &mut from, session)?;
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let Loaded {
        mut terms, root, ..
    } = loaded;
    let root = with_claims(&of(Role::Claim), root, &mut terms, session)?;
    let mut scheme = founded(meant(check(&terms, root, precision)?, meanings)?)?;
    scheme.given = pick.given.to_vec();
    Ok(scheme)
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
fn with_claims(
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
