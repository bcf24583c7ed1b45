//! Diagnostics as the editor shows them.

use super::text::Text;
use crate::diagnostic::{Diagnostic, Severity};
use crate::term::{Sources, Span, visible};
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Uri,
};
use std::ops::Range;
use std::str::FromStr;

/// What is not read by anything is shown pale.
const UNUSED: [&str; 3] = ["N0241", "N0350", "N0358"];

/// A diagnostic of a document.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) diagnostic: lsp_types::Diagnostic,
    pub(super) place: Range<usize>,
    pub(super) code: &'static str,
    /// What can be written where.
    pub(super) fix: Option<(Range<usize>, String)>,
}

/// The document that diagnostics are shown in.
pub(super) struct Page<'a> {
    pub(super) uri: &'a Uri,
    pub(super) path: &'a str,
    pub(super) text: &'a Text,
    /// Whether the editor shows what belongs to a diagnostic; else it stands in its text.
    pub(super) related: bool,
}

impl Page<'_> {
    fn own(&self, span: Span, sources: &Sources) -> Option<Range<usize>> {
        let source = sources.get(span.file)?;
        let is_own = source.name == self.path && source.text == self.text.as_str();
        let to = self.text.as_str().len();
        is_own.then(|| (span.from as usize).min(to)..(span.to as usize).min(to))
    }

    /// A place in this document or in another file.
    fn location(&self, span: Span, sources: &Sources) -> Option<Location> {
        if let Some(own) = self.own(span, sources) {
            let range = self.text.range(own.start, own.end);
            return Some(Location::new(self.uri.clone(), range));
        }
        let source = sources.get(span.file)?;
        let uri = uri_of(&source.name)?;
        let text = Text::new(source.text.clone());
        let range = text.range(span.from as usize, span.to as usize);
        Some(Location::new(uri, range))
    }

    /// A diagnostic in this document.
    pub(super) fn show(&self, told: &Diagnostic, sources: &Sources) -> Shown {
        let own = told.span.and_then(|span| self.own(span, sources));
        let mut message = visible(&told.message).into_owned();
        let mut related = Vec::new();
        if let (None, Some(span)) = (&own, told.span)
            && let Some(source) = sources.get(span.file)
        {
            message = format!("in {}: {message}", source.name);
            let label = told.label.clone();
            related.extend(self.location(span, sources).map(|location| {
                DiagnosticRelatedInformation {
                    location,
                    message: label,
                }
            }));
        }
        for other in &told.others {
            related.extend(self.location(other.span, sources).map(|location| {
                DiagnosticRelatedInformation {
                    location,
                    message: visible(&other.text).into_owned(),
                }
            }));
        }
        let place = own.unwrap_or(0..0);
        let range = self.text.range(place.start, place.end);
        if let Some(hint) = &told.hint {
            match self.related {
                true => related.push(DiagnosticRelatedInformation {
                    location: Location::new(self.uri.clone(), range),
                    message: visible(hint).into_owned(),
                }),
                false => message.push_str(&format!("\nhelp: {}", visible(hint))),
            }
        }
        let tags = UNUSED
            .contains(&told.code)
            .then(|| vec![DiagnosticTag::UNNECESSARY]);
        let fix = told.fix.as_ref();
        Shown {
            diagnostic: lsp_types::Diagnostic {
                range,
                severity: Some(match told.severity {
                    Severity::Error => DiagnosticSeverity::ERROR,
                    Severity::Note => DiagnosticSeverity::INFORMATION,
                }),
                code: Some(NumberOrString::String(told.code.to_owned())),
                source: Some("glushkov".to_owned()),
                message,
                related_information: (self.related && !related.is_empty()).then_some(related),
                tags,
                ..Default::default()
            },
            place,
            code: told.code,
            fix: fix.and_then(|fix| Some((self.own(fix.span, sources)?, fix.text.clone()))),
        }
    }
}

/// The URI of a file; none of what is no file.
pub(super) fn uri_of(path: &str) -> Option<Uri> {
    let path = std::path::Path::new(path).canonicalize().ok()?;
    let mut uri = String::from("file://");
    for part in path.to_str()?.chars() {
        match part {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '/' | '-' | '_' | '.' | '~' => uri.push(part),
            _ => {
                let mut bytes = [0; 4];
                for byte in part.encode_utf8(&mut bytes).bytes() {
                    uri.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    Uri::from_str(&uri).ok()
}
