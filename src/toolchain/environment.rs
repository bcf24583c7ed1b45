//! What compilers run in: which variables they see, and where they stand.
//!
//! A variable that a compiler sees is part of the key of what it builds, so they see those that are
//! named here and no others. Cargo and rustup obey files of the folder they stand in and of all
//! above it; so they stand in the root of the file system, where nobody but the administrator
//! writes, both when they are asked for their version and when they build.

use super::ToolError;
use super::trust::check_file;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What every tool may see.
const EVERYWHERE: &[&str] = &[
    // Where programs and libraries are.
    "PATH",
    "HOME",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    // The SDK of macOS.
    "SDKROOT",
    "DEVELOPER_DIR",
    "MACOSX_DEPLOYMENT_TARGET",
    // Without these nothing starts under Windows.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
];

/// What cargo and rustc may see besides.
const RUST: &[&str] = &[
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_JOBS",
];

/// What nvcc and the compiler of C++ may see besides.
const CUDA: &[&str] = &[
    "CUDA_HOME",
    "CUDA_PATH",
    "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS",
    "NVCC_CCBIN",
];

/// What getting crates needs. What is got is known by its digest in the lock file, so that nothing
/// of this is in a key.
const NETWORK: &[&str] = &[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "SSH_AUTH_SOCK",
    "CARGO_HTTP_PROXY",
    "CARGO_HTTP_CAINFO",
    "CARGO_HTTP_TIMEOUT",
    "CARGO_HTTP_MULTIPLEXING",
    "CARGO_NET_GIT_FETCH_WITH_CLI",
    "CARGO_NET_OFFLINE",
    "CARGO_NET_RETRY",
];

/// Variables of lists of folders: a relative one would mean wherever a tool stands.
const LISTS: &[&str] = &[
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
];

/// Variables of one folder.
const FOLDERS: &[&str] = &["CARGO_HOME", "RUSTUP_HOME", "CUDA_HOME", "CUDA_PATH"];

/// The largest file that is read for a key.
const LARGEST: u64 = 64 << 20;

/// Which tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// cargo and rustc.
    Rust,
    /// nvcc and the compiler of C++.
    Cuda,
}

/// The variables that a tool sees.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    variables: Vec<(&'static str, OsString)>,
}

impl Surroundings {
    /// Those of this process, as far as tools may see them.
    pub(super) fn of(tools: For) -> Surroundings {
        Surroundings::from(tools, &super::find::environment)
    }

    fn from(tools: For, environment: super::find::Environment) -> Surroundings {
        let more = match tools {
            For::Rust => RUST,
            For::Cuda => CUDA,
        };
        let names = EVERYWHERE.iter().chain(more);
        let mut variables: Vec<(&'static str, OsString)> = names
            .filter_map(|&name| Some((name, settled(name, environment(name)?)?)))
            .collect();
        // Cargo would take it from the system's list of users where HOME says nothing; it is
        // named, so that what is looked at for the key is what cargo looks at.
        if tools == For::Rust && !variables.iter().any(|(name, _)| *name == "CARGO_HOME") {
            let home = std::env::home_dir().filter(|home| home.is_absolute());
            variables.extend(home.map(|home| ("CARGO_HOME", home.join(".cargo").into())));
        }
        // Compilers speak the language of their manuals.
        variables.push(("LC_ALL", "C".into()));
        Surroundings { variables }
    }

    /// A command that sees these variables and nothing else, and stands in the root.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let seen = self.variables.iter().map(|(name, value)| (*name, value));
        command.env_clear().envs(seen).current_dir(root());
        command
    }

    /// Lets a command see what the network needs, too.
    pub(super) fn with_network(command: &mut Command) -> &mut Command {
        let seen = NETWORK
            .iter()
            .filter_map(|&name| Some((name, super::find::environment(name)?)));
        command.envs(seen)
    }

    /// What of all this a key must hold: the variables, and the content of the files that they, or
    /// flags, name.
    pub(super) fn key(&self, flags: &[String]) -> Vec<String> {
        let shown = |(name, value): &(&str, OsString)| format!("{name}={value:?}");
        let mut parts: Vec<String> = self.variables.iter().map(shown).collect();
        let lists = self
            .variables
            .iter()
            .filter(|(name, _)| !LISTS.contains(name));
        let texts = lists.map(|(_, value)| value.to_string_lossy().into_owned());
        for text in texts.chain(flags.iter().cloned()) {
            parts.extend(named_files(&text).iter().map(|path| content(path)));
        }
        parts
    }

    /// The content of the configuration files that cargo obeys where it stands.
    ///
    /// # Errors
    ///
    /// Where one of the root is not the administrator's.
    pub(super) fn configuration(&self) -> Result<Vec<String>, ToolError> {
        let mut files = Vec::new();
        for name in ["config.toml", "config"] {
            let path = root().join(".cargo").join(name);
            if path.symlink_metadata().is_ok() {
                check_file(&path)?;
                files.push(path);
            }
        }
        let home = self
            .variables
            .iter()
            .find(|(name, _)| *name == "CARGO_HOME");
        if let Some((_, home)) = home {
            files.extend(["config.toml", "config"].map(|name| Path::new(home).join(name)));
        }
        let mut seen = BTreeSet::new();
        let mut parts = Vec::new();
        while let Some(path) = files.pop() {
            if !path.is_file() || !seen.insert(path.clone()) {
                continue;
            }
            parts.push(content(&path));
            // Files that it includes: any text in it that ends as they do.
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let words = text.split(['"', '\'']).filter(|w| w.ends_with(".toml"));
            let folder = path.parent().unwrap_or(Path::new("/"));
            files.extend(words.map(|word| folder.join(word)));
        }
        parts.sort();
        Ok(parts)
    }
}

/// A program as a key holds it: its place and which file stands there.
pub(super) fn stamp(program: &Path) -> String {
    let real = program.canonicalize().unwrap_or_else(|_| program.into());
    let about = real.metadata().ok();
    let modified = about.as_ref().and_then(|m| m.modified().ok());
    let length = about.map(|m| m.len());
    format!("{program:?} {real:?} {length:?} {modified:?}")
}

/// Where tools stand: nobody but the administrator writes there.
fn root() -> &'static Path {
    Path::new(std::path::MAIN_SEPARATOR_STR)
}

/// The value of a variable as tools see it: with folders that mean the same everywhere. None where
/// nothing is left of it.
fn settled(name: &str, value: OsString) -> Option<OsString> {
    if LISTS.contains(&name) {
        let folders = std::env::split_paths(&value).filter(|f| f.is_absolute());
        // On the way from folders to a list only what came from a list is joined.
        let joined = std::env::join_paths(folders).unwrap_or_default();
        return (!joined.is_empty()).then_some(joined);
    }
    if FOLDERS.contains(&name) {
        let folder = std::path::absolute(&value);
        return Some(folder.map_or(value, PathBuf::into_os_string));
    }
    Some(value)
}

/// The files that a text of flags names by absolute paths.
fn named_files(text: &str) -> Vec<PathBuf> {
    let words = text.split([' ', '=', ',', '\x1f', '\t', '\n']);
    let paths = words.flat_map(|word| word.find('/').map(|at| PathBuf::from(&word[at..])));
    paths.filter(|path| path.is_file()).collect()
}

/// A file's content as a key holds it.
fn content(path: &Path) -> String {
    let large = path.metadata().is_ok_and(|about| about.len() > LARGEST);
    match large {
        true => stamp(path),
        false => {
            let bytes = std::fs::read(path).unwrap_or_default();
            format!("{path:?} {}", super::cache::digest(&bytes))
        }
    }
}
