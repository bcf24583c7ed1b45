//! `Source` + target → a project that can be written, with the trace of its lines.

use super::freely::with_tuned_member;
use super::parameters::{parameter_values, with_defaults};
use super::recipe::{Made, Recipe};
use super::{Failure, Notes, Options, Session, Source, Target, Tuning, derive, load};
use crate::diagnostic::Diagnostic;
use crate::emit::{Module, WriteError, write_project};
use crate::term::Symbol;
use crate::toolchain::Project;
use crate::trace;
use std::path::Path;

/// What is emitted.
pub struct Emission {
    /// The project's files, `trace.json` among them.
    pub project: Project,
    /// What the strategy left undone, and why.
    pub notes: Notes,
}

/// Derives a scheme and emits its project, with the parameters of the options as defaults.
///
/// # Errors
///
/// A scheme with syntax errors, one that does not check or derive, or that the target cannot express.
pub fn emit(
    source: Source<'_>,
    target: Target,
    strategy: Option<&str>,
    tuning: &Tuning,
    options: &Options,
    session: &mut Session,
) -> Result<Emission, Failure> {
    let emitted = target.emitted().ok_or_else(|| nothing(target.name()))?;
    let (name, made) = made(source, target, strategy, tuning, options, session)?;
    let emitted = made.emit(emitted, options)?;
    let derivations: Vec<_> = made.variants.iter().map(|(_, d)| &d.derivation).collect();
    let trace = trace::trace(&emitted, name.as_str(), &derivations, &session.sources);
    let mut project = emitted.project;
    project.files.push((trace::FILE.to_owned(), trace.text()));
    Ok(Emission {
        project,
        notes: made.notes(&session.sources),
    })
}

/// Derives a scheme and emits it for target rust as a module of somebody's crate, with the parameters of
/// the options as defaults.
///
/// # Errors
///
/// As for [`emit`].
pub fn module(
    source: Source<'_>,
    strategy: Option<&str>,
    tuning: &Tuning,
    options: &Options,
    session: &mut Session,
) -> Result<Module, Failure> {
    let (_, made) = made(source, Target::Rust, strategy, tuning, options, session)?;
    Ok(made.module(options)?)
}

/// The name of a scheme, and its derivations.
fn made(
    source: Source<'_>,
    target: Target,
    strategy: Option<&str>,
    tuning: &Tuning,
    options: &Options,
    session: &mut Session,
) -> Result<(Symbol, Made), Failure> {
    let options = &with_tuned_member(source, target, strategy, tuning, options, session);
    let scheme = load(source, options, session)?;
    let base = derive::rules(options, session)?;
    let strategy = strategy.unwrap_or(target.strategy());
    let recipe = Recipe {
        scheme: &scheme,
        strategy,
        target,
        options,
        base: &base,
    };
    let tuned = tuning.find(&recipe, session)?;
    let values = parameter_values(&scheme, &options.parameters(&scheme)?);
    let scheme = &with_defaults(&scheme, options)?;
    let recipe = Recipe { scheme, ..recipe };
    let made = match tuned {
        Some(tuned) => recipe.tuned(&tuned, &values)?,
        None => recipe.once()?,
    };
    Ok((scheme.name, made))
}

/// The failure for what is not a target of programs.
pub fn nothing(target: &str) -> Failure {
    let message = format!("nothing is emitted for the target {target}");
    Diagnostic::error("E0006", message)
        .hint("emit takes rust, cpp, cuda and rust-cuda")
        .into()
}

impl Emission {
    /// Writes the project to a folder: whole or not at all. With `force`, one that was written there
    /// before is replaced.
    ///
    /// # Errors
    ///
    /// E0001: the folder holds something else, or the system refuses.
    pub fn write(&self, folder: &Path, force: bool) -> Result<(), Failure> {
        write_project(&self.project, folder, force).map_err(|error| {
            let refused = Diagnostic::error("E0001", error.to_string());
            match &error {
                WriteError::NotEmpty(_) => refused.hint("--force replaces it"),
                WriteError::NotOurs { .. } => {
                    refused.hint("move it away, or name another folder with -o")
                }
                _ => refused,
            }
            .into()
        })
    }
}
