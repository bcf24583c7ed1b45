//! A project's files → an executable or a shared library in the cache.

use super::making::Recipe;
use super::{ToolError, devices};
use std::path::{Component, Path, PathBuf};

/// What a project is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A cargo crate, `Cargo.toml` at its root.
    Rust,
    /// A cargo crate that depends on cudarc. Its lock file says on which; cargo gets it if need be.
    RustCuda,
    /// C++20 with OpenMP: all its `.cpp` files make one program.
    Cpp,
    /// CUDA C++: all its `.cu` and `.cpp` files make one program.
    Cuda,
}

/// An emitted project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The name of its program: for Rust, that of the crate's binary.
    pub name: String,
    /// What it is built with.
    pub kind: Kind,
    /// Its files: paths relative to its folder with `/` between parts, and texts.
    pub files: Vec<(String, String)>,
    /// Libraries that nvcc links with it, by their names: `cufft`.
    pub libraries: Vec<String>,
}

/// How to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// What nvcc builds for, such as `sm_90`; if not given, for the first device, or where there is
    /// none for `sm_90`.
    pub arch: Option<String>,
    /// Further flags for nvcc (`-fmad=false`) or `cargo build`.
    pub flags: Vec<String>,
    /// Whether cargo must do without the network; crates without dependencies can.
    pub offline: bool,
    /// Where builds are kept, instead of the user's cache folder.
    pub cache: Option<PathBuf>,
    /// Where [`share_objects`](super::share_objects) leaves what projects share.
    pub objects: Option<PathBuf>,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            arch: None,
            flags: Vec::new(),
            offline: true,
            cache: None,
            objects: None,
        }
    }
}

/// A project that is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Its folder.
    pub dir: PathBuf,
    /// Its program.
    pub executable: PathBuf,
    /// Whether it was in the cache already.
    pub cached: bool,
    /// Something that the user should know, such as a cache folder that cannot be written.
    pub note: Option<String>,
}

/// A project that is built as a shared library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltLibrary {
    /// Its folder.
    pub dir: PathBuf,
    /// The library.
    pub library: PathBuf,
    /// The header of its functions.
    pub header: PathBuf,
    /// Whether it was in the cache already.
    pub cached: bool,
    /// As for [`Built`].
    pub note: Option<String>,
}

/// What is made of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    Program,
    Library,
}

/// Builds a project, or finds it built: the key of the cache is made of the files, the compilers,
/// all flags, and all that the compilers can see. `progress` gets the compiler's lines as they come.
///
/// Where there is no cache folder that this user alone can write, the build goes to a temporary
/// folder that is gone when the process ends, with a note.
///
/// # Errors
///
/// Where a compiler is missing or refuses the project, or the system refuses a file.
pub fn build(
    project: &Project,
    options: &BuildOptions,
    progress: &mut dyn FnMut(&str),
) -> Result<Built, ToolError> {
    let recipe = Recipe::of(project, Product::Program, options)?;
    let put = recipe.put(project, options, progress)?;
    Ok(Built {
        executable: put.dir.join(recipe.made_file()),
        dir: put.dir,
        cached: put.cached,
        note: put.note,
    })
}

/// Builds a project as a shared library for callers of C, as [`build`] builds its program.
///
/// # Errors
///
/// As for [`build`].
pub fn build_library(
    project: &Project,
    options: &BuildOptions,
    progress: &mut dyn FnMut(&str),
) -> Result<BuiltLibrary, ToolError> {
    let recipe = Recipe::of(project, Product::Library, options)?;
    let put = recipe.put(project, options, progress)?;
    Ok(BuiltLibrary {
        library: put.dir.join(recipe.made_file()),
        header: put.dir.join(format!("{}.h", project.name)),
        dir: put.dir,
        cached: put.cached,
        note: put.note,
    })
}

impl Product {
    /// The folder that it is left in.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Product::Program => "bin",
            Product::Library => "lib",
        }
    }

    /// The name of its file, as cargo has it.
    pub(super) fn file(self, name: &str) -> String {
        use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
        match self {
            Product::Program => format!("{name}{EXE_SUFFIX}"),
            Product::Library => format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"),
        }
    }
}

/// A project's paths must stay within its folder, and its name must be one of a file.
pub(super) fn check(project: &Project) -> Result<(), ToolError> {
    let plain = |path: &str| {
        let mut parts = Path::new(path).components();
        !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    };
    let bad = |why: String| Err(ToolError::Project { why });
    if !plain(&project.name) || project.name.contains(['/', '\\']) {
        return bad(format!("`{}` is not a name of a program", project.name));
    }
    match project.files.iter().find(|(path, _)| !plain(path)) {
        Some((path, _)) => bad(format!("the path `{path}` leaves its folder")),
        None => Ok(()),
    }
}

