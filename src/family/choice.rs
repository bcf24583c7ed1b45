//! What is chosen of a family: from the texts of options, or every member in turn.

use super::declared::listed;
use super::evaluate::{Known, holds};
use super::{Family, Given, MOST_MEMBERS, Refusal, Value};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::term::{Symbol, Terms};

/// A value for each given of a family, in the order of the family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The values.
    pub values: Vec<(Symbol, Value)>,
    /// The givens of which nobody chose a value.
    pub by_default: Vec<Symbol>,
}

impl Choice {
    /// As options have it: `d=2`.
    pub fn texts(&self) -> Vec<String> {
        let one = |(name, value): &(Symbol, Value)| format!("{name}={value}");
        self.values.iter().map(one).collect()
    }

    /// As it is told: `d = 2, method = leapfrog`.
    pub fn shown(&self) -> String {
        let one = |(name, value): &(Symbol, Value)| format!("{name} = {value}");
        self.values.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// What was taken by default: `d = 2`.
    pub fn shown_defaults(&self) -> String {
        let chosen = self.values.iter();
        let one = |(name, value): &(Symbol, Value)| format!("{name} = {value}");
        let taken = chosen.filter(|(name, _)| self.by_default.contains(name));
        taken.map(one).collect::<Vec<_>>().join(", ")
    }
}

/// The choice that texts such as `d=2` make; of several for a name, the last. What they leave open has its default.
///
/// # Errors
///
/// E0006: a text that is not `NAME=VALUE`, a name that is not given, a value that is none of its values; E0251:
/// values that the family's restrictions exclude.
pub fn choose(terms: &Terms, family: &Family, texts: &[String]) -> Result<Choice, Refusal> {
    let mut chosen: Vec<(Symbol, Value)> = Vec::new();
    for text in texts {
        let (given, value) = chosen_by(family, text)?;
        chosen.retain(|(name, _)| *name != given.name);
        chosen.push((given.name, value));
    }
    let mut choice = Choice::default();
    for given in &family.givens {
        let value = chosen.iter().find(|(name, _)| *name == given.name);
        if value.is_none() {
            choice.by_default.push(given.name);
        }
        let value = value.map_or(given.default, |&(_, value)| value);
        choice.values.push((given.name, value));
    }
    match excluded(terms, family, &choice)? {
        Some(diagnostic) => Err(Box::new(diagnostic)),
        None => Ok(choice),
    }
}

fn chosen_by<'a>(family: &'a Family, text: &str) -> Result<(&'a Given, Value), Refusal> {
    let wrong = |message: String| Diagnostic::error("E0006", message);
    let Some((name, value)) = text.split_once('=') else {
        let message = format!("--given {text} is not NAME=VALUE");
        let example = family.givens.first();
        let example = example.map_or("d=2".to_owned(), |g| format!("{}={}", g.name, g.default));
        return Err(Box::new(
            wrong(message).hint(format!("for example --given {example}")),
        ));
    };
    let (name, value) = (name.trim(), value.trim());
    let Some(given) = family.givens.iter().find(|g| g.name.as_str() == name) else {
        let names: Vec<&str> = family.givens.iter().map(|g| g.name.as_str()).collect();
        let near = did_you_mean(name, names.iter().copied()).filter(|near| near.len() > 1);
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => {
                "it has no GIVEN; parameters are chosen by --set".to_owned()
            }
            None => format!("its givens are {}", names.join(", ")),
        };
        return Err(Box::new(
            wrong(format!("the scheme is not given `{name}`")).hint(hint),
        ));
    };
    let is_meant = |v: &&Value| match v {
        Value::Int(i) => value.parse() == Ok(*i),
        Value::Word(word) => word.as_str() == value,
    };
    match given.values.iter().find(is_meant) {
        Some(&value) => Ok((given, value)),
        None => {
            let words: Vec<&str> = given
                .values
                .iter()
                .filter_map(|v| match v {
                    Value::Word(word) => Some(word.as_str()),
                    Value::Int(_) => None,
                })
                .collect();
            let hint = match did_you_mean(value, words.into_iter()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => listed(&given.values),
            };
            Err(Box::new(
                wrong(format!("`{name}` cannot be {value}")).hint(hint),
            ))
        }
    }
}

