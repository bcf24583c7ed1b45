//! A project's files → an executable or a shared library in the cache.

use super::cache::{self, Cache, Place};
use super::crates::{self, Shared};
use super::environment::{For, Surroundings, stamp};
use super::find::{environment, on_path};
use super::process::run;
use super::processor::instructions;
use super::scratch::Scratch;
use super::trust::check_folder;
use super::{ToolError, cargo, devices, nvcc, rustc};
use std::path::{Component, Path, PathBuf};

/// The lines of a compiler that an error shows; the log has them all.
const SHOWN: usize = 30;

/// What the algorithms need of a profile, whatever cargo's configuration says of it.
const PROFILE: [&str; 4] = [
    "--config",
    "profile.release.overflow-checks=true",
    "--config",
    "profile.release.panic=\"unwind\"",
];

/// How cargo makes a library for C of an emitted crate, whose functions are those of its feature `c`.
const LIBRARY: [&str; 7] = [
    "rustc",
    "--release",
    "--lib",
    "--features",
    "c",
    "--crate-type",
    "cdylib",
];

/// What a project is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A cargo crate, `Cargo.toml` at its root.
    Rust,
    /// A cargo crate that depends on cudarc. Its lock file says on which; cargo gets it if need be.
    RustCuda,
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
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            arch: None,
            flags: Vec::new(),
            offline: true,
            cache: None,
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
enum Product {
    Program,
    Library,
}

/// What stands in the folder of a build.
struct Put {
    dir: PathBuf,
    cached: bool,
    note: Option<String>,
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
    fn folder(self) -> &'static str {
        match self {
            Product::Program => "bin",
            Product::Library => "lib",
        }
    }

    /// The name of its file, as cargo has it.
    fn file(self, name: &str) -> String {
        use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
        match self {
            Product::Program => format!("{name}{EXE_SUFFIX}"),
            Product::Library => format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"),
        }
    }
}

/// How one project is built here.
struct Recipe {
    program: PathBuf,
    /// What one would type.
    arguments: Vec<String>,
    surroundings: Surroundings,
    /// What cargo is to run as rustc.
    rustc: Option<PathBuf>,
    /// What a key holds apart from the project: compilers, variables, configuration.
    parts: Vec<String>,
    kind: Kind,
    product: Product,
    name: String,
}

impl Recipe {
    fn of(
        project: &Project,
        product: Product,
        options: &BuildOptions,
    ) -> Result<Recipe, ToolError> {
        check(project)?;
        let mut arguments: Vec<String> = Vec::new();
        let mut parts = Vec::new();
        let (program, surroundings, rustc) = match project.kind {
            Kind::Rust | Kind::RustCuda => {
                let (cargo, rustc) = (cargo()?, rustc()?);
                arguments.extend(match product {
                    Product::Program => ["build".into(), "--release".into()].to_vec(),
                    Product::Library => LIBRARY.map(str::to_owned).to_vec(),
                });
                let locked = project.kind == Kind::RustCuda;
                arguments.extend(locked.then(|| "--locked".into()));
                // The crates that a project depends on are fetched before.
                let offline = options.offline || locked;
                arguments.extend(offline.then(|| "--offline".into()));
                arguments.extend(options.flags.iter().cloned());
                let surroundings = Surroundings::of(For::Rust);
                parts.extend(surroundings.configuration()?);
                let linker = on_path("cc", &environment);
                parts.extend(
                    linker
                        .iter()
                        .chain([&cargo.path, &rustc.path])
                        .map(|t| stamp(t)),
                );
                parts.extend([cargo.about, rustc.about]);
                (cargo.path, surroundings, Some(rustc.path))
            }
            Kind::Cuda => {
                let nvcc = nvcc()?;
                let host = nvcc.host(&options.flags)?;
                arguments.extend(nvcc.flags);
                arguments.extend(["-O3".into(), "-std=c++17".into()]);
                arguments.push(format!("-arch={}", arch(options)));
                arguments.extend(options.flags.iter().cloned());
                if product == Product::Library {
                    arguments.push("-shared".into());
                    let of_host: &[&str] = match cfg!(windows) {
                        true => &[],
                        false => &["-Xcompiler", "-fPIC"],
                    };
                    arguments.extend(of_host.iter().map(|&flag| flag.to_owned()));
                }
                let made = match product {
                    Product::Program => project.name.clone(),
                    Product::Library => product.file(&project.name),
                };
                arguments.extend(["-o".into(), format!("{}/{made}", product.folder())]);
                let sources = project.files.iter().map(|(path, _)| path);
                let taken = |path: &&String| match product {
                    _ if path.ends_with(".cu") => true,
                    Product::Program => path.ends_with(".cpp"),
                    // The program around the library is no part of it.
                    Product::Library => path.ends_with(".cpp") && *path != "main.cpp",
                };
                arguments.extend(sources.filter(taken).cloned());
                parts.extend([stamp(&nvcc.tool.path), stamp(&host.path)]);
                parts.extend([nvcc.tool.about, host.about]);
                (nvcc.tool.path, Surroundings::of(For::Cuda), None)
            }
        };
        parts.extend(surroundings.key(&options.flags));
        // Any flag, of whatever origin, may ask for what this processor has.
        parts.push(instructions());
        Ok(Recipe {
            program,
            arguments,
            surroundings,
            rustc,
            parts,
            kind: project.kind,
            product,
            name: project.name.clone(),
        })
    }

