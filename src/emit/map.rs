//! The files of a project, with where each of their lines comes from.

use super::c;
use super::plan::{Origin, Plan, head_lines};
use super::template::Filled;
use super::variants::Program;
use crate::toolchain::{Kind, Project};

/// What is emitted: a project, and where its lines come from.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The project.
    pub project: Project,
    /// What the numbers of [`FileMap::origins`] mean.
    pub origins: Vec<Origin>,
    /// The number of the first origin of each variant: 0, where there is one.
    pub variants: Vec<u32>,
    /// The files, in the order of the project's.
    pub files: Vec<FileMap>,
    /// What the functions for callers of C take, as a text of JSON.
    pub interface: String,
}

impl Emitted {
    /// The origins of the lines that a text names, as compilers do: `file.cpp:12` or `file.cu(12)`.
    pub fn named_in(&self, text: &str) -> Vec<&Origin> {
        let mut found: Vec<(usize, &Origin)> = Vec::new();
        for file in &self.files {
            for (at, _) in text.match_indices(&file.path) {
                let behind = &text[at + file.path.len()..];
                let Some(behind) = behind.strip_prefix([':', '(']) else {
                    continue;
                };
                let end = behind.find(|c: char| !c.is_ascii_digit());
                let line: Option<usize> = behind[..end.unwrap_or(behind.len())].parse().ok();
                let number = line.and_then(|line| *file.origins.get(line.checked_sub(1)?)?);
                let origin = number.and_then(|number| self.origins.get(number as usize));
                found.extend(origin.map(|origin| (at, origin)));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, origin)| origin).collect()
    }
}

/// Where the lines of a file come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMap {
    /// The file, as the project has it.
    pub path: String,
    /// The template that it was made of; none where there is none.
    pub template: Option<&'static str>,
    /// For each line the number of its origin; none where it is the template's.
    pub origins: Vec<Option<u32>>,
}

/// The files of a project that is being put together.
#[derive(Default)]
pub(super) struct Files {
    texts: Vec<(String, String)>,
    maps: Vec<FileMap>,
}

/// The libraries that the code of basic operators asks for.
pub(super) fn libraries(plans: &[Plan]) -> Vec<String> {
    let mut all: Vec<String> = plans
        .iter()
        .flat_map(|plan| head_lines(plan, "#link"))
        .collect();
    all.sort();
    all.dedup();
    all
}

impl Files {
    /// Adds a file that a template was filled in for.
    pub fn filled(&mut self, path: impl Into<String>, template: &'static str, filled: Filled) {
        let path = path.into();
        self.maps.push(FileMap {
            path: path.clone(),
            template: Some(template),
            origins: filled.origins,
        });
        self.texts.push((path, filled.text));
    }

    /// Adds a file in which nothing depends on the scheme.
    pub fn copied(&mut self, path: impl Into<String>, template: &'static str, text: &str) {
        let text = text.to_owned();
        let origins = vec![None; text.lines().count()];
        self.filled(path, template, Filled { text, origins });
    }

    /// Adds a file that no template is for.
    pub fn plain(&mut self, path: &str, text: String) {
        self.copied(path, "", &text);
        if let Some(map) = self.maps.last_mut() {
            map.template = None;
        }
    }

    /// The project of a program for a target.
    pub fn emitted(self, program: &Program, kind: Kind, target: &str) -> Emitted {
        let project = Project {
            name: program.first().name.clone(),
            kind,
            libraries: match kind {
                Kind::Cuda | Kind::Cpp => libraries(&program.plans),
                _ => Vec::new(),
            },
            files: self.texts,
        };
        let (origins, variants) = program.origins();
        Emitted {
            project,
            origins,
            variants,
            files: self.maps,
            interface: c::description(program.first(), target).concat(),
        }
    }
}
