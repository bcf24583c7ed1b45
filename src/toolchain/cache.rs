//! The cache of builds: a folder addressed by content.
//!
//! `glushkov/builds/KEY` under the user's cache folder holds a finished project, its program, and
//! the program's digest. A build works in a temporary folder beside and is renamed when it is
//! complete. What does not agree with its digest is built again. `KEY.lock` is held, shared, by
//! whoever uses a build, and by itself by whoever removes it; its time is when the build was used
//! last.

use super::ToolError;
use super::cache_size::room;
use super::cleanup::{await_build, build_settled};
use super::find::{environment, executable};
use super::scratch::{Scratch, sweep};
use super::trust::check_folder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The file of a build that holds its program's digest.
const RECORD: &str = "digest";

/// The folder of the journals of tunings that are not finished, made if need be.
///
/// # Errors
///
/// In words, where there is none that can be written.
pub fn journals() -> Result<PathBuf, String> {
    let folder = of_user("XDG_CACHE_HOME", ".cache")?.join("tuning");
    usable(&folder)?;
    Ok(folder)
}

/// The folder of records of rules that were tested, made if need be.
///
/// # Errors
///
/// In words, where there is none that can be written.
pub fn tested_folder() -> Result<PathBuf, String> {
    let folder = of_user("XDG_CACHE_HOME", ".cache")?.join("tested");
    usable(&folder)?;
    Ok(folder)
}

/// The folder of what tuning found, whether it is there or not.
///
/// # Errors
///
/// In words, where the environment names none.
pub fn tuned() -> Result<PathBuf, String> {
    Ok(of_user("XDG_CONFIG_HOME", ".config")?.join("tuned"))
}

/// The file of the user's settings, whether it is there or not.
///
/// # Errors
///
/// In words, where the environment names none.
pub fn configuration() -> Result<PathBuf, String> {
    Ok(of_user("XDG_CONFIG_HOME", ".config")?.join("config.toml"))
}

/// The folder of builds, whether it is there or not.
pub(super) fn builds() -> Result<PathBuf, String> {
    Ok(of_user("XDG_CACHE_HOME", ".cache")?.join("builds"))
}

/// The folder of builds, made if need be, or why there is none.
pub(super) fn folder() -> Result<PathBuf, String> {
    let folder = builds()?;
    usable(&folder)?;
    Ok(folder)
}

/// A folder of the user's, as the XDG base directory specification has it.
fn of_user(variable: &str, otherwise: &str) -> Result<PathBuf, String> {
    let absolute = |path: &PathBuf| path.is_absolute();
    let base = environment(variable)
        .map(PathBuf::from)
        // The specification has relative paths ignored.
        .filter(absolute)
        .or_else(|| Some(PathBuf::from(environment("HOME")?).join(otherwise)).filter(absolute))
        .ok_or_else(|| format!("neither {variable} nor HOME names a folder"))?;
    Ok(base.join("glushkov"))
}

/// Makes a folder, and tries whether this user can write it, and nobody else.
fn usable(folder: &Path) -> Result<(), String> {
    let refused = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(refused)?;
    check_folder(folder)?;
    Scratch::within(folder).map(drop).map_err(refused)
}

/// A key over parts: 128 bits of SHA-256, each part with its length before it.
pub fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize()[..16])
}

/// The SHA-256 of bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A folder of builds that can be used.
pub(super) struct Cache {
    pub(super) folder: PathBuf,
    /// The bytes that builds may take.
    pub(super) room: u64,
}

/// What stands in the cache under a key.
pub(super) enum Place {
    /// A whole build, in this folder; it stays there as long as this process.
    Whole(PathBuf),
    /// Nothing.
    Free(Free),
    /// Something that is not whole and cannot be removed now.
    Taken,
}

/// A place for a build.
pub(super) struct Free {
    folder: PathBuf,
    program: PathBuf,
    lock: Option<File>,
}

impl Cache {
    /// The cache of this user, or why there is none; an error where the variable of its size says
    /// nothing that is a size.
    pub(super) fn of_user() -> Result<Result<Cache, String>, ToolError> {
        let room = room()?;
        Ok(folder().map(|folder| Cache { folder, room }))
    }

