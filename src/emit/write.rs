//! A project → its folder.

use crate::toolchain::Project;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// Why a project was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The folder holds something, and was not to be replaced.
    NotEmpty(PathBuf),
    /// What stands there is no folder.
    NotAFolder(PathBuf),
    /// The project's files have names that lead out of its folder.
    BadPath(String),
    /// The file system refuses.
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::NotEmpty(path) => {
                write!(f, "{} is not empty; --force replaces it", path.display())
            }
            WriteError::NotAFolder(path) => write!(f, "{} is no folder", path.display()),
            WriteError::BadPath(path) => write!(f, "the path `{path}` leaves the project's folder"),
            WriteError::Io { path, source } => {
                write!(f, "cannot write {}: {source}", path.display())
            }
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes a project: the folder appears whole or not at all.
///
/// The files go to a temporary folder beside it, which is renamed when it is complete. A folder
/// that holds something is replaced only with `force`; it is put back if that fails.
pub fn write_project(project: &Project, dir: &Path, force: bool) -> Result<(), WriteError> {
    let plain = |path: &str| {
        let mut parts = Path::new(path).components();
        !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    };
    if let Some((path, _)) = project.files.iter().find(|(path, _)| !plain(path)) {
        return Err(WriteError::BadPath(path.clone()));
    }
    let occupied = occupied(dir)?;
    if occupied && !force {
        return Err(WriteError::NotEmpty(dir.to_path_buf()));
    }
    // `emit -o .` names a folder that cannot be renamed under its name: find the real one.
    let dir = &dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
    let parent = match dir.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(parent).map_err(|e| io(parent, e))?;
    let work = tempfile::Builder::new()
        .prefix(".glushkov-")
        .tempdir_in(parent)
        .map_err(|e| io(parent, e))?;
    let new = work.path().join("new");
    std::fs::create_dir(&new).map_err(|e| io(&new, e))?;
    for (path, text) in &project.files {
        let file = new.join(path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|e| io(folder, e))?;
        }
        std::fs::write(&file, text).map_err(|e| io(&file, e))?;
    }
    let old = work.path().join("old");
    let exists = dir.symlink_metadata().is_ok();
    if exists {
        std::fs::rename(dir, &old).map_err(|e| io(dir, e))?;
    }
    std::fs::rename(&new, dir).map_err(|e| {
        if exists {
            // What was there goes back; if that fails too, the first error is the one to tell.
            let _ = std::fs::rename(&old, dir);
        }
        io(dir, e)
    })
}

/// Whether a folder holds something.
fn occupied(dir: &Path) -> Result<bool, WriteError> {
    match dir.metadata() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(io(dir, e)),
        Ok(about) if !about.is_dir() => Err(WriteError::NotAFolder(dir.to_path_buf())),
        Ok(_) => {
            let mut entries = dir.read_dir().map_err(|e| io(dir, e))?;
            Ok(entries.next().is_some())
        }
    }
}

fn io(path: &Path, source: std::io::Error) -> WriteError {
    WriteError::Io {
        path: path.to_path_buf(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::Kind;

    fn project(text: &str) -> Project {
        Project {
            name: "p".into(),
            kind: Kind::Rust,
            files: vec![("src/lib.rs".into(), text.into())],
        }
    }

    #[test]
    fn a_folder_appears_whole() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("a/b");
        write_project(&project("one"), &dir, false).unwrap();
        let text = || std::fs::read_to_string(dir.join("src/lib.rs")).unwrap();
        assert_eq!(text(), "one");
        let again = write_project(&project("two"), &dir, false);
        assert!(matches!(again, Err(WriteError::NotEmpty(_))));
        assert_eq!(text(), "one");
        std::fs::write(dir.join("more"), "").unwrap();
        write_project(&project("two"), &dir, true).unwrap();
        assert_eq!(text(), "two");
        assert!(!dir.join("more").exists());
        // Nothing else is left beside it.
        assert_eq!(place.path().join("a").read_dir().unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = write_project(&project(""), &file, true);
        assert!(matches!(error, Err(WriteError::NotAFolder(_))));
        assert!(write_project(&project(""), &file.join("x"), true).is_err());
        let mut bad = project("");
        bad.files[0].0 = "../x".into();
        let error = write_project(&bad, &place.path().join("new"), true);
        assert!(matches!(error, Err(WriteError::BadPath(_))));
        assert!(!place.path().join("new").exists());
    }
}