/// Writes a project's files to a folder.
pub(super) fn lay_out(project: &Project, dir: &Path) -> Result<(), ToolError> {
    check(project)?;
    let mut files = project.files.iter();
    files.try_for_each(|(path, text)| {
        let text = match path.as_str() {
            // A crate is no member of a workspace that a folder above may hold; elsewhere it may be.
            "Cargo.toml" if !text.lines().any(|line| line == "[workspace]") => {
                &format!("{text}\n[workspace]\n")
            }
            _ => text,
        };
        write(&dir.join(path), text)
    })
}

pub(super) fn arch(options: &BuildOptions) -> String {
    let of_device = || devices().ok()?.first()?.arch();
    let given = options.arch.clone();
    given.or_else(of_device).unwrap_or_else(|| "sm_90".into())
}

fn write(path: &Path, text: &str) -> Result<(), ToolError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| ToolError::io(folder, e))?;
    }
    std::fs::write(path, text).map_err(|e| ToolError::io(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::run_program;
    use crate::toolchain::testing::nvcc_or_skip;

    fn rust(main: &str) -> Project {
        let manifest = "[package]\nname = \"sample\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
                        [workspace]\n";
        Project {
            libraries: Vec::new(),
            name: "sample".into(),
            kind: Kind::Rust,
            files: vec![
                ("Cargo.toml".into(), manifest.into()),
                ("src/main.rs".into(), main.into()),
            ],
        }
    }

    fn options(cache: &Path) -> BuildOptions {
        BuildOptions {
            cache: Some(cache.to_path_buf()),
            ..BuildOptions::default()
        }
    }

    #[test]
    fn a_crate_is_built_once() {
        let cache = tempfile::tempdir().unwrap();
        let project = rust("fn main() { println!(\"{{\\\"x\\\": 1}}\"); }");
        let options = options(cache.path());
        let mut lines = Vec::new();
        let first = build(&project, &options, &mut |l| lines.push(l.to_string())).unwrap();
        assert!(lines.iter().any(|l| l.contains("Compiling")), "{lines:?}");
        assert!(!first.cached && first.note.is_none());
        let none: &[&str] = &[];
        let run = run_program(&first.executable, none, &first.dir, &mut |_| {}).unwrap();
        assert_eq!(run.json["x"], 1);
        let second = build(&project, &options, &mut |_| {}).unwrap();
        assert!(second.cached);
        assert_eq!(second.executable, first.executable);
        // Nothing but the finished build and the record of its use is left.
        assert_eq!(cache.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    fn a_compiler_s_refusal_is_shown_and_kept() {
        let cache = tempfile::tempdir().unwrap();
        let error = build(
            &rust("fn main() { x }"),
            &options(cache.path()),
            &mut |_| {},
        );
        let error = error.unwrap_err();
        let ToolError::Compile { excerpt, log, .. } = &error else {
            panic!("{error}");
        };
        assert!(excerpt.starts_with("error"), "{excerpt}");
        let log = std::fs::read_to_string(log.as_ref().unwrap()).unwrap();
        assert!(log.contains("cannot find value `x`"), "{log}");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let built = build(&rust("fn main() {}"), &options(&file), &mut |_| {}).unwrap();
        assert!(built.executable.is_file());
        assert!(built.note.as_ref().unwrap().contains("not cached"));
    }

    #[test]
    fn paths_must_stay_inside() {
        let cache = tempfile::tempdir().unwrap();
        for path in ["../x", "/x", "a/../../x", ""] {
            let mut project = rust("fn main() {}");
            project.files.push((path.into(), String::new()));
            let error = build(&project, &options(cache.path()), &mut |_| {}).unwrap_err();
            assert!(
                matches!(error, ToolError::Project { .. }),
                "{path}: {error}"
            );
        }
    }

    #[test]
    fn cuda_is_built() {
        if nvcc_or_skip().is_none() {
            return;
        }
        let cache = tempfile::tempdir().unwrap();
        let kernel = "#include \"twice.h\"\n\
                      __global__ void kernel(float *x) { x[threadIdx.x] *= 2; }\n\
                      void twice(float *x) { kernel<<<1, 32>>>(x); }\n";
        let main = "#include \"twice.h\"\n#include <cstdio>\nint main() { std::puts(\"{}\"); }\n";
        let mut project = Project {
            libraries: Vec::new(),
            name: "twice".into(),
            kind: Kind::Cuda,
            files: vec![
                ("twice.h".into(), "void twice(float *x);\n".into()),
                ("twice.cu".into(), kernel.into()),
                ("main.cu".into(), main.into()),
            ],
        };
        let mut options = options(cache.path());
        options.flags.push("-fmad=false".into());
        let built = build(&project, &options, &mut |_| {}).unwrap();
        let none: &[&str] = &[];
        let run = run_program(&built.executable, none, &built.dir, &mut |_| {}).unwrap();
        assert!(run.json.is_object());
        project.files[2].1 = "int main() { return y; }\n".into();
        let error = build(&project, &options, &mut |_| {}).unwrap_err();
        assert!(
            error.to_string().contains("identifier \"y\" is undefined"),
            "{error}"
        );
    }
}
