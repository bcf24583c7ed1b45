//! What stands at a place: declarations, the tables' words on constructs and functions, what loops become, and the
//! pages of diagnostics, rules and facts.

use super::documents::{Document, Kind, UsedFile};
use super::index::{Class, Name, Sort, Token, WORDS};
use super::inlays::told;
use super::work::EMBEDDED;
use crate::algebra::{Construct, FUNCTIONS, Keyword, TABLE, TypeName, text_of};
use crate::derive::known;
use crate::diagnostic::CODES;
use crate::rewrite::{Parameter, RuleBase};
use crate::term::Symbol;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use std::ops::Range;

/// Definitions of more lines are cut.
const MOST_LINES: usize = 24;

pub(super) fn hover(document: &Document, position: Position) -> Option<Hover> {
    let byte = document.text.byte(position);
    let index = document.index();
    let touches = |place: &Range<usize>| place.start <= byte && byte < place.end;
    let token = index.tokens.iter().rfind(|t| touches(&t.place));
    let mut parts = Vec::new();
    let mut place = None;
    if let Some(used) = index.at(byte).filter(|u| touches(&u.place)) {
        let name = &index.names[used.name];
        match document.declared_elsewhere(name) {
            Some((file, name)) => parts.push(of_used(file, name)),
            None => parts.push(of_name(document, name)),
        }
        place = Some(used.place.clone());
    } else if let Some(token) = token {
        parts.extend(of_token(document, token));
        place = Some(token.place.clone());
    }
    let header = index.loops.iter().find(|l| l.from <= byte && byte < l.to);
    if let Some(header) = header {
        parts.extend(told(document, header));
    }
    for shown in document.checked.iter().chain(&document.found) {
        let here = touches(&shown.place);
        let page = CODES.iter().find(|c| c.code == shown.code).filter(|_| here);
        parts.extend(page.map(|p| format!("**{}**: {}. {}", p.code, p.title, p.text)));
    }
    parts.retain(|p| !p.is_empty());
    if parts.is_empty() {
        return None;
    }
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n---\n\n"),
        }),
        range: place.map(|p| document.text.range(p.start, p.end)),
    })
}

/// What another file declares.
fn of_used(file: &UsedFile, name: &Name) -> String {
    let shown = code(file.text.as_str(), &name.whole);
    format!("{shown}\n\n{} of {}", name.sort.words(), file.name)
}

/// A part of a text as code.
fn code(text: &str, place: &Range<usize>) -> String {
    let line = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[line..place.start];
    let indent = if indent.trim().is_empty() { indent } else { "" };
    let all: Vec<&str> = text[place.clone()].lines().collect();
    let shown = all.iter().take(MOST_LINES);
    let shown = shown.map(|l| l.strip_prefix(indent).unwrap_or(l).trim_end());
    let mut shown: Vec<&str> = shown.collect();
    if all.len() > MOST_LINES {
        shown.push("…");
    }
    fenced(&shown.join("\n"))
}

fn fenced(text: &str) -> String {
    format!("```glushkov\n{text}\n```")
}

/// The comment behind a place on its line.
fn comment_behind(document: &Document, byte: usize) -> Option<String> {
    let line = document.text.line_of(byte);
    let index = document.index();
    let comment = index.tokens.iter().find(|t| {
        t.class == Class::Comment
            && t.place.start >= byte
            && document.text.line_of(t.place.start) == line
    })?;
    let text = &document.text.as_str()[comment.place.clone()];
    Some(text.trim_start_matches('#').trim().to_owned())
}

/// The comment lines right before a place.
fn page_before(document: &Document, byte: usize) -> String {
    let mut line = document.text.line_of(byte);
    let mut lines = Vec::new();
    while line > 0 {
        let text = document.text.line(line - 1).trim();
        let Some(comment) = text.strip_prefix('#').filter(|c| !c.starts_with('@')) else {
            break;
        };
        lines.push(comment.strip_prefix(' ').unwrap_or(comment).to_owned());
        line -= 1;
    }
    lines.reverse();
    lines.join("\n")
}

