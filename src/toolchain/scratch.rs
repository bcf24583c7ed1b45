//! Temporary folders that nobody else can enter and that nothing leaves behind.
//!
//! A folder `.glushkov-RANDOM` is locked by the process that uses it, through the file `lock` in
//! it. One whose lock is free was left by a process that was ended, and whoever makes the next
//! one beside it removes it. The lock goes last, so that a removal that is cut short leaves what
//! is still known: a folder with its lock, or one with nothing in it.

use super::cleanup::{hold_folder, release_folder};
use std::fs::{File, TryLockError};
use std::io::{Error, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PREFIX: &str = ".glushkov-";

/// What a folder is called until its lock is held: such a one is no prey of others.
const PREPARED: &str = ".glushkov-new-";

/// How many random letters and digits end its name.
const RANDOM: usize = 12;

/// What stands in the lock: nothing else is ever removed.
const MARK: &str = "A temporary folder of Glushkov, removed when its process has ended.\n";

/// A temporary folder, removed with this value, or with the process.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    files: PathBuf,
    /// The lock goes with the file.
    _lock: File,
}

impl Scratch {
    /// A folder where the system has temporary ones.
    ///
    /// # Errors
    ///
    /// Where none can be made there.
    pub fn new() -> Result<Scratch, Error> {
        Scratch::within(&std::env::temp_dir())
    }

    /// A folder in another one, so that what is made in it can be renamed to a place there.
    ///
    /// # Errors
    ///
    /// Where none can be made there.
    pub fn within(place: &Path) -> Result<Scratch, Error> {
        let place = std::path::absolute(place)?;
        sweep(&place);
        let mut lock = None;
        let make = || {
            let mut builder = tempfile::Builder::new();
            builder.prefix(PREPARED).rand_bytes(RANDOM);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(std::fs::Permissions::from_mode(0o700));
            }
            let prepared = builder.tempdir_in(&place)?;
            let mut file = File::create_new(prepared.path().join("lock"))?;
            // A file system without locks has folders that were left removed by their age.
            let _ = file.try_lock();
            file.write_all(MARK.as_bytes())?;
            std::fs::create_dir(prepared.path().join("files"))?;
            let name = prepared.path().file_name().unwrap_or_default();
            let name = name.to_string_lossy().replace(PREPARED, PREFIX);
            let folder = place.join(name);
            std::fs::rename(prepared.path(), &folder)?;
            // It is no longer where the guard thinks it is.
            let _ = prepared.keep();
            lock = Some(file);
            Ok::<PathBuf, Error>(folder)
        };
        let folder = hold_folder(make, dismantle)?;
        let lock = lock.ok_or_else(|| Error::other("a folder without a lock"))?;
        Ok(Scratch {
            files: folder.join("files"),
            folder,
            _lock: lock,
        })
    }

    /// The folder to use; it is empty at first.
    pub fn path(&self) -> &Path {
        &self.files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        dismantle(&self.folder);
        release_folder(&self.folder);
    }
}

/// Removes the temporary folders that processes which were ended left in a folder. What cannot be
/// removed stays.
pub fn sweep(place: &Path) {
    for entry in place.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(PREFIX) || !is_ours(&entry.path()) {
            continue;
        }
        let folder = entry.path();
        if name.starts_with(PREPARED) {
            // It was left within the instant between its making and its lock.
            if is_old(&folder) {
                let _ = std::fs::remove_file(folder.join("lock"));
                let _ = std::fs::remove_dir(folder.join("files"));
                let _ = std::fs::remove_dir(&folder);
            }
            continue;
        }
        let Some(lock) = lock_of(&folder) else {
            // Its removal was cut short after the lock; what is not empty is not removed by this.
            if is_revived(&folder) {
                let _ = std::fs::remove_dir_all(folder.join("files"));
            }
            let _ = std::fs::remove_dir(&folder);
            continue;
        };
        let abandoned = match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(_)) => is_old(&folder),
        };
        if abandoned {
            dismantle(&folder);
        }
    }
}

