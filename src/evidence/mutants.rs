//! A rule → the rule with a part of it changed, which some test must find.

use super::apply::Base;
use super::cases::{is_predicate, wrong};
use super::random::differs;
use crate::rewrite::Rule;
use crate::term::Span;

/// A rule file in which one rule is changed.
pub struct Mutant {
    /// What is changed, in words.
    pub what: String,
    /// The file's name and text.
    file: (String, String),
}

/// What found a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// It does not load: the law is false, or the rule is not well formed.
    Load,
    /// An example of the page.
    Example,
    /// A near miss of the page.
    NearMiss,
    /// A random scheme that does something else afterwards.
    Random,
}

/// All mutants of a rule: parts of its conditions dropped and negated, numbers moved by one, names in what
/// follows the condition exchanged; the same in the clauses of the predicates that it asks.
pub fn mutants(base: &Base, rule: &Rule) -> Vec<Mutant> {
    let terms = base.base.terms();
    let mut found = changed_parts(base, rule, "", &rule.condition_parts(terms));
    found.extend(other_results(base, rule));
    found.extend(changed_tokens(base, rule, ""));
    for predicate in base.base.predicates.asked_by(terms, rule) {
        let of = format!(" in `{}`", predicate.name);
        for clause in &predicate.clauses {
            let mut parts = clause.condition_parts(terms);
            parts.extend(clause.answer_parts(terms));
            found.extend(changed_parts(base, clause, &of, &parts));
            found.extend(changed_tokens(base, clause, &of));
        }
    }
    found
}

/// The file of a rule or a clause with another text from one byte to another.
fn changed(base: &Base, rule: &Rule, what: String, from: usize, to: usize, new: &str) -> Mutant {
    let name = base.base.file(rule.span).to_owned();
    let text = text_of(base, rule);
    Mutant {
        what,
        file: (name, format!("{}{new}{}", &text[..from], &text[to..])),
    }
}

/// The text of the file that a rule or a clause stands in.
fn text_of<'b>(base: &'b Base, rule: &Rule) -> &'b str {
    let source = base.sources.get(rule.span.file);
    source.map_or("", |source| source.text.as_str())
}

/// Parts of conditions, dropped and negated; `of` is said of where they are. What that changes nothing of is
/// left.
fn changed_parts(base: &Base, rule: &Rule, of: &str, parts: &[Span]) -> Vec<Mutant> {
    let mut found = Vec::new();
    for span in parts {
        let (from, to) = (span.from as usize, span.to as usize);
        let part = &text_of(base, rule)[from..to];
        if part != "true" {
            let what = format!("`{part}`{of} dropped");
            found.push(changed(base, rule, what, from, to, "true"));
        }
        let negated = match part.strip_prefix('!') {
            Some(rest) => rest.to_owned(),
            None => format!("!({part})"),
        };
        if !matches!(part, "false" | "unknown") {
            let what = format!("`{part}`{of} negated");
            found.push(changed(base, rule, what, from, to, &negated));
        }
    }
    found
}

/// A rule that makes something else.
fn other_results(base: &Base, rule: &Rule) -> Vec<Mutant> {
    let mut found = Vec::new();
    let terms = base.base.terms();
    for result in rule.results() {
        let Some(span) = terms.span(result) else {
            continue;
        };
        let name = terms.functor(result).map_or("", |f| f.as_str());
        let other = match (is_predicate(base, rule), name) {
            (true, "False") | (_, "Undefined") => {
                ["True", "Empty"][usize::from(name == "Undefined")]
            }
            (true, _) => "False",
            (false, _) => "Undefined",
        };
        let (from, to) = (span.from as usize, span.to as usize);
        let what = format!("`{other}` for its result");
        found.push(changed(base, rule, what, from, to, other));
    }
    found
}

/// A number that is another one, or a name behind the first arrow.
fn changed_tokens(base: &Base, rule: &Rule, of: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    let text = text_of(base, rule);
    let (from, to) = (rule.span.from as usize, rule.span.to as usize);
    let result = text[from..to].find("->").map_or(to, |at| from + at);
    for (token, at) in tokens(&text[from..to]) {
        let (at, end) = (from + at, from + at + token.len());
        if let Ok(number) = token.parse::<i64>() {
            for moved in [number + 1, number - 1] {
                // A negative number in brackets, so that no sign stands beside another.
                let what = format!("`{number}`{of} moved to {moved}");
                found.push(changed(base, rule, what, at, end, &format!("({moved})")));
            }
        }
        if at > result
            && let Some(other) = exchanged(rule, token)
        {
            let what = format!("`{token}`{of} exchanged for `{other}`");
            found.push(changed(base, rule, what, at, end, &other));
        }
    }
    found
}

/// The names and numbers of a rule's text, with their places.
fn tokens(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut quoted = false;
    let mut begun: Option<usize> = None;
    let mut found = Vec::new();
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begun, word(c) && !quoted) {
            (None, true) => begun = Some(at),
            (Some(from), false) => {
                found.push((&text[from..at], from));
                begun = None;
            }
            _ => {}
        }
        quoted ^= c == '"';
    }
    found.into_iter()
}

/// Another name that could stand there by mistake.
fn exchanged(rule: &Rule, token: &str) -> Option<String> {
    let pairs = [
        ("True", "False"),
        ("Empty", "Undefined"),
        ("And", "Or"),
        ("CopyToDevice", "CopyFromDevice"),
        ("Allocate", "Free"),
        ("min", "max"),
        ("BlockIndex", "ThreadIndex"),
        ("ThreadCount", "BlockCount"),
    ];
    for (a, b) in pairs {
        if token == a {
            return Some(b.to_owned());
        }
        if token == b {
            return Some(a.to_owned());
        }
    }
    // The next variable of the pattern; `$x` and `$x..` are told apart when the rule is loaded.
    let name = token.strip_prefix('$')?;
    let all: Vec<&str> = rule.variables().iter().map(|v| v.as_str()).collect();
    let at = all.iter().position(|&v| v == name)?;
    let other = all[(at + 1) % all.len()];
    (other != name).then(|| format!("${other}"))
}

/// What finds a mutant, if anything does.
pub fn found(base: &Base, rule: &Rule, mutant: &Mutant, tries: u32) -> Option<Found> {
    let Ok(base) = base.changed(&mutant.file) else {
        return Some(Found::Load);
    };
    let Some(changed) = base.base.rule(rule.name) else {
        return Some(Found::Load);
    };
    for case in rule.cases() {
        if wrong(&base, changed, &case).is_some() {
            return Some(match case.shows {
                crate::rewrite::Shows::Becomes(_) => Found::Example,
                crate::rewrite::Shows::NotWithout(_) => Found::NearMiss,
            });
        }
    }
    differs(&base, changed, tries).then_some(Found::Random)
}
