//! What loops become, behind their headers and in words.

use super::documents::{Document, Fate};
use super::index::LoopHeader;
use crate::pipeline::Becomes;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

/// A hint behind each header within a part of the text.
pub(super) fn hints(document: &Document, range: Range) -> Vec<InlayHint> {
    let (from, to) = (
        document.text.byte(range.start),
        document.text.byte(range.end),
    );
    let headers = document.index().loops.iter();
    let headers = headers.filter(|h| from <= h.to && h.to <= to);
    let hint = |header: &LoopHeader| {
        let label = label(&of(document, header))?;
        Some(InlayHint {
            position: document.text.position(header.to),
            label: InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: told(document, header).map(InlayHintTooltip::String),
            padding_left: Some(true),
            padding_right: Some(true),
            data: None,
        })
    };
    headers.filter_map(hint).collect()
}

/// What became of a loop.
pub(super) fn of<'a>(document: &'a Document, header: &LoopHeader) -> Vec<&'a Fate> {
    let fates = document.fates.iter();
    fates.filter(|f| f.place.start == header.from).collect()
}

/// A few words for each strategy; nothing where nothing is known or worth saying.
fn label(fates: &[&Fate]) -> Option<String> {
    let mut strategies: Vec<(&str, Vec<&str>)> = Vec::new();
    for fate in fates {
        let word = match fate.becomes {
            Becomes::Threads => "threads",
            Becomes::Lanes => "lanes",
            Becomes::Launch => "launch",
            Becomes::Stays { .. } => "sequential",
            Becomes::Around | Becomes::Inside | Becomes::InOrder | Becomes::Merged => continue,
        };
        match strategies.iter_mut().find(|(s, _)| *s == fate.strategy) {
            Some((_, words)) if words.contains(&word) => {}
            Some((_, words)) => words.push(word),
            None => strategies.push((fate.strategy, vec![word])),
        }
    }
    let all = strategies.iter();
    let all: Vec<String> = all
        .map(|(s, words)| format!("{s}: {}", words.join(", ")))
        .collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// What became of a loop under each strategy, in sentences; nothing where nothing is known.
pub(super) fn told(document: &Document, header: &LoopHeader) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for fate in of(document, header) {
        let var = fate.variable;
        let said = match &fate.becomes {
            Becomes::Stays {
                change: Some(change),
                ..
            } => format!("{}; {change}", fate.becomes),
            becomes => becomes.to_string(),
        };
        let line = format!(
            "- strategy `{}`, the loop over `{var}`: {said}",
            fate.strategy
        );
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}
