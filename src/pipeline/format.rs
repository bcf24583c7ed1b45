//! `Source` → its text in one layout.

use super::files::write_whole;
use super::rule_files::files_below;
use super::source::unreadable;
use super::{Failure, Session, Source};
use crate::diagnostic::Diagnostic;
use crate::syntax::format::{Kind, format};
use similar::TextDiff;
use std::path::{Path, PathBuf};

/// Lines around those that change in a comparison.
const AROUND: usize = 2;

/// A text and its layout.
#[derive(Clone, Debug)]
pub struct Laid {
    /// The name that the text is shown by.
    pub name: String,
    /// As it was.
    pub before: String,
    /// As it is laid out.
    pub after: String,
}

impl Laid {
    /// Whether the layout changes something.
    pub fn differs(&self) -> bool {
        self.before != self.after
    }

    /// What changes, as lines with `-` and `+` before them and a few lines around them.
    pub fn difference(&self) -> String {
        let diff = TextDiff::from_lines(&self.before, &self.after);
        let mut shown = diff.unified_diff();
        shown.context_radius(AROUND).to_string()
    }

    /// Writes the text in its layout to where it came from, whole or not at all. A link stays one.
    ///
    /// # Errors
    ///
    /// E0001 where the system refuses.
    pub fn write(&self) -> Result<(), Failure> {
        let path = Path::new(&self.name);
        let real = path.canonicalize().map_err(|e| unreadable(path, e))?;
        write_whole(&real, &self.after, true)
    }
}

/// Lays out a text. What it holds follows from `name`, the name of its file.
///
/// # Errors
///
/// A text that is not there, is neither of schemes nor of operators nor of rules, or cannot be read.
pub fn lay_out(source: Source<'_>, name: &str, session: &mut Session) -> Result<Laid, Failure> {
    let Some(kind) = Kind::of_name(name) else {
        let message = format!("{name} is not laid out");
        let hint = "files that end in .saa, .saag, .ops and .rules are";
        return Err(Diagnostic::error("E0010", message).hint(hint).into());
    };
    let file = source.read(session)?;
    let after = format(&session.sources, file, kind)?;
    let before = session.sources.get(file).map_or("", |s| &s.text);
    Ok(Laid {
        name: name.to_owned(),
        before: before.to_owned(),
        after,
    })
}

/// The files with schemes, operators or rules in a folder and in those in it; the path itself, if it is no folder.
///
/// # Errors
///
/// A folder that cannot be read, and more files than are looked at.
pub fn texts_below(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    below(path, &["saa", "saag", "ops", "rules"])
}

/// The files with schemes in words in a folder and in those in it; the path itself, if it is no folder.
///
/// # Errors
///
/// A folder that cannot be read, and more files than are looked at.
pub fn schemes_below(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    below(path, &["saa"])
}

fn below(path: &Path, ends: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    // The library is not looked in.
    std::fs::metadata(path).map_err(|e| unreadable(path, e))?;
    files_below(path, ends)
}
