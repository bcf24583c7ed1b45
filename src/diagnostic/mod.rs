//! Diagnostics as data, and the one file that renders them.

mod codes;
mod near;
mod render;

pub use codes::{CODES, Code};
pub use near::{did_you_mean, names_like};
pub use render::{as_json, render};

use crate::term::Span;
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something that must be mended.
    Error,
    /// Something that is allowed but deserves a look.
    Note,
}

/// A place with a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// What can be written in place of a part of a text to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// What is written instead.
    pub text: String,
}

/// What is wrong, where, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code, such as `E0201`; `glushkov explain` knows its page.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence on what is wrong and why.
    pub message: String,
    /// Where, if it is in a text.
    pub span: Option<Span>,
    /// What stands at `span`, in a few words; may be empty.
    pub label: String,
    /// Other places that matter.
    pub others: Vec<Label>,
    /// What to do about it.
    pub hint: Option<String>,
    /// What an editor can write to do it, where that is known to the letter.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: String::new(),
            others: Vec::new(),
            hint: None,
            fix: None,
        }
    }

    /// A note.
    pub fn note(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::error(code, message)
        }
    }

    /// With its place.
    pub fn at(mut self, span: impl Into<Option<Span>>) -> Diagnostic {
        self.span = span.into();
        self
    }

    /// With a few words on what stands at its place.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// With another place that matters.
    pub fn also(mut self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Diagnostic {
        if let Some(span) = span.into() {
            self.others.push(Label {
                span,
                text: text.into(),
            });
        }
        self
    }

    /// With what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// With what is written instead of what stands at a place.
    pub fn fixed(mut self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Diagnostic {
        self.fix = span.into().map(|span| Fix {
            span,
            text: text.into(),
        });
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