    /// The cache in a folder.
    pub(super) fn at(folder: &Path) -> Result<Result<Cache, String>, ToolError> {
        let room = room()?;
        Ok(usable(folder).map(|()| Cache {
            folder: folder.to_path_buf(),
            room,
        }))
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A folder to build in.
    pub(super) fn scratch(&self) -> Result<Scratch, ToolError> {
        Scratch::within(&self.folder).map_err(|e| ToolError::io(&self.folder, e))
    }

    /// What stands under a key, whose program is at a place within it. What is damaged is removed.
    pub(super) fn place(&self, key: &str, program: &Path) -> Place {
        sweep(&self.folder);
        let folder = self.folder.join(key);
        let lock = lock(&folder, Hold::Shared);
        if is_whole(&folder, program) {
            use_now(lock);
            return Place::Whole(folder);
        }
        if folder.symlink_metadata().is_ok() {
            drop(lock);
            let alone = lock_alone(&folder);
            // Somebody else may have put a whole one there meanwhile.
            if !is_whole(&folder, program) && (alone.is_none() || !remove(&folder)) {
                return Place::Taken;
            }
        }
        let lock = self::lock(&folder, Hold::Shared);
        match is_whole(&folder, program) {
            true => {
                use_now(lock);
                Place::Whole(folder)
            }
            false => {
                if let Some(lock) = &lock {
                    await_build(&folder, lock);
                }
                Place::Free(Free {
                    folder,
                    program: program.to_path_buf(),
                    lock,
                })
            }
        }
    }
}

impl Free {
    /// The file for what a compiler says that refuses the project.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.with_extension("log")
    }

    /// Puts what was made in a temporary folder here, with the digest of its program. Where another
    /// build of the same came first, that one stays. It stays as long as this process.
    pub(super) fn put(mut self, work: &Scratch) -> Result<PathBuf, ToolError> {
        let made = work.path().join(&self.program);
        let bytes = std::fs::read(&made).map_err(|e| ToolError::io(&made, e))?;
        let record = work.path().join(RECORD);
        let text = digest(&bytes) + "\n";
        std::fs::write(&record, text).map_err(|e| ToolError::io(&record, e))?;
        let renamed = std::fs::rename(work.path(), &self.folder);
        if !is_whole(&self.folder, &self.program) {
            let why = renamed.err().map(|e| e.to_string());
            let why = why.unwrap_or_else(|| "what was put there is not what was made".into());
            return Err(ToolError::io(&self.folder, why));
        }
        // What a compiler said of an earlier try is of no use any more.
        let _ = std::fs::remove_file(self.log());
        use_now(self.lock.take());
        Ok(self.folder.clone())
    }
}

impl Drop for Free {
    fn drop(&mut self) {
        build_settled(&self.folder);
        if let Some(lock) = &self.lock {
            remove_unused_lock(&self.folder, lock);
        }
    }
}

/// Removes the lock of a build that did not come to be, unless somebody else holds it, too. `lock` is
/// the file that we hold it by.
pub(super) fn remove_unused_lock(folder: &Path, lock: &File) {
    let path = folder.with_extension("lock");
    if folder.symlink_metadata().is_err() && lock.try_lock().is_ok() && is_at(lock, &path) {
        let _ = std::fs::remove_file(path);
    }
}

/// Whether a build's program or library is there, can be run, and is what was built.
fn is_whole(folder: &Path, program: &Path) -> bool {
    let path = folder.join(program);
    let own = |path: &Path| path.symlink_metadata().is_ok_and(|m| !m.is_symlink());
    // A shared library need not be a program.
    let library = path.extension() == Some(std::env::consts::DLL_EXTENSION.as_ref());
    let usable = library || executable(path.clone()).is_some();
    let plain = own(folder) && own(&path) && usable;
    let whole = || {
        let record = std::fs::read_to_string(folder.join(RECORD)).ok()?;
        let bytes = std::fs::read(&path).ok()?;
        Some(record.trim() == digest(&bytes))
    };
    plain && whole() == Some(true)
}

