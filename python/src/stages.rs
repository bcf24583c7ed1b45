//! The stages as functions: options by name → what came of it, as JSON, texts and arrays.
//!
//! Python makes objects of these; here is what only the pipeline knows.

use crate::failure::placed;
use crate::made::of_data;
use crate::options::Asked;
use crate::work::{Done, work};
use glushkov::algebra::Language;
use glushkov::check::author_names;
use glushkov::derive::Derived;
use glushkov::diagnostic::render;
use glushkov::flowgraph::{draw, svg};
use glushkov::pipeline::bench::Clock;
use glushkov::pipeline::{
    self, Bench, Class, Failure, Options, Patience, Run, Session, Show, TUNED_WITHIN, Target, Tune,
    load, undefined_note,
};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::term::Sources;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value as Json, json};

/// Reads and checks a scheme and runs it on the reference machine. A scheme that is not well formed is
/// an answer, too.
#[pyfunction]
pub fn check(py: Python<'_>, asked: &Bound<'_, PyDict>) -> PyResult<String> {
    let asked = Asked(asked);
    let (text, options, facts) = (asked.text()?, asked.options()?, asked.is("facts")?);
    let done = work(py, |session| {
        let found = checked(text.source(), &options, facts, session);
        Ok(found.unwrap_or_else(|failure| {
            let sources = &session.sources;
            let all = failure.diagnostics.iter();
            json!({
                "ok": false,
                "diagnostics": all.map(|d| placed(d, sources)).collect::<Json>(),
                "machine": null,
                "facts": null,
                "text": rendered(&failure, sources),
            })
        }))
    })?;
    Ok(done.value.to_string())
}

fn checked(
    source: pipeline::Source<'_>,
    options: &Options,
    facts: bool,
    session: &mut Session,
) -> Result<Json, Failure> {
    let scheme = load(source, options, session)?;
    let tried = pipeline::check(&scheme, options)?;
    let sources = &session.sources;
    let not_run = tried.is_none().then(|| undefined_note(&scheme));
    let all: Vec<_> = scheme.notes.iter().chain(&not_run).collect();
    let mut text: String = all.iter().map(|d| render(d, sources, false)).collect();
    let error = tried.as_ref().and_then(|tried| tried.error.as_ref());
    match (&tried, error) {
        (_, Some(error)) => text.push_str(&render(&error.diagnostic(), sources, false)),
        (None, _) => text.push_str("checked; not run"),
        (Some(tried), None) => {
            let note = tried.note.as_ref().map(|note| format!(" ({note})"));
            let note = note.unwrap_or_default();
            text.push_str(&format!(
                "checked and run on the reference machine{note}: no error"
            ));
        }
    }
    let mut data: Vec<Json> = all.iter().map(|d| placed(d, sources)).collect();
    data.extend(error.map(|error| placed(&error.diagnostic(), sources)));
    Ok(json!({
        "ok": error.is_none(),
        "diagnostics": data,
        "machine": tried.as_ref().map(|tried| tried.json(sources)),
        "facts": facts.then(|| pipeline::facts(&scheme, sources)),
        "text": text.trim_end(),
    }))
}

fn rendered(failure: &Failure, sources: &Sources) -> String {
    let all = failure
        .diagnostics
        .iter()
        .map(|d| render(d, sources, false));
    all.collect::<String>().trim_end().to_owned()
}

/// Derives a scheme.
#[pyfunction]
pub fn derive(py: Python<'_>, asked: &Bound<'_, PyDict>) -> PyResult<String> {
    let asked = Asked(asked);
    let (text, options) = (asked.text()?, asked.options()?);
    let strategy = asked.strategy()?.unwrap_or_else(|| "parallel".to_owned());
    let (language, save) = (asked.language()?, asked.get::<std::path::PathBuf>("save")?);
    let done = work(py, |session| {
        let scheme = load(text.source(), &options, session)?;
        let input = pipeline::derive::input(&scheme, &options, session);
        let base = pipeline::derive::rules(&options, session)?;
        let derived = pipeline::derive::derive(&base, &scheme, &strategy, &options)?;
        if let Some(path) = &save {
            pipeline::derive::save(path, input, &scheme, &base, &derived, &options, session)?;
        }
        let sources = &session.sources;
        let notes = pipeline::derive::notes(&base, &scheme, &strategy, &options, &derived, sources);
        let mut said = derivation(&derived, language);
        said["notes"] = notes.all().map(|note| placed(note, sources)).collect();
        Ok(said)
    })?;
    Ok(done.value.to_string())
}

/// A derivation as data: the derived scheme, the steps, both as texts, and a drawing.
pub fn derivation(derived: &Derived, language: Language) -> Json {
    let mut terms = derived.scheme.terms.clone();
    let root = author_names(&mut terms, derived.scheme.root);
    let style = Style {
        notation: Notation::Text,
        language,
        comments: true,
    };
    let derivation = &derived.derivation;
    json!({
        "text": print(&terms, root, style),
        "strategy": derivation.strategy.to_string().replace('_', "-"),
        "float": derivation.float().name(),
        "steps": derivation.steps,
        "trace": pipeline::derive::trace(derivation).trim_end(),
        "svg": svg(&draw(&mut terms, root, None, language)),
    })
}

