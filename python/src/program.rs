//! A scheme → derived, built as a shared library and loaded: a callable.

use crate::arguments::Arguments;
use crate::call::{Results, call};
use crate::failure::{Kind, Told, placed};
use crate::interface::Interface;
use crate::library::Functions;
use crate::made::of_data;
use crate::options::Asked;
use crate::session::Session;
use crate::sizes;
use crate::stages::derivation;
use crate::values::note;
use crate::work::{Done, work};
use glushkov::algebra::Language;
use glushkov::check::Scheme;
use glushkov::derive::Derived;
use glushkov::diagnostic::Diagnostic;
use glushkov::machine::Value;
use glushkov::pipeline::{Inputs, Library, inputs, library, load};
use glushkov::term::Symbol;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// A program that is built and loaded, shared by its sessions.
pub struct Loaded {
    pub interface: Interface,
    pub functions: Functions,
    /// The defaults that were given when it was compiled.
    pub defaults: Vec<(Symbol, Value)>,
}

/// A scheme that is derived, built and loaded. Called with the names of its scheme, it runs.
#[pyclass(subclass, frozen, module = "glushkov._glushkov")]
pub struct Program {
    loaded: Arc<Loaded>,
    scheme: Scheme,
    derived: Derived,
    language: Language,
    about: Json,
}

#[pymethods]
impl Program {
    /// Derives, builds and loads the scheme that the options name.
    #[new]
    fn new(py: Python<'_>, asked: &Bound<'_, PyDict>) -> PyResult<Program> {
        let asked = Asked(asked);
        let (text, options) = (asked.text()?, asked.options()?);
        let target: Option<String> = asked.get("target")?;
        let target = asked.target(target.as_deref().unwrap_or("rust"))?;
        let strategy = asked.strategy()?.unwrap_or(target.strategy().to_owned());
        let (tuning, language) = (asked.tuning()?, asked.language()?);
        let done = work(py, |session| {
            let scheme = load(text.source(), &options, session)?;
            let defaults = options.parameters(&scheme)?;
            let source = session.sources.get(0).map(|source| source.text.clone());
            let told = scheme.notes.iter();
            let told: Vec<Json> = told.map(|n| placed(n, &session.sources)).collect();
            let built = library(&scheme, target, &strategy, &tuning, &options, session)?;
            Ok((scheme, defaults, source, told, built))
        })?;
        let Done { value, notes } = done;
        let (scheme, defaults, source, mut told, built) = value;
        told.extend(notes);
        let Library {
            name,
            derived,
            library,
            header,
            cached,
            ..
        } = built;
        let unusable = |code, hint: &str| {
            let hint = hint.to_owned();
            move |why: String| {
                let diagnostic = Diagnostic::error(code, why).hint(hint);
                Told::at_a_call(Kind::Build, &diagnostic).raised(py)
            }
        };
        let again = "glushkov clean removes builds, so that it is built again";
        let functions = Functions::load(&library, &name).map_err(unusable("E1004", again))?;
        let said = &functions.interface;
        let interface = Interface::of(said, derived.scheme.clone());
        let elsewhere = "the command line runs it";
        let interface = interface.map_err(unusable("E0504", elsewhere))?;
        let about = json!({
            "name": scheme.name.as_str(),
            "function": name,
            "target": target.name(),
            "strategy": strategy.replace('_', "-"),
            "precision": scheme.precision.name(),
            "source": source,
            "arguments": interface.json(),
            "series": interface.series.iter().map(|s| s.label.as_str()).collect::<Vec<_>>(),
            "library": library.to_string_lossy(),
            "header": header.to_string_lossy(),
            "cached": cached,
            "float": derived.derivation.float().name(),
            "notes": told,
        });
        let loaded = Loaded {
            interface,
            functions,
            defaults,
        };
        Ok(Program {
            loaded: Arc::new(loaded),
            scheme,
            derived,
            language,
            about,
        })
    }

    /// What it is, as JSON.
    fn _about(&self) -> String {
        self.about.to_string()
    }

    /// Its derivation, as JSON.
    fn _derivation(&self, py: Python<'_>) -> PyResult<String> {
        let done = work(py, |_| Ok(derivation(&self.derived, self.language)))?;
        let mut said = done.value;
        said["notes"] = self.about["notes"].clone();
        Ok(said.to_string())
    }

    /// Runs it on arguments by their names in the scheme.
    #[pyo3(signature = (**keywords))]
    fn _call<'py>(
        &self,
        py: Python<'py>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Results<'py>> {
        let loaded = &self.loaded;
        call(
            py,
            &loaded.interface,
            &loaded.functions,
            &loaded.defaults,
            keywords,
        )
    }

    /// A state that keeps arguments between runs.
    fn _session(&self) -> PyResult<Session> {
        Session::of(self.loaded.clone())
    }

    /// The INPUT arrays that DEFAULT INPUT makes, with the parameters; what is given stays.
    #[pyo3(signature = (generator=None, /, **keywords))]
    fn _inputs<'py>(
        &self,
        py: Python<'py>,
        generator: Option<String>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Loaded {
            interface,
            defaults,
            ..
        } = &*self.loaded;
        let Arguments {
            known,
            taken,
            given,
            ..
        } = Arguments::of(py, interface, keywords)?;
        let values = sizes::parameters(py, interface, known, &given, defaults)?;
        sizes::sizes(py, interface, &values, &given)?;
        let from = Inputs {
            generator,
            ..Inputs::default()
        };
        let made = work(py, |_| inputs(&self.scheme, &values, &from))?.value;
        let all = PyDict::new(py);
        for (argument, (_, value)) in interface.arguments.iter().zip(&values) {
            note(&all, &argument.key, *value)?;
        }
        for (name, array) in &made {
            all.set_item(name.as_str(), of_data(py, array)?)?;
        }
        for (argument, taken) in interface.arguments.iter().zip(taken) {
            if let Some(taken) = taken {
                all.set_item(&argument.key, taken.into_any())?;
            }
        }
        Ok(all)
    }
}
