//! Recorded steps → the same steps taken again, each at its recorded place.

use super::base::RuleBase;
use super::derivation::{Asked, Step};
use super::derive::Engine;
use super::host::Host;
use super::rule::Rule;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Path, Symbol, Terms};

/// What came of replaying.
pub struct Replayed {
    /// The arena of the result.
    pub terms: Terms,
    /// The term after the last step that was taken.
    pub root: Id,
    /// The steps that were taken, as they went now.
    pub steps: Vec<Step>,
    /// The first step that differs from its record, if one does.
    pub difference: Option<Difference>,
}

/// How a step differs from its record.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The step's position in the record, from 0.
    pub index: usize,
    /// The rule that is recorded.
    pub rule: String,
    /// What differs, in a sentence.
    pub what: String,
}

/// Takes recorded steps again, beginning with `root`: each rule with its recorded parameters at its
/// recorded position, its condition asked anew. It ends at the first step that differs.
///
/// `seen` gets the number of steps taken and the whole term after them, before the first step too;
/// what it says differs ends the replay at that step.
///
/// That the strategy would choose these steps is not asked. Errors are of a first term that does
/// not check.
///
/// # Errors
///
/// What is wrong with a first term that does not check.
pub fn replay(
    base: &RuleBase,
    steps: &[Step],
    terms: &Terms,
    root: Id,
    host: &mut dyn Host,
    seen: &mut dyn FnMut(usize, &Terms, Id) -> Result<(), String>,
) -> Result<Replayed, Vec<Diagnostic>> {
    let mut engine = Engine::new(base, terms, root, host, (steps.len() as u64 + 1).into())?;
    let mut difference = None;
    let begun = seen(0, &engine.terms, engine.root);
    for (index, step) in steps.iter().enumerate() {
        let done = match (index, &begun) {
            (0, Err(what)) => Err(what.clone()),
            _ => retake(&mut engine, step),
        };
        let done = done.and_then(|()| seen(index + 1, &engine.terms, engine.root));
        if let Err(what) = done {
            difference = Some(Difference {
                index,
                rule: step.rule.clone(),
                what,
            });
            break;
        }
    }
    if let (Err(what), true) = (begun, steps.is_empty()) {
        difference = Some(Difference {
            index: 0,
            rule: String::new(),
            what,
        });
    }
    Ok(Replayed {
        terms: engine.terms,
        root: engine.root,
        steps: engine.steps,
        difference,
    })
}

/// Takes one step again; what differs is said in a sentence.
fn retake(engine: &mut Engine<'_>, step: &Step) -> Result<(), String> {
    let name = &step.rule;
    let index = engine
        .base
        .rule_index(Symbol::new(name))
        .ok_or_else(|| format!("there is no rule `{name}`"))?;
    let values = values(&engine.base.rules[index], step)?;
    let path = Path(step.path.clone());
    if path.get(&engine.terms, engine.root).is_none() {
        return Err(format!("the term has no position {path}"));
    }
    let earlier = engine.recent.len();
    let fired = engine.apply(index, &values, &path).map_err(|found| {
        let messages: Vec<String> = found.into_iter().map(|d| d.message).collect();
        messages.join("; ")
    })?;
    if !fired {
        let miss = engine.recent.get(earlier).map(|&m| &engine.misses[m]);
        return Err(match miss {
            Some(miss) => format!(
                "the rule does not fire at position {path}: {}",
                miss.reason()
            ),
            None => format!("the rule's pattern does not match at position {path}"),
        });
    }
    match engine.steps.last() {
        Some(now) => compare(step, now),
        None => Err("the step left no record".to_string()),
    }
}

/// The recorded values of a rule's parameters, in its order.
fn values(rule: &Rule, step: &Step) -> Result<Vec<i64>, String> {
    let names = rule.parameters.iter().map(|p| p.name.as_str());
    let recorded = step.parameters.iter().map(|(name, _)| name.as_str());
    if !names.eq(recorded) {
        return Err(format!(
            "the rule `{}` has other parameters than are recorded",
            rule.name
        ));
    }
    Ok(step.parameters.iter().map(|&(_, value)| value).collect())
}

/// Compares a record with what happened now.
fn compare(was: &Step, now: &Step) -> Result<(), String> {
    let same = |what: &str, equal: bool, was: String, now: String| match equal {
        true => Ok(()),
        false => Err(format!("{what}: recorded {was}, and now it is {now}")),
    };
    macro_rules! same {
        ($($field:ident: $what:literal,)*) => {
            $(same($what, was.$field == now.$field, format!("{:?}", was.$field), format!("{:?}", now.$field))?;)*
        };
    }
    same! {
        number: "the step's number",
        file: "the rule's file",
        float: "the float class",
        matched: "the match at this position",
        alternative: "the alternative that fired",
    }
    if was.place != now.place || was.phrase != now.phrase {
        return Err("the place in the text is another one than recorded".to_string());
    }
    bindings(was, now)?;
    if was.evidence.len() != now.evidence.len() {
        return Err(format!(
            "{} questions are recorded, and {} were asked",
            was.evidence.len(),
            now.evidence.len()
        ));
    }
    for (was, now) in was.evidence.iter().zip(&now.evidence) {
        evidence(was, now)?;
    }
    same! {
        size_before: "the size of the term before the step",
        size_after: "the size of the term after the step",
    }
    Ok(())
}

fn bindings(was: &Step, now: &Step) -> Result<(), String> {
    for (i, (name, value)) in now.bindings.iter().enumerate() {
        match was.bindings.get(i) {
            Some((n, v)) if n == name && v == value => {}
            Some((n, v)) if n == name => {
                return Err(format!(
                    "the binding of `${name}`: recorded `{v}`, and now it is `{value}`"
                ));
            }
            _ => return Err(format!("the binding of `${name}` is not recorded")),
        }
    }
    match was.bindings.get(now.bindings.len()) {
        Some((name, _)) => Err(format!("the rule binds no `${name}`")),
        None => Ok(()),
    }
}

fn evidence(was: &Asked, now: &Asked) -> Result<(), String> {
    if was == now {
        return Ok(());
    }
    if was.question != now.question {
        return Err(format!(
            "the question `{}` is recorded, and `{}` was asked",
            was.question, now.question
        ));
    }
    let question = &now.question;
    if was.answer != now.answer || was.status != now.status {
        return Err(format!(
            "the answer to `{question}`: recorded {}, {}, and now it is {}, {}",
            was.answer,
            was.status.name(),
            now.answer,
            now.status.name()
        ));
    }
    Err(format!(
        "the evidence for `{question}`: recorded \"{}\", and now it is \"{}\"",
        was.sentence, now.sentence
    ))
}
