//! The parts of a document: for its outline, and for folding.

use super::documents::Document;
use super::index::{Outline, OutlineSort};
use lsp_types::{
    DocumentSymbol, DocumentSymbolResponse, FoldingRange, FoldingRangeKind, SymbolKind,
};

pub(super) fn symbols(document: &Document) -> DocumentSymbolResponse {
    let all = document.index().outline.iter();
    let all: Vec<DocumentSymbol> = all.map(|o| symbol(document, o)).collect();
    all.into()
}

#[allow(deprecated, reason = "the struct has a field that is")]
fn symbol(document: &Document, part: &Outline) -> DocumentSymbol {
    let range = |place: &std::ops::Range<usize>| document.text.range(place.start, place.end);
    let whole = part.whole.start.min(part.title_at.start)..part.whole.end.max(part.title_at.end);
    let inner: Vec<DocumentSymbol> = part.inner.iter().map(|o| symbol(document, o)).collect();
    // An empty name is refused by clients.
    let name = match part.title.trim() {
        "" => "…",
        title => title,
    };
    DocumentSymbol {
        name: name.to_owned(),
        detail: (!part.detail.is_empty()).then(|| part.detail.clone()),
        kind: match part.sort {
            OutlineSort::Scheme => SymbolKind::MODULE,
            OutlineSort::Array => SymbolKind::ARRAY,
            OutlineSort::Constant => SymbolKind::CONSTANT,
            OutlineSort::Variable => SymbolKind::VARIABLE,
            OutlineSort::Definition => SymbolKind::METHOD,
            OutlineSort::Rule => SymbolKind::FUNCTION,
            OutlineSort::Strategy => SymbolKind::CLASS,
        },
        tags: None,
        deprecated: None,
        range: range(&whole),
        selection_range: range(&part.title_at),
        children: (!inner.is_empty()).then_some(inner),
    }
}

pub(super) fn folds(document: &Document) -> Vec<FoldingRange> {
    let all = document.index().folds.iter();
    let fold = |(place, is_comment): &(std::ops::Range<usize>, bool)| {
        let start = document.text.line_of(place.start) as u32;
        let end = document.text.line_of(place.end.saturating_sub(1)) as u32;
        (start < end).then(|| FoldingRange {
            start_line: start,
            end_line: end,
            kind: is_comment.then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        })
    };
    let mut folds: Vec<FoldingRange> = all.filter_map(fold).collect();
    folds.dedup_by_key(|f| (f.start_line, f.end_line));
    folds
}