/// Shows a scheme, or what is derived from it, in one of its forms.
#[pyfunction]
pub fn show(py: Python<'_>, asked: &Bound<'_, PyDict>) -> PyResult<String> {
    let asked = Asked(asked);
    let text = asked.text()?;
    let show = Show {
        form: asked.form()?,
        language: asked.language()?,
        ascii: asked.is("ascii")?,
        depth: asked.get("depth")?,
        strategy: asked.strategy()?,
        options: asked.options()?,
        ..Show::default()
    };
    Ok(work(py, |session| show.show(text.source(), session))?.value)
}

/// Derives, builds, runs and compares: the object of `run --json` with the notes, the report for people,
/// the OUTPUT arrays, and whether they agree with those of the sequential scheme.
#[pyfunction]
pub fn run<'py>(
    py: Python<'py>,
    asked: &Bound<'py, PyDict>,
) -> PyResult<(String, String, Bound<'py, PyDict>, bool)> {
    let asked = Asked(asked);
    let text = asked.text()?;
    let target: Option<String> = asked.get("target")?;
    let inputs = asked.inputs()?;
    let compare: Option<bool> = asked.get("compare")?;
    let compared = compare.unwrap_or(inputs.folder.is_none());
    let run = Run {
        target: asked.target(target.as_deref().unwrap_or("auto"))?,
        strategy: asked.strategy()?,
        options: asked.options()?,
        out: asked.get("out")?,
        tuning: asked.tuning()?,
        reference: compared.then_some(Target::Rust),
        within: match (asked.seconds("compare_within")?, compare) {
            (Some(time), _) => Patience::For(time),
            (None, Some(_)) => Patience::Any,
            (None, None) => Patience::Usual,
        },
        tolerance: asked.tolerance()?,
        inputs,
        without_notes: false,
    };
    let Done { value, notes } = work(py, |session| run.run(text.source(), session))?;
    let mut said = value.json();
    said["notes"] = Json::Array(notes);
    let arrays = PyDict::new(py);
    for (name, array) in &value.arrays {
        arrays.set_item(name, of_data(py, array)?)?;
    }
    let passed = value.compared.as_ref().is_none_or(|c| c.passed);
    Ok((said.to_string(), value.text(), arrays, passed))
}

/// Measures targets, strategies and sizes side by side: the objects of `bench --json`, the table, the
/// picture if one is wanted, and what differs.
#[pyfunction]
pub fn bench(
    py: Python<'_>,
    asked: &Bound<'_, PyDict>,
) -> PyResult<(String, String, Option<String>, String)> {
    let asked = Asked(asked);
    let text = asked.text()?;
    let targets: Vec<String> = asked
        .get("target")?
        .unwrap_or_else(|| vec!["auto".to_owned()]);
    let targets = targets.iter().map(|target| asked.target(target));
    let strategies: Vec<String> = asked.get("strategy")?.unwrap_or_default();
    let clock: Option<String> = asked.get("clock")?;
    let bench = Bench {
        targets: targets.collect::<PyResult<_>>()?,
        strategies: strategies
            .iter()
            .map(|name| name.replace('-', "_"))
            .collect(),
        options: asked.options()?,
        inputs: asked.inputs()?,
        runs: asked.get("runs")?.unwrap_or(9),
        warmup: asked.get("warmup")?.unwrap_or(1),
        compare: asked.get("compare")?.unwrap_or(true),
        tolerance: asked.tolerance()?,
        pairs: Vec::new(),
        ablate: asked.is("ablate")?,
        groups: Vec::new(),
        instructions: asked.is("instructions")?,
        clock: match clock.as_deref() {
            Some("device") => Clock::Device,
            _ => Clock::Host,
        },
        plot: asked.is("plot")?,
    };
    let done = work(py, |session| {
        let measured = bench.measure(text.source(), session)?;
        let plot = match bench.plot {
            true => Some(measured.plot()?),
            false => None,
        };
        let diagnostics = measured.differences();
        let class = Class::No;
        let differences = Failure { diagnostics, class };
        let differences = rendered(&differences, &session.sources);
        Ok((measured.json(), measured.table(), plot, differences))
    })?;
    Ok(done.value)
}

/// Searches a strategy's parameters: the table, and the file that they are kept in.
#[pyfunction]
pub fn tune(py: Python<'_>, asked: &Bound<'_, PyDict>) -> PyResult<(String, Option<String>)> {
    let asked = Asked(asked);
    let text = asked.text()?;
    let target: Option<String> = asked.get("target")?;
    let tune = Tune {
        target: asked.target(target.as_deref().unwrap_or("auto"))?,
        strategy: asked.strategy()?,
        options: asked.options()?,
        inputs: asked.inputs()?,
        runs: asked.get("runs")?.unwrap_or(9),
        candidates: asked.get("candidates")?.unwrap_or(64),
        float: asked.float_class()?,
        tolerance: asked.tolerance()?,
        out: asked.get("out")?,
        within: Some(asked.seconds("within")?.unwrap_or(TUNED_WITHIN)),
        fresh: asked.is("fresh")?,
        dry: asked.is("dry_run")?,
    };
    let done = work(py, |session| {
        let found = tune.search(text.source(), session)?;
        let table = found.table.clone();
        let kept = found.keep()?.map(|kept| kept.path);
        Ok((table, kept.map(|path| path.to_string_lossy().into_owned())))
    })?;
    Ok(done.value)
}
