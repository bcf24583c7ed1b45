//! Changes that do what hints say: a word that was meant, a claim, a definition, a declaration.

use super::documents::{Document, Kind};
use super::index::{Index, Name, Sort, groups};
use super::rename::edit;
use crate::algebra::Keyword;
use crate::pipeline::Becomes;
use crate::syntax::text::lexemes;
use crate::syntax::{Lexeme, LexemeKind};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionResponse, Range};
use std::ops::Range as Bytes;

pub(super) fn actions(document: &Document, range: Range) -> CodeActionResponse {
    let (from, to) = (
        document.text.byte(range.start),
        document.text.byte(range.end),
    );
    let touches = |place: &Bytes<usize>| place.start <= to && from <= place.end;
    let mut all = Vec::new();
    for shown in document.checked.iter().chain(&document.found) {
        if !touches(&shown.place) {
            continue;
        }
        let diagnostic = Some(vec![shown.diagnostic.clone()]);
        if let Some((place, text)) = &shown.fix {
            let old = &document.text.as_str()[place.clone()];
            all.push(CodeAction {
                diagnostics: diagnostic.clone(),
                is_preferred: Some(true),
                ..action(
                    document,
                    format!("Write {text} for {old}"),
                    vec![(place.clone(), text.clone())],
                )
            });
        }
        if shown.code == "E0201" && document.kind == Kind::Schemes {
            let name = &document.text.as_str()[shown.place.clone()];
            all.extend(
                declared(document, &shown.place, name).map(|action| CodeAction {
                    diagnostics: diagnostic.clone(),
                    ..action
                }),
            );
        }
    }
    if document.kind == Kind::Schemes {
        let index = document.index();
        let header = index.loops.iter().find(|l| touches(&(l.from..l.to)));
        if let Some(header) = header {
            all.extend(claims(document, header.from));
        }
        all.extend(index.at(from).and_then(|used| {
            let name = &index.names[used.name];
            let is_free = name.declared.is_none() && document.declared_elsewhere(name).is_none();
            let is_phrase = matches!(name.sort, Sort::Phrase | Sort::Predicate);
            (is_free && is_phrase).then(|| defined(document, index, name, &used.place))?
        }));
    }
    all.dedup_by(|a, b| a.title == b.title);
    all.into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

fn action(document: &Document, title: String, edits: Vec<(Bytes<usize>, String)>) -> CodeAction {
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(edit(document, edits)),
        ..CodeAction::default()
    }
}

/// The first keyword of some behind a place, before the next scheme.
fn next_keyword(document: &Document, after: usize, wanted: &[Keyword]) -> Option<Lexeme> {
    let all = lexemes(document.text.as_str());
    let mut later = all.into_iter().filter(|l| l.from >= after);
    later.find(|l| matches!(l.kind, LexemeKind::Keyword(k) if wanted.contains(&k)))
}

/// The scheme that a place stands in.
fn scheme_from(document: &Document, byte: usize) -> Option<usize> {
    let mut outline = document.index().outline.iter();
    let scheme = outline.rfind(|o| o.whole.start <= byte)?;
    Some(scheme.whole.start)
}

/// The place before END OF DATA, with the blanks of lines in DATA.
fn end_of_data(document: &Document, byte: usize) -> Option<Bytes<usize>> {
    let scheme = scheme_from(document, byte)?;
    let end = next_keyword(document, scheme, &[Keyword::EndOfData])?;
    let text = document.text.as_str();
    let line = text[..end.from].rfind('\n').map_or(end.from, |at| at + 1);
    let is_alone = text[line..end.from].trim().is_empty();
    let at = if is_alone { line } else { end.from };
    Some(at..at)
}

/// ASSUME lines that would let a loop run at once.
fn claims(document: &Document, from: usize) -> Vec<CodeAction> {
    let mut all: Vec<CodeAction> = Vec::new();
    for fate in document.fates.iter().filter(|f| f.place.start == from) {
        let Becomes::Stays {
            change: Some(change),
            ..
        } = &fate.becomes
        else {
            continue;
        };
        let (Some(claim), Some(place)) = (change.claim(), end_of_data(document, from)) else {
            continue;
        };
        let language = document.index().language;
        let claim = format!("{} {claim}", Keyword::Assume.text(language));
        let title = format!("Claim that iterations never meet: {claim}");
        if all.iter().all(|a| a.title != title) {
            all.push(action(
                document,
                title,
                vec![(place, format!("  {claim}\n"))],
            ));
        }
    }
    all
}

/// A declaration in DATA of a name that has none.
fn declared(document: &Document, place: &Bytes<usize>, name: &str) -> Option<CodeAction> {
    let at = end_of_data(document, place.start)?;
    let title = format!("Declare {name} : REAL in DATA");
    Some(action(
        document,
        title,
        vec![(at, format!("  {name} : REAL\n"))],
    ))
}

/// A definition of a phrase that has none, with nothing in it.
fn defined(
    document: &Document,
    index: &Index,
    name: &Name,
    place: &Bytes<usize>,
) -> Option<CodeAction> {
    let text = document.text.as_str();
    let (mut head, mut used) = (String::new(), Vec::new());
    for piece in groups(text, place) {
        let inner = &text[piece.from..piece.to];
        match piece.group {
            true => head.push_str(&format!("({})", formals(inner, &mut used))),
            false => head.push_str(inner),
        }
    }
    let quote = if name.sort == Sort::Predicate {
        '\''
    } else {
        '"'
    };
    let body = match name.sort {
        Sort::Predicate => Keyword::True,
        _ => Keyword::Empty,
    };
    let language = index.language;
    let body = body.text(language);
    let definition = match name.sort {
        Sort::Predicate => format!("  {quote}{head}{quote} ==== {body}\n"),
        _ => format!("  {quote}{head}{quote} ====\n    {body}\n"),
    };
    let scheme = scheme_from(document, place.start)?;
    let ends = [
        Keyword::Dictionary,
        Keyword::EndOfScheme,
        Keyword::EndOfGraph,
    ];
    let end = next_keyword(document, scheme, &ends)?;
    let has_where = next_keyword(document, scheme, &[Keyword::Where]);
    let has_where = has_where.is_some_and(|w| w.from < end.from);
    let begins = match has_where {
        true => String::new(),
        false => format!("{}\n", Keyword::Where.text(language)),
    };
    let title = format!("Define {quote}{head}{quote}");
    let new = format!("{begins}{definition}");
    Some(action(document, title, vec![(end.from..end.from, new)]))
}

/// Names for the arguments of a call: those that are names keep theirs, others get one.
fn formals(group: &str, used: &mut Vec<String>) -> String {
    let (mut depth, mut parts) = (0usize, vec![Vec::new()]);
    for lexeme in lexemes(group) {
        match lexeme.text(group) {
            "," if depth == 0 => {
                parts.push(Vec::new());
                continue;
            }
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(lexeme);
        }
    }
    let mut names = Vec::new();
    for part in parts {
        let own = match part[..] {
            [one] if one.kind == LexemeKind::Word => one.text(group).to_owned(),
            _ => "value".to_owned(),
        };
        let mut name = own.clone();
        let mut number = 1;
        while used.contains(&name) {
            number += 1;
            name = format!("{own}{number}");
        }
        used.push(name.clone());
        names.push(name);
    }
    names.join(", ")
}
