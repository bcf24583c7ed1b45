//! Why the pipeline stopped: diagnostics, and whether that is an answer.

use crate::data::DataError;
use crate::diagnostic::Diagnostic;
use crate::toolchain::ToolError;
use std::fmt;

/// What a failure says of the question that was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The question was well-formed, and the answer is no: a strategy that cannot take a step, an
    /// error that the reference machine or a program finds.
    No,
    /// There is no answer: wrong use, input with errors of syntax or of meaning, a missing compiler or device.
    Wrong,
}

/// Why work ended early. `Display` gives the messages of its errors, a line each.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is to be told, in order; the spans refer to the texts of the session.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether that is an answer.
    pub class: Class,
}

impl Failure {
    /// The answer no.
    pub fn no(diagnostics: Vec<Diagnostic>) -> Failure {
        let class = Class::No;
        Failure { diagnostics, class }
    }

    /// The exit code of a process that ends with it: 1 for an answer, else 2.
    pub fn exit_code(&self) -> u8 {
        match self.class {
            Class::No => 1,
            Class::Wrong => 2,
        }
    }

    /// Why it stopped, in a line.
    pub fn said(&self) -> String {
        let error = self.diagnostics.iter().find(|d| d.is_error());
        let message = error.map_or("it stopped", |d| d.message.as_str());
        message.lines().next().unwrap_or_default().to_owned()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.diagnostics.iter().filter(|d| d.is_error());
        let messages: Vec<&str> = errors.map(|d| d.message.as_str()).collect();
        f.write_str(&messages.join("\n"))
    }
}

impl std::error::Error for Failure {}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        vec![diagnostic].into()
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        let class = Class::Wrong;
        Failure { diagnostics, class }
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Failure {
        Diagnostic::from(error).into()
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Failure {
        let class = match error.exit_code() {
            1 => Class::No,
            _ => Class::Wrong,
        };
        Failure {
            diagnostics: vec![error.into()],
            class,
        }
    }
}
