//! What tuning found, where `run` and `emit` take it up.

use super::common::{Common, TargetName};
use super::job::on_device;
use super::output::{Output, Stop};
use crate::check::Scheme;
use crate::data::{Tuned, TunedFor, TunedRange};
use crate::derive::{derived_text, digest};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::rewrite::RuleBase;
use crate::term::Symbol;
use crate::toolchain::{self, devices, processor};
use std::path::{Path, PathBuf};

/// Options of the commands that take up what tuning found.
#[derive(clap::Args, Clone, Debug)]
pub struct Take {
    /// What `tune` wrote, to take the strategy's parameters from (what was tuned on this machine, if
    /// not given)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_tuned", "with"])]
    tuned: Option<PathBuf>,
    /// Take the strategy's parameters as they are, whatever was tuned
    #[arg(long)]
    no_tuned: bool,
}

/// What a tuning of this scheme is for here; none where there is no device for the target.
pub fn tuned_for(scheme: &Scheme, strategy: &str, target: TargetName) -> Option<TunedFor> {
    let device = match on_device(target) {
        true => devices().ok()?.first()?.name.clone(),
        false => processor(),
    };
    Some(TunedFor {
        checked: digest(&derived_text(&scheme.terms, scheme.root)),
        strategy: strategy.to_owned(),
        target: target.name().to_owned(),
        precision: scheme.precision,
        device,
    })
}

/// Where a tuning is kept if nothing else is said.
pub fn place(of: &TunedFor) -> Result<PathBuf, String> {
    let precision = format!("{:?}", of.precision);
    let parts = [
        &of.checked,
        &of.strategy,
        &of.target,
        &precision,
        &of.device,
    ];
    let name = toolchain::key(parts.into_iter().map(String::as_str));
    Ok(toolchain::tuned()?.join(format!("{name}.json")))
}

/// The tuning to take up: the one named, else the one that was kept for this scheme, strategy,
/// target, precision and device. Settings of the command line go before any. A line on standard
/// error says what is taken up.
///
/// `scheme` is as it was read, before `--set` changes its defaults.
pub fn find(
    args: &Take,
    common: &Common,
    scheme: &Scheme,
    strategy: &str,
    target: TargetName,
    base: &RuleBase,
    output: &mut Output,
) -> Result<Option<Tuned>, Stop> {
    if args.no_tuned || !common.with.is_empty() || target == TargetName::Interpreter {
        return Ok(None);
    }
    if let Some(path) = &args.tuned {
        let refused = |why: String| {
            let message = format!("{} cannot be used: {why}", path.display());
            Diagnostic::error("E0907", message).hint("glushkov tune makes such a file")
        };
        let text = crate::data::read_text(path)
            .map_err(|e| refused(format!("it cannot be read ({e})")))?;
        let tuned = Tuned::read(&text).map_err(refused)?;
        let here = tuned_for(scheme, strategy, target);
        if let Some(why) = misfit(&tuned, scheme, strategy, target, base) {
            return Err(refused(why).into());
        }
        if here.is_none_or(|here| here.device != tuned.of.device) {
            output.say(&format!(
                "note: tuned on another device, {}",
                tuned.of.device
            ));
        }
        output.say(&taken(&tuned, path));
        return Ok(Some(tuned));
    }
    let Some(here) = tuned_for(scheme, strategy, target) else {
        return Ok(None);
    };
    let Ok(path) = place(&here) else {
        return Ok(None);
    };
    let Ok(text) = crate::data::read_text(&path) else {
        return Ok(None);
    };
    let why = match Tuned::read(&text) {
        Ok(tuned) => match misfit(&tuned, scheme, strategy, target, base) {
            None if tuned.of == here => {
                output.say(&taken(&tuned, &path));
                return Ok(Some(tuned));
            }
            None => "it is for something else".to_owned(),
            Some(why) => why,
        },
        Err(why) => why,
    };
    output.say(&format!("note: {} is left aside: {why}", path.display()));
    Ok(None)
}

/// Why a tuning does not fit; nothing where it does, the device apart.
fn misfit(
    tuned: &Tuned,
    scheme: &Scheme,
    strategy: &str,
    target: TargetName,
    base: &RuleBase,
) -> Option<String> {
    let of = &tuned.of;
    if of.checked != digest(&derived_text(&scheme.terms, scheme.root)) {
        return Some("the scheme is not the one that was tuned".into());
    }
    if of.strategy != strategy {
        return Some(format!("it is for strategy {}", of.strategy));
    }
    if of.target != target.name() {
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
    let known = known_settings(base, strategy);
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
pub fn setting_name(strategy: Symbol, tunable: &crate::rewrite::Tunable) -> String {
    match tunable.owner == strategy {
        true => tunable.parameter.name.to_string(),
        false => format!("{}.{}", tunable.owner, tunable.parameter.name),
    }
}

/// The settings of a range for people.
pub fn shown(range: &TunedRange) -> String {
    match range.with.is_empty() {
        true => "the defaults".to_owned(),
        false => range.with.join(", "),
    }
}

fn taken(tuned: &Tuned, path: &Path) -> String {
    let ranges = tuned.ranges.iter().map(|range| {
        let settings = shown(range);
        match (&tuned.parameter, range.up_to) {
            (Some(name), Some(to)) => format!("{settings} where {name} <= {to}"),
            _ => settings,
        }
    });
    let ranges: Vec<String> = ranges.collect();
    format!("tuned: {} ({})", ranges.join("; "), path.display())
}

/// The range of a tuning for these values of the scheme's parameters.
pub fn range_for<'t>(tuned: &'t Tuned, values: &[(Symbol, Value)]) -> &'t TunedRange {
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
