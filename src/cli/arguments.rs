//! Arguments that several commands share, and what they are for the pipeline.

use crate::algebra::{Language, Precision};
use crate::pipeline::{Inputs, Options, Source, Target, Tuning};
use crate::toolchain::{bytes_of, limit_cache};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

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
    /// C++ with OpenMP, on the cores of this machine
    Cpp,
    /// CUDA C++, on an NVIDIA device
    Cuda,
    /// Rust with CUDA kernels, on an NVIDIA device
    RustCuda,
    /// The reference machine
    Interpreter,
}

impl TargetName {
    /// The target, auto being the best one of this machine.
    pub fn resolved(self) -> Target {
        match self {
            TargetName::Auto => Target::best(),
            TargetName::Rust => Target::Rust,
            TargetName::Cpp => Target::Cpp,
            TargetName::Cuda => Target::Cuda,
            TargetName::RustCuda => Target::RustCuda,
            TargetName::Interpreter => Target::Interpreter,
        }
    }
}

/// A language of keywords.
#[derive(Clone, Copy, Debug, ValueEnum, Default)]
pub enum Lang {
    /// English
    #[default]
    En,
    /// Ukrainian
    Uk,
    /// Russian
    Ru,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Language {
        match lang {
            Lang::En => Language::English,
            Lang::Uk => Language::Ukrainian,
            Lang::Ru => Language::Russian,
        }
    }
}

/// Options of `check`, `derive`, `emit`, `run`, `bench`, `tune`.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Which scheme of the file, by name (if not given, the first; for test all, for explain the one that holds the
    /// line)
    #[arg(long, value_name = "NAME")]
    pub scheme: Option<String>,
    /// Which member of a family, by what it is GIVEN: --given d=2,method=leapfrog (what is left open has its
    /// default; `all` is every member, for check, derive, run, show and test)
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    pub given: Vec<String>,
    /// What REAL means
    #[arg(long, value_enum, default_value_t)]
    precision: PrecisionName,
    /// Further rule files, or folders of them; a file named like an embedded one replaces it
    #[arg(long, value_name = "PATH")]
    rules: Vec<PathBuf>,
    /// Files of basic operators, or folders of them, whose code may be built and run
    #[arg(long, value_name = "PATH")]
    operators: Vec<PathBuf>,
    /// Replace basic operators by what they mean, even where they have code
    #[arg(long)]
    meanings: bool,
    /// Apply your own rules even where `glushkov rules test` was not run for them
    #[arg(long)]
    untested: bool,
    /// A claim to be taken as true, such as "independent (i)" or "eps > 0"
    #[arg(long, value_name = "CLAIM")]
    assume: Vec<String>,
    /// A parameter of the scheme: --set N=65536
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// A parameter of the strategy: --with chunk=256
    #[arg(long, value_name = "NAME=VALUE")]
    with: Vec<String>,
    /// Rules and groups of rules that the strategy is to do without: --without unroll,split_sums
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    without: Vec<String>,
    /// Check every subscript in the emitted program
    #[arg(long)]
    checked: bool,
}

impl Common {
    /// As the pipeline takes them.
    pub fn options(&self) -> Options {
        Options {
            scheme: self.scheme.clone(),
            given: self.given.clone(),
            precision: match self.precision {
                PrecisionName::F32 => Precision::F32,
                PrecisionName::F64 => Precision::F64,
            },
            rules: self.rules.clone(),
            operators: self.operators.clone(),
            meanings: self.meanings,
            untested: self.untested,
            assume: self.assume.clone(),
            set: self.set.clone(),
            with: self.with.clone(),
            without: self.without.clone(),
            checked: self.checked,
            flags: Vec::new(),
            ..Options::default()
        }
    }

    /// The same with flags for the compiler of a device.
    pub fn with_flags(&self, flags: &[String]) -> Options {
        Options {
            flags: flags.to_vec(),
            ..self.options()
        }
    }
}

/// Where the INPUT arrays of `run`, `bench` and `tune` come from.
#[derive(Args, Clone, Debug)]
pub struct InputArguments {
    /// A folder with NAME.npy for INPUT arrays
    #[arg(long = "in", value_name = "DIR")]
    pub input: Option<PathBuf>,
    /// A generator to take instead of the scheme's DEFAULT INPUT
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    data: Option<String>,
}

impl InputArguments {
    /// As the pipeline takes them.
    pub fn inputs(&self) -> Inputs {
        Inputs {
            folder: self.input.clone(),
            generator: self.data.clone(),
            seeded: false,
        }
    }
}

/// Options of the commands that take up what tuning found.
#[derive(Args, Clone, Debug)]
pub struct TuningArguments {
    /// What `tune` wrote, to take the strategy's parameters from (what was tuned on this machine, if
    /// not given)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_tuned", "with"])]
    tuned: Option<PathBuf>,
    /// Take the strategy's parameters as they are, whatever was tuned
    #[arg(long)]
    no_tuned: bool,
}

impl TuningArguments {
    /// As the pipeline takes them.
    pub fn tuning(&self) -> Tuning {
        match &self.tuned {
            _ if self.no_tuned => Tuning::Off,
            Some(path) => Tuning::File(path.clone()),
            None => Tuning::Kept,
        }
    }

    /// The file that is named, if it is to be read.
    pub fn file(&self) -> Option<PathBuf> {
        self.tuned.clone().filter(|_| !self.no_tuned)
    }

    /// The same without what was tuned on this machine.
    pub fn given(&self) -> Tuning {
        self.file().map_or(Tuning::Off, Tuning::File)
    }
}

/// The source that a FILE names: `-` is standard input.
pub fn source(file: &str) -> Source<'_> {
    match file {
        "-" => Source::Input,
        path => Source::Path(path),
    }
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

/// A bound on time; none for any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within(pub Option<Duration>);

/// A bound on time: seconds, with or without an s, or none.
///
/// # Errors
///
/// For what is no number above 0, or beyond all that is waited for.
pub fn within(text: &str) -> Result<Within, String> {
    let text = text.trim();
    if text == "none" {
        return Ok(Within(None));
    }
    let seconds = text.strip_suffix('s').unwrap_or(text).trim_end();
    let seconds = seconds.parse::<f64>().ok().filter(|s| *s > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.filter(|time| !time.is_zero());
    time.map(|time| Within(Some(time)))
        .ok_or_else(|| "it is a number of seconds above 0, such as 10s, or none".to_owned())
}

/// Options of the commands that build programs.
#[derive(Args, Clone, Debug)]
pub struct CacheArguments {
    /// How much space built programs may take; the least recently used go first (2GiB)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    cache_limit: Option<u64>,
}

impl CacheArguments {
    /// Has what is built from now on obey it.
    pub fn apply(&self) {
        if let Some(bytes) = self.cache_limit {
            limit_cache(bytes);
        }
    }
}

/// A number of bytes.
///
/// # Errors
///
/// For what is no whole number with or without a unit.
pub fn size(text: &str) -> Result<u64, String> {
    bytes_of(text).ok_or_else(|| "it is a size such as 500MB or 2GiB".to_owned())
}
