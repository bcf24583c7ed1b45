//! Folders and files that are written: whole or not at all.

use super::Failure;
use crate::diagnostic::Diagnostic;
use crate::toolchain::{Scratch, undisturbed};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Makes a folder, and those above it.
///
/// # Errors
///
/// E0001 where the system refuses.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|e| {
        Diagnostic::error("E0001", format!("{} cannot be made: {e}", path.display())).into()
    })
}

/// A temporary folder, gone with this value.
pub(super) fn temporary() -> Result<Scratch, Failure> {
    Scratch::new().map_err(|e| {
        Diagnostic::error("E0001", format!("no temporary folder can be made: {e}")).into()
    })
}

/// Files that appear in a folder together, or not at all.
pub struct Together {
    folder: PathBuf,
    work: Scratch,
}

impl Together {
    /// Files for a folder, which is made when they appear.
    ///
    /// # Errors
    ///
    /// E0001 where nothing can be written beside it.
    pub fn for_folder(folder: &Path) -> Result<Together, Failure> {
        let folder = std::path::absolute(folder).map_err(|e| refused(folder, e))?;
        let there = folder.ancestors().find(|path| path.exists());
        let place = there.unwrap_or(&folder);
        Ok(Together {
            work: Scratch::within(place).map_err(|e| refused(&folder, e))?,
            folder,
        })
    }

    /// Where the files are written until they appear.
    pub fn path(&self) -> &Path {
        self.work.path()
    }

    /// Puts the files where they belong. Files of their names that stand there are replaced.
    ///
    /// # Errors
    ///
    /// E0001: a folder stands where a file is to be, or the system refuses.
    pub fn appear(self) -> Result<(), Failure> {
        make_folder(&self.folder)?;
        let entries = self
            .path()
            .read_dir()
            .map_err(|e| refused(&self.folder, e))?;
        let mut moves: Vec<(PathBuf, PathBuf)> = entries
            .flatten()
            .map(|entry| (entry.path(), self.folder.join(entry.file_name())))
            .collect();
        moves.sort();
        // What can be known beforehand is known before the first is moved.
        if let Some((_, to)) = moves.iter().find(|(_, to)| to.is_dir()) {
            return Err(refused(to, std::io::ErrorKind::IsADirectory.into()));
        }
        undisturbed(|| {
            moves
                .iter()
                .try_for_each(|(from, to)| std::fs::rename(from, to).map_err(|e| refused(to, e)))
        })
    }
}

fn refused(path: &Path, e: std::io::Error) -> Failure {
    let message = format!("{} cannot be written: {e}", path.display());
    let diagnostic = Diagnostic::error("E0001", message);
    match e.kind() {
        std::io::ErrorKind::AlreadyExists => diagnostic.hint("--force replaces it").into(),
        _ => diagnostic.into(),
    }
}

/// Writes a file in a temporary folder beside it and renames it when it is whole. A file that
/// stands there is replaced only with `replace`, by one that the same people may read and write; not
/// if it is read-only.
///
/// # Errors
///
/// E0001 where the system refuses.
pub fn write_whole(path: &Path, text: &str, replace: bool) -> Result<(), Failure> {
    let refused = |e: std::io::Error| refused(path, e);
    if path.is_dir() {
        return Err(refused(std::io::ErrorKind::IsADirectory.into()));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let old = std::fs::metadata(path).ok().filter(|_| replace);
    let permissions = old.map(|old| old.permissions());
    if permissions
        .as_ref()
        .is_some_and(std::fs::Permissions::readonly)
    {
        return Err(refused(std::io::ErrorKind::PermissionDenied.into()));
    }
    let work = Scratch::within(folder).map_err(refused)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // Temporary files are private; this one is to become an ordinary file under the umask.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(work.path()).map_err(refused)?;
    if let Some(permissions) = permissions {
        file.as_file()
            .set_permissions(permissions)
            .map_err(refused)?;
    }
    file.write_all(text.as_bytes()).map_err(refused)?;
    let done = match replace {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    done.map(drop).map_err(|e| refused(e.error))
}

/// A path that means the same from every folder: programs run in their own.
pub(super) fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.display().to_string()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("private.saa");
        let mode = |path: &Path| {
            std::fs::metadata(path)
                .expect("a file")
                .permissions()
                .mode()
                & 0o777
        };
        let set = |mode: u32| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, permissions).expect("a file");
        };
        write_whole(&path, "one", false).expect("it is new");
        set(0o600);
        write_whole(&path, "two", true).expect("it is replaced");
        assert_eq!(mode(&path), 0o600);
        set(0o444);
        assert!(write_whole(&path, "three", true).is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "two");
    }
}
