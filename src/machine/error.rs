//! What the machine finds wrong.

use crate::term::Span;
use serde::Serialize;

/// The kind of an error of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Two accesses to one cell, one of them a write, that nothing orders.
    Race,
    /// A barrier that some threads of a block do not meet.
    Divergence,
    /// A subscript out of range.
    Bounds,
    /// A cell was read that nobody wrote, or copied out.
    Uninitialized,
    /// Memory of the device was used that is not there.
    NotOnDevice,
    /// An integer out of range.
    Overflow,
    /// An integer divided by zero.
    Division,
    /// Every branch waits.
    Deadlock,
    /// A FILTER was false, or UNDEFINED was met: there is no result.
    NoResult,
    /// The bound on steps was reached.
    Steps,
    /// The bound on memory was reached.
    Memory,
    /// Sizes or values that cannot be used.
    Data,
}

impl Kind {
    /// The diagnostic's code.
    pub fn code(self) -> &'static str {
        match self {
            Kind::Race => "E0401",
            Kind::Divergence => "E0402",
            Kind::Bounds => "E0403",
            Kind::Uninitialized => "E0404",
            Kind::NotOnDevice => "E0405",
            Kind::Overflow => "E0406",
            Kind::Division => "E0407",
            Kind::Deadlock => "E0408",
            Kind::NoResult => "E0409",
            Kind::Steps => "E0410",
            Kind::Memory | Kind::Data => "E0411",
        }
    }
}

/// An access that takes part in an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The cell, such as `r[3].x`.
    pub cell: String,
    /// Who: `the host`, `block 0, thread 3`, `iteration 5`.
    pub thread: String,
    /// Where in the scheme.
    pub span: Option<Span>,
}

/// An error of a scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineError {
    /// Its kind.
    pub kind: Kind,
    /// What happened, in one sentence.
    pub message: String,
    /// The accesses or places that matter, first the one that was noticed.
    pub accesses: Vec<Access>,
    /// The synchronizer that would order the accesses.
    pub missing: Option<String>,
}

impl MachineError {
    /// As a diagnostic.
    pub fn diagnostic(&self) -> crate::diagnostic::Diagnostic {
        let mut diagnostic =
            crate::diagnostic::Diagnostic::error(self.kind.code(), self.message.clone());
        if let Some(first) = self.accesses.first() {
            diagnostic = diagnostic
                .at(first.span)
                .label(format!("{} by {}", first.cell, first.thread));
        }
        for other in self.accesses.iter().skip(1) {
            diagnostic = diagnostic.also(other.span, format!("{} by {}", other.cell, other.thread));
        }
        if let Some(missing) = &self.missing {
            diagnostic = diagnostic.hint(missing.clone());
        }
        diagnostic
    }
}
