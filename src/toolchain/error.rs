//! What can go wrong with tools, as data.

use crate::diagnostic::Diagnostic;
use std::fmt;
use std::path::PathBuf;

/// An error of finding, building or running.
///
/// `Display` gives what happened, a compiler's own words included; [`ToolError::hint`] says what to
/// do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolError {
    /// A tool that is not there.
    Missing {
        /// The tool.
        tool: &'static str,
        /// Where it was looked for, or why what was found does not serve.
        why: String,
        /// How to get it.
        hint: String,
    },
    /// A tool that did not start, or did not end in time.
    Failed {
        /// The tool.
        tool: String,
        /// What happened.
        why: String,
    },
    /// A compiler that refused a project.
    Compile {
        /// The command, as one could type it.
        command: String,
        /// The first lines it wrote.
        excerpt: String,
        /// Everything it wrote.
        log: Option<PathBuf>,
    },
    /// A project whose files cannot be laid out.
    Project {
        /// What is wrong with it.
        why: String,
    },
    /// The system refused to read or write a file.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// A program that ended with an error of its own.
    Program {
        /// Its exit code; none where a signal ended it.
        code: Option<i32>,
        /// What it wrote on standard error, or what ended it.
        message: String,
    },
    /// A program that did not print one line of JSON.
    Output {
        /// What it printed instead.
        found: String,
    },
}

impl ToolError {
    /// A refusal of the system.
    pub(super) fn io(path: impl Into<PathBuf>, why: impl fmt::Display) -> ToolError {
        ToolError::Io {
            path: path.into(),
            why: why.to_string(),
        }
    }

    /// What `glushkov` exits with: 1 where a program it built answered so, else 2.
    pub fn exit_code(&self) -> i32 {
        match self {
            ToolError::Program { code: Some(1), .. } => 1,
            _ => 2,
        }
    }

    /// What to do about it, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            ToolError::Missing { hint, .. } => Some(hint.clone()),
            ToolError::Compile { log: Some(log), .. } => {
                Some(format!("everything it wrote is in {}", log.display()))
            }
            _ => None,
        }
    }

    /// The code under which `glushkov explain` knows it.
    pub fn code(&self) -> &'static str {
        match self {
            ToolError::Missing { .. } => "E1001",
            ToolError::Failed { .. } => "E1002",
            ToolError::Compile { .. } => "E1003",
            ToolError::Project { .. } | ToolError::Io { .. } => "E1004",
            ToolError::Program { .. } => "E1005",
            ToolError::Output { .. } => "E1006",
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Missing { tool, why, .. } => write!(f, "{tool} was not found: {why}"),
            ToolError::Failed { tool, why } => write!(f, "{tool}: {why}"),
            ToolError::Compile {
                command, excerpt, ..
            } => write!(f, "the project does not build with `{command}`:\n{excerpt}"),
            ToolError::Project { why } => write!(f, "the project cannot be laid out: {why}"),
            ToolError::Io { path, why } => write!(f, "{}: {why}", path.display()),
            ToolError::Program { code, message } => match code {
                Some(code) => write!(f, "the program ended with code {code}: {message}"),
                None => write!(f, "the program ended: {message}"),
            },
            ToolError::Output { found } => write!(
                f,
                "the program should print one line of JSON, but printed {found}"
            ),
        }
    }
}

impl std::error::Error for ToolError {}

impl From<ToolError> for Diagnostic {
    fn from(error: ToolError) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(error.code(), error.to_string());
        diagnostic.hint = error.hint();
        diagnostic
    }
}
