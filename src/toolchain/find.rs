//! Finding compilers, and asking them for their versions.

use super::ToolError;
use super::environment::{For, Surroundings};
use super::process::run;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// How long a tool may take to tell its version.
const LIMIT: Duration = Duration::from_secs(30);

/// A tool that was found and answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
    /// What it says about itself, all lines.
    pub about: String,
}

impl Tool {
    /// The line that holds the version.
    pub fn version(&self) -> &str {
        self.about
            .lines()
            .find(|line| line.chars().any(|c| c.is_ascii_digit()) && !line.contains("(c)"))
            .unwrap_or_default()
    }

    /// Asks the program at `path`, in the surroundings that it will build in.
    pub(super) fn ask(
        tool: &'static str,
        path: PathBuf,
        arg: &str,
        tools: For,
    ) -> Result<Tool, ToolError> {
        let failed = |why: String| ToolError::Failed {
            tool: format!("{tool} ({})", path.display()),
            why,
        };
        let mut command = Surroundings::of(tools).command(&path);
        let done = run(command.arg(arg), Some(LIMIT), &mut |_| {}).map_err(failed)?;
        if !done.status.success() {
            let why = format!("`{arg}` is answered with {}", done.status);
            return Err(failed(format!("{why}: {}", done.stderr.trim())));
        }
        let about = done.stdout.trim().to_string();
        Ok(Tool { path, about })
    }
}

/// The environment, as a function, so that tests can give their own.
pub(super) type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The environment of this process.
pub(super) fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// cargo: `CARGO`, then `PATH`, then the folder of rustup. Asked once a process.
///
/// # Errors
///
/// Where it is not found.
pub fn cargo() -> Result<Tool, ToolError> {
    static FOUND: OnceLock<Result<Tool, ToolError>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let path = find_rust("cargo", "CARGO", &environment)?;
            Tool::ask("cargo", path, "--version", For::Rust)
        })
        .clone()
}

/// rustc: `RUSTC`, then `PATH`, then the folder of rustup. Asked once a process.
///
/// What stands on `PATH` may be rustup's, which picks a toolchain by the folder it stands in; it is
/// followed to the compiler it picks, so that this one builds, too.
///
/// # Errors
///
/// Where it is not found.
pub fn rustc() -> Result<Tool, ToolError> {
    static FOUND: OnceLock<Result<Tool, ToolError>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let path = match named("RUSTC", &environment) {
                Some(given) => given,
                None => real_rustc(find_rust("rustc", "RUSTC", &environment)?),
            };
            Tool::ask("rustc", path, "-vV", For::Rust)
        })
        .clone()
}

/// The compiler in the toolchain of a rustc; where that has none, the rustc itself.
fn real_rustc(path: PathBuf) -> PathBuf {
    let mut command = Surroundings::of(For::Rust).command(&path);
    command.args(["--print", "sysroot"]);
    let done = run(&mut command, Some(LIMIT), &mut |_| {});
    let said = done.map(|done| done.stdout).unwrap_or_default();
    let root = Path::new(said.trim());
    let real = root.is_absolute().then(|| root.join("bin").join("rustc"));
    real.and_then(executable).unwrap_or(path)
}

/// A C++ compiler, which nvcc needs and emitted projects in C++ build with: `GLUSHKOV_CXX`, `CXX`, then
/// g++, c++ or clang++ on `PATH`. Asked once a process.
///
/// # Errors
///
/// Where `GLUSHKOV_CXX` does not name a program, or none of them is found.
pub fn cxx() -> Result<Tool, ToolError> {
    static FOUND: OnceLock<Result<Tool, ToolError>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let path = find_cxx(&environment)?;
            Tool::ask("the C++ compiler", path, "--version", For::Cuda)
        })
        .clone()
}

