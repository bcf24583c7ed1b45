//! C++ files of projects → objects, for projects that differ in their algorithm alone.
//!
//! Beside its algorithm a program has files that come with it: what reads arrays takes a compiler nearly as long as
//! the algorithm does. An object goes by its file and all headers but those of kernels.

use super::build::{BuildOptions, Kind, Product, Project, lay_out};
use super::making::Recipe;
use super::scratch::Scratch;
use super::{ToolError, abreast, cache};
use std::path::{Path, PathBuf};

/// Compiles the C++ files of a project but for its algorithm, several at once, and leaves the objects in the folder
/// of the options, where [`build`](super::build) finds them for this project and others that share the files. Nothing
/// for crates, and without a folder. All projects that share a folder must be built with the same options.
///
/// # Errors
///
/// Where the compiler is missing or refuses a file, or the system does.
pub fn share_objects(project: &Project, options: &BuildOptions) -> Result<(), ToolError> {
    let (Kind::Cuda | Kind::Cpp, Some(folder)) = (project.kind, &options.objects) else {
        return Ok(());
    };
    let recipe = Recipe::of(project, Product::Program, options)?;
    let work = Scratch::new().map_err(|e| ToolError::io(std::env::temp_dir(), e))?;
    lay_out(project, work.path())?;
    let files = project.files.iter().map(|(path, _)| path.as_str());
    let files = files.filter(|path| path.ends_with(".cpp") && !is_own(project, path));
    let files: Vec<&str> = files.collect();
    let one = |file: &&str| recipe.object(file, &object(project, folder, file), work.path());
    abreast(&files, one, || {}).into_iter().collect()
}

/// Where the object of a file of a project is kept.
pub(super) fn object(project: &Project, folder: &Path, file: &str) -> PathBuf {
    let is_text = |path: &str| [".cpp", ".hpp", ".h"].iter().any(|end| path.ends_with(end));
    let files = project.files.iter();
    let shared = files.filter(|(path, _)| is_text(path) && !is_own(project, path));
    let shared = shared.flat_map(|(path, text)| [path.as_str(), text]);
    folder.join(format!("{}.o", cache::key(shared.chain([file]))))
}

/// Whether a file is that of a project's algorithm.
fn is_own(project: &Project, path: &str) -> bool {
    path.strip_suffix(".cpp") == Some(&project.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::{build, run_program, testing::nvcc_or_skip};

    #[test]
    fn projects_that_differ_in_kernels_share_objects() {
        if nvcc_or_skip().is_none() {
            return;
        }
        let (cache, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let options = BuildOptions {
            cache: Some(cache.path().to_path_buf()),
            objects: Some(folder.path().to_path_buf()),
            ..BuildOptions::default()
        };
        let main = "#include <cstdio>\nint f();\nint main() { std::printf(\"%d\\n\", f()); }\n";
        let project = |number: u32| Project {
            libraries: Vec::new(),
            name: "number".into(),
            kind: Kind::Cuda,
            files: vec![
                ("f.cu".into(), format!("int f() {{ return {number}; }}\n")),
                ("main.cpp".into(), main.into()),
            ],
        };
        share_objects(&project(1), &options).unwrap();
        let object = object(&project(2), folder.path(), "main.cpp");
        assert!(object.is_file());
        // What is linked shows where it comes from.
        let other = Project {
            files: vec![
                ("main.cpp".into(), main.replace("%d", "-%d")),
                ("f.cu".into(), String::new()),
            ],
            ..project(1)
        };
        let (from, to) = (super::object(&other, folder.path(), "main.cpp"), &object);
        share_objects(&other, &options).unwrap();
        std::fs::rename(from, to).unwrap();
        let built = build(&project(2), &options, &mut |_| {}).unwrap();
        let none: &[&str] = &[];
        let run = run_program(&built.executable, none, &built.dir, &mut |_| {}).unwrap();
        assert_eq!(run.json, -2);
    }
}
