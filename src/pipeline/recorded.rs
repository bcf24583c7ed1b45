//! The texts that a scheme was read from: kept in records, and read again from there.

use super::load::{founded, meant, with_claims};
use super::reading::{Loaded, Pick, Texts, pick_scheme};
use super::{Failure, Options, Session};
use crate::algebra::{Phrasebook, Words};
use crate::check::{Scheme, check};
use crate::derive::{Input, Role, SourceText};
use crate::diagnostic::Diagnostic;

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
