//! The size of the cache of builds, and which builds are removed when it exceeds its limit.

use super::ToolError;
use super::cache::{Cache, builds, lock_alone, remove};
use super::find::environment;
use super::scratch::sweep;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

/// The variable that says how much room builds may take, where the process was not told.
const LIMIT: &str = "GLUSHKOV_CACHE_LIMIT";

/// The bytes that builds may take where nothing says so.
const ROOM: u64 = 2 << 30;

/// The bytes that builds of this process may take, where it was told.
static TOLD: OnceLock<u64> = OnceLock::new();

/// The folder of crates that builds have in common.
const CRATES: &str = "crates";

impl Cache {
    /// Removes builds, the one used longest ago first, until what is left has room. `kept` stays,
    /// and so does what somebody uses.
    pub(super) fn bound(&self, kept: &Path) {
        let (mut all, mut total) = by_use(&self.folder);
        all.retain(|entry| entry.path != kept);
        for entry in all {
            if total <= self.room {
                return;
            }
            if entry.remove() {
                total -= entry.bytes;
            }
        }
    }
}

/// All that is in a cache, what was used longest ago first, and the bytes that it takes.
fn by_use(folder: &Path) -> (Vec<Entry>, u64) {
    let mut all = entries(folder);
    all.sort_by_key(|entry| entry.used);
    let total = all.iter().map(|entry| entry.bytes).sum();
    (all, total)
}

/// Something in the cache that can be removed by itself.
struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Build,
    Log,
    Crates,
}

impl Entry {
    /// Whether nobody uses it.
    fn is_free(&self) -> bool {
        let lock = match self.what {
            What::Log => return true,
            What::Build => self.path.with_extension("lock"),
            What::Crates => self.path.join("lock"),
        };
        File::open(lock).map_or(true, |lock| lock.try_lock().is_ok())
    }

    /// Removes it, unless somebody uses it; whether it is gone.
    fn remove(&self) -> bool {
        match self.what {
            What::Log => remove(&self.path),
            What::Build => {
                let Some(lock) = lock_alone(&self.path) else {
                    return false;
                };
                let gone = remove(&self.path);
                if gone {
                    let _ = std::fs::remove_file(self.path.with_extension("lock"));
                }
                drop(lock);
                gone
            }
            What::Crates => {
                let lock = File::options().append(true).open(self.path.join("lock"));
                match lock.map(|lock| lock.try_lock().map(|()| lock)) {
                    Ok(Ok(_held)) => remove(&self.path),
                    Ok(Err(_)) => false,
                    Err(_) => remove(&self.path),
                }
            }
        }
    }
}

/// All that is in a cache, by name. Other things in the folder are not ours and stay.
fn entries(builds: &Path) -> Vec<Entry> {
    let mut all = Vec::new();
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let changed = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
    let mut add = |path: PathBuf, mark: PathBuf, what: What| {
        all.push(Entry {
            bytes: size(&path),
            used: changed(&mark).unwrap_or(SystemTime::UNIX_EPOCH),
            path,
            what,
        });
    };
    for path in list(builds) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if stem.len() != 32 || !stem.bytes().all(|b| b.is_ascii_hexdigit()) {
            continue;
        }
        match path.extension().map(|e| e.to_string_lossy().into_owned()) {
            None => add(path.clone(), path.with_extension("lock"), What::Build),
            Some(end) if end == "log" => add(path.clone(), path, What::Log),
            // A lock whose build is gone.
            Some(end) if end == "lock" && path.with_extension("").symlink_metadata().is_err() => {
                add(path.with_extension(""), path, What::Build);
            }
            Some(_) => {}
        }
    }
    for path in list(&builds.join(CRATES)) {
        add(path.clone(), path.join("lock"), What::Crates);
    }
    all
}

/// The bytes of a file, or of a folder and all in it.
fn size(path: &Path) -> u64 {
    match path.symlink_metadata() {
        Ok(about) if about.is_dir() => {
            let entries = path.read_dir().into_iter().flatten().flatten();
            entries.map(|entry| size(&entry.path())).sum()
        }
        Ok(about) => about.len(),
        Err(_) => 0,
    }
}

/// Has builds of this process take so many bytes at most, whatever the variable says.
pub fn limit_cache(bytes: u64) {
    let _ = TOLD.set(bytes);
}