fn of_name(document: &Document, name: &Name) -> String {
    let index = document.index();
    let text = document.text.as_str();
    let number = index.names.iter().position(|n| std::ptr::eq(n, name));
    let calls = number.map_or(0, |n| index.uses_of(n).filter(|u| !u.declares).count());
    let times = match calls {
        0 => "not used".to_owned(),
        1 => "used once".to_owned(),
        n => format!("used {n} times"),
    };
    let words = name.sort.words();
    match name.sort {
        Sort::Phrase | Sort::Predicate if name.declared.is_none() => {
            format!("{words} that WHERE does not define, {times}")
        }
        Sort::Phrase | Sort::Predicate => {
            let page = page_before(document, name.whole.start);
            format!("{}\n\n{words}, {times}\n\n{page}", code(text, &name.whole))
        }
        Sort::Rule | Sort::Strategy | Sort::Question => {
            let page = page_before(document, name.whole.start);
            format!("{words}, {times}\n\n{page}\n\n{}", code(text, &name.whole))
        }
        Sort::RuleVariable | Sort::StrategyParameter => format!("{words}, {times}"),
        Sort::Unknown | Sort::Point => format!("{words}, {times}"),
        Sort::Formal => format!("`{}`: {words}, {times}", name.text),
        Sort::LoopVariable => {
            let header = index
                .loops
                .iter()
                .find(|l| l.from <= name.whole.start && name.whole.start < l.to);
            let shown = header.map(|h| code(text, &(h.from..h.to)));
            format!(
                "{}\n\n{words}: an INTEGER, {times}",
                shown.unwrap_or_default()
            )
        }
        Sort::Parameter | Sort::Data | Sort::Local => {
            let behind = comment_behind(document, name.whole.end);
            let behind = behind.map_or(String::new(), |c| format!(": {c}"));
            format!("{}\n\n{words}{behind} ({times})", code(text, &name.whole))
        }
    }
}

fn of_token(document: &Document, token: &Token) -> Option<String> {
    let text = &document.text.as_str()[token.place.clone()];
    match (document.kind, token.class) {
        (Kind::Schemes, Class::Keyword) => keyword(text),
        (Kind::Schemes, Class::Function) => function(text),
        (_, Class::Type) if document.kind == Kind::Schemes => {
            let row = TypeName::called(text)?;
            Some(format!("`{}`: {}", row.name, row.meaning))
        }
        (Kind::Rules, Class::Keyword) => {
            let row = WORDS.iter().find(|(word, _)| *word == text)?;
            Some(format!("`{}`: {}", row.0, row.1))
        }
        (Kind::Rules, Class::Type | Class::Function | Class::Phrase) => of_rules(text),
        _ => None,
    }
}

/// What a keyword begins, or is a part of.
pub(super) fn keyword(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let keyword = Keyword::ALL
        .iter()
        .copied()
        .find(|k| k.all_spellings().any(|s| s == text))?;
    let part = format!("@{keyword:?}");
    let holds = |pattern: &str| {
        let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
        let mut found = pattern.match_indices(&part);
        found.any(|(at, _)| ends(&pattern[at + part.len()..]))
    };
    let construct = Construct::begun_by(keyword).or_else(|| {
        let row = TABLE.iter().find(|row| holds(row.text))?;
        Some(row.construct)
    })?;
    Some(of_construct(construct))
}

fn of_construct(construct: Construct) -> String {
    format!(
        "{}\n\n{}",
        fenced(&text_of(construct)),
        construct.info().meaning
    )
}

/// A function of schemes.
pub(super) fn function(name: &str) -> Option<String> {
    let row = FUNCTIONS.iter().find(|f| f.name == name)?;
    let arguments = match row.arity {
        (least, most) if least == most => format!("{least}"),
        (least, most) => format!("{least} to {most}"),
    };
    let mut text = format!("`{name}`: {}; arguments: {arguments}", row.meaning);
    if let Some(domain) = row.signature.entry().and_then(|entry| entry.domain) {
        text.push_str(&format!("; defined where {domain}"));
    }
    Some(text)
}

/// What a word of a rule file stands for.
fn of_rules(name: &str) -> Option<String> {
    let mut parts = Vec::new();
    for fact in known().filter(|f| f.name == name) {
        let what = if fact.is_fact { "a fact" } else { "a function" };
        parts.push(format!("`{name}`: {what}. {}", fact.meaning));
    }
    if let Some(construct) = Construct::of(Symbol::new(name)) {
        parts.push(of_construct(construct));
    }
    if let Some((base, _)) = EMBEDDED.as_ref() {
        parts.extend(of_base(base, name));
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// The page of a rule, a strategy or a predicate that comes with the tool.
fn of_base(base: &RuleBase, name: &str) -> Option<String> {
    let symbol = Symbol::new(name);
    let page = |what: String, parameters: &[Parameter], doc: &str| {
        let mut text = format!("`{name}`: {what}");
        if !parameters.is_empty() {
            let all: Vec<String> = parameters.iter().map(Parameter::text).collect();
            text.push_str(&format!("; parameters: {}", all.join(", ")));
        }
        format!("{text}\n\n{doc}")
    };
    if let Some(rule) = base.rule(symbol).filter(|r| r.named) {
        let what = format!("a rule of {} ({})", base.file(rule.span), rule.float.name());
        return Some(page(what, &rule.parameters, &rule.doc));
    }
    if let Some(strategy) = base.strategies().iter().find(|s| s.name == symbol) {
        let what = format!("a strategy of {}", base.file(strategy.span));
        return Some(page(what, &strategy.parameters, &strategy.doc));
    }
    let predicate = base.predicates.get(symbol)?;
    let what = format!("a predicate of {}", predicate.arguments());
    Some(page(what, &[], &predicate.doc))
}
