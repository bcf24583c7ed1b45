//! A project → its folder.

use crate::toolchain::{Project, Scratch, undisturbed};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The file of a project that lists the others, so that they can be told from files of others.
pub const MANIFEST: &str = ".glushkov";

/// The first line of the list.
const HEAD: &str = "# Files written by Glushkov; emit --force replaces them, and no others.";

/// Why a project was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The folder holds something, and was not to be replaced.
    NotEmpty(PathBuf),
    /// The folder holds something that Glushkov did not write there, or is a link to one.
    NotOurs {
        /// The folder.
        path: PathBuf,
        /// Why it is not replaced.
        why: &'static str,
    },
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
            WriteError::NotOurs { path, why } => {
                write!(f, "{} is not replaced: {why}", path.display())
            }
            WriteError::NotAFolder(path) => write!(f, "{} is not a folder", path.display()),
            WriteError::BadPath(path) => write!(f, "the path `{path}` leaves the project's folder"),
            WriteError::Io { path, source } => {
                write!(f, "cannot write {}: {source}", path.display())
            }
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes a project, with a list of its files: a folder that is not there appears whole or not at
/// all; in one that is there, each file does.
///
/// With `force`, a folder may hold a project that was written before: its files are replaced, and
/// those that the new one lacks are removed. Files of others stay, and no link is followed.
///
/// # Errors
///
/// Where the folder holds something that is not to be replaced, or the system refuses.
pub fn write_project(project: &Project, dir: &Path, force: bool) -> Result<(), WriteError> {
    if let Some((path, _)) = project.files.iter().find(|(path, _)| !is_plain(path)) {
        return Err(WriteError::BadPath(path.clone()));
    }
    // Without a slash at the end, which would lead through a link.
    let dir: PathBuf = dir.components().collect();
    let occupied = occupied(&dir)?;
    if occupied && !force {
        return Err(WriteError::NotEmpty(dir));
    }
    let before = match occupied {
        true => written_before(&dir)?,
        false => BTreeSet::new(),
    };
    let absolute = std::path::absolute(&dir).map_err(|e| io(&dir, e))?;
    let parent = absolute.parent().unwrap_or(&absolute);
    let exists = dir.is_dir();
    let place = if exists { absolute.as_path() } else { parent };
    std::fs::create_dir_all(place).map_err(|e| io(place, e))?;
    let work = Scratch::within(place).map_err(|e| io(place, e))?;
    let new = work.path().join("new");
    std::fs::create_dir(&new).map_err(|e| io(&new, e))?;
    let mut paths: BTreeSet<String> = project.files.iter().map(|(path, _)| path.clone()).collect();
    for (path, text) in &project.files {
        write(&new.join(path), text)?;
    }
    write(&new.join(MANIFEST), &listed(&paths))?;
    if !exists {
        return std::fs::rename(&new, &absolute).map_err(|e| io(&dir, e));
    }
    let obstacle = paths.iter().find_map(|path| obstacle(&dir, path));
    if let Some(path) = obstacle {
        let why = "it is a link, or no folder, where the project has a folder";
        return Err(WriteError::NotOurs { path, why });
    }
    // Until the end, the list names the old files, too: whatever happens, they are ours.
    let both = before.union(&paths).cloned().collect();
    write(&work.path().join("both"), &listed(&both))?;
    paths.insert(MANIFEST.to_owned());
    let rename = |from: &Path, to: &Path| std::fs::rename(from, to).map_err(|e| io(to, e));
    undisturbed(|| {
        rename(&work.path().join("both"), &dir.join(MANIFEST))?;
        for path in paths.iter().filter(|path| *path != MANIFEST) {
            let to = dir.join(path);
            if let Some(folder) = to.parent() {
                std::fs::create_dir_all(folder).map_err(|e| io(folder, e))?;
            }
            rename(&new.join(path), &to)?;
        }
        for path in before.difference(&paths) {
            remove(&dir, path);
        }
        rename(&new.join(MANIFEST), &dir.join(MANIFEST))
    })
}

/// Whether a path leads to a place within the folder it starts from.
fn is_plain(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let plain = parts.all(|part| matches!(part, Component::Normal(_)));
    plain && !path.is_empty() && !path.contains('\n')
}

/// The text of the list.
fn listed(paths: &BTreeSet<String>) -> String {
    let lines = paths.iter().map(|path| format!("{path}\n"));
    std::iter::once(format!("{HEAD}\n")).chain(lines).collect()
}

/// The files that a folder's list names.
fn written_before(dir: &Path) -> Result<BTreeSet<String>, WriteError> {
    let not_ours = |why| WriteError::NotOurs {
        path: dir.to_path_buf(),
        why,
    };
    let is_link = |path: &Path| path.symlink_metadata().is_ok_and(|m| m.is_symlink());
    if is_link(dir) {
        return Err(not_ours("it is a link; name the folder itself"));
    }
    let list = dir.join(MANIFEST);
    let text = match is_link(&list) {
        true => String::new(),
        false => std::fs::read_to_string(&list).unwrap_or_default(),
    };
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(not_ours("no project of Glushkov stands there"));
    }
    let paths = lines.filter(|path| is_plain(path) && *path != MANIFEST);
    Ok(paths.map(str::to_owned).collect())
}