    /// Builds the project, or finds it built.
    fn put(
        &self,
        project: &Project,
        options: &BuildOptions,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Put, ToolError> {
        let put = |dir, cached, note| Put { dir, cached, note };
        let cache = match &options.cache {
            Some(folder) => Cache::at(folder)?,
            None => Cache::of_user()?,
        };
        let why = match cache {
            Ok(cache) => match cache.place(&self.key(project), &self.made_file()) {
                Place::Whole(dir) => return Ok(put(dir, true, None)),
                Place::Free(place) => {
                    let work = cache.scratch()?;
                    let shared = match project.kind {
                        Kind::RustCuda => Shared::open(cache.folder(), &self.parts),
                        _ => None,
                    };
                    let log = Some(place.log());
                    self.make(project, work.path(), log, shared.as_ref(), progress)?;
                    drop(shared);
                    let dir = place.put(&work)?;
                    cache.bound(&dir);
                    return Ok(put(dir, false, None));
                }
                Place::Taken => "what stands in its place is damaged, and in use".to_owned(),
            },
            Err(why) => why,
        };
        let temporary = std::env::temp_dir();
        let work = Scratch::new().map_err(|e| ToolError::io(&temporary, e))?;
        check_folder(work.path()).map_err(|why| ToolError::Project {
            why: format!("the folder for temporary files is open to others: {why}"),
        })?;
        let dir = work.path().to_path_buf();
        // It goes with the process: the program is still to be run.
        std::mem::forget(work);
        self.make(project, &dir, None, None, progress)?;
        let note = format!("builds are not cached: {why}");
        Ok(put(dir, false, Some(note)))
    }

    /// The place of what is made within the folder of a finished build.
    fn made_file(&self) -> PathBuf {
        Path::new(self.product.folder()).join(self.product.file(&self.name))
    }

    fn key(&self, project: &Project) -> String {
        let own = [
            format!("{:?} {}", self.kind, self.name),
            self.arguments.join("\0"),
            PROFILE.join("\0"),
        ];
        let files = project.files.iter().flat_map(|(path, text)| [path, text]);
        let parts = own.iter().chain(&self.parts).chain(files);
        cache::key(parts.map(String::as_str))
    }

    /// Lays the files out in `dir`, runs the compiler and leaves what it makes in its folder. What
    /// other projects depend on, too, is built in `shared`.
    fn make(
        &self,
        project: &Project,
        dir: &Path,
        log: Option<PathBuf>,
        shared: Option<&Shared>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), ToolError> {
        lay_out(project, dir)?;
        let folder = dir.join(self.product.folder());
        let (target, temporary) = (dir.join("target"), dir.join("tmp"));
        for folder in [&folder, &temporary] {
            std::fs::create_dir_all(folder).map_err(|e| ToolError::io(folder, e))?;
        }
        let mut command = self.surroundings.command(&self.program);
        command.args(&self.arguments);
        command.env("TMPDIR", &temporary).env("TMP", &temporary);
        command.env("TEMP", &temporary);
        match &self.rustc {
            // nvcc names its products after the folder it stands in, and obeys no file there.
            None => {
                command.current_dir(dir);
            }
            Some(rustc) => {
                if self.kind == Kind::RustCuda {
                    crates::fetch(&self.surroundings, &self.program, dir, progress)?;
                }
                command.args(PROFILE);
                command.arg("--manifest-path").arg(dir.join("Cargo.toml"));
                command.env("RUSTC", rustc).env("CARGO_TARGET_DIR", &target);
                let kept = shared.map_or(target.as_path(), Shared::folder);
                command.env("CARGO_BUILD_BUILD_DIR", kept);
            }
        }
        let done = run(&mut command, None, progress).map_err(|why| ToolError::Failed {
            tool: self.program.display().to_string(),
            why,
        })?;
        if !done.status.success() {
            let said = format!("{}{}", done.stderr, done.stdout);
            return Err(ToolError::Compile {
                command: self.shown(),
                excerpt: excerpt(&said),
                log: log.filter(|log| std::fs::write(log, &said).is_ok()),
            });
        }
        if self.kind != Kind::Cuda {
            let file = self.product.file(&self.name);
            let made = find_made(&target, &file).ok_or_else(|| ToolError::Project {
                why: format!("building it makes no file `{file}`"),
            })?;
            let place = dir.join(self.made_file());
            std::fs::rename(&made, &place).map_err(|e| ToolError::io(&made, e))?;
            // What cargo leaves is many times the program's size and of no further use.
            std::fs::remove_dir_all(&target).map_err(|e| ToolError::io(&target, e))?;
            if let Some(shared) = shared {
                shared.forget(&self.name);
            }
        }
        std::fs::remove_dir_all(&temporary).map_err(|e| ToolError::io(&temporary, e))
    }

    fn shown(&self) -> String {
        let tool = self.program.file_stem().unwrap_or_default();
        format!("{} {}", tool.to_string_lossy(), self.arguments.join(" "))
    }
}

/// A project's paths must stay within its folder, and its name must be one of a file.
fn check(project: &Project) -> Result<(), ToolError> {
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

/// The file that cargo made: in `release`, or in that of a platform where one is configured.
fn find_made(target: &Path, name: &str) -> Option<PathBuf> {
    let platforms = target.read_dir().ok()?.flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = platforms.collect();
    folders.sort();
    std::iter::once(target.to_path_buf())
        .chain(folders)
        .map(|folder| folder.join("release").join(name))
        .find(|path| path.is_file())
}

/// The lines from the first error on: what stands before it is progress and warnings.
fn excerpt(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    let first = lines.iter().position(|line| line.contains("error"));
    let from = &lines[first.unwrap_or(0)..];
    let shown = &from[..from.len().min(SHOWN)];
    match from.len() - shown.len() {
        0 => shown.join("\n"),
        more => format!("{}\n… and {more} more lines", shown.join("\n")),
    }
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
