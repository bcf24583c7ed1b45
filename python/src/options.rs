//! Keyword arguments, as the package's functions collect them → the options of the pipeline.

use crate::failure::{Kind, Told};
use glushkov::algebra::{Language, Precision};
use glushkov::diagnostic::Diagnostic;
use glushkov::pipeline::{Form, Inputs, Options, Source, Target, Tuning};
use glushkov::rewrite::FloatClass;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::time::Duration;

/// The text of a scheme, or where it is.
#[derive(Clone, Debug)]
pub enum Text {
    Path(String),
    Given { name: String, text: String },
}

impl Text {
    /// As the pipeline takes it.
    pub fn source(&self) -> Source<'_> {
        match self {
            Text::Path(path) => Source::Path(path),
            Text::Given { name, text } => Source::Text { name, text },
        }
    }
}

/// The options that were given, by name. What is not there, or None, has its default.
pub struct Asked<'a, 'py>(pub &'a Bound<'py, PyDict>);

impl<'py> Asked<'_, 'py> {
    /// An option; none if it is not given.
    pub fn get<T>(&self, name: &str) -> PyResult<Option<T>>
    where
        T: for<'b> FromPyObject<'b, 'py, Error: Into<PyErr>>,
    {
        let Some(value) = self.0.get_item(name)?.filter(|v| !v.is_none()) else {
            return Ok(None);
        };
        let given = value.extract::<T>();
        given.map(Some).map_err(|_| {
            let shown = value.repr().map_or(String::new(), |r| r.to_string());
            self.wrong(format!("`{name}` cannot be {shown}"), "")
        })
    }

    /// Whether an option is given and true.
    pub fn is(&self, name: &str) -> PyResult<bool> {
        Ok(self.get::<bool>(name)?.unwrap_or(false))
    }

    fn texts(&self, name: &str) -> PyResult<Vec<String>> {
        Ok(self.get(name)?.unwrap_or_default())
    }

    /// One of several words.
    fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> PyResult<Option<T>> {
        let Some(given) = self.get::<String>(name)? else {
            return Ok(None);
        };
        let found = words.iter().find(|(word, _)| *word == given);
        found.map(|&(_, value)| Some(value)).ok_or_else(|| {
            let all: Vec<&str> = words.iter().map(|w| w.0).collect();
            let hint = format!("it is one of {}", all.join(", "));
            self.wrong(format!("`{name}` cannot be \"{given}\""), &hint)
        })
    }

    fn wrong(&self, message: String, hint: &str) -> PyErr {
        let diagnostic = Diagnostic::error("E0006", message);
        let diagnostic = match hint {
            "" => diagnostic,
            hint => diagnostic.hint(hint),
        };
        Told::at_a_call(Kind::Scheme, &diagnostic).raised(self.0.py())
    }

    /// How a scheme is read, derived and emitted.
    pub fn options(&self) -> PyResult<Options> {
        Ok(Options {
            scheme: self.get("scheme")?,
            given: self.texts("given")?,
            precision: self.precision()?,
            rules: self.get::<Vec<PathBuf>>("rules")?.unwrap_or_default(),
            operators: self.get::<Vec<PathBuf>>("operators")?.unwrap_or_default(),
            meanings: self.is("meanings")?,
            untested: self.is("untested")?,
            steps: self.get("steps")?,
            within: self.seconds("seconds")?,
            assume: self.texts("assume")?,
            set: self.texts("set")?,
            with: self.texts("with_")?,
            without: self.texts("without")?,
            checked: self.is("checked")?,
            profile: false,
            stop: None,
            flags: self.texts("flags")?,
        })
    }

    fn precision(&self) -> PyResult<Precision> {
        let words = [("f32", Precision::F32), ("f64", Precision::F64)];
        Ok(self.word("precision", &words)?.unwrap_or_default())
    }

    /// A time of this many seconds.
    pub fn seconds(&self, name: &str) -> PyResult<Option<Duration>> {
        let Some(seconds) = self.get::<f64>(name)? else {
            return Ok(None);
        };
        let time = Duration::try_from_secs_f64(seconds).ok();
        let time = time.filter(|time| !time.is_zero());
        let hint = "it is a number of seconds above 0";
        let wrong = || self.wrong(format!("`{name}` cannot be {seconds}"), hint);
        time.map(Some).ok_or_else(wrong)
    }

    /// The largest norm_relative that passes.
    pub fn tolerance(&self) -> PyResult<Option<f64>> {
        match self.get::<f64>("tolerance")? {
            Some(x) if !(x.is_finite() && x >= 0.0) => Err(self.wrong(
                format!("`tolerance` cannot be {x}"),
                "it is a number from 0 upwards, such as 1e-6",
            )),
            tolerance => Ok(tolerance),
        }
    }

    /// A target by its name.
    pub fn target(&self, name: &str) -> PyResult<Target> {
        match name {
            "auto" => Ok(Target::best()),
            "rust" => Ok(Target::Rust),
            "cpp" => Ok(Target::Cpp),
            "cuda" => Ok(Target::Cuda),
            "rust-cuda" | "rust_cuda" => Ok(Target::RustCuda),
            "interpreter" => Ok(Target::Interpreter),
            _ => Err(self.wrong(
                format!("there is no target \"{name}\""),
                "targets are auto, rust, cpp, cuda, rust-cuda and interpreter",
            )),
        }
    }

    /// The strategy, if one is given; rule files know no hyphens.
    pub fn strategy(&self) -> PyResult<Option<String>> {
        let strategy: Option<String> = self.get("strategy")?;
        Ok(strategy.map(|name| name.replace('-', "_")))
    }

    /// The language of keywords.
    pub fn language(&self) -> PyResult<Language> {
        let words = [
            ("en", Language::English),
            ("uk", Language::Ukrainian),
            ("ru", Language::Russian),
        ];
        Ok(self.word("lang", &words)?.unwrap_or_default())
    }

    /// The form of what is shown.
    pub fn form(&self) -> PyResult<Form> {
        let words = [
            ("text", Form::Text),
            ("formula", Form::Formula),
            ("latex", Form::Latex),
            ("term", Form::Term),
            ("graph", Form::Graph),
            ("svg", Form::Svg),
            ("dot", Form::Dot),
            ("dependences", Form::Dependences),
        ];
        Ok(self.word("as_", &words)?.unwrap_or_default())
    }

    /// What tried programs may do to floating-point results.
    pub fn float_class(&self) -> PyResult<Option<FloatClass>> {
        let classes = [
            FloatClass::Exact,
            FloatClass::Reassociating,
            FloatClass::Unordered,
            FloatClass::Approximate,
        ];
        self.word("float", &classes.map(|class| (class.name(), class)))
    }

    /// Which tuning is taken up.
    pub fn tuning(&self) -> PyResult<Tuning> {
        Ok(match self.get::<PathBuf>("tuned")? {
            _ if self.is("no_tuned")? => Tuning::Off,
            Some(path) => Tuning::File(path),
            None => Tuning::Kept,
        })
    }

    /// Where INPUT arrays come from.
    pub fn inputs(&self) -> PyResult<Inputs> {
        Ok(Inputs {
            folder: self.get("in_")?,
            generator: self.get("data")?,
            seeded: false,
        })
    }

    /// The scheme.
    pub fn text(&self) -> PyResult<Text> {
        let name: String = self.get("name")?.unwrap_or_default();
        Ok(match self.get("text")? {
            Some(text) => Text::Given { name, text },
            None => Text::Path(name),
        })
    }
}
