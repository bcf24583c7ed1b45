//! Which members of a family are meant: one, all of them, or so many.

use super::reading::read_family;
use super::{Failure, Options, Session, Source};
use crate::diagnostic::Diagnostic;
use crate::family::{Choice, all_members, choose, family, first_members, member};
use crate::term::{Id, Terms};

/// The word for every member of a family, among the texts that choose.
pub const ALL: &str = "all";

/// The member of a family that texts choose; a scheme that is none stays.
pub(super) fn chosen(
    terms: &mut Terms,
    root: Id,
    given: &[String],
) -> Result<(Id, Choice), Vec<Diagnostic>> {
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

/// Every member of a family that options ask for by `all`, in turn: what was chosen, as it is told, and options
/// that choose it. Of other options and of schemes that are no families, themselves.
///
/// # Errors
///
/// A text that cannot be read, what options choose wrongly, and a family of more than 10,000 members.
pub fn members(
    source: Source<'_>,
    options: &Options,
    session: &mut Session,
) -> Result<Vec<(String, Options)>, Failure> {
    if !options.given.iter().any(|text| text == ALL) {
        return Ok(vec![(String::new(), options.clone())]);
    }
    let given = fixed(options);
    let find = |session: &mut Session| -> Result<Vec<Choice>, Failure> {
        let loaded = read_family(source, options.scheme.as_deref(), session)?;
        let family = family(&loaded.terms, loaded.root)?;
        Ok(all_members(&loaded.terms, &family, &given).map_err(|wrong| *wrong)?)
    };
    // Texts of the session are those of one member, but for messages.
    let choices = match find(&mut Session::new()) {
        Ok(choices) => choices,
        Err(_) => find(session)?,
    };
    Ok(choices.into_iter().map(|c| one(c, options)).collect())
}

/// The members of a family that have what options choose, at most so many and the one by default first, and whether
/// there are more. Of a scheme that is no family, itself.
///
/// # Errors
///
/// A text that cannot be read, and what options choose wrongly.
pub(super) fn some_members(
    source: Source<'_>,
    options: &Options,
    most: usize,
    session: &mut Session,
) -> Result<(Vec<(String, Options)>, bool), Failure> {
    let loaded = read_family(source, options.scheme.as_deref(), session)?;
    let family = family(&loaded.terms, loaded.root)?;
    if !family.is_one {
        return Ok((vec![(String::new(), options.clone())], false));
    }
    let found = first_members(&loaded.terms, &family, &fixed(options), most);
    let (choices, more) = found.map_err(|wrong| *wrong)?;
    Ok((choices.into_iter().map(|c| one(c, options)).collect(), more))
}

/// What options choose, besides `all`.
fn fixed(options: &Options) -> Vec<String> {
    let given = options.given.iter().filter(|text| *text != ALL);
    given.cloned().collect()
}

/// A member, as it is told, and options that choose it.
fn one(choice: Choice, options: &Options) -> (String, Options) {
    let options = Options {
        given: choice.texts(),
        ..options.clone()
    };
    (choice.shown(), options)
}