/// The choices of all members of a family, the last given running fastest; those that texts fix have the values
/// that these say.
///
/// # Errors
///
/// What [`choose`] refuses but for restrictions, which pass members over; more than [`MOST_MEMBERS`] choices
/// (E0250), and restrictions that leave none (E0251).
pub fn all_members(
    terms: &Terms,
    family: &Family,
    texts: &[String],
) -> Result<Vec<Choice>, Refusal> {
    let mut fixed: Vec<(Symbol, Value)> = Vec::new();
    for text in texts {
        let (given, value) = chosen_by(family, text)?;
        fixed.retain(|(name, _)| *name != given.name);
        fixed.push((given.name, value));
    }
    let mut all = vec![Choice::default()];
    for given in &family.givens {
        let value = fixed.iter().find(|(name, _)| *name == given.name);
        let values = value.map_or(&given.values[..], |(_, value)| std::slice::from_ref(value));
        if all.len().saturating_mul(values.len()) > MOST_MEMBERS {
            let message = format!("the family has more than {MOST_MEMBERS} members");
            return Err(Box::new(
                Diagnostic::error("E0250", message)
                    .at(given.span)
                    .hint(format!(
                        "fix some of its givens: --given all --given {}={}",
                        given.name, given.default
                    )),
            ));
        }
        let longer = |choice: &Choice, &value: &Value| {
            let mut choice = choice.clone();
            choice.values.push((given.name, value));
            choice
        };
        all = all
            .iter()
            .flat_map(|choice| values.iter().map(move |value| longer(choice, value)))
            .collect();
    }
    let mut members = Vec::new();
    let mut last = None;
    for choice in all {
        match excluded(terms, family, &choice)? {
            None => members.push(choice),
            why => last = why,
        }
    }
    match last.filter(|_| members.is_empty()) {
        Some(why) => Err(Box::new(why)),
        None => Ok(members),
    }
}

/// The members that have what texts say, at most so many, the one by default first and the others with the last given
/// running fastest; whether there may be more.
///
/// # Errors
///
/// What [`choose`] refuses.
pub fn first_members(
    terms: &Terms,
    family: &Family,
    texts: &[String],
    most: usize,
) -> Result<(Vec<Choice>, bool), Refusal> {
    let own = choose(terms, family, texts)?;
    let is_fixed = |given: &Given| !own.by_default.contains(&given.name);
    let values: Vec<&[Value]> = (family.givens.iter().zip(&own.values))
        .map(|(given, (_, value))| match is_fixed(given) {
            true => std::slice::from_ref(value),
            false => &given.values[..],
        })
        .collect();
    let mut members = vec![Choice {
        values: own.values.clone(),
        by_default: Vec::new(),
    }];
    let mut at = vec![0; values.len()];
    // Restrictions may leave few of many.
    for _ in 0..MOST_MEMBERS {
        let of_given = family.givens.iter().zip(&values).zip(&at);
        let choice = Choice {
            values: of_given
                .map(|((given, v), &i)| (given.name, v[i]))
                .collect(),
            by_default: Vec::new(),
        };
        if choice.values != own.values && excluded(terms, family, &choice)?.is_none() {
            if members.len() == most {
                return Ok((members, true));
            }
            members.push(choice);
        }
        let Some(next) = (0..at.len()).rev().find(|&i| at[i] + 1 < values[i].len()) else {
            return Ok((members, false));
        };
        at[next] += 1;
        at[next + 1..].fill(0);
    }
    Ok((members, true))
}

/// Why a choice is none of a member's, if a restriction excludes it.
fn excluded(
    terms: &Terms,
    family: &Family,
    choice: &Choice,
) -> Result<Option<Diagnostic>, Refusal> {
    let known: Known = choice.values.iter().copied().collect();
    for &restriction in &family.restrictions {
        if !holds(terms, restriction, &known)? {
            let message = format!("the family has no member with {}", choice.shown());
            let diagnostic = Diagnostic::error("E0251", message)
                .at(terms.span(restriction))
                .label("this does not hold then");
            return Ok(Some(
                diagnostic.hint("choose other values: --given NAME=VALUE"),
            ));
        }
    }
    Ok(None)
}
