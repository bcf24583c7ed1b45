//! Whether other users could change what is about to be obeyed or run.

use super::ToolError;
use std::path::Path;

/// An error where other users could put files into a folder, or another folder in its place.
///
/// # Errors
///
/// In words, and where the folder cannot be looked at.
pub(super) fn check_folder(folder: &Path) -> Result<(), String> {
    let real = folder
        .canonicalize()
        .map_err(|e| format!("{}: {e}", folder.display()))?;
    for (above, folder) in real.ancestors().enumerate() {
        let about = folder
            .metadata()
            .map_err(|e| format!("{}: {e}", folder.display()))?;
        // In a folder with the sticky bit, nobody renames or removes what belongs to others.
        if let Some(why) = changed_by_others(&about, above > 0) {
            return Err(format!("{} {why}", folder.display()));
        }
    }
    Ok(())
}

/// An error where a file of the system's is not the administrator's or this user's.
///
/// # Errors
///
/// As [`ToolError::Failed`].
pub(super) fn check_file(path: &Path) -> Result<(), ToolError> {
    let failed = |why: String| ToolError::Failed {
        tool: "cargo".into(),
        why: format!("it would obey {}, which {why}", path.display()),
    };
    let about = path.metadata().map_err(|e| failed(e.to_string()))?;
    match changed_by_others(&about, false) {
        Some(why) => Err(failed(why)),
        None => check_folder(path.parent().unwrap_or(path)).map_err(failed),
    }
}

/// An error where a file is somebody else's, or others could change it.
///
/// # Errors
///
/// In words that follow the file's name, and where the file cannot be looked at.
pub fn expect_own(file: &Path) -> Result<(), String> {
    let about = file
        .metadata()
        .map_err(|e| format!("cannot be looked at: {e}"))?;
    changed_by_others(&about, false).map_or(Ok(()), Err)
}

/// Who else could change a file or folder. With `sticky`, its sticky bit protects what is in it.
#[cfg(unix)]
fn changed_by_others(about: &std::fs::Metadata, sticky: bool) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let (owner, group, mode) = (about.uid(), about.gid(), about.mode());
    let us = rustix::process::geteuid().as_raw();
    if owner != 0 && owner != us {
        return Some("belongs to another user".into());
    }
    if sticky && mode & 0o1000 != 0 {
        return None;
    }
    // Where every user has a group of the same number, that group has no other members.
    let by_group = mode & 0o020 != 0 && group != owner && group != us && group != 0;
    (mode & 0o002 != 0 || by_group).then(|| "can be written by other users".into())
}

/// Elsewhere folders of users are their own.
#[cfg(not(unix))]
fn changed_by_others(_: &std::fs::Metadata, _: bool) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_that_all_write_is_refused_and_so_is_what_lies_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        let set = |mode| {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(folder.path(), mode).unwrap();
        };
        set(0o700);
        check_folder(&inner).unwrap();
        set(0o777);
        let why = check_folder(&inner).unwrap_err();
        assert!(why.ends_with("can be written by other users"), "{why}");
        // The sticky bit protects what is ours in it, but not the folder itself.
        set(0o1777);
        check_folder(&inner).unwrap();
        assert!(check_folder(folder.path()).is_err());
    }
}
