//! What tuning found → the settings that `run` and `emit` take up.

use super::recipe::Recipe;
use super::{Failure, Session, Target};
use crate::check::Scheme;
use crate::data::{Tuned, TunedFor, TunedRange};
use crate::derive::{derived_text, digest};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::rewrite::{RuleBase, Tunable};
use crate::term::Symbol;
use crate::toolchain::{self, devices, processor};
use std::path::{Path, PathBuf};

/// Which tuning gives the parameters of a strategy. Settings of the options go before any.
#[derive(Clone, Debug, Default)]
pub enum Tuning {
    /// What was tuned and kept on this machine, if anything was.
    #[default]
    Kept,
    /// A file that tuning wrote.
    File(PathBuf),
    /// None: parameters have their defaults.
    Off,
}

/// The digest of a scheme's checked form, by which tunings know it.
fn digest_of(scheme: &Scheme) -> String {
    digest(&derived_text(&scheme.terms, scheme.root))
}

/// What a tuning of a scheme is for here; none where there is no device for the target.
pub(super) fn tuned_for(scheme: &Scheme, strategy: &str, target: Target) -> Option<TunedFor> {
    let device = match target.on_device() {
        true => devices().ok()?.first()?.name.clone(),
        false => processor(),
    };
    Some(TunedFor {
        checked: digest_of(scheme),
        strategy: strategy.to_owned(),
        target: target.name().to_owned(),
        precision: scheme.precision,
        device,
    })
}

/// A name for what a tuning is for, and for `more`.
pub(super) fn key_of(of: &TunedFor, more: &[&String]) -> String {
    let precision = format!("{:?}", of.precision);
    let parts = [
        &of.checked,
        &of.strategy,
        &of.target,
        &precision,
        &of.device,
    ];
    toolchain::key(parts.iter().chain(more).map(|part| part.as_str()))
}

/// Where a tuning is kept if nothing else is said.
pub(super) fn place(of: &TunedFor) -> Result<PathBuf, String> {
    let name = key_of(of, &[]);
    Ok(toolchain::tuned()?.join(format!("{name}.json")))
}

impl Tuning {
    /// The tuning to take up: the one named, else the one that was kept for this scheme, strategy,
    /// target, precision and device. The observer is told what is taken up.
    ///
    /// The scheme is as it was read, before `--set` changes its defaults.
    pub(super) fn find(
        &self,
        recipe: &Recipe<'_>,
        session: &mut Session,
    ) -> Result<Option<Tuned>, Failure> {
        if !recipe.options.with.is_empty() || recipe.target == Target::Interpreter {
            return Ok(None);
        }
        match self {
            Tuning::Off => Ok(None),
            Tuning::File(path) => named(path, recipe, session).map(Some),
            Tuning::Kept => Ok(kept(recipe, session)),
        }
    }
}

fn named(path: &Path, recipe: &Recipe<'_>, session: &mut Session) -> Result<Tuned, Failure> {
    let refused = |why: String| {
        let message = format!("{} cannot be used: {why}", path.display());
        Diagnostic::error("E0907", message).hint("glushkov tune makes such a file")
    };
    let text =
        crate::data::read_text(path).map_err(|e| refused(format!("it cannot be read ({e})")))?;
    let tuned = Tuned::read(&text).map_err(refused)?;
    if let Some(why) = misfit(&tuned, recipe) {
        return Err(refused(why).into());
    }
    let here = tuned_for(recipe.scheme, recipe.strategy, recipe.target);
    let device = &tuned.of.device;
    if here.is_none_or(|here| here.device != *device) {
        session.say(&format!("note: tuned on another device, {device}"));
    }
    session.say(&taken(&tuned, path));
    Ok(tuned)
}

fn kept(recipe: &Recipe<'_>, session: &mut Session) -> Option<Tuned> {
    let here = tuned_for(recipe.scheme, recipe.strategy, recipe.target)?;
    let path = place(&here).ok()?;
    let text = crate::data::read_text(&path).ok()?;
    let why = match Tuned::read(&text) {
        Ok(tuned) => match misfit(&tuned, recipe) {
            None if tuned.of == here => {
                session.say(&taken(&tuned, &path));
                return Some(tuned);
            }
            None => "it is for something else".to_owned(),
            Some(why) => why,
        },
        Err(why) => why,
    };
    session.say(&format!("note: {} is left aside: {why}", path.display()));
    None
}

/// Why a tuning does not fit; nothing where it does, the device apart.
fn misfit(tuned: &Tuned, recipe: &Recipe<'_>) -> Option<String> {
    let (of, scheme) = (&tuned.of, recipe.scheme);
    if of.checked != digest_of(scheme) {
        return Some("the scheme is not the one that was tuned".into());
    }
    if of.strategy != recipe.strategy {
        return Some(format!("it is for strategy {}", of.strategy));
    }
    if of.target != recipe.target.name() {
        return Some(format!("it is for target {}", of.target));
    }
    if of.precision != scheme.precision {
        return Some("it is for another precision".into());
    }
    let whole = |name: &str| {
        let mut parameters = scheme.parameters();
        parameters.any(|(n, v, _)| n.as_str() == name && v.ty.is_integer())
    };
    if let Some(name) = &tuned.parameter
        && !whole(name)
    {
        return Some(format!("the scheme has no whole parameter `{name}`"));
    }
    let known = known_settings(recipe.base, recipe.strategy);
    let settings = || tuned.ranges.iter().flat_map(|r| &r.with);
    let name = |setting: &str| setting.split('=').next().unwrap_or_default().to_owned();
    let unknown = settings().find(|s| !known.contains(&name(s)));
    unknown.map(|s| format!("the strategy has no parameter `{}`", name(s)))
}

/// The names of what can be set of a strategy, as [`setting_name`] has them.
fn known_settings(base: &RuleBase, strategy: &str) -> Vec<String> {
    let strategy = Symbol::new(strategy);
    let all = base.tunables(strategy).into_iter();
    all.map(|t| setting_name(strategy, &t)).collect()
}

/// A parameter as `--with` takes it.
pub(super) fn setting_name(strategy: Symbol, tunable: &Tunable) -> String {
    match tunable.owner == strategy {
        true => tunable.parameter.name.to_string(),
        false => format!("{}.{}", tunable.owner, tunable.parameter.name),
    }
}

/// Settings for people.
pub(super) fn shown(with: &[String]) -> String {
    match with.is_empty() {
        true => "the defaults".to_owned(),
        false => with.join(", "),
    }
}

fn taken(tuned: &Tuned, path: &Path) -> String {
    let ranges = tuned.ranges.iter().map(|range| {
        let settings = shown(&range.with);
        match (&tuned.parameter, range.up_to) {
            (Some(name), Some(to)) => format!("{settings} where {name} <= {to}"),
            _ => settings,
        }
    });
    let ranges: Vec<String> = ranges.collect();
    format!("tuned: {} ({})", ranges.join("; "), path.display())
}

/// The range of a tuning for these values of the scheme's parameters.
pub(super) fn range_for<'t>(tuned: &'t Tuned, values: &[(Symbol, Value)]) -> &'t TunedRange {
    let name = tuned.parameter.as_deref();
    let value = values.iter().find(|(n, _)| Some(n.as_str()) == name);
    let fits = |range: &&TunedRange| match (range.up_to, value) {
        (Some(to), Some((_, Value::Int(i)))) => *i <= to,
        (Some(_), _) => false,
        (None, _) => true,
    };
    let last = tuned.ranges.len() - 1;
    tuned
        .ranges
        .iter()
        .find(fits)
        .unwrap_or(&tuned.ranges[last])
}
