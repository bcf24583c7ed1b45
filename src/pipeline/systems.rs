//! Rule files → the files of the systems that they import or apply by name.

use super::{Failure, Session, Source};
use crate::rewrite::wanted_systems;
use crate::syntax::rules::SCOPE;
use std::path::{Path, PathBuf};

/// So many files are read for one.
const MOST_FILES: usize = 256;
/// How files of rules end; the second is TermWare's.
const ENDINGS: [&str; 2] = ["rules", "def"];

/// Reads the files of the systems that a rule file names and does not have, and those that these name;
/// their numbers among the texts of the session. The system `a::b::C` of a file is looked for as `C` beside
/// the file, and as `a/b/C` there and in as many folders above as there are domains around the system that
/// names it. One that is not found is left to those who load the files.
///
/// # Errors
///
/// A file that is there and cannot be read.
pub fn read_systems(
    source: Source<'_>,
    file: u32,
    session: &mut Session,
) -> Result<Vec<u32>, Failure> {
    let mut found: Vec<u32> = Vec::new();
    let Source::Path(path) = source else {
        return Ok(found);
    };
    // Each text with the file that it is of.
    let mut files = vec![(file, PathBuf::from(path))];
    let mut at = 0;
    while at < files.len() && files.len() <= MOST_FILES {
        let (number, path) = files[at].clone();
        at += 1;
        for wanted in wanted_systems(&session.sources, &[number]) {
            let Some(place) = place_of(&path, &wanted.name, wanted.domains) else {
                continue;
            };
            if files.iter().any(|(_, known)| *known == place) {
                continue;
            }
            let read = Source::Path(&place.to_string_lossy()).read(session)?;
            found.push(read);
            files.push((read, place));
        }
    }
    Ok(found)
}

/// The file of a system, if there is one.
fn place_of(from: &Path, name: &str, domains: usize) -> Option<PathBuf> {
    let names: Vec<&str> = name.split(SCOPE).collect();
    let plain = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !names.iter().all(plain) {
        return None;
    }
    let folder = from.parent().unwrap_or(Path::new(""));
    let mut folders = vec![folder.to_path_buf()];
    for _ in 0..domains {
        let above = match folders.last()?.parent() {
            Some(above) if folders.last()?.file_name().is_some() => above.to_path_buf(),
            _ => folders.last()?.join(".."),
        };
        folders.push(above);
    }
    let inside: PathBuf = names.iter().collect();
    folders
        .iter()
        .flat_map(|folder| ENDINGS.map(|ending| folder.join(&inside).with_extension(ending)))
        .find(|file| file.is_file())
}
