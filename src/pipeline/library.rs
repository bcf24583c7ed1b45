//! `Scheme` + target + strategy → `Library`: derived, emitted and built for callers of C.

use super::emit::nothing;
use super::parameters::parameter_values;
use super::program::build_options;
use super::recipe::Recipe;
use super::{Failure, Options, Session, Target, Tuning, derive};
use crate::check::Scheme;
use crate::derive::Derived;
use crate::toolchain::build_library;
use serde_json::Value as Json;
use std::path::PathBuf;

/// A shared library, ready to be loaded.
pub struct Library {
    /// The name of its function, which those of its other functions begin with.
    pub name: String,
    /// What runs it.
    pub target: Target,
    /// The derived scheme.
    pub derived: Derived,
    /// The library.
    pub library: PathBuf,
    /// Its header.
    pub header: PathBuf,
    /// What its functions take, as its function `NAME_interface` says it.
    pub interface: Json,
    /// Whether it was built before.
    pub cached: bool,
}

/// Derives a scheme, emits its program and builds it as a shared library, with the strategy's
/// parameters that tuning found, if they are to be taken up. A library for a device is built where there
/// is none, too.
///
/// # Errors
///
/// A target that nothing is emitted for, a scheme that cannot be derived by the strategy or emitted
/// for the target, and a missing or failing compiler.
pub fn library(
    scheme: &Scheme,
    target: Target,
    strategy: &str,
    tuning: &Tuning,
    options: &Options,
    session: &mut Session,
) -> Result<Library, Failure> {
    let emitted = target.emitted().ok_or_else(|| nothing(target.name()))?;
    let base = derive::rules(options, session)?;
    let recipe = Recipe {
        scheme,
        strategy,
        target,
        options,
        base: &base,
    };
    let made = match tuning.find(&recipe, session)? {
        Some(tuned) => {
            let values = parameter_values(scheme, &options.parameters(scheme)?);
            recipe.tuned(&tuned, &values)?
        }
        None => recipe.once()?,
    };
    session.tell(&made.notes(&session.sources));
    let emitted = made.emit(emitted, options)?;
    let name = emitted.project.name.clone();
    let what = format!("building {name} ({})", target.name());
    let built = session.during(&what, |line| {
        build_library(&emitted.project, &build_options(target, options), line)
    })?;
    if let Some(note) = &built.note {
        session.say(&format!("note: {note}"));
    }
    Ok(Library {
        name,
        target,
        derived: made.into_first(),
        library: built.library,
        header: built.header,
        interface: serde_json::from_str(&emitted.interface).unwrap_or(Json::Null),
        cached: built.cached,
    })
}
