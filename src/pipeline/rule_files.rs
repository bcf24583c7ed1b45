//! Rule files, and folders of them → their texts.

use super::Failure;
use super::source::{text_of_file, unreadable};
use crate::diagnostic::Diagnostic;
use crate::term::MOST_BYTES;
use std::path::{Path, PathBuf};

/// The most files and folders that are looked at for rules.
const MOST_FILES: usize = 10_000;

/// The texts of rule files and of folders of them. A folder that several links lead to, and one that
/// leads back to itself, is looked at once.
///
/// # Errors
///
/// A file or a folder that cannot be read, and more of them than are rules.
pub fn rule_files(folders: &[PathBuf]) -> Result<Vec<(String, String)>, Failure> {
    let mut files = Vec::new();
    let mut bytes = 0;
    for folder in folders {
        for path in files_below(folder, &["rules"])? {
            let text = text_of_file(&path)?;
            bytes += text.len();
            if bytes > MOST_BYTES {
                let message = format!("the rules have more than {MOST_BYTES} bytes");
                let hint = "name the files that are wanted";
                return Err(Diagnostic::error("E0007", message).hint(hint).into());
            }
            let name = path
                .strip_prefix(folder)
                .ok()
                .filter(|p| !p.as_os_str().is_empty())
                .unwrap_or(&path);
            files.push((name.display().to_string(), text));
        }
    }
    Ok(files)
}

/// Whether a folder is hidden, or holds what was made and can be made again.
fn is_set_aside(folder: &Path) -> bool {
    let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
    folder.file_name().is_some_and(hidden) || folder.join("CACHEDIR.TAG").is_file()
}

/// The files of a folder and of those in it whose names end so, in order; the path itself, if it is not a folder.
pub(super) fn files_below(path: &Path, ends: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut found = Vec::new();
    let mut looked_at = 0;
    // In order, so that it is always the same of several ways to a folder that counts.
    let mut work = std::collections::BTreeSet::from([path.to_path_buf()]);
    let mut seen = std::collections::HashSet::new();
    while let Some(folder) = work.pop_first() {
        let place = folder.canonicalize().map_err(|e| unreadable(&folder, e))?;
        if !seen.insert(place) {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(|e| unreadable(&folder, e))? {
            let inside = entry.map_err(|e| unreadable(&folder, e))?.path();
            looked_at += 1;
            if looked_at > MOST_FILES {
                let message = format!(
                    "{} holds more than {MOST_FILES} files and folders",
                    path.display()
                );
                let hint = "name a folder with fewer of them, or the files";
                return Err(Diagnostic::error("E0007", message).hint(hint).into());
            }
            let is_wanted = inside
                .extension()
                .is_some_and(|e| ends.iter().any(|end| e == *end));
            match std::fs::metadata(&inside) {
                Ok(about) if about.is_dir() && is_set_aside(&inside) => {}
                Ok(about) if about.is_dir() => drop(work.insert(inside)),
                // Pipes and devices in a folder hold nothing.
                Ok(about) if is_wanted && about.is_file() => found.push(inside),
                // A link that leads nowhere, or round in a circle.
                Err(e) if is_wanted => return Err(unreadable(&inside, e).into()),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}
