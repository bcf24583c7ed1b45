//! What a run gave → an object of JSON.

use super::{Compared, Target, Values};
use crate::algebra::Precision;
use crate::data::Array;
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::term::Symbol;
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;

/// Everything that a run gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The scheme's name.
    pub scheme: String,
    /// What ran it.
    pub target: Target,
    /// The strategy that derived it.
    pub strategy: String,
    /// What REAL meant.
    pub precision: Precision,
    /// The name of the device or the processor; empty where it is not known.
    pub machine: String,
    /// The values of all parameters.
    pub parameters: Values,
    /// What the program printed: `seconds`, `reports` and, on a device, `device`.
    pub json: Json,
    /// Seconds to derive, emit, build and run.
    pub seconds: [f64; 4],
    /// The unit and the amount of the scheme's WORK.
    pub work: Option<(String, f64)>,
    /// The names of the OUTPUT arrays.
    pub outputs: Vec<String>,
    /// The OUTPUT arrays, each of its variable's shape, a VECTOR being a last axis of its components;
    /// none where runs are measured.
    pub arrays: Vec<(String, Array)>,
    /// The folder that the arrays were written to, if one was given.
    pub folder: Option<PathBuf>,
    /// The comparison with the sequential scheme, if one was asked for.
    pub compared: Option<Compared>,
    /// Why there is none, although it was asked for.
    pub not_compared: Option<String>,
    /// A strategy that adds in another order what this one kept in order, as the command line has it.
    pub faster: Option<&'static str>,
}

/// A number as JSON; null where JSON has none.
fn number(x: f64) -> Json {
    serde_json::Number::from_f64(x).map_or(Json::Null, Json::Number)
}

/// Values of parameters as an object.
pub(super) fn parameters_object(parameters: &[(Symbol, Value)]) -> Json {
    let value = |value: &Value| match value {
        Value::Int(i) => json!(i),
        Value::Real(x) => number(*x),
        Value::Bool(b) => json!(b),
    };
    let all = parameters.iter().map(|(n, v)| (n.to_string(), value(v)));
    Json::Object(all.collect())
}

impl Outcome {
    /// Seconds of the timed part.
    pub fn body(&self) -> Option<f64> {
        self.json["seconds"]["body"].as_f64()
    }

    /// Work per second of a timed part that took so long.
    pub(super) fn rate(&self, body: Option<f64>) -> Option<f64> {
        let (_, amount) = self.work.as_ref()?;
        Some(amount / body?)
    }

    /// What deserves a look in the results: those none of whose values is a number.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let all_nan = |array: &Array| !array.is_empty() && array.reals().all(f64::is_nan);
        let results = self.arrays.iter().filter(|(_, array)| all_nan(array));
        let note = |(name, array): &(String, Array)| {
            let message = match array.len() {
                1 => format!("the result `{name}` is NaN"),
                n => format!("all {n} values of the result `{name}` are NaN"),
            };
            Diagnostic::note("N0416", message)
                .hint("glushkov check finds divisions by zero of integers; for REALs, REPORT what is divided")
        };
        results.map(note).collect()
    }

    /// The object of `run --json`.
    pub fn json(&self) -> Json {
        self.object(self.body())
    }

    /// The same, the timed part having taken so many seconds.
    pub(super) fn object(&self, body: Option<f64>) -> Json {
        let rate = self.rate(body).map(number);
        let work = self.work.as_ref().map(
            |(unit, amount)| json!({"unit": unit, "amount": number(*amount), "per_second": rate}),
        );
        let [derive, emit, build, run] = self.seconds;
        let compare = self.compared.as_ref().map(|compared| {
            let arrays = compared.arrays.iter().map(|(name, d)| {
                let (max, norm) = (number(d.max_relative), number(d.norm_relative));
                let distance =
                    json!({"max_relative": max, "norm_relative": norm, "identical": d.identical});
                (name.clone(), distance)
            });
            Json::Object(arrays.collect::<Map<_, _>>())
        });
        let compared = self.compared.as_ref();
        let elsewhere = compared.and_then(|c| c.elsewhere.as_ref());
        let sequential = compared.and_then(|c| c.seconds);
        // The times of other sizes are not those of this run.
        let compared_at = elsewhere.map(|at| {
            json!({
                "parameters": parameters_object(&at.parameters),
                "body": at.body.map(number),
                "sequential_seconds": sequential.map(number),
                "why": at.why,
            })
        });
        let sequential = sequential.filter(|_| elsewhere.is_none());
        json!({
            "scheme": self.scheme,
            "target": self.target.name(),
            "strategy": self.strategy,
            "precision": self.precision.name(),
            "machine": self.machine,
            "parameters": parameters_object(&self.parameters),
            "device": self.json.get("device").cloned().unwrap_or(Json::Null),
            "seconds": {"derive": derive, "emit": emit, "build": build, "run": run, "body": body.map(number)},
            "work": work,
            "reports": self.json.get("reports").cloned().unwrap_or_else(|| json!([])),
            "stages": self.told_stages(),
            "outputs": self.outputs,
            "compare": compare,
            "sequential_seconds": sequential.map(number),
            "compared_at": compared_at,
            "not_compared": self.not_compared,
        })
    }
}
