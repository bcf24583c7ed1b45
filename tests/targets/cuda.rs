//! Programs of the targets `cuda` and `cpp`, all of one way in one text: nvcc compiles that of `cuda`, and
//! the processor runs it by `runtime.hpp`. One text is compiled many times faster than many.

use crate::case::Case;
use glushkov::algebra::Precision;
use glushkov::emit::{CUDA_EXACT_FLAGS, EmitOptions, Target, emit};
use glushkov::toolchain::testing::level_of_optimization;
use glushkov::toolchain::{Kind, Nvcc, Project, cxx};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All programs of one way.
pub struct Programs {
    /// The headers of the system that they include.
    headers: BTreeSet<String>,
    /// A project and the name of its case.
    projects: Vec<(String, Project)>,
    /// How much the processor's compiler optimizes them.
    level: u8,
}

/// The files of a project's library that are one text.
fn names_of(project: &Project) -> [String; 3] {
    let (support, ending) = match project.kind {
        Kind::Cpp => ("support.hpp", "cpp"),
        _ => ("support.cuh", "cu"),
    };
    let name = &project.name;
    [
        format!("{name}.h"),
        support.into(),
        format!("{name}.{ending}"),
    ]
}

fn file<'a>(project: &'a Project, name: &str) -> &'a str {
    let mut files = project.files.iter();
    let found = files.find(|(path, _)| path == name);
    found.map(|(_, text)| text.as_str()).unwrap()
}

impl Programs {
    /// Programs of cases, as they are emitted for a target.
    pub fn of(target: Target, cases: &[&Case], precision: Precision, checked: bool) -> Programs {
        let project = |case: &&Case| {
            // What tells its stages records nothing; the others do.
            let options = EmitOptions {
                checked,
                profile: checked,
                derivation: None,
            };
            let project = emit(&case.scheme_for(target.into(), precision), target, &options)
                .unwrap_or_else(|e| panic!("{}: {e:?}", case.name));
            (case.name.clone(), project)
        };
        let mut programs = Programs::of_projects(cases.iter().map(project).collect());
        // One of two ways is enough to see what optimization brings to light.
        if checked {
            programs.level = 0;
        }
        programs
    }

    /// Programs of projects; the first of each pair names the program.
    pub fn of_projects(projects: Vec<(String, Project)>) -> Programs {
        Programs {
            headers: BTreeSet::new(),
            projects,
            level: level_of_optimization(),
        }
    }

