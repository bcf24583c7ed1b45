//! Finding the program of a project that is built.

use super::output::Stop;
use crate::diagnostic::Diagnostic;
use std::path::{Path, PathBuf};

/// The program of a built project: the newest executable file of its folder, its `build` folder, or
/// the release folder of cargo.
pub fn executable(dir: &Path) -> Result<PathBuf, Stop> {
    let mut found: Vec<(std::time::SystemTime, PathBuf)> = Vec::new();
    for folder in ["", "build", "target/release"] {
        let Ok(entries) = std::fs::read_dir(dir.join(folder)) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_some() {
                continue;
            }
            if let Ok(meta) = entry.metadata()
                && meta.is_file()
                && is_executable(&meta)
                && let Ok(time) = meta.modified()
            {
                found.push((time, path));
            }
        }
    }
    found.sort();
    found.pop().map(|(_, path)| path).ok_or_else(|| {
        Diagnostic::error(
            "E0009",
            format!("there is no built program in {}", dir.display()),
        )
        .hint("build it first: cargo build --release, or cmake -B build && cmake --build build")
        .into()
    })
}

#[cfg(unix)]
fn is_executable(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}