/// Removes a folder, or whatever else stands there; whether nothing stands there any more.
pub(super) fn remove(path: &Path) -> bool {
    let _ = match path.symlink_metadata() {
        Ok(about) if about.is_dir() => std::fs::remove_dir_all(path),
        _ => std::fs::remove_file(path),
    };
    path.symlink_metadata().is_err()
}

/// Marks what a lock belongs to as used now, and holds it as long as this process.
fn use_now(lock: Option<File>) {
    if let Some(lock) = lock {
        let _ = lock.set_modified(SystemTime::now());
        std::mem::forget(lock);
    }
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    Shared,
    Alone,
}

/// The lock of a build, to be removed by nobody else; none where somebody uses it.
pub(super) fn lock_alone(folder: &Path) -> Option<File> {
    lock(folder, Hold::Alone)
}

/// The lock of a build. One that is to be held alone is not waited for.
fn lock(folder: &Path, hold: Hold) -> Option<File> {
    let path = folder.with_extension("lock");
    // Whoever removes a build removes its lock, too; then there is another one to take.
    for _ in 0..100 {
        let mut options = File::options();
        let file = options.create(true).append(true).open(&path).ok()?;
        match hold {
            Hold::Shared => file.lock_shared().ok()?,
            Hold::Alone => file.try_lock().ok()?,
        }
        if is_at(&file, &path) {
            return Some(file);
        }
    }
    None
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |m: std::fs::Metadata| (m.dev(), m.ino());
    let (here, there) = (file.metadata().map(number), path.metadata().map(number));
    matches!((here, there), (Ok(here), Ok(there)) if here == there)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
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

    /// Puts a program of a text under a key.
    #[cfg(unix)]
    fn put(cache: &Cache, key: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let Place::Free(place) = cache.place(key, Path::new("run")) else {
            panic!("something is there");
        };
        let work = cache.scratch().unwrap();
        let program = work.path().join("run");
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        place.put(&work).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn the_first_of_two_builds_stays() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path()).unwrap().unwrap();
        let key = key(["x"]);
        let Place::Free(late) = cache.place(&key, Path::new("run")) else {
            panic!("something is there");
        };
        put(&cache, &key, "first");
        let work = cache.scratch().unwrap();
        let program = work.path().join("run");
        std::fs::write(&program, "second").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let dir = late.put(&work).unwrap();
        assert_eq!(std::fs::read_to_string(dir.join("run")).unwrap(), "first");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_damaged_is_found() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = Path::new("run");
        let damages: [fn(&Path); 6] = [
            |dir| std::fs::write(dir.join("run"), "").unwrap(),
            |dir| std::fs::write(dir.join("run"), "progrAm").unwrap(),
            |dir| std::fs::remove_file(dir.join("run")).unwrap(),
            |dir| std::fs::remove_file(dir.join(RECORD)).unwrap(),
            |dir| {
                let mode = std::fs::Permissions::from_mode(0o644);
                std::fs::set_permissions(dir.join("run"), mode).unwrap();
            },
            |dir| {
                std::fs::remove_dir_all(dir).unwrap();
                std::fs::write(dir, "").unwrap();
            },
        ];
        for (i, damage) in damages.iter().enumerate() {
            let cache = Cache::at(folder.path()).unwrap().unwrap();
            let key = key([i.to_string().as_str()]);
            let place = folder.path().join(&key);
            std::fs::create_dir(&place).unwrap();
            std::fs::write(place.join("run"), "program").unwrap();
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(place.join("run"), mode).unwrap();
            std::fs::write(place.join(RECORD), digest(b"program")).unwrap();
            assert!(is_whole(&place, program));
            damage(&place);
            assert!(matches!(cache.place(&key, program), Place::Free(_)), "{i}");
            assert!(!place.exists());
            put(&cache, &key, "program");
            assert!(matches!(cache.place(&key, program), Place::Whole(_)), "{i}");
        }
    }

    #[test]
    fn a_file_is_no_cache_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        std::fs::write(&file, "").unwrap();
        assert!(usable(&file.join("builds")).is_err());
    }
}