fn find_cxx(environment: Environment) -> Result<PathBuf, ToolError> {
    let missing = |why: String| ToolError::Missing {
        tool: "a C++ compiler",
        why,
        hint: "install g++ or clang++, or name one in the variable CXX or GLUSHKOV_CXX".into(),
    };
    if let Some(given) = environment("GLUSHKOV_CXX") {
        let given = given.to_string_lossy();
        return named("GLUSHKOV_CXX", environment).ok_or_else(|| {
            missing(format!(
                "GLUSHKOV_CXX names `{given}`, which is not a program"
            ))
        });
    }
    named("CXX", environment)
        .or_else(|| {
            ["g++", "c++", "clang++"]
                .iter()
                .find_map(|name| on_path(name, environment))
        })
        .ok_or_else(|| missing("no g++, c++ or clang++ on PATH".into()))
}

fn find_rust(
    name: &'static str,
    variable: &str,
    environment: Environment,
) -> Result<PathBuf, ToolError> {
    let home = || {
        let home = environment("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(environment("HOME")?).join(".cargo")))?;
        executable(home.join("bin").join(name))
    };
    named(variable, environment)
        .or_else(|| on_path(name, environment))
        .or_else(home)
        .ok_or_else(|| ToolError::Missing {
            tool: name,
            why: format!("not in the variable {variable}, on PATH or in the folder of cargo"),
            hint: "install Rust, for example with rustup".into(),
        })
}

/// The program that a variable names: a path, or a name on `PATH`. None where it names nothing that
/// can be run.
pub(super) fn named(variable: &str, environment: Environment) -> Option<PathBuf> {
    let value = PathBuf::from(environment(variable)?);
    match value.components().count() {
        1 => on_path(value.to_str()?, environment),
        // Tools do not run where this process does.
        _ => executable(std::path::absolute(value).ok()?),
    }
}

/// The program of a name on `PATH`.
pub(super) fn on_path(name: &str, environment: Environment) -> Option<PathBuf> {
    let path = environment("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .find_map(|folder| executable(folder.join(name)))
}

/// The path itself (with the system's suffix for programs), if a program stands there.
pub(super) fn executable(path: PathBuf) -> Option<PathBuf> {
    let path = match std::env::consts::EXE_SUFFIX {
        "" => path,
        suffix if path.to_string_lossy().ends_with(suffix) => path,
        suffix => PathBuf::from(format!("{}{suffix}", path.display())),
    };
    runs(&path).then_some(path)
}

#[cfg(unix)]
fn runs(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runs(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_rust() {
        let (cargo, rustc) = (cargo().unwrap(), rustc().unwrap());
        assert!(cargo.version().starts_with("cargo 1."), "{cargo:?}");
        assert!(rustc.version().starts_with("rustc 1."), "{rustc:?}");
        assert!(rustc.about.contains("host: "));
    }

    #[test]
    fn what_is_not_there_is_told() {
        let nowhere = |_: &str| None;
        let error = find_rust("cargo", "CARGO", &nowhere).unwrap_err();
        assert!(error.to_string().contains("cargo was not found"), "{error}");
        assert!(error.hint().is_some());
        let error = find_cxx(&nowhere).unwrap_err();
        assert!(error.to_string().contains("no g++"), "{error}");
        let named = |name: &str| (name == "GLUSHKOV_CXX").then(|| OsString::from("/no/g++"));
        let error = find_cxx(&named).unwrap_err();
        assert!(error.to_string().contains("`/no/g++`"), "{error}");
        let file = |name: &str| (name == "CARGO").then(|| OsString::from("/etc/passwd"));
        assert!(find_rust("cargo", "CARGO", &file).is_err());
    }

    #[test]
    fn a_program_that_answers_with_an_error_is_not_a_tool() {
        let Some(path) = on_path("false", &environment) else {
            return;
        };
        let error = Tool::ask("false", path, "--version", For::Rust).unwrap_err();
        assert!(matches!(error, ToolError::Failed { .. }), "{error}");
    }
}
