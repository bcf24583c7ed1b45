//! Questions about a term on a bench: where rules fire, and why one does not.

use super::bench::{Bench, Told, first, given_up, looking};
use super::seen::marked;
use super::why::difference;
use crate::rewrite::base::RuleBase;
use crate::rewrite::step::{Texts, asked, bindings};
use crate::rewrite::system::Looking;
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Path, Terms};
use std::fmt::Write;

/// So many places are told of one question.
const MOST_PLACES: usize = 20;
/// Terms are shown up to so many bytes.
const SHOWN: usize = 100;

impl Bench {
    /// The places where rules fire, or one of them does, with what the variables stand for.
    ///
    /// # Errors
    ///
    /// There is no term, no system or no such rule.
    pub fn places(&mut self, rule: Option<&str>) -> Told<String> {
        let root = self.root()?;
        let wanted = rule.map(|rule| self.rule(rule)).transpose()?;
        let (base, _, mut looking) = looking(&self.base, self.system.as_deref(), &self.known)?;
        let mut text = String::new();
        let mut places = 0;
        let mut work = vec![(root, Path::default())];
        while let Some((id, path)) = work.pop() {
            for number in looking.rules(&self.terms, id) {
                if wanted.is_some_and(|w| w != number) {
                    continue;
                }
                let mut matches = Vec::new();
                looking.fired(&mut self.terms, id, number, &mut Vec::new(), &mut |fired| {
                    matches.push(fired);
                    places + matches.len() <= MOST_PLACES
                });
                matches.retain(|fired| !self.terms.equal(fired.result, id));
                places += matches.len();
                if places > MOST_PLACES {
                    continue;
                }
                let rule = &base.rules[number];
                let whole = marked(&mut self.terms, root, &path);
                let mut texts = Texts::default();
                for fired in matches {
                    let _ = writeln!(text, "{} at {path}: {whole}", rule.name);
                    for (name, value) in bindings(&self.terms, rule, &fired.slots, &mut texts) {
                        let _ = writeln!(text, "    ${name} = {value}");
                    }
                }
            }
            work.extend(below(&self.terms, id, &path));
        }
        given_up(looking.trouble(), &self.known)?;
        match places {
            0 => text.push_str("nowhere\n"),
            n if n > MOST_PLACES => text.push_str("… and others\n"),
            _ => {}
        }
        Ok(text)
    }

    /// Why a rule does not fire, at a position or wherever its functor stands.
    ///
    /// # Errors
    ///
    /// There is no term, no system, no such rule or no such position.
    pub fn why(&mut self, rule: &str, at: Option<&Path>) -> Told<String> {
        let root = self.root()?;
        let number = self.rule(rule)?;
        let place = at.map(|path| self.at(path)).transpose()?;
        let (base, system, mut looking) = looking(&self.base, self.system.as_deref(), &self.known)?;
        if !system.rules.contains(&number) {
            return Ok(format!("`{rule}` is no rule of the system\n"));
        }
        let functor = base.rules[number].matcher.functor();
        let mut text = String::new();
        let mut places = 0;
        let mut work = vec![match (place, at) {
            (Some(id), Some(path)) => (id, path.clone()),
            _ => (root, Path::default()),
        }];
        while let Some((id, path)) = work.pop() {
            if at.is_none() {
                work.extend(below(&self.terms, id, &path));
                if functor.is_some() && self.terms.functor(id) != functor {
                    continue;
                }
            }
            places += 1;
            if places > MOST_PLACES {
                continue;
            }
            let shown = print_term_short(&self.terms, id, SHOWN);
            let _ = writeln!(text, "at {path}, `{shown}`:");
            for line in reasons(&mut looking, base, &mut self.terms, id, number) {
                let _ = writeln!(text, "    {line}");
            }
        }
        given_up(looking.trouble(), &self.known)?;
        if let (0, Some(functor)) = (places, functor) {
            let _ = writeln!(text, "no part of the term has the functor `{functor}`");
        }
        if places > MOST_PLACES {
            let _ = writeln!(text, "… and {} more places", places - MOST_PLACES);
        }
        Ok(text)
    }
}

/// The arguments of a term with their positions, the last one first.
fn below(terms: &Terms, id: Id, path: &Path) -> Vec<(Id, Path)> {
    let args = terms.args(id).iter().enumerate().rev();
    let place = |(i, &arg): (usize, &Id)| {
        let mut below = path.clone();
        below.0.push(i as u32);
        (arg, below)
    };
    args.map(place).collect()
}

/// What a rule does on a term, or what keeps it from firing.
fn reasons(
    looking: &mut Looking<'_>,
    base: &RuleBase,
    terms: &mut Terms,
    id: Id,
    number: usize,
) -> Vec<String> {
    let rule = &base.rules[number];
    let mut misses = Vec::new();
    let mut result = None;
    let matches = looking.fired(terms, id, number, &mut misses, &mut |fired| {
        result = Some(fired.result);
        false
    });
    if let Some(result) = result {
        if terms.equal(result, id) {
            return vec!["it would change nothing".to_string()];
        }
        let mut lines = vec![format!(
            "it fires: {}",
            print_term_short(terms, result, SHOWN)
        )];
        let before = looking
            .rules(terms, id)
            .into_iter()
            .take_while(|&i| i != number);
        let before: Vec<usize> = before.collect();
        for other in before {
            let fires = first(looking, terms, id, other);
            if fires.is_some_and(|fired| !terms.equal(fired.result, id)) {
                lines.push(format!(
                    "but `{}` is tried before it",
                    base.rules[other].name
                ));
                break;
            }
        }
        return lines;
    }
    if matches == 0 {
        let operators = looking.operators();
        let differs = difference(operators, base.terms(), rule.pattern, terms, id);
        return vec![differs.unwrap_or_else(|| {
            "no choice of elements or of the lengths of sequences matches".to_string()
        })];
    }
    let mut lines: Vec<String> = Vec::new();
    for miss in misses.iter().map(asked) {
        let line = match miss.question.is_empty() {
            true => miss.sentence,
            false => format!("`{}`: {}: {}", miss.question, miss.answer, miss.sentence),
        };
        if !lines.contains(&line) && lines.len() < MOST_PLACES {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        lines.push("it matches, and changes nothing or no condition of it holds".to_string());
    }
    lines
}
