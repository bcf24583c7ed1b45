//! Crates that projects depend on: getting them, and building them once for all projects.

use super::environment::Surroundings;
use super::process::run;
use super::{ToolError, cache, rustc};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Makes sure that cargo has the crates of a project's lock file: without the network if it has
/// them already.
pub(super) fn fetch(
    surroundings: &Surroundings,
    cargo: &Path,
    dir: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<(), ToolError> {
    let host = rustc()?
        .about
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned);
    let mut fetch = |more: &[&str]| {
        let mut command = surroundings.command(cargo);
        Surroundings::with_network(&mut command);
        command.args(["fetch", "--locked"]).args(more);
        command.arg("--manifest-path").arg(dir.join("Cargo.toml"));
        // What other systems need is not needed here.
        command.args(host.iter().flat_map(|host| ["--target", host]));
        run(&mut command, None, progress).map_err(|why| ToolError::Failed {
            tool: cargo.display().to_string(),
            why,
        })
    };
    if fetch(&["--offline"])?.status.success() {
        return Ok(());
    }
    let done = fetch(&[])?;
    if done.status.success() {
        return Ok(());
    }
    let said = done.stderr.trim();
    let first = said.lines().position(|line| line.starts_with("error"));
    let lines: Vec<&str> = said.lines().skip(first.unwrap_or(0)).take(12).collect();
    Err(ToolError::Missing {
        tool: "the crate cudarc",
        why: format!(
            "cargo does not have it and cannot get it\n{}",
            lines.join("\n")
        ),
        hint: "build one project of target `rust-cuda` where the network can be reached: cargo \
               keeps what it gets; target `rust` needs no crates"
            .into(),
    })
}

/// A folder where cargo keeps what projects have in common, held by one build at a time.
pub struct Shared {
    folder: PathBuf,
    _lock: File,
}

impl Shared {
    /// The folder beside builds, for compilers and what they can see. None where there cannot be
    /// one: then each project builds its own.
    pub fn open(builds: &Path, parts: &[String]) -> Option<Shared> {
        let key = cache::key(parts.iter().map(String::as_str));
        let folder = builds.join("crates").join(&key[..16]);
        std::fs::create_dir_all(&folder).ok()?;
        let lock = File::create(folder.join("lock")).ok()?;
        lock.lock().ok()?;
        // When it was used last; it is told by nothing else.
        let _ = lock.set_modified(std::time::SystemTime::now());
        Some(Shared {
            folder,
            _lock: lock,
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes what cargo keeps of one project's own crate, which no other project will use. What
    /// cannot be removed stays.
    pub fn forget(&self, name: &str) {
        let own = |file: &str| {
            let rest = file.strip_prefix("lib").unwrap_or(file);
            [file, rest].iter().any(|file| {
                let after = file.strip_prefix(name);
                after.is_some_and(|after| after.starts_with(['-', '.']))
            })
        };
        for part in ["deps", ".fingerprint", "build", "incremental"] {
            let part = self.folder.join("release").join(part);
            for entry in part.read_dir().into_iter().flatten().flatten() {
                if own(&entry.file_name().to_string_lossy()) {
                    let path = entry.path();
                    let _ = match path.is_dir() {
                        true => std::fs::remove_dir_all(&path),
                        false => std::fs::remove_file(&path),
                    };
                }
            }
        }
    }
}
