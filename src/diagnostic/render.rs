//! The one place where diagnostics become text or JSON.

use super::{Diagnostic, Severity};
use crate::term::{MOST_TOLD, Sources, Span, visible, visible_but_colours, visible_line};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Lines longer than this are cut around the place that matters.
const LONG_LINE: usize = 400;

/// A sentence; names and texts in it may be of any length, and hide what steers a terminal.
fn short(text: &str) -> Cow<'_, str> {
    match text.len() <= MOST_TOLD {
        true => visible(text),
        false => {
            let cut = &text[..text.floor_char_boundary(MOST_TOLD)];
            format!("{}…", visible(cut)).into()
        }
    }
}

/// As much of a place as is shown.
fn clipped(span: Span) -> Span {
    let to = span.to.min(span.from.saturating_add(MOST_TOLD as u32));
    Span { to, ..span }
}

/// The text of a diagnostic for a terminal; `colour` as the terminal allows.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .clone()
        .primary_title(short(&diagnostic.message))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    let mut files: Vec<u32> = Vec::new();
    let places: Vec<(Span, &str, bool)> = diagnostic
        .span
        .iter()
        .map(|&s| (clipped(s), diagnostic.label.as_str(), true))
        .chain(
            diagnostic
                .others
                .iter()
                .map(|l| (clipped(l.span), l.text.as_str(), false)),
        )
        .collect();
    for (span, _, _) in &places {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    for file in files {
        let Some(source) = sources.get(file) else {
            continue;
        };
        let window = window(
            &source.text,
            places.iter().filter(|p| p.0.file == file).map(|p| p.0),
        );
        let line = source.text[..window.0]
            .bytes()
            .filter(|&b| b == b'\n')
            .count()
            + 1;
        let mut snippet = Snippet::source(&source.text[window.0..window.1])
            .path(visible_line(&source.name))
            .line_start(line);
        for (span, text, primary) in places.iter().filter(|p| p.0.file == file) {
            let kind = if *primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let (from, to) = whole_characters(&source.text, *span, window);
            snippet =
                snippet.annotation(kind.span(from - window.0..to - window.0).label(short(text)));
        }
        group = group.element(snippet);
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(short(hint)));
    }
    let text = format!("{}\n", renderer.render(&[group]));
    match colour {
        true => visible_but_colours(&text),
        false => visible(&text).into_owned(),
    }
}

/// The part of a text that is shown: the lines around the spans, cut where lines are very long.
fn window(text: &str, spans: impl Iterator<Item = Span>) -> (usize, usize) {
    let (mut from, mut to) = (text.len(), 0);
    for span in spans {
        from = from.min((span.from as usize).min(text.len()));
        to = to.max((span.to as usize).min(text.len()));
    }
    let to = to.max(from);
    let bytes = text.as_bytes();
    let line_from = bytes[..from]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    let line_to = bytes[to..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(text.len(), |p| to + p);
    let mut cut_from = if from - line_from > LONG_LINE {
        from - LONG_LINE / 4
    } else {
        line_from
    };
    let mut cut_to = if line_to - to > LONG_LINE {
        to + LONG_LINE / 4
    } else {
        line_to
    };
    while !text.is_char_boundary(cut_from) {
        cut_from -= 1;
    }
    while !text.is_char_boundary(cut_to) {
        cut_to += 1;
    }
    (cut_from, cut_to)
}

/// A span within a window, moved out to whole characters.
fn whole_characters(text: &str, span: Span, window: (usize, usize)) -> (usize, usize) {
    let mut from = (span.from as usize).clamp(window.0, window.1);
    let mut to = (span.to as usize).clamp(from, window.1);
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    while !text.is_char_boundary(to) {
        to += 1;
    }
    (from, to)
}

/// A diagnostic as JSON: `code`, `severity`, `message`, `file`, `span` (bytes), `line` and `column` (from
/// 1, columns in characters), `hint`.
pub fn as_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let file = diagnostic
        .span
        .and_then(|s| sources.get(s.file))
        .map(|s| s.name.clone());
    let place = diagnostic.span.map(|s| sources.line_column(s.file, s.from));
    json!({
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": short(&diagnostic.message),
        "file": file,
        "span": diagnostic.span.map(|s| [s.from, s.to]),
        "line": place.map(|(line, _)| line),
        "column": place.map(|(_, column)| column),
        "hint": diagnostic.hint.as_deref().map(short),
    })
}