    /// A file without its `#include` lines, those of the system's headers being kept for the head.
    fn part(&mut self, project: &Project, name: &str) -> String {
        let mut text = String::new();
        for line in file(project, name).lines() {
            match line.strip_prefix("#include ") {
                Some(header) if header.starts_with('<') => {
                    self.headers.insert(header.to_owned());
                }
                Some(_) => {}
                None => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        text
    }

    /// The library of each project in a namespace of its own; with its `main`, if `whole`.
    fn text(&mut self, whole: bool, change: &dyn Fn(String) -> String) -> String {
        let projects = std::mem::take(&mut self.projects);
        let mut text = String::new();
        if whole {
            let (_, first) = &projects[0];
            text.push_str(&self.part(first, "files.hpp"));
            text.push_str(&self.part(first, "npy.hpp"));
            text.push_str(&self.part(first, "cli.hpp"));
            let mut all = projects.iter().map(|(_, project)| project);
            let has = |p: &&Project| p.files.iter().any(|(path, _)| path == "threads.hpp");
            if let Some(project) = all.find(has) {
                text.push_str(&self.part(project, "threads.hpp"));
            }
        }
        for (case, project) in &projects {
            let _ = writeln!(
                text,
                "#undef GLUSHKOV_CALLBACKS\n#undef SUPPORT_CUH\n#undef SUPPORT_HPP\nnamespace case_{case} {{"
            );
            let names = names_of(project);
            // One scheme may stand in the text more than once.
            for line in file(project, &names[0]).lines() {
                if let Some(guard) = line.strip_prefix("#ifndef ") {
                    let _ = writeln!(text, "#undef {guard}");
                }
            }
            for name in names {
                // Functions of C have no namespace.
                let part = self.part(project, &name);
                text.push_str(&change(part.replace("extern \"C\" {", "extern \"C++\" {")));
            }
            if whole {
                let main = self.part(project, "main.cpp");
                assert!(main.contains("int main("));
                let main = main.replace("int main(", "int entry(");
                let _ = writeln!(text, "namespace program {{\n{main}}}");
            }
            text.push_str("}\n");
        }
        self.projects = projects;
        text
    }

    fn head(&self) -> String {
        let lines = self.headers.iter().map(|h| format!("#include {h}\n"));
        lines.collect()
    }

    /// The same without headers of CUDA, for which the runtime stands.
    fn head_for_the_processor(&mut self) -> String {
        let own = ["<cuda", "<cooperative_groups"];
        self.headers
            .retain(|h| !own.iter().any(|start| h.starts_with(start)));
        self.head()
    }

    /// nvcc has nothing to say about the libraries.
    pub fn compile_for_a_device(mut self, nvcc: &Nvcc, folder: &Path) {
        let headers = RefCell::new(Vec::new());
        // What a header declares need not be used.
        let header = |text: String| {
            if !text.contains("#ifndef SUPPORT_CUH") {
                return text;
            }
            let mut headers = headers.borrow_mut();
            let name = format!("support_{}.cuh", headers.len());
            let line = format!("#include \"{name}\"\n");
            headers.push((name, text));
            line
        };
        let text = self.text(false, &header);
        let mut files = headers.into_inner();
        files.push(("all.cu".to_owned(), self.head() + &text));
        let made = folder.join("all.o");
        let same = |(name, text): &(String, String)| {
            std::fs::read_to_string(folder.join(name)).is_ok_and(|old| old == *text)
        };
        // What is compiled already stays.
        if made.exists() && files.iter().all(same) {
            return;
        }
        std::fs::create_dir_all(folder).unwrap();
        let _ = std::fs::remove_file(&made);
        for (name, text) in &files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let mut command = nvcc.command();
        command.args(["-std=c++17", "-O1", "-arch=sm_90", "-c"]);
        command.args(["-Werror", "all-warnings", "-Xcompiler", "-Wall,-Werror"]);
        command.args(CUDA_EXACT_FLAGS);
        command.args(["all.cu", "-o", "all.o"]).current_dir(folder);
        succeeds(&mut command);
    }

    /// A program of what is given in C++ and the library of the only project, with its states, on the
    /// processor.
    pub fn compile_with(mut self, own: &str, folder: &Path) -> PathBuf {
        let projects = std::mem::take(&mut self.projects);
        let (_, project) = &projects[0];
        let library: String = names_of(project)
            .iter()
            .map(|name| for_the_processor(self.part(project, name)))
            .collect();
        let state = self.part(project, "state.cpp");
        let headers = ["<cstdio>", "<cstring>", "<optional>", "<vector>"];
        self.headers.extend(headers.map(str::to_owned));
        let mut all = self.head_for_the_processor() + &runtime();
        let _ = writeln!(all, "{library}\n{state}\n{own}");
        compiled(&all, self.level, folder)
    }

    /// The program that runs each case, named by its first argument, on the processor.
    pub fn compile_for_the_processor(mut self, folder: &Path) -> PathBuf {
        let text = self.text(true, &for_the_processor);
        let all = self.head_for_the_processor() + &runtime() + &text;
        compiled(&self.with_main(all), self.level, folder)
    }

    /// The same of target `cpp`, as it is.
    pub fn compile_for_cores(mut self, folder: &Path) -> PathBuf {
        let text = self.text(true, &|text| text);
        let all = self.head() + &text;
        compiled(&self.with_main(all), self.level, folder)
    }

    /// A text of programs with what runs one of them.
    fn with_main(&self, mut all: String) -> String {
        all.push_str("int main(int argc, char **argv) {\n    const std::string name = argv[1];\n");
        for (case, _) in &self.projects {
            let _ = writeln!(
                all,
                "    if (name == \"{case}\") return case_{case}::program::entry(argc - 1, argv + 1);"
            );
        }
        all.push_str("    return 3;\n}\n");
        all
    }
}

/// What stands for the runtime of CUDA.
fn runtime() -> String {
    let names = ["tests/emit/processor.hpp", "tests/targets/runtime.hpp"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = names.map(|name| std::fs::read_to_string(root.join(name)).unwrap());
    texts.concat()
}

/// The program of a text, made in a folder.
fn compiled(all: &str, level: u8, folder: &Path) -> PathBuf {
    // What is compiled is known by its text.
    let all = &format!("// -O{level}\n{all}");
    let program = folder.join("program");
    let source = folder.join("all.cpp");
    // What is compiled already stays.
    if std::fs::read_to_string(&source).is_ok_and(|old| old == *all) && program.exists() {
        return program;
    }
    std::fs::create_dir_all(folder).unwrap();
    let _ = std::fs::remove_file(&program);
    std::fs::write(&source, all).unwrap();
    let mut command = Command::new(cxx().unwrap().path);
    command.args(["-std=c++20", "-ffp-contract=off", "-pthread", "-fopenmp"]);
    command.args(["-fno-math-errno", "-fno-trapping-math"]);
    command.arg(format!("-O{level}"));
    command.args([
        "-Wall",
        "-Wno-unused-function",
        "-Wno-unknown-pragmas",
        "-Werror",
        "-o",
    ]);
    command.arg(&program).arg(&source);
    succeeds(&mut command);
    program
}

/// A part of a program with what only nvcc reads said in C++.
fn for_the_processor(text: String) -> String {
    // A test may have all arrays of a program's caller on the device.
    let text = text.replace("given.on_device(", "lent_in_test(given, ");
    let text = text.replace(
        "extern __shared__ __align__(16) unsigned char shared_memory[];",
        "alignas(16) static unsigned char shared_memory[1 << 20];",
    );
    let text = match text.split_once("#ifdef __CUDA_ARCH__") {
        None => text,
        Some((before, after)) => {
            let after = after.replacen("#else", "} else {", 1);
            format!(
                "{before}if (in_kernel) {{{}",
                after.replacen("#endif", "}", 1)
            )
        }
    };
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("<<<") {
        let (configuration, after) = after.split_once(">>>").unwrap();
        let name = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (before, name) = before.split_at(name.map_or(0, |at| at + 1));
        let _ = write!(out, "{before}on_processor({name}, {configuration})");
        rest = after;
    }
    out + rest
}

fn succeeds(command: &mut Command) {
    let done = command.output().unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(done.status.success(), "{command:?}: {said}");
}
