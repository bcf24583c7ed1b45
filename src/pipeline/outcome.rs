//! What a run gave → a report for people, an object of JSON.

use super::options::shown;
use super::{Compared, Target, Values};
use crate::data::Array;
use crate::machine::Value;
use crate::term::{Symbol, visible_line};
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

    /// The report for people: parameters, times, the scheme's own reports, the comparison.
    pub fn text(&self) -> String {
        let body = self.body();
        let [derive, emit, build, run] = self.seconds;
        let (target, strategy) = (self.target.name(), &self.strategy);
        let mut lines = vec![
            visible_line(&self.scheme).into_owned(),
            format!("  parameters  {}", shown(&self.parameters)),
            format!("  program     target {target}, strategy {strategy}"),
            format!(
                "  seconds     derive {derive:.3}, emit {emit:.3}, build {build:.3}, run {run:.3}"
            ),
        ];
        if let Some(body) = body {
            let rate = match (&self.work, self.rate(Some(body))) {
                (Some((unit, amount)), Some(rate)) => {
                    format!(", {amount:.3e} {unit}, {rate:.3e} {unit}/s")
                }
                _ => String::new(),
            };
            lines.push(format!("  timed part  {body:.6} s{rate}"));
        }
        lines.extend(report_lines(&self.json));
        if let Some(compared) = &self.compared {
            lines.extend(compared_lines(compared, body));
        }
        if let Some(folder) = &self.folder {
            let outputs = self.outputs.join(", ");
            lines.push(format!("  outputs     {outputs} in {}", folder.display()));
        }
        lines.join("\n")
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
        let sequential = self.compared.as_ref().and_then(|c| c.seconds);
        json!({
            "scheme": self.scheme,
            "target": self.target.name(),
            "strategy": self.strategy,
            "parameters": parameters_object(&self.parameters),
            "device": self.json.get("device").cloned().unwrap_or(Json::Null),
            "seconds": {"derive": derive, "emit": emit, "build": build, "run": run, "body": body.map(number)},
            "work": work,
            "reports": self.json.get("reports").cloned().unwrap_or_else(|| json!([])),
            "outputs": self.outputs,
            "compare": compare,
            "sequential_seconds": sequential.map(number),
        })
    }
}

/// The scheme's reports; of labels that stand in several rows, the first, the last and the change.
fn report_lines(json: &Json) -> Vec<String> {
    let rows: Vec<(&str, Vec<f64>)> = json["reports"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|r| {
            let values = r["values"]
                .as_array()?
                .iter()
                .map(|v| v.as_f64().unwrap_or(f64::NAN))
                .collect();
            Some((r["label"].as_str()?, values))
        })
        .collect();
    let mut labels: Vec<&str> = Vec::new();
    for (label, _) in &rows {
        if !labels.contains(label) {
            labels.push(label);
        }
    }
    let text = |values: &[f64]| {
        let shown = values
            .iter()
            .map(|&v| match v.fract() == 0.0 && v.abs() < 1e15 {
                true => format!("{v}"),
                false => format!("{v:.9}"),
            });
        shown.collect::<Vec<_>>().join(", ")
    };
    labels
        .into_iter()
        .map(|label| {
            let of: Vec<&Vec<f64>> = rows
                .iter()
                .filter(|(l, _)| *l == label)
                .map(|(_, v)| v)
                .collect();
            let (first, last) = (of[0], of[of.len() - 1]);
            if of.len() == 1 {
                return format!("  report      {label}: {}", text(first));
            }
            let change = match (first.as_slice(), last.as_slice()) {
                ([a], [b]) if *a != 0.0 => format!(", relative change {:.3e}", (b - a) / a),
                _ => String::new(),
            };
            format!(
                "  report      {label}: first {}, last {}{change} ({} rows)",
                text(first),
                text(last),
                of.len()
            )
        })
        .collect()
}

fn compared_lines(c: &Compared, body: Option<f64>) -> Vec<String> {
    let mut lines = Vec::new();
    if c.is_identical() {
        lines.push(
            "  compared    every OUTPUT has the same bits as the sequential scheme's".to_owned(),
        );
    } else {
        for (name, d) in &c.arrays {
            let same = if d.identical { ", same bits" } else { "" };
            let (max, norm) = (d.max_relative, d.norm_relative);
            lines.push(format!(
                "  compared    {name}: norm_relative {norm:.3e}, max_relative {max:.3e}{same}"
            ));
        }
        let asked = match c.same_bits {
            true => "the same bits are asked for".to_owned(),
            false => format!("allowed {:.0e}", c.tolerance),
        };
        let said = match c.passed {
            true => "within what is allowed",
            false => "DIFFERS from the sequential scheme",
        };
        lines.push(format!("              {said} ({asked})"));
    }
    if let (Some(sequential), Some(body)) = (c.seconds, body) {
        lines.push(format!(
            "              sequential on one core: {sequential:.6} s, {:.2} times as long",
            sequential / body
        ));
    }
    lines
}
