//! Where the text of a scheme comes from: files, the library, standard input → a text of the session.

use super::{Failure, Session};
use crate::derive::library::SCHEMES;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::did_you_mean;
use crate::term::{MOST_BYTES, Span};
use std::io::{ErrorKind, Read};
use std::path::{Component, Path};

/// Where a text comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A file; where there is none of that name, the embedded scheme: `hermite`, `nbody/hermite`.
    Path(&'a str),
    /// A text with the name that it is shown by. What it uses is found in the library alone.
    Text {
        /// The name.
        name: &'a str,
        /// The text.
        text: &'a str,
    },
    /// A file as an editor has it, which may not be written yet. What it uses is found beside the file.
    Open {
        /// The path of the file.
        path: &'a str,
        /// Its text in the editor.
        text: &'a str,
    },
    /// Standard input, read to its end; as a text otherwise.
    Input,
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(path: &'a str) -> Source<'a> {
        Source::Path(path)
    }
}

impl Source<'_> {
    /// The name that messages have.
    pub(super) fn name(&self) -> &str {
        match self {
            Source::Path(name) | Source::Text { name, .. } | Source::Open { path: name, .. } => {
                name
            }
            Source::Input => "-",
        }
    }

    /// The text of the embedded scheme, where that is what is read.
    pub(super) fn embedded_text(&self) -> Option<&'static str> {
        let Source::Path(path) = self else {
            return None;
        };
        match std::fs::metadata(path) {
            Err(e) if e.kind() == ErrorKind::NotFound => Some(embedded(path)?.1),
            _ => None,
        }
    }

    /// Reads the text; its number among those of the session.
    ///
    /// # Errors
    ///
    /// What is not there or cannot be read (E0002), is not UTF-8 (E0003) or too large (E0007).
    pub fn read(&self, session: &mut Session) -> Result<u32, Failure> {
        let (name, text) = match *self {
            Source::Text { name, text } | Source::Open { path: name, text } => {
                (name, text.to_owned())
            }
            Source::Input => (
                "<stdin>",
                text_of("standard input", std::io::stdin().lock())?,
            ),
            Source::Path(path) => match std::fs::metadata(path) {
                Ok(meta) if meta.is_dir() => {
                    let message = format!("{path} is a folder, not a file");
                    return Err(Diagnostic::error("E0002", message)
                        .hint("name a file, such as schemes/nbody/hermite.saa")
                        .into());
                }
                Ok(_) => (path, text_of_file(Path::new(path))?),
                Err(e) if e.kind() == ErrorKind::NotFound => match embedded(path) {
                    Some((name, text)) => (name, text.to_owned()),
                    None => return Err(no_file(path).into()),
                },
                Err(e) => return Err(unreadable(Path::new(path), e).into()),
            },
        };
        Ok(session.sources.add(name, text))
    }

    /// Reads what the scheme uses: a file inside the folder of the scheme's own, or of the library.
    pub(super) fn read_used(
        &self,
        wanted: &str,
        span: Option<Span>,
        session: &mut Session,
    ) -> Result<u32, Failure> {
        let refused = |message: String| Diagnostic::error("E0005", message).at(span);
        let relative = Path::new(wanted);
        let plain = |c: Component| matches!(c, Component::Normal(_) | Component::CurDir);
        if !relative.components().all(plain) {
            let message = format!("USE \"{wanted}\" leaves the folder of the scheme");
            return Err(refused(message)
                .hint("a scheme may use files of its own folder and of the library")
                .into());
        }
        if let Source::Path(path) | Source::Open { path, .. } = self {
            let folder = Path::new(path).parent().unwrap_or(Path::new(""));
            let file = folder.join(relative);
            let real = match folder.as_os_str().is_empty() {
                true => Path::new(".").canonicalize(),
                false => folder.canonicalize(),
            };
            // A link could lead out of the folder; where it leads must be inside too.
            let inside = file.canonicalize().ok().zip(real.ok());
            if file.is_file() && inside.is_some_and(|(file, folder)| file.starts_with(folder)) {
                return Source::Path(&file.to_string_lossy()).read(session);
            }
        }
        match embedded(wanted) {
            Some((name, text)) => Ok(session.sources.add(name, text)),
            None => Err(refused(format!(
                "there is no file \"{wanted}\" beside the scheme or in the library"
            ))
            .into()),
        }
    }
}

/// What is told where there is neither a file nor an embedded scheme.
fn no_file(path: &str) -> Diagnostic {
    let names = SCHEMES
        .iter()
        .filter_map(|(p, _)| Path::new(p).file_stem()?.to_str());
    let hint = match did_you_mean(path, names.clone()) {
        Some(near) => format!("did you mean the embedded scheme `{near}`?"),
        None => {
            let names: Vec<&str> = names.collect();
            format!("embedded schemes are {}", names.join(", "))
        }
    };
    Diagnostic::error("E0002", format!("there is no file {path}")).hint(hint)
}

/// Whether a name is that of a file of schemes, or of an embedded scheme where there is no such file.
pub fn is_scheme(name: &str) -> bool {
    let path = Path::new(name);
    let end = path.extension().and_then(|e| e.to_str());
    matches!(end, Some("saa" | "saaf" | "saag")) || !path.exists() && embedded(name).is_some()
}

/// The embedded scheme with a name: `hermite`, `nbody/hermite` or its path in the library.
fn embedded(name: &str) -> Option<(&'static str, &'static str)> {
    let short = |path: &'static str| path.trim_end_matches(".saa").trim_start_matches("schemes/");
    let wanted = name.trim_end_matches(".saa").trim_start_matches("schemes/");
    SCHEMES
        .iter()
        .copied()
        .find(|(path, _)| short(path) == wanted || short(path).rsplit('/').next() == Some(wanted))
}

pub(super) fn unreadable(path: &Path, e: std::io::Error) -> Diagnostic {
    Diagnostic::error("E0002", format!("{} cannot be read: {e}", path.display()))
}

/// The text of a file, which may be a device or a pipe.
pub(super) fn text_of_file(path: &Path) -> Result<String, Failure> {
    let file = std::fs::File::open(path).map_err(|e| unreadable(path, e))?;
    text_of(&path.display().to_string(), file)
}

/// A text that is read to its end, unless that is too far.
fn text_of(name: &str, from: impl Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| unreadable(Path::new(name), e))?;
    if bytes.len() > MOST_BYTES {
        let message = format!("{name} has more than {MOST_BYTES} bytes");
        return Err(Diagnostic::error("E0007", message)
            .hint("take it apart into several files")
            .into());
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let message = format!("{name} is not UTF-8 text: byte {at} belongs to no character");
        Diagnostic::error("E0003", message)
            .hint("save it as UTF-8")
            .into()
    })
}