/// Removes a folder that is ours, its lock last. What cannot be removed stays for the next sweep.
fn dismantle(folder: &Path) {
    let files = folder.join("files");
    let _ = std::fs::remove_dir_all(&files);
    if files.symlink_metadata().is_err() {
        let _ = std::fs::remove_file(folder.join("lock"));
        let _ = std::fs::remove_dir(folder);
    }
}

/// The lock of a folder, if it is one of ours to the letter.
fn lock_of(folder: &Path) -> Option<File> {
    let path = folder.join("lock");
    path.symlink_metadata().ok().filter(|m| m.is_file())?;
    let file = File::open(path).ok()?;
    let mut text = Vec::new();
    let length = MARK.len() as u64 + 1;
    (&file).take(length).read_to_end(&mut text).ok()?;
    (text == MARK.as_bytes()).then_some(file)
}

/// Whether a folder without a lock was made again under its old name by a program that outlived its
/// run and writes its results to `files`: nothing else stands in it.
fn is_revived(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let random = name.strip_prefix(PREFIX).unwrap_or_default();
    let named = random.len() == RANDOM && random.bytes().all(|b| b.is_ascii_alphanumeric());
    let Ok(mut entries) = folder.read_dir() else {
        return false;
    };
    named && entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == "files"))
}

/// Whether it is a folder, no link to one, that belongs to this user.
fn is_ours(folder: &Path) -> bool {
    folder.symlink_metadata().is_ok_and(|about| {
        #[cfg(unix)]
        let own =
            std::os::unix::fs::MetadataExt::uid(&about) == rustix::process::geteuid().as_raw();
        #[cfg(not(unix))]
        let own = true;
        about.is_dir() && own
    })
}

/// Whether nothing was changed in a folder for a day.
fn is_old(folder: &Path) -> bool {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let age = || folder.metadata().ok()?.modified().ok()?.elapsed().ok();
    age().is_some_and(|age| age > DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_left_is_swept_and_what_one_uses_is_not() {
        let place = tempfile::tempdir().unwrap();
        let used = Scratch::within(place.path()).unwrap();
        std::fs::write(used.path().join("x"), "x").unwrap();
        // As after SIGKILL: there, but nobody holds the lock.
        let left = place.path().join(".glushkov-left");
        std::fs::create_dir_all(left.join("files/deep")).unwrap();
        std::fs::write(left.join("lock"), MARK).unwrap();
        // As after a removal that was cut short.
        let torn = [
            place.path().join(".glushkov-1"),
            place.path().join(".glushkov-2"),
        ];
        torn.iter().for_each(|f| std::fs::create_dir(f).unwrap());
        std::fs::write(torn[0].join("lock"), MARK).unwrap();
        // Made again by a program that outlived its run.
        let revived = place.path().join(".glushkov-0123456789ab");
        std::fs::create_dir_all(revived.join("files")).unwrap();
        std::fs::write(revived.join("files/x"), "x").unwrap();
        // What only looks like one of ours.
        let other = place.path().join(".glushkov-other");
        std::fs::create_dir(&other).unwrap();
        std::fs::write(other.join("lock"), "mine").unwrap();
        let foreign = place.path().join(".glushkov-0123456789cd");
        std::fs::create_dir_all(foreign.join("files")).unwrap();
        std::fs::write(foreign.join("x"), "x").unwrap();
        let next = Scratch::within(place.path()).unwrap();
        assert!(used.path().join("x").exists() && next.path().exists());
        assert!(torn.iter().all(|folder| !folder.exists()));
        assert!(!left.exists() && !revived.exists());
        assert!(other.join("lock").exists() && foreign.join("x").exists());
        drop((used, next));
        assert_eq!(place.path().read_dir().unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_enter() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::within(place.path()).unwrap();
        let mode = scratch.folder.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed_by_the_sweep() {
        let place = tempfile::tempdir().unwrap();
        let target = tempfile::tempdir().unwrap();
        std::fs::write(target.path().join("lock"), MARK).unwrap();
        std::os::unix::fs::symlink(target.path(), place.path().join(".glushkov-link")).unwrap();
        sweep(place.path());
        assert!(target.path().join("lock").exists());
    }
}
