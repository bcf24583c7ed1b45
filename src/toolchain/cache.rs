//! The cache of builds: a folder addressed by content.
//!
//! `glushkov/builds/KEY` under the user's cache folder holds a finished project and its executable.
//! A build works in a temporary folder beside and is renamed when it is complete, so that what
//! stands under a key is always whole, and two builds of one key do each other no harm.

use super::ToolError;
use super::find::environment;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

const UNFINISHED: &str = ".unfinished-";

/// The folder of builds, made if need be, or why there is none that can be written.
pub fn folder() -> Result<PathBuf, String> {
    let folder = of_user("XDG_CACHE_HOME", ".cache")?.join("builds");
    usable(&folder)?;
    Ok(folder)
}

/// The folder of the journals of tunings that are not finished, made if need be.
pub fn journals() -> Result<PathBuf, String> {
    let folder = of_user("XDG_CACHE_HOME", ".cache")?.join("tuning");
    usable(&folder)?;
    Ok(folder)
}

/// The folder of what tuning found, whether it is there or not.
pub fn tuned() -> Result<PathBuf, String> {
    Ok(of_user("XDG_CONFIG_HOME", ".config")?.join("tuned"))
}

/// A folder of the user's, as the XDG base directory specification has it.
fn of_user(variable: &str, otherwise: &str) -> Result<PathBuf, String> {
    let base = environment(variable)
        .map(PathBuf::from)
        // The specification has relative paths ignored.
        .filter(|path| path.is_absolute())
        .or_else(|| Some(PathBuf::from(environment("HOME")?).join(otherwise)))
        .ok_or_else(|| format!("neither {variable} nor HOME is set"))?;
    Ok(base.join("glushkov"))
}

/// Makes a folder and tries whether it can be written.
pub fn usable(folder: &Path) -> Result<(), String> {
    let refused = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(refused)?;
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)
        .map(drop)
        .map_err(refused)
}

/// A key over parts: 128 bits of SHA-256, each part with its length before it.
pub fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let bytes = hash.finalize();
    bytes[..16].iter().map(|b| format!("{b:02x}")).collect()
}

/// A folder to build in, beside where the build will stand.
pub fn unfinished(builds: &Path) -> Result<TempDir, ToolError> {
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempdir_in(builds)
        .map_err(|e| ToolError::io(builds, e))
}

/// Puts a finished build under its place. Where another build of the same content came first, that
/// one stays and this one is dropped; `complete` says whether what stands there is whole.
pub fn finish(work: TempDir, place: &Path, complete: impl Fn() -> bool) -> Result<(), ToolError> {
    match std::fs::rename(work.path(), place) {
        Ok(()) => {
            // It is no longer temporary, nor where the guard thinks it is.
            let _ = work.keep();
            Ok(())
        }
        Err(_) if complete() => Ok(()),
        Err(e) => Err(ToolError::io(place, e)),
    }
}

/// Removes what interrupted builds left more than a day ago. What cannot be removed stays.
pub fn sweep(builds: &Path) {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    for entry in builds.read_dir().into_iter().flatten().flatten() {
        let unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        let old = || {
            let age = entry.metadata().ok()?.modified().ok()?.elapsed().ok()?;
            Some(age > DAY)
        };
        if unfinished && old() == Some(true) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_parts_apart() {
        assert_eq!(key(["ab", "c"]), key(["ab", "c"]));
        assert_ne!(key(["ab", "c"]), key(["a", "bc"]));
        assert_ne!(key(["ab"]), key(["ab", ""]));
        assert_eq!(key([]), "e3b0c44298fc1c149afbf4c8996fb924");
    }

    #[test]
    fn the_first_of_two_builds_stays() {
        let builds = tempfile::tempdir().unwrap();
        let place = builds.path().join("key");
        for name in ["first", "second"] {
            let work = unfinished(builds.path()).unwrap();
            std::fs::write(work.path().join("who"), name).unwrap();
            finish(work, &place, || place.join("who").exists()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(place.join("who")).unwrap(), "first");
        assert_eq!(builds.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_no_cache_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        std::fs::write(&file, "").unwrap();
        assert!(usable(&file.join("builds")).is_err());
    }
}
