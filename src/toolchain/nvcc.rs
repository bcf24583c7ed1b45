//! Finding nvcc, and what it needs to link.
//!
//! Apart from NVIDIA's toolkit, nvcc comes in Python packages, whose libraries lie in `lib` while
//! nvcc looks in `lib64` and which may hold the shared runtime under its versioned name only.

use super::environment::{For, Surroundings};
use super::find::{Environment, Tool, environment, executable, named, on_path};
use super::process::run;
use super::scratch::Scratch;
use super::{ToolError, cxx};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// nvcc, and the flags without which it does not link here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nvcc {
    /// Where it is, and what it says about itself.
    pub tool: Tool,
    /// Flags that make it find the CUDA runtime; empty for an ordinary toolkit.
    pub flags: Vec<String>,
}

/// nvcc: `GLUSHKOV_NVCC`, `NVCC`, `PATH`, the folders in `CUDA_HOME` and `CUDA_PATH`,
/// `/usr/local/cuda`, the Python packages of NVIDIA. Asked once a process.
///
/// # Errors
///
/// Where `GLUSHKOV_NVCC` does not name a program, or nothing is found.
pub fn nvcc() -> Result<Nvcc, ToolError> {
    static FOUND: OnceLock<Result<Nvcc, ToolError>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let path = find(&environment)?;
            let flags = link_flags(&path);
            let tool = Tool::ask("nvcc", path, "--version", For::Cuda)?;
            Ok(Nvcc { tool, flags })
        })
        .clone()
}

impl Nvcc {
    /// The release, such as `13.0`; empty where nvcc does not say.
    pub fn release(&self) -> &str {
        let rest = self.tool.about.split_once("release ");
        rest.and_then(|(_, rest)| rest.split([',', ' ', '\n']).next())
            .unwrap_or_default()
    }

    /// A command with the flags that it needs here, in clean surroundings.
    pub fn command(&self) -> Command {
        let mut command = Surroundings::of(For::Cuda).command(&self.tool.path);
        command.args(&self.flags);
        command
    }

    /// The compiler of C++ that it will use with flags: what they name, what `NVCC_CCBIN` names, or
    /// the g++ on `PATH`.
    pub(super) fn host(&self, flags: &[String]) -> Result<Tool, ToolError> {
        let mut given = None;
        let mut words = flags.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            if matches!(name, "-ccbin" | "--compiler-bindir") {
                given = Some(match value {
                    "" => words.next().unwrap_or_default(),
                    value => value,
                });
            }
        }
        let variable = |name: &str| match (name, given) {
            ("NVCC_CCBIN", Some(given)) => Some(given.into()),
            _ => environment(name),
        };
        let folder = |path: PathBuf| executable(path.join("g++"));
        let path = named("NVCC_CCBIN", &variable)
            .or_else(|| folder(PathBuf::from(variable("NVCC_CCBIN")?)))
            .or_else(|| on_path("g++", &environment));
        match path {
            Some(path) => Tool::ask("the C++ compiler", path, "--version", For::Cuda),
            None => cxx(),
        }
    }

    /// Compiles and links a smallest program, which takes about a second.
    ///
    /// # Errors
    ///
    /// Where that fails, with what nvcc says.
    pub fn trial(&self) -> Result<(), ToolError> {
        const PROGRAM: &str = "__global__ void touch(float *x) { x[threadIdx.x] = 1.0f; }\n\
             int main() { touch<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }\n";
        let failed = |why: String| ToolError::Failed {
            tool: format!("nvcc ({})", self.tool.path.display()),
            why,
        };
        let folder = Scratch::new().map_err(|e| failed(e.to_string()))?;
        let source = folder.path().join("trial.cu");
        std::fs::write(&source, PROGRAM).map_err(|e| ToolError::io(&source, e))?;
        let mut command = self.command();
        command.args(["-std=c++17", "-arch=sm_90", "-o", "trial", "trial.cu"]);
        command.current_dir(folder.path());
        command.env("TMPDIR", folder.path());
        let limit = Some(Duration::from_secs(120));
        let done = run(&mut command, limit, &mut |_| {}).map_err(failed)?;
        match done.status.success() {
            true => Ok(()),
            false => Err(failed(format!(
                "a smallest program does not build: {}{}",
                done.stdout.trim(),
                done.stderr.trim()
            ))),
        }
    }
}

fn find(environment: Environment) -> Result<PathBuf, ToolError> {
    let missing = |why: String| ToolError::Missing {
        tool: "nvcc",
        why,
        hint: "install NVIDIA's CUDA toolkit, or name an nvcc in the variable GLUSHKOV_NVCC; \
               target `rust` needs neither"
            .into(),
    };
    if let Some(given) = environment("GLUSHKOV_NVCC") {
        let given = given.to_string_lossy().into_owned();
        return named("GLUSHKOV_NVCC", environment).ok_or_else(|| {
            missing(format!(
                "GLUSHKOV_NVCC names `{given}`, which is not a program"
            ))
        });
    }
    let in_toolkit = |folder: PathBuf| executable(folder.join("bin/nvcc"));
    let in_variable = |name: &str| in_toolkit(PathBuf::from(environment(name)?));
    named("NVCC", environment)
        .or_else(|| on_path("nvcc", environment))
        .or_else(|| in_variable("CUDA_HOME"))
        .or_else(|| in_variable("CUDA_PATH"))
        .or_else(|| in_toolkit(PathBuf::from("/usr/local/cuda")))
        .or_else(|| in_python(environment))
        .ok_or_else(|| {
            missing(
                "not in GLUSHKOV_NVCC or NVCC, on PATH, under CUDA_HOME, CUDA_PATH or \
                 /usr/local/cuda, nor among the Python packages of NVIDIA"
                    .into(),
            )
        })
}

