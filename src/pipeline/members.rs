//! Which members of a family are meant.

use super::reading::{Texts, picked};
use super::{Failure, Options, Session, Source};
use crate::diagnostic::Diagnostic;
use crate::family::{Choice, all_members, choose, family, member};
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
    let given = options.given.iter().filter(|text| *text != ALL).cloned();
    let given: Vec<String> = given.collect();
    let find = |session: &mut Session| -> Result<Vec<Choice>, Failure> {
        let file = source.read(session)?;
        let pick = options.pick();
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
        let family = family(&terms, root)?;
        Ok(all_members(&terms, &family, &given).map_err(|wrong| *wrong)?)
    };
    // Texts of the session are those of one member, but for messages.
    let choices = match find(&mut Session::new()) {
        Ok(choices) => choices,
        Err(_) => find(session)?,
    };
    let one = |choice: Choice| {
        let given = choice.texts();
        (
            choice.shown(),
            Options {
                given,
                ..options.clone()
            },
        )
    };
    Ok(choices.into_iter().map(one).collect())
}
