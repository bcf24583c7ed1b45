//! What the functors of TermWare's system `String` give.

use super::table::truth;
use crate::rewrite::evaluate::MOST_BYTES;
use crate::rewrite::pattern::make_list;
use crate::syntax::rules::{print_term_flat, read_term};
use crate::term::{Id, Symbol, Terms};
use regex::Regex;

/// Bytes of memory that a regular expression may take once it is compiled.
const MOST_COMPILED: usize = 1 << 20;

/// A string, unless it is too long.
pub(super) fn text(terms: &mut Terms, text: &str) -> Option<Id> {
    (text.len() <= MOST_BYTES).then(|| terms.text(Symbol::new(text)))
}

fn strings(terms: &Terms, args: &[Id]) -> Option<Vec<&'static str>> {
    args.iter()
        .map(|&a| terms.as_text(a).map(Symbol::as_str))
        .collect()
}

/// A regular expression; none where it is not well formed.
pub(super) fn expression(text: &str) -> Option<Regex> {
    regex::RegexBuilder::new(text)
        .size_limit(MOST_COMPILED)
        .build()
        .ok()
}

pub(super) fn concat(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    let all = strings(terms, args)?.concat();
    text(terms, &all)
}

pub(super) fn convert(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    let all = terms.apply("convert".into(), args);
    let printed = print_term_flat(terms, all);
    text(terms, &printed)
}

pub(super) fn parse(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    let source = terms.as_text(args[0])?;
    let mut own = Terms::new();
    let id = read_term(&mut own, 0, source.as_str()).ok()?;
    Some(terms.import(&own, id))
}

/// The groups of a match of all of a string.
pub(super) fn groups(string: &str, pattern: &str) -> Option<Option<Vec<String>>> {
    let whole = expression(&format!("^(?:{pattern})$"))?;
    Some(whole.captures(string).map(|captures| {
        let group = |g: Option<regex::Match<'_>>| g.map_or("", |g| g.as_str()).to_owned();
        captures.iter().skip(1).map(group).collect()
    }))
}

pub(super) fn matches(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    let parts = strings(terms, args)?;
    let found = groups(parts[0], parts[1])?.is_some();
    Some(truth(terms, found))
}

/// As Java does, empty parts at the end are dropped, and so is an empty one before a match of nothing.
pub(super) fn split(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    let parts = strings(terms, args)?;
    let between = expression(parts[1])?;
    let mut found: Vec<&str> = Vec::new();
    let mut from = 0;
    for place in between.find_iter(parts[0]) {
        if place.end() == 0 {
            continue;
        }
        found.push(&parts[0][from..place.start()]);
        from = place.end();
    }
    found.push(&parts[0][from..]);
    while found.len() > 1 && found.last().is_some_and(|last| last.is_empty()) {
        found.pop();
    }
    let made: Vec<Id> = found
        .iter()
        .map(|part| terms.text(Symbol::new(part)))
        .collect();
    Some(make_list(terms, &made))
}

pub(super) fn subst(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    let parts = strings(terms, args)?;
    let replaced = expression(parts[1])?.replace_all(parts[0], replacement(parts[2]).as_str());
    let replaced = replaced.into_owned();
    text(terms, &replaced)
}

/// A replacement as Java writes it, `$1` and `\$`, as the crate reads it.
fn replacement(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('$') => out.push_str("$$"),
                Some(other) => out.push(other),
                None => {}
            },
            '$' => {
                let mut number = String::new();
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                out.push_str(&format!("${{{number}}}"));
            }
            c => out.push(c),
        }
    }
    out
}
