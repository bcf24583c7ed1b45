//! Options that several commands share.

use super::output::Stop;
use crate::algebra::{Precision, Type};
use crate::check::Scheme;
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::rewrite::Setting;
use crate::term::Symbol;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What REAL means.
#[derive(Clone, Copy, Debug, ValueEnum, Default)]
pub enum PrecisionName {
    /// 32-bit floating point
    #[default]
    F32,
    /// 64-bit floating point
    F64,
}

/// What runs a scheme.
#[derive(Clone, Copy, Debug, ValueEnum, Default, PartialEq, Eq)]
pub enum TargetName {
    /// cuda where a device and nvcc are found, else rust
    #[default]
    Auto,
    /// Rust, on the cores of this machine
    Rust,
    /// CUDA C++, on an NVIDIA device
    Cuda,
    /// Rust with CUDA kernels, on an NVIDIA device
    RustCuda,
    /// The reference machine
    Interpreter,
}

impl TargetName {
    /// The name as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            TargetName::Auto => "auto",
            TargetName::Rust => "rust",
            TargetName::Cuda => "cuda",
            TargetName::RustCuda => "rust-cuda",
            TargetName::Interpreter => "interpreter",
        }
    }
}

/// Options of `check`, `derive`, `emit`, `run`, `bench`, `tune`.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Which scheme of the file, by its name (the first, if not given)
    #[arg(long, value_name = "NAME")]
    pub scheme: Option<String>,
    /// What REAL means
    #[arg(long, value_enum, default_value_t)]
    pub precision: PrecisionName,
    /// Further rule files, or folders of them; a file named like an embedded one replaces it
    #[arg(long, value_name = "PATH")]
    pub rules: Vec<PathBuf>,
    /// A claim to be taken as true, such as "independent (i)" or "eps > 0"
    #[arg(long, value_name = "CLAIM")]
    pub assume: Vec<String>,
    /// A parameter of the scheme: --set N=65536
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// A parameter of the strategy: --with chunk=256
    #[arg(long, value_name = "NAME=VALUE")]
    pub with: Vec<String>,
    /// Rules that the strategy is to do without: --without unroll,split
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    pub without: Vec<String>,
    /// Check every subscript in the emitted program
    #[arg(long)]
    pub checked: bool,
}

/// The name of a strategy or a rule as rule files have it: they know no hyphens, and the command line
/// takes `gpu-fast` for `gpu_fast`.
pub fn strategy_name(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.replace('-', "_"))
}

/// A tolerance: a number that differences can be held against.
///
/// # Errors
///
/// For NaN, which nothing is within, infinity, which everything is, and what is negative or no number.
pub fn tolerance_value(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    let usable = number.filter(|x| x.is_finite() && *x >= 0.0);
    usable.ok_or_else(|| "it is a number from 0 upwards, such as 1e-6".to_owned())
}

impl Common {
    /// What REAL means.
    pub fn precision(&self) -> Precision {
        match self.precision {
            PrecisionName::F32 => Precision::F32,
            PrecisionName::F64 => Precision::F64,
        }
    }

    /// The same without parameters of the strategy: for the sequential scheme beside it.
    pub fn without_settings(&self) -> Common {
        Common {
            with: Vec::new(),
            without: Vec::new(),
            ..self.clone()
        }
    }

    /// The strategy's parameters.
    pub fn settings(&self) -> Result<Vec<Setting>, Stop> {
        self.with
            .iter()
            .map(|text| Ok(Setting::parse(text)?))
            .collect()
    }

    /// The scheme's parameters, each of its type.
    pub fn parameters(&self, scheme: &Scheme) -> Result<Vec<(Symbol, Value)>, Stop> {
        let mut all: Vec<(Symbol, Value)> = Vec::new();
        for text in &self.set {
            let Some((name, value)) = text.split_once('=') else {
                return Err(
                    Diagnostic::error("E0006", format!("--set {text} is not NAME=VALUE"))
                        .hint("for example --set N=4096")
                        .into(),
                );
            };
            let (name, value) = (name.trim(), value.trim());
            let Some((symbol, variable, _)) = scheme.parameters().find(|p| p.0.as_str() == name)
            else {
                let names: Vec<&str> = scheme.parameters().map(|p| p.0.as_str()).collect();
                let hint = match crate::check::did_you_mean(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its parameters are {}", names.join(", ")),
                };
                return Err(Diagnostic::error(
                    "E0006",
                    format!("the scheme has no parameter `{name}`"),
                )
                .hint(hint)
                .into());
            };
            let parsed = parse(value).filter(|&v| is_held(v, variable.ty));
            let Some(parsed) = parsed else {
                let wanted = variable.ty.name(scheme.precision);
                return Err(Diagnostic::error(
                    "E0006",
                    format!("--set {name}: `{value}` is no {wanted}"),
                )
                .into());
            };
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

/// The value that a text is.
pub fn parse(text: &str) -> Option<Value> {
    match text {
        "true" | "TRUE" => return Some(Value::Bool(true)),
        "false" | "FALSE" => return Some(Value::Bool(false)),
        _ => {}
    }
    if let Ok(i) = text.parse::<i64>() {
        return Some(Value::Int(i));
    }
    text.parse::<f64>()
        .ok()
        .filter(|x| x.is_finite())
        .map(Value::Real)
}