/// The bytes that builds may take.
pub(super) fn room() -> Result<u64, ToolError> {
    if let Some(&told) = TOLD.get() {
        return Ok(told);
    }
    let Some(text) = environment(LIMIT) else {
        return Ok(ROOM);
    };
    let text = text.to_string_lossy();
    bytes_of(&text).ok_or_else(|| ToolError::Failed {
        tool: LIMIT.into(),
        why: format!("`{text}` is not a size such as 500M or 2G"),
    })
}

/// The bytes that a text speaks of: `500M`, `2G`; K is 1024.
pub fn bytes_of(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_uppercase();
    let text = text.strip_suffix('B').unwrap_or(&text);
    let text = text.strip_suffix('I').unwrap_or(text);
    let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
    let with_unit = |(unit, shift): &(&str, u32)| Some((text.strip_suffix(unit)?, *shift));
    let (number, shift) = units.iter().find_map(with_unit).unwrap_or((text, 0));
    let number: u64 = number.trim_end().parse().ok()?;
    number.checked_mul(1 << shift)
}

/// What was removed from the cache, or would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// The folder of builds.
    pub folder: PathBuf,
    /// The builds that are gone, used longest ago first: the folder, and the bytes that it took.
    pub builds: Vec<(PathBuf, u64)>,
    /// The bytes that all that is gone took.
    pub bytes: u64,
    /// The bytes that are left.
    pub left: u64,
    /// What stays although it was to go, since somebody uses it.
    pub in_use: usize,
}

/// Removes builds that nobody uses, those used longest ago first, until the rest takes `most` bytes, and
/// what interrupted ones left. With `dry`, nothing is removed.
///
/// # Errors
///
/// In words, where the environment names no folder of builds.
pub fn clean(most: u64, dry: bool) -> Result<Cleaned, String> {
    let folder = builds()?;
    if !dry {
        sweep(&folder);
    }
    let (all, left) = by_use(&folder);
    let mut cleaned = Cleaned {
        builds: Vec::new(),
        bytes: 0,
        left,
        in_use: 0,
        folder,
    };
    for entry in all {
        // What takes no room is what failed builds left, and never worth keeping.
        if cleaned.left <= most && entry.bytes > 0 {
            continue;
        }
        let is_build = entry.what == What::Build && entry.path.symlink_metadata().is_ok();
        let gone = match dry {
            true => entry.is_free(),
            false => entry.remove(),
        };
        if !gone {
            cleaned.in_use += 1;
            continue;
        }
        cleaned.bytes += entry.bytes;
        cleaned.left -= entry.bytes;
        if is_build {
            cleaned.builds.push((entry.path, entry.bytes));
        }
    }
    Ok(cleaned)
}

#[cfg(test)]
mod tests {
    use super::super::cache::key;
    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<PathBuf> = ["a", "b", "c"].map(|n| folder.path().join(key([n]))).into();
        for (i, path) in names.iter().enumerate() {
            std::fs::create_dir(path).unwrap();
            std::fs::write(path.join("x"), vec![0; 1000]).unwrap();
            let lock = File::create(path.with_extension("lock")).unwrap();
            let ago = std::time::Duration::from_secs([10, 1000, 100][i]);
            lock.set_modified(SystemTime::now() - ago).unwrap();
        }
        let cache = |room| Cache {
            folder: folder.path().to_path_buf(),
            room,
        };
        let left = || -> Vec<bool> { names.iter().map(|n| n.exists()).collect() };
        cache(3000).bound(Path::new(""));
        assert_eq!(left(), [true, true, true]);
        cache(2500).bound(Path::new(""));
        assert_eq!(left(), [true, false, true]);
        // What is used stays.
        let _used = lock_alone(&names[2]);
        cache(1000).bound(Path::new(""));
        assert_eq!(left(), [false, false, true]);
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(bytes_of("500"), Some(500));
        assert_eq!(bytes_of("2G"), Some(2 << 30));
        assert_eq!(bytes_of("3 MiB"), Some(3 << 20));
        for text in ["", "G", "-1", "1.5G", "99999999999999T", "2GG"] {
            assert_eq!(bytes_of(text), None, "{text}");
        }
    }
}
