//! Folders and files that commands write: whole or not at all.

use super::output::{Done, Stop};
use crate::diagnostic::Diagnostic;
use std::io::Write;
use std::path::Path;

/// Makes a folder, and those above it.
pub fn make_folder(path: &Path) -> Done {
    std::fs::create_dir_all(path).map_err(|e| {
        Diagnostic::error("E0001", format!("{} cannot be made: {e}", path.display())).into()
    })
}

/// Writes a file under another name beside it and renames it when it is whole. A file that stands
/// there is replaced only with `replace`.
pub fn write_whole(path: &Path, text: &str, replace: bool) -> Done {
    let refused = |e: std::io::Error| -> Stop {
        let message = format!("{} cannot be written: {e}", path.display());
        let diagnostic = Diagnostic::error("E0001", message);
        match e.kind() {
            std::io::ErrorKind::AlreadyExists => diagnostic.hint("--force replaces it").into(),
            _ => diagnostic.into(),
        }
    };
    if path.is_dir() {
        return Err(refused(std::io::Error::from(
            std::io::ErrorKind::IsADirectory,
        )));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".glushkov-");
    #[cfg(unix)]
    {
        // Temporary files are private; this one is to become an ordinary file under the umask.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(refused)?;
    file.write_all(text.as_bytes()).map_err(refused)?;
    let done = match replace {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    done.map(drop).map_err(|e| refused(e.error))
}
