//! What a run reports: times, rates, the scheme's own reports, the comparison.

use super::output::{Done, Output, Stop};
use crate::check::Scheme;
use crate::data::{Array, Distance};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::term::{Symbol, visible_line};
use serde_json::{Map, Value as Json, json};
use std::path::Path;

/// The comparison of a run with the sequential scheme.
pub struct Compared {
    /// Whether it passed.
    pub passed: bool,
    /// Each array with `max_relative`, `norm_relative`, `identical`.
    pub arrays: Vec<(String, f64, f64, bool)>,
    /// Whether identical bits were asked for.
    same_bits: bool,
    tolerance: f64,
    /// Seconds of the sequential body.
    seconds: Option<f64>,
}

/// Compares OUTPUT arrays with those of the sequential scheme.
pub fn comparison(
    ours: &[(String, Array)],
    reference: &[(String, Array)],
    same_bits: bool,
    tolerance: f64,
    json: &Json,
) -> Result<Compared, Stop> {
    let mut arrays = Vec::new();
    let mut passed = true;
    for (name, array) in ours {
        let Some((_, other)) = reference.iter().find(|(n, _)| n == name) else {
            continue;
        };
        let found = Distance::of(array, other).map_err(Diagnostic::from)?;
        passed &= found.agrees(same_bits, tolerance);
        arrays.push((
            name.clone(),
            found.max_relative,
            found.norm_relative,
            found.identical,
        ));
    }
    Ok(Compared {
        passed,
        arrays,
        same_bits,
        tolerance,
        seconds: json["seconds"]["body"].as_f64(),
    })
}

/// The largest norm_relative that passes: the one given, else that of the scheme's precision.
pub fn tolerance(given: Option<f64>, scheme: &Scheme) -> f64 {
    given.unwrap_or(crate::data::tolerance(scheme.precision))
}

/// Everything that a run reports.
pub struct Outcome<'a> {
    pub scheme: &'a str,
    pub target: &'a str,
    pub strategy: &'a str,
    pub parameters: &'a [(Symbol, Value)],
    /// What the program printed.
    pub json: &'a Json,
    /// Seconds to derive, emit, build and run.
    pub seconds: [f64; 4],
    pub work: Option<(String, f64)>,
    pub outputs: Vec<String>,
    pub folder: Option<&'a Path>,
    pub compared: Option<&'a Compared>,
}

/// A number as JSON; null where JSON has none.
fn number(x: f64) -> Json {
    serde_json::Number::from_f64(x).map_or(Json::Null, Json::Number)
}

/// Prints what a run reports.
pub fn print_outcome(o: &Outcome<'_>, as_json: bool, output: &mut Output) -> Done {
    let body = o.json["seconds"]["body"].as_f64();
    let rate = o
        .work
        .as_ref()
        .zip(body)
        .map(|((_, amount), body)| amount / body);
    if as_json {
        return output.json(&object(o, body, rate));
    }
    let mut lines = vec![visible_line(o.scheme).into_owned()];
    let parameters: Vec<String> = o
        .parameters
        .iter()
        .map(|(n, v)| match v {
            Value::Int(i) => format!("{n} = {i}"),
            Value::Real(x) => format!("{n} = {}", shortest(*x)),
            Value::Bool(b) => format!("{n} = {b}"),
        })
        .collect();
    lines.push(format!("  parameters  {}", parameters.join(", ")));
    lines.push(format!(
        "  program     target {}, strategy {}",
        o.target, o.strategy
    ));
    let [derive, emit, build, run] = o.seconds;
    lines.push(format!(
        "  seconds     derive {derive:.3}, emit {emit:.3}, build {build:.3}, run {run:.3}"
    ));
    if let Some(body) = body {
        let rate = match (&o.work, rate) {
            (Some((unit, amount)), Some(rate)) => {
                format!(", {amount:.3e} {unit}, {rate:.3e} {unit}/s")
            }
            _ => String::new(),
        };
        lines.push(format!("  timed part  {body:.6} s{rate}"));
    }
    lines.extend(report_lines(o.json));
    if let Some(compared) = o.compared {
        lines.extend(compared_lines(compared, body));
    }
    if let Some(folder) = o.folder {
        lines.push(format!(
            "  outputs     {} in {}",
            o.outputs.join(", "),
            folder.display()
        ));
    }
    output.print(&lines.join("\n"))
}

/// A real as its author would write it.
pub fn shortest(x: f64) -> String {
    let short = format!("{}", x as f32);
    if short.parse::<f32>() == Ok(x as f32) && f64::from(x as f32) == x {
        short
    } else {
        format!("{x}")
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
        values
            .iter()
            .map(|&v| match v.fract() == 0.0 && v.abs() < 1e15 {
                true => format!("{v}"),
                false => format!("{v:.9}"),
            })
            .collect::<Vec<_>>()
            .join(", ")
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
    if c.arrays.iter().all(|a| a.3) {
        lines.push(
            "  compared    every OUTPUT has the same bits as the sequential scheme's".to_owned(),
        );
    } else {
        for (name, max, norm, same) in &c.arrays {
            let same = if *same { ", same bits" } else { "" };
            lines.push(format!(
                "  compared    {name}: norm_relative {norm:.3e}, max_relative {max:.3e}{same}"
            ));
        }
        let asked = if c.same_bits {
            "the same bits are asked for".to_owned()
        } else {
            format!("allowed {:.0e}", c.tolerance)
        };
        let said = if c.passed {
            "within what is allowed"
        } else {
            "DIFFERS from the sequential scheme"
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

/// Values of parameters as an object.
pub fn parameters_object(parameters: &[(Symbol, Value)]) -> Json {
    let value = |value: &Value| match value {
        Value::Int(i) => json!(i),
        Value::Real(x) => number(*x),
        Value::Bool(b) => json!(b),
    };
    let all = parameters.iter().map(|(n, v)| (n.to_string(), value(v)));
    Json::Object(all.collect())
}

/// What a run reports, as one object.
pub fn object(o: &Outcome<'_>, body: Option<f64>, rate: Option<f64>) -> Json {
    let parameters = parameters_object(o.parameters);
    let [derive, emit, build, run] = o.seconds;
    let work = o.work.as_ref().map(|(unit, amount)| {
        json!({"unit": unit, "amount": number(*amount), "per_second": rate.map(number)})
    });
    let compare = o.compared.map(|c| {
        let mut arrays = Map::new();
        for (name, max, norm, same) in &c.arrays {
            arrays.insert(
                name.clone(),
                json!({"max_relative": number(*max), "norm_relative": number(*norm), "identical": same}),
            );
        }
        Json::Object(arrays)
    });
    json!({
        "scheme": o.scheme,
        "target": o.target,
        "strategy": o.strategy,
        "parameters": parameters,
        "device": o.json.get("device").cloned().unwrap_or(Json::Null),
        "seconds": {"derive": derive, "emit": emit, "build": build, "run": run, "body": body.map(number)},
        "work": work,
        "reports": o.json.get("reports").cloned().unwrap_or_else(|| json!([])),
        "outputs": o.outputs,
        "compare": compare,
        "sequential_seconds": o.compared.and_then(|c| c.seconds).map(number),
    })
}
