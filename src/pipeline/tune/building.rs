//! Candidates → programs, several built at once.

use super::candidates::{Candidate, NOT_BUILT};
use super::clock::Until;
use crate::pipeline::program::build_options;
use crate::pipeline::recipe::Recipe;
use crate::pipeline::{Failure, Program, Session};
use crate::toolchain::{BuildOptions, Project, Scratch, abreast, build, share_objects};

/// What the programs of candidates share, compiled once: they differ in their algorithm.
pub struct Objects {
    options: BuildOptions,
    /// Where the objects lie; without a folder, each program is built whole.
    _folder: Option<Scratch>,
}

impl Objects {
    pub fn new(recipe: &Recipe<'_>) -> Objects {
        let folder = Scratch::new().ok();
        let objects = folder.as_ref().map(|folder| folder.path().to_path_buf());
        let options = build_options(recipe.target, recipe.options);
        Objects {
            options: BuildOptions { objects, ..options },
            _folder: folder,
        }
    }

    /// Compiles what a project has in common with those of other candidates.
    pub fn share(&self, project: &Project) {
        // What fails here fails again, and is told, where the program is built.
        let _ = share_objects(project, &self.options);
    }
}

/// Builds the candidates that are to be measured: those of which nobody knows better before the time is over, and the
/// defaults in any case.
///
/// # Errors
///
/// What a compiler refuses.
pub fn build_all(
    recipe: &Recipe<'_>,
    all: &mut [Candidate],
    objects: &Objects,
    until: Until,
    session: &mut Session,
) -> Result<Vec<Option<Program>>, Failure> {
    let wanted = all.iter().filter(|c| c.dropped.is_none());
    let wanted: Vec<(&Project, bool)> = wanted
        .filter_map(|c| Some((c.project.as_ref()?, c.default)))
        .collect();
    let built = session.during_parts("building", wanted.len(), |say| {
        let one = |&(project, default): &(&Project, bool)| {
            (default || !until.is_over())
                .then(|| build(project, &objects.options, &mut |_| {}).ok())
        };
        abreast(&wanted, one, || say("building"))
    });
    let mut built = built.into_iter();
    let mut programs = Vec::new();
    for candidate in all {
        let (made, project) = (candidate.made.take(), candidate.project.take());
        let (Some(made), Some(_), None) = (made, project, &candidate.dropped) else {
            programs.push(None);
            continue;
        };
        programs.push(match built.next().flatten() {
            Some(Some(built)) => Some(made.built(recipe.target, [0.0; 3], Some(built))),
            // Why it is not built is told so.
            Some(None) => {
                let (target, options) = (recipe.target, recipe.options);
                Some(made.program(target, options, 0.0, false, session)?)
            }
            None => {
                candidate.dropped = Some(NOT_BUILT.to_owned());
                None
            }
        });
    }
    Ok(programs)
}
