//! Files that are written whole or not at all, by means of the standard library alone.

#![allow(dead_code)]

use std::collections::hash_map::RandomState;
use std::fs::{self, DirBuilder, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file through a temporary one beside it, which is renamed when it is complete: what
/// stands under `path` is never half-written.
pub fn replace_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let partial = path.with_file_name(unfinished());
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&partial)
        .and_then(|file| {
            let mut buffer = BufWriter::new(file);
            fill(&mut buffer)?;
            buffer.flush()
        })
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|e| {
        // It may not exist; nothing more can be done about it in any case.
        let _ = fs::remove_file(&partial);
        format!("cannot write {}: {e}", path.display())
    })
}

/// A name for what is not finished: that of this process, and what nobody can foresee.
fn unfinished() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!(".partial-{}-{random:016x}", std::process::id())
}

/// Files that appear in a folder together, or not at all.
pub struct Together {
    folder: PathBuf,
    work: PathBuf,
}

impl Together {
    /// Makes the folder and, in it, one that nobody else can enter, for files until they appear.
    pub fn begin(folder: &Path) -> Result<Together, String> {
        let failed = |e| format!("cannot make the folder {}: {e}", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
        sweep(folder);
        let work = folder.join(unfinished());
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&work).map_err(failed)?;
        Ok(Together {
            folder: folder.to_path_buf(),
            work,
        })
    }

    /// Where the files are written.
    pub fn path(&self) -> &Path {
        &self.work
    }

    /// Puts the files where they belong; those that stand there are replaced.
    pub fn appear(self) -> Result<(), String> {
        let failed = |to: &Path, e: io::Error| format!("cannot write {}: {e}", to.display());
        let entries = fs::read_dir(&self.work).map_err(|e| failed(&self.work, e))?;
        let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        // What can be known beforehand is known before the first is moved.
        for to in names.iter().map(|name| self.folder.join(name)) {
            if to.is_dir() {
                return Err(failed(&to, io::ErrorKind::IsADirectory.into()));
            }
        }
        names.iter().try_for_each(|name| {
            let to = self.folder.join(name);
            fs::rename(self.work.join(name), &to).map_err(|e| failed(&to, e))
        })
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

/// Removes what processes left in a folder that have ended, where the system tells which have.
fn sweep(folder: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name
            .to_str()
            .and_then(|n| n.strip_prefix(".partial-")?.split('-').next());
        let process = process.and_then(|n| n.parse().ok());
        if process.is_some_and(has_ended) && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a process is no more, or only waits for its parent to ask how it ended.
fn has_ended(process: u32) -> bool {
    let about = Path::new("/proc").join(process.to_string());
    // The state follows the name, which is in parentheses and may hold others.
    match fs::read_to_string(about.join("stat")) {
        Ok(text) => matches!(text.rsplit(") ").next(), Some(t) if t.starts_with(['Z', 'X'])),
        Err(_) => !about.exists(),
    }
}
