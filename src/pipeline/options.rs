//! Options of everything that is done with a scheme, and settings as texts → values.

use super::Failure;
use crate::algebra::{Precision, Type};
use crate::check::Scheme;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::did_you_mean;
use crate::machine::Value;
use crate::rewrite::Setting;
use crate::term::Symbol;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Values of a scheme's parameters, in the order of its DATA.
pub type Values = Vec<(Symbol, Value)>;

/// How a scheme is read, derived and emitted. The default is that of the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which scheme of the file, by its name; the first, if not given.
    pub scheme: Option<String>,
    /// Which member of a family, each `NAME=VALUE`; what is left open has its default. `all` is every member, for
    /// what takes several.
    pub given: Vec<String>,
    /// What REAL means.
    pub precision: Precision,
    /// Further rule files, or folders of them; a file named like an embedded one replaces it.
    pub rules: Vec<PathBuf>,
    /// Files of basic operators, or folders of them, whose code may be built and run.
    pub operators: Vec<PathBuf>,
    /// Whether basic operators become what they mean even where they have code.
    pub meanings: bool,
    /// Whether rules of the user are applied that were not tested.
    pub untested: bool,
    /// The most steps that a derivation may take; if not given, as many as its [`Bound`] says.
    ///
    /// [`Bound`]: crate::rewrite::Bound
    pub steps: Option<u64>,
    /// How long a derivation may take, if that is bounded.
    pub within: Option<Duration>,
    /// Set from outside when a derivation or a run on the reference machine is to end; what comes of it then is
    /// worth nothing.
    pub stop: Option<Arc<AtomicBool>>,
    /// Claims to be taken as true, such as `independent (i)` or `eps > 0`.
    pub assume: Vec<String>,
    /// Parameters of the scheme, each `NAME=VALUE`; of several for a name, the last.
    pub set: Vec<String>,
    /// Parameters of the strategy, each `NAME=VALUE`.
    pub with: Vec<String>,
    /// Rules that the strategy is to do without.
    pub without: Vec<String>,
    /// Whether every subscript is checked in the emitted program.
    pub checked: bool,
    /// Whether a program of target cuda tells what its time on the device goes into.
    pub profile: bool,
    /// Further flags for the compiler of a device.
    pub flags: Vec<String>,
}

impl Options {
    /// The strategy's parameters.
    pub(super) fn settings(&self) -> Result<Vec<Setting>, Failure> {
        self.with
            .iter()
            .map(|text| Ok(Setting::parse(text)?))
            .collect()
    }

    /// The scheme's parameters that are given, each of its type.
    ///
    /// # Errors
    ///
    /// E0006: a text that is not `NAME=VALUE`, a name that is not a parameter, a value of another type.
    pub fn parameters(&self, scheme: &Scheme) -> Result<Values, Failure> {
        let wrong = |message: String| Diagnostic::error("E0006", message);
        let mut all = Values::new();
        for text in &self.set {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                wrong(format!("--set {text} is not NAME=VALUE")).hint("for example --set N=4096")
            })?;
            let (name, value) = (name.trim(), value.trim());
            let mut known = scheme.parameters();
            let Some((symbol, variable, _)) = known.find(|p| p.0.as_str() == name) else {
                let names: Vec<&str> = scheme.parameters().map(|p| p.0.as_str()).collect();
                let hint = match did_you_mean(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its parameters are {}", names.join(", ")),
                };
                let message = format!("the scheme has no parameter `{name}`");
                return Err(wrong(message).hint(hint).into());
            };
            let parsed = parse(value).filter(|&v| is_held(v, variable.ty));
            let parsed = parsed.ok_or_else(|| {
                let wanted = variable.ty.name(scheme.precision);
                wrong(format!("--set {name}: `{value}` is no {wanted}"))
            })?;
            all.retain(|(n, _)| *n != symbol);
            all.push((symbol, parsed));
        }
        Ok(all)
    }
}

/// Whether a type has a value: no integer beyond its range, no real that becomes infinite in it.
fn is_held(value: Value, ty: Type) -> bool {
    let narrow = match value {
        Value::Real(x) => x as f32,
        Value::Int(i) => i as f32,
        Value::Bool(_) => 0.0,
    };
    value.bits(ty).is_some() && (ty != Type::F32 || narrow.is_finite())
}

/// The value that a text is, as parameters are given.
pub fn parse(text: &str) -> Option<Value> {
    match text {
        "true" | "TRUE" => return Some(Value::Bool(true)),
        "false" | "FALSE" => return Some(Value::Bool(false)),
        _ => {}
    }
    if let Ok(i) = text.parse::<i64>() {
        return Some(Value::Int(i));
    }
    let real = text.parse::<f64>().ok().filter(|x| x.is_finite());
    real.map(Value::Real)
}

/// Values of parameters as they are shown: `N = 512, STEPS = 10`.
pub fn shown(values: &[(Symbol, Value)]) -> String {
    let one = |(name, value): &(Symbol, Value)| format!("{name} = {}", text(*value));
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A value as it is shown; a real as its author would write it.
pub fn text(value: Value) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Real(x) => {
            let short = format!("{}", x as f32);
            match short.parse::<f32>() == Ok(x as f32) && f64::from(x as f32) == x {
                true => short,
                false => x.to_string(),
            }
        }
    }
}
