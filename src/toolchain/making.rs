//! How a project is built: with which compilers, flags and variables, under which key of the cache, and
//! where what was made is left.

use super::build::{BuildOptions, Kind, Product, Project, arch, check, lay_out};
use super::cache::{self, Cache, Place};
use super::crates::{self, Shared};
use super::environment::{For, Surroundings, stamp};
use super::find::{environment, on_path};
use super::objects;
use super::process::run;
use super::processor::instructions;
use super::scratch::Scratch;
use super::trust::check_folder;
use super::{ToolError, cargo, cxx, expect_openmp, nvcc, rustc};
use std::path::{Path, PathBuf};

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

/// What was made for other builds, too.
#[derive(Clone, Copy)]
struct Kept<'a> {
    /// What the crates of other projects depend on.
    shared: Option<&'a Shared>,
    /// The folder of objects of C++ files.
    objects: Option<&'a Path>,
}

/// What stands in the folder of a build.
pub(super) struct Put {
    pub(super) dir: PathBuf,
    pub(super) cached: bool,
    pub(super) note: Option<String>,
}

/// Flags of a compiler of C++ for programs with OpenMP: results are those of the scheme to the last bit, and
/// none depends on `errno` or on traps.
pub(super) const CPP: [&str; 7] = [
    "-std=c++20",
    "-O3",
    "-march=native",
    "-fopenmp",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
];

/// What a compiler of C++ makes of which files.
fn sources(project: &Project, product: Product) -> Vec<String> {
    let made = match product {
        Product::Program => project.name.clone(),
        Product::Library => product.file(&project.name),
    };
    let sources = project.files.iter().map(|(path, _)| path);
    let taken = |path: &&String| match product {
        _ if path.ends_with(".cu") => true,
        Product::Program => path.ends_with(".cpp"),
        // The program around the library is no part of it.
        Product::Library => path.ends_with(".cpp") && *path != "main.cpp",
    };
    let mut all = vec!["-o".to_owned(), format!("{}/{made}", product.folder())];
    all.extend(sources.filter(taken).cloned());
    all
}

/// How one project is built here.
pub(super) struct Recipe {
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
    pub(super) fn of(
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
            Kind::Cpp => {
                let cxx = cxx()?;
                arguments.extend(CPP.map(str::to_owned));
                // Lanes fill the registers that there are.
                let wide = cfg!(target_arch = "x86_64").then(|| "-mprefer-vector-width=512".into());
                arguments.extend(wide);
                arguments.extend(options.flags.iter().cloned());
                if product == Product::Library {
                    arguments.extend(["-shared".into(), "-fPIC".into()]);
                }
                arguments.extend(sources(project, product));
                // The linker takes of a library what was asked for before it.
                arguments.extend(project.libraries.iter().map(|name| format!("-l{name}")));
                parts.push(stamp(&cxx.path));
                parts.push(cxx.about);
                (cxx.path, Surroundings::of(For::Cuda), None)
            }
            Kind::Cuda => {
                let nvcc = nvcc()?;
                let host = nvcc.host(&options.flags)?;
                arguments.extend(nvcc.flags);
                arguments.extend(project.libraries.iter().map(|name| format!("-l{name}")));
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
                arguments.extend(sources(project, product));
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
    pub(super) fn put(
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
                    let kept = Kept {
                        shared: shared.as_ref(),
                        objects: options.objects.as_deref(),
                    };
                    self.make(project, work.path(), log, kept, progress)?;
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
        let kept = Kept {
            shared: None,
            objects: options.objects.as_deref(),
        };
        self.make(project, &dir, None, kept, progress)?;
        let note = format!("builds are not cached: {why}");
        Ok(put(dir, false, Some(note)))
    }

    /// The place of what is made within the folder of a finished build.
    pub(super) fn made_file(&self) -> PathBuf {
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

    /// Compiles a C++ file of a project that is laid out in `dir`, and leaves the object at a place.
    pub(super) fn object(&self, file: &str, place: &Path, dir: &Path) -> Result<(), ToolError> {
        let mut command = self.surroundings.command(&self.program);
        let is_source =
            |argument: &&String| argument.ends_with(".cpp") || argument.ends_with(".cu");
        let sources = self.arguments.iter().position(|argument| argument == "-o");
        let before = &self.arguments[..sources.unwrap_or(self.arguments.len())];
        command.args(before.iter().filter(|argument| !is_source(argument)));
        command.args(["-c", file, "-o"]).arg(place).current_dir(dir);
        let failed = |why| ToolError::Failed {
            tool: self.program.display().to_string(),
            why,
        };
        let done = run(&mut command, None, &mut |_| {}).map_err(failed)?;
        match done.status.success() {
            true => Ok(()),
            false => Err(failed(excerpt(&done.stderr))),
        }
    }

    /// Lays the files out in `dir`, runs the compiler and leaves what it makes in its folder.
    fn make(
        &self,
        project: &Project,
        dir: &Path,
        log: Option<PathBuf>,
        kept: Kept<'_>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), ToolError> {
        let shared = kept.shared;
        lay_out(project, dir)?;
        let folder = dir.join(self.product.folder());
        let (target, temporary) = (dir.join("target"), dir.join("tmp"));
        for folder in [&folder, &temporary] {
            std::fs::create_dir_all(folder).map_err(|e| ToolError::io(folder, e))?;
        }
        let mut command = self.surroundings.command(&self.program);
        command.args(self.arguments.iter().map(|argument| {
            let object = kept.objects.filter(|_| argument.ends_with(".cpp"));
            let object = object.map(|folder| objects::object(project, folder, argument));
            let object = object.filter(|object| object.is_file());
            object.map_or_else(|| argument.into(), PathBuf::into_os_string)
        }));
        command.env("TMPDIR", &temporary).env("TMP", &temporary);
        command.env("TEMP", &temporary);
        match &self.rustc {
            // nvcc names its products after the folder it stands in; compilers of C++ obey no file there.
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
            if self.kind == Kind::Cpp {
                expect_openmp()?;
            }
            let said = format!("{}{}", done.stderr, done.stdout);
            return Err(ToolError::Compile {
                command: self.shown(),
                excerpt: excerpt(&said),
                log: log.filter(|log| std::fs::write(log, &said).is_ok()),
            });
        }
        if !matches!(self.kind, Kind::Cpp | Kind::Cuda) {
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
