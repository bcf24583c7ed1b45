//! Failures of the pipeline, and arguments that are refused → the package's exceptions.

use glushkov::diagnostic::{Diagnostic, as_json, render};
use glushkov::pipeline::Failure;
use glushkov::term::Sources;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};

/// Which exception it becomes, by its name in the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The scheme, an option, or a derivation.
    Scheme,
    /// A compiler, a device, a build.
    Build,
    /// A program that ended with an error.
    Run,
    /// An argument of a call.
    Argument,
    /// A bug.
    Bug,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Scheme => "SchemeError",
            Kind::Build => "BuildError",
            Kind::Run => "RunError",
            Kind::Argument => "ArgumentError",
            Kind::Bug => "Error",
        }
    }

    /// The kind of a diagnostic, by its code: the hundreds are the stages.
    fn of(code: &str) -> Kind {
        match code.get(1..) {
            Some("1002" | "1005" | "1006") => Kind::Run,
            Some(number) if number.starts_with("10") => Kind::Build,
            Some("0001" | "0901") => Kind::Run,
            Some(number) if number.starts_with("05") => Kind::Build,
            _ => Kind::Scheme,
        }
    }
}

/// An exception before it is raised: all that it says, without the texts that it speaks of.
#[derive(Debug)]
pub struct Told {
    kind: Kind,
    text: String,
    diagnostics: Vec<Json>,
}

impl Told {
    /// A failure of the pipeline; the places that it names are in the texts.
    pub fn of(failure: &Failure, sources: &Sources) -> Told {
        let all = &failure.diagnostics;
        let first = all.iter().find(|d| d.is_error());
        let rendered = all.iter().map(|d| render(d, sources, false));
        Told {
            kind: Kind::of(first.map_or("", |d| d.code)),
            text: rendered.collect::<String>().trim_end().to_owned(),
            diagnostics: all.iter().map(|d| placed(d, sources)).collect(),
        }
    }

    /// What a panic left.
    pub fn bug(said: &str) -> Told {
        Told {
            kind: Kind::Bug,
            text: format!("this is a bug of glushkov: {said}"),
            diagnostics: Vec::new(),
        }
    }

    /// An error that has no place in a text.
    pub fn at_a_call(kind: Kind, diagnostic: &Diagnostic) -> Told {
        let sources = Sources::default();
        Told {
            kind,
            text: render(diagnostic, &sources, false).trim_end().to_owned(),
            diagnostics: vec![placed(diagnostic, &sources)],
        }
    }

    /// The exception.
    pub fn raised(self, py: Python<'_>) -> PyErr {
        let made = || -> PyResult<PyErr> {
            let make = py.import("glushkov._errors")?.getattr("made")?;
            let data = Json::Array(self.diagnostics).to_string();
            let exception = make.call1((self.kind.name(), self.text, data))?;
            Ok(PyErr::from_value(exception))
        };
        made().unwrap_or_else(|error| error)
    }
}

/// A diagnostic as data, with its line and column, both from 1.
pub fn placed(diagnostic: &Diagnostic, sources: &Sources) -> Json {
    let mut data = as_json(diagnostic, sources);
    let source = diagnostic
        .span
        .and_then(|s| Some((s, sources.get(s.file)?)));
    let place = source.and_then(|(span, source)| {
        let before = source.text.get(..span.from as usize)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next()?.chars().count() + 1;
        Some((line, column))
    });
    data["line"] = json!(place.map(|p| p.0));
    data["column"] = json!(place.map(|p| p.1));
    data
}

/// Refuses an argument of a call.
pub fn refused(py: Python<'_>, code: &'static str, message: String, hint: String) -> PyErr {
    let diagnostic = Diagnostic::error(code, message);
    let diagnostic = match hint.is_empty() {
        true => diagnostic,
        false => diagnostic.hint(hint),
    };
    Told::at_a_call(Kind::Argument, &diagnostic).raised(py)
}