/// What would be in the way of a file: a link or a file among the folders above it, or a folder in
/// its place.
fn obstacle(dir: &Path, path: &str) -> Option<PathBuf> {
    let place = dir.join(path);
    let folders = Path::new(path).ancestors().skip(1);
    let folders = folders.filter(|above| !above.as_os_str().is_empty());
    let mut folders = folders.map(|above| dir.join(above));
    let about = |path: &Path| path.symlink_metadata().ok();
    let above = folders.find(|above| about(above).is_some_and(|m| !m.is_dir()));
    above.or_else(|| about(&place).is_some_and(|m| m.is_dir()).then_some(place))
}

/// Removes a file of a project that was written before, and the folders that it leaves empty. What
/// is in the way of that stays.
fn remove(dir: &Path, path: &str) {
    if obstacle(dir, path).is_some() || std::fs::remove_file(dir.join(path)).is_err() {
        return;
    }
    for above in Path::new(path).ancestors().skip(1) {
        if above.as_os_str().is_empty() || std::fs::remove_dir(dir.join(above)).is_err() {
            return;
        }
    }
}

/// Writes a new file, and the folders above it.
fn write(path: &Path, text: &str) -> Result<(), WriteError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| io(folder, e))?;
    }
    std::fs::write(path, text).map_err(|e| io(path, e))
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
            libraries: Vec::new(),
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
        write_project(&project("two"), &dir, true).unwrap();
        assert_eq!(text(), "two");
        // Nothing else is left beside it or in it.
        assert_eq!(place.path().join("a").read_dir().unwrap().count(), 1);
        assert_eq!(dir.read_dir().unwrap().count(), 2);
    }

    #[test]
    fn only_what_was_written_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("p");
        let mut old = project("one");
        old.files.push(("src/old/deep.rs".into(), "old".into()));
        write_project(&old, &dir, false).unwrap();
        std::fs::write(dir.join("src/mine.rs"), "mine").unwrap();
        std::fs::create_dir(dir.join("target")).unwrap();
        write_project(&project("two"), &dir, true).unwrap();
        let text = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
        assert_eq!(
            (text("src/lib.rs"), text("src/mine.rs")),
            ("two".into(), "mine".into())
        );
        assert!(dir.join("target").is_dir() && !dir.join("src/old").exists());
        // A folder that somebody else filled.
        let other = place.path().join("other");
        std::fs::create_dir(&other).unwrap();
        std::fs::write(other.join("x"), "x").unwrap();
        let error = write_project(&project("two"), &other, true).unwrap_err();
        assert!(matches!(error, WriteError::NotOurs { .. }), "{error}");
        assert_eq!(other.read_dir().unwrap().count(), 1);
        // A list that names what is not in the folder.
        std::fs::write(place.path().join("kept"), "").unwrap();
        let list = format!("{HEAD}\n../kept\n{}\n", place.path().join("kept").display());
        std::fs::write(dir.join(MANIFEST), list).unwrap();
        write_project(&project("three"), &dir, true).unwrap();
        assert!(place.path().join("kept").exists());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().unwrap();
        let (dir, link) = (place.path().join("p"), place.path().join("link"));
        write_project(&project("one"), &dir, false).unwrap();
        symlink(&dir, &link).unwrap();
        for name in [link.clone(), link.join("")] {
            let error = write_project(&project("two"), &name, true).unwrap_err();
            assert!(matches!(error, WriteError::NotOurs { .. }), "{error}");
        }
        // A folder of the project, moved away and linked to.
        let moved = place.path().join("moved");
        std::fs::rename(dir.join("src"), &moved).unwrap();
        symlink(&moved, dir.join("src")).unwrap();
        let error = write_project(&project("two"), &dir, true).unwrap_err();
        assert!(matches!(error, WriteError::NotOurs { .. }), "{error}");
        // A list elsewhere makes no folder a project.
        let bare = place.path().join("bare");
        std::fs::create_dir(&bare).unwrap();
        symlink(dir.join(MANIFEST), bare.join(MANIFEST)).unwrap();
        assert!(write_project(&project("two"), &bare, true).is_err());
        let text = std::fs::read_to_string(moved.join("lib.rs")).unwrap();
        assert_eq!(text, "one");
        // A file that is a link is replaced, not what it leads to.
        std::fs::remove_file(dir.join("src")).unwrap();
        std::fs::create_dir(dir.join("src")).unwrap();
        symlink(moved.join("lib.rs"), dir.join("src/lib.rs")).unwrap();
        write_project(&project("two"), &dir, true).unwrap();
        assert!(
            !dir.join("src/lib.rs")
                .symlink_metadata()
                .unwrap()
                .is_symlink()
        );
        assert_eq!(
            std::fs::read_to_string(moved.join("lib.rs")).unwrap(),
            "one"
        );
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
