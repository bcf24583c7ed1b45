//! Compilers over emitted projects: what they say is an error, warnings too.

use glushkov::emit::CUDA_EXACT_FLAGS;
use glushkov::toolchain::{Kind, Nvcc, Project, cxx, rustc};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

fn write(project: &Project, folder: &Path) {
    for (path, text) in &project.files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}

fn said(command: &mut Command) -> Result<(), String> {
    let done = command.output().expect("a compiler");
    match done.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{}{}",
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr)
        )),
    }
}

/// Compiles a crate without dependencies as far as to what it says about itself: all errors and
/// warnings come before code is made.
pub fn compile_rust(project: &Project) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    write(project, folder.path());
    let rustc = rustc().expect("Rust is there").path;
    let start = |name: &str, source: &str| {
        let mut command = Command::new(&rustc);
        command.args([
            "--edition",
            "2021",
            "--emit=metadata",
            "-Dwarnings",
            "-C",
            "overflow-checks=on",
        ]);
        command
            .args(["--crate-name", name, source])
            .current_dir(folder.path());
        command
            .env("CARGO_PKG_NAME", &project.name)
            .env("CARGO_PKG_VERSION", "0.1.0");
        command
    };
    said(start(&project.name, "src/lib.rs").args(["--crate-type", "rlib"]))?;
    let library = format!("{0}=lib{0}.rmeta", project.name);
    said(start("program", "src/main.rs").args([
        "--crate-type",
        "bin",
        "--extern",
        &library,
        "-L",
        ".",
    ]))
}

/// All programs in one text, each in a namespace of its own: the headers of CUDA take longer than
/// the programs.
fn joined(projects: &[&Project]) -> String {
    let mut headers = BTreeSet::new();
    let mut text = String::new();
    for (number, project) in projects.iter().enumerate() {
        let _ = writeln!(
            text,
            "#undef GLUSHKOV_CALLBACKS\n#undef SUPPORT_CUH\n#undef SUPPORT_HPP\nnamespace p{number} {{"
        );
        let (support, ending) = match project.kind {
            Kind::Cpp => ("support.hpp", "cpp"),
            _ => ("support.cuh", "cu"),
        };
        for name in [
            format!("{}.h", project.name),
            support.into(),
            format!("{}.{ending}", project.name),
        ] {
            let mut files = project.files.iter();
            let (_, file) = files
                .find(|(path, _)| *path == name)
                .expect("a file of the project");
            for line in file.lines() {
                match line.strip_prefix("#include ") {
                    Some(header) if header.starts_with('<') => {
                        headers.insert(header.to_owned());
                    }
                    // What several programs include is in front of their namespaces.
                    Some(header) if header == "\"threads.hpp\"" => {
                        headers.insert(header.to_owned());
                    }
                    Some(_) => {}
                    None => {
                        text.push_str(line);
                        text.push('\n');
                    }
                }
            }
        }
        text.push_str("}\n");
    }
    let head: String = headers.iter().map(|h| format!("#include {h}\n")).collect();
    head + &text
}

/// Compiles the kernels of a project of target `rust-cuda`, if it has any.
pub fn compile_kernels(nvcc: &Nvcc, project: &Project) -> Result<(), String> {
    let mut files = project.files.iter();
    let Some((_, text)) = files.find(|(path, _)| path == "src/kernels.cu") else {
        return Ok(());
    };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("kernels.cu"), text).expect("a file");
    let mut command = nvcc.command();
    command.args([
        "-std=c++17",
        "-arch=sm_90",
        "--ptx",
        "-Werror",
        "all-warnings",
    ]);
    command
        .args(["-o", "kernels.ptx", "kernels.cu"])
        .args(CUDA_EXACT_FLAGS);
    said(command.current_dir(folder.path()))
}

/// The same of target `cpp`.
pub fn compile_cpp(projects: &[&Project]) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    for project in projects {
        write(project, folder.path());
    }
    std::fs::write(folder.path().join("all.cpp"), joined(projects)).expect("a file");
    let cxx = cxx().expect("a compiler of C++").path;
    let compiled = |files: &[&str], level: &str| {
        let mut command = Command::new(&cxx);
        command.args(["-std=c++20", "-fopenmp", "-ffp-contract=off", level, "-c"]);
        command.args(["-Wall", "-Wextra", "-Werror"]).args(files);
        said(command.current_dir(folder.path()))
    };
    // The more a compiler does the more it sees.
    compiled(&["all.cpp"], "-O1")?;
    match projects {
        [_] => compiled(&["main.cpp", "state.cpp"], "-O0"),
        _ => Ok(()),
    }
}

/// Compiles the libraries of projects, and the program of one that is alone.
pub fn compile_cuda(nvcc: &Nvcc, projects: &[&Project]) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("all.cu"), joined(projects)).expect("a file");
    let mut command = nvcc.command();
    command.args([
        "-std=c++17",
        "-O1",
        "-arch=sm_90",
        "-c",
        "-Werror",
        "all-warnings",
    ]);
    command
        .args([
            "-Xcompiler",
            "-Wall,-Werror",
            "-Xcicc",
            "-O1",
            "-Xptxas",
            "-O0",
        ])
        .args(CUDA_EXACT_FLAGS);
    said(
        command
            .args(["all.cu", "-o", "all.o"])
            .current_dir(folder.path()),
    )?;
    let [project] = projects else { return Ok(()) };
    write(project, folder.path());
    let mut command = Command::new(cxx().expect("a compiler of C++").path);
    command.args([
        "-std=c++17",
        "-fsyntax-only",
        "-Wall",
        "-Werror",
        "main.cpp",
    ]);
    said(command.current_dir(folder.path()))
}
