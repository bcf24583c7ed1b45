//! The layout of a document.

use super::documents::{Document, Kind};
use crate::pipeline::{Session, Source, lay_out};
use lsp_types::TextEdit;

/// The changes that lay a document out: one, of the lines between the first and the last that differ.
///
/// # Errors
///
/// A text that cannot be read, with its first error.
pub(super) fn format(document: &Document) -> Result<Vec<TextEdit>, String> {
    let text = document.text.as_str();
    let source = Source::Open {
        path: &document.path,
        text,
    };
    let ending = std::path::Path::new(&document.path).extension();
    let name = match (ending.and_then(|e| e.to_str()), document.kind) {
        (Some("saa" | "saag" | "saaf" | "ops" | "rules"), _) => document.path.clone(),
        (_, Kind::Rules) => format!("{}.rules", document.path),
        (_, Kind::Schemes) => format!("{}.saa", document.path),
    };
    let laid = lay_out(source, &name, &mut Session::new());
    let after = laid.map_err(|failure| failure.said())?.after;
    if after == text {
        return Ok(Vec::new());
    }
    let (before, new) = (text.split_inclusive('\n'), after.split_inclusive('\n'));
    let same = before.zip(new).take_while(|(a, b)| a == b);
    let start: usize = same.map(|(line, _)| line.len()).sum();
    let (before, new) = (&text[start..], &after[start..]);
    let (last, new_last) = (
        before.split_inclusive('\n').rev(),
        new.split_inclusive('\n').rev(),
    );
    let same = last.zip(new_last).take_while(|(a, b)| a == b);
    let end: usize = same.map(|(line, _)| line.len()).sum();
    let range = document.text.range(start, text.len() - end);
    Ok(vec![TextEdit::new(
        range,
        new[..new.len() - end].to_owned(),
    )])
}
