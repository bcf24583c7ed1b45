//! The examples of the pages are what the rules do, and each near miss is stopped by the part of
//! the condition that it names.

use super::apply::{Applied, Base, apply, text};
use super::page::{is_term, schemes};
use super::shown;
use crate::algebra::{Construct, Sort};
use crate::check::Scheme;
use crate::equality::compare_schemes;
use crate::rewrite::{Case, Law, Rewriting, Rule, RuleBase, Shows, run_rewrite};
use crate::syntax::rules::print_term_flat;
use crate::term::Sources;

/// Whether a rule is about predicates: strategies go through operators only.
pub fn is_predicate(base: &Base, rule: &Rule) -> bool {
    let functor = base.base.terms().functor(rule.pattern);
    let construct = functor.and_then(Construct::of);
    construct.is_some_and(|c| c.info().sort == Sort::Condition)
}

/// The scheme of a case, and for an example what should come of it. A predicate stands in a FILTER.
///
/// # Errors
///
/// What is wrong with the code, as it is shown.
pub fn read(
    base: &Base,
    rule: &Rule,
    case: &Case,
    sources: &mut Sources,
) -> Result<(Scheme, Option<Scheme>), String> {
    let mut codes = vec![case.before.clone()];
    if let Shows::Becomes(after) = &case.shows {
        codes.push(after.clone());
    }
    if is_predicate(base, rule) {
        codes
            .iter_mut()
            .for_each(|code| *code = format!("FILTER {code}"));
    }
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let mut read = schemes(&codes, sources)?;
    let after = (read.len() == 2).then(|| read.pop()).flatten();
    Ok((read.remove(0), after))
}

/// What is wrong with a case, in a sentence.
pub fn wrong(base: &Base, rule: &Rule, case: &Case) -> Option<String> {
    let mut sources = Sources::default();
    if is_term(&case.before) {
        return wrong_term(base, rule, case);
    }
    let (scheme, wanted) = match read(base, rule, case, &mut sources) {
        Ok(read) => read,
        Err(why) => return Some(why),
    };
    if let (Some(Law::Decided), Some(wanted)) = (rule.law, &wanted)
        && !compare_schemes(&scheme, wanted).is_ok_and(|compared| compared.is_equal())
    {
        return Some("the schemes of the example are not equal".to_owned());
    }
    let applied = apply(base, &scheme, "once", rule.name.as_str(), &case.settings);
    match (applied, &case.shows) {
        (Applied::Refused(why), _) => Some(why),
        (Applied::Stopped(misses), Shows::Becomes(_)) => {
            let reasons: Vec<String> = misses.iter().map(|m| m.reason()).collect();
            Some(format!("it does not fire: {}", reasons.join("; ")))
        }
        (Applied::Done(found), Shows::Becomes(_)) => {
            let (found, wanted) = (text(&found), text(&wanted?));
            (found != wanted).then(|| format!("it makes\n{found}\nand not\n{wanted}"))
        }
        (Applied::Done(_), Shows::NotWithout(_)) => Some("it fires".to_owned()),
        (Applied::Stopped(misses), Shows::NotWithout(condition)) => {
            let asked = condition.trim_start_matches('!');
            let stops = |m: &crate::rewrite::NearMiss| m.stopped_by.question == asked;
            if misses.iter().any(stops) {
                return None;
            }
            let reasons: Vec<String> = misses.iter().map(|m| m.reason()).collect();
            Some(format!(
                "`{condition}` does not stop it: {}",
                reasons.join("; ")
            ))
        }
    }
}

/// The same for a case in terms.
fn wrong_term(base: &Base, rule: &Rule, case: &Case) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add("rule", rule.text(&base.sources));
    let term = sources.add("term", case.before.clone());
    let rewritten = RuleBase::load(&sources, &[file])
        .and_then(|alone| run_rewrite(&alone, &sources, term, &Rewriting::default()));
    let done = match rewritten {
        Ok(done) => done,
        Err(errors) => return Some(shown(&errors, &sources)),
    };
    let found = print_term_flat(&done.terms, done.root);
    match &case.shows {
        Shows::Becomes(wanted) if *wanted != found => Some(format!("it makes {found}")),
        Shows::NotWithout(_) => Some("terms have no facts".to_owned()),
        _ => None,
    }
}