/// nvcc among the packages that the first Python on `PATH` can import: `nvidia/cu13/bin/nvcc`, the
/// newest of several. The package is found, not imported, so that none of its code runs.
fn in_python(environment: Environment) -> Option<PathBuf> {
    const SCRIPT: &str = "import importlib.util as u\n\
         s = u.find_spec('nvidia')\n\
         print('\\n'.join(s.submodule_search_locations if s else []))";
    let python = ["python3", "python"]
        .iter()
        .find_map(|name| on_path(name, environment))?;
    let limit = Some(Duration::from_secs(20));
    // Without -I, Python would look in the current folder first.
    let mut command = Surroundings::of(For::Cuda).command(&python);
    command.args(["-I", "-c", SCRIPT]);
    let done = run(&mut command, limit, &mut |_| {}).ok()?;
    let folders = done.stdout.lines().map(Path::new);
    newest(folders.filter(|folder| folder.is_absolute()))
}

/// The nvcc of the highest release in folders that hold `cu13/bin/nvcc` and the like.
fn newest<'a>(folders: impl Iterator<Item = &'a Path>) -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for entry in folders.flat_map(|f| f.read_dir().into_iter().flatten().flatten()) {
        let name = entry.file_name();
        let release = name
            .to_str()
            .and_then(|n| n.strip_prefix("cu")?.parse().ok());
        if let Some((release, path)) = release.zip(executable(entry.path().join("bin/nvcc"))) {
            found.push((release, path));
        }
    }
    found.sort();
    found.pop().map(|(_, path)| path)
}

/// The flags with which the nvcc at `path` finds the CUDA runtime.
fn link_flags(path: &Path) -> Vec<String> {
    // nvcc finds its own folder through links, and so must we.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let Some(root) = path.parent().and_then(Path::parent) else {
        return Vec::new();
    };
    let lib = root.join("lib");
    if root.join("lib64").exists() || root.join("targets").exists() || !lib.is_dir() {
        return Vec::new();
    }
    let mut flags = vec!["-L".to_string(), lib.display().to_string()];
    if !lib.join("libcudadevrt.a").exists() {
        flags.extend(["-cudadevrt".into(), "none".into()]);
    }
    if !lib.join("libcudart_static.a").exists()
        && let Some(shared) = shared_runtime(&lib)
    {
        // The linker knows `-lcudart` by the name libcudart.so, which is not there.
        flags.extend(["-cudart".into(), "none".into()]);
        flags.extend(["-Xlinker".into(), shared.display().to_string()]);
        flags.extend(["-Xlinker".into(), format!("-rpath={}", lib.display())]);
    }
    flags
}

/// `libcudart.so` or `libcudart.so.13`, the last in order of name.
fn shared_runtime(lib: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = lib
        .read_dir()
        .ok()?
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().starts_with("libcudart.so"))
        .map(|e| e.path())
        .collect();
    found.sort();
    found.pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::testing::nvcc_or_skip;
    use std::ffi::OsString;

    #[test]
    fn a_small_program_links() {
        let Some(nvcc) = nvcc_or_skip() else { return };
        assert!(!nvcc.release().is_empty(), "{nvcc:?}");
        nvcc.trial().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_runtime_that_is_only_shared_links_too() {
        let Some(nvcc) = nvcc_or_skip() else { return };
        let root = nvcc.tool.path.canonicalize().unwrap();
        let root = root.parent().unwrap().parent().unwrap();
        let Some(shared) = shared_runtime(&root.join("lib")) else {
            println!("skipped: this toolkit has another layout");
            return;
        };
        // A folder like that of the packages, less the static libraries. nvcc itself must be a
        // copy, since it follows links to its own folder.
        let folder = tempfile::tempdir().unwrap();
        for part in ["bin", "lib"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        for entry in root.read_dir().unwrap().flatten() {
            let to = folder.path().join(entry.file_name());
            if !to.exists() {
                std::os::unix::fs::symlink(entry.path(), to).unwrap();
            }
        }
        for entry in root.join("bin").read_dir().unwrap().flatten() {
            let to = folder.path().join("bin").join(entry.file_name());
            match entry.file_name().to_string_lossy().starts_with("nvcc") {
                true => std::fs::copy(entry.path(), to).map(drop).unwrap(),
                false => std::os::unix::fs::symlink(entry.path(), to).unwrap(),
            }
        }
        let name = shared.file_name().unwrap();
        std::os::unix::fs::symlink(&shared, folder.path().join("lib").join(name)).unwrap();
        let path = folder.path().join("bin/nvcc");
        let flags = link_flags(&path);
        assert!(flags.contains(&"none".to_string()), "{flags:?}");
        let tool = Tool::ask("nvcc", path, "--version", For::Cuda).unwrap();
        Nvcc { tool, flags }.trial().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn the_newest_of_the_python_packages_is_found() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        for release in ["cu9", "cu12", "cu13", "cublas"] {
            let path = folder.path().join(release).join("bin/nvcc");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        std::fs::create_dir_all(folder.path().join("cu14/bin")).unwrap();
        let expected = folder.path().join("cu13/bin/nvcc");
        assert_eq!(newest([folder.path()].into_iter()), Some(expected));
    }

    #[test]
    fn a_variable_that_names_nothing_is_an_error() {
        let given = |name: &str| (name == "GLUSHKOV_NVCC").then(|| OsString::from("/no/nvcc"));
        let error = find(&given).unwrap_err();
        assert!(error.to_string().contains("`/no/nvcc`"), "{error}");
    }
}
