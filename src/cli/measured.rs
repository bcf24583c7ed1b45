//! Measurements of `bench` → a table, JSON, a picture.

use super::bench::{Clock, Contestant, Failure, Row};
use super::common::TargetName;
use super::output::{Done, Stop};
use super::report::{Outcome, object, parameters_object};
use crate::check::Scheme;
use crate::data::{Line, Plot, Point, draw};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::term::{Symbol, visible_json};
use comfy_table::{Cell, CellAlignment, Table, presets};
use serde_json::{Value as Json, json};

/// A target and a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    pub target: TargetName,
    pub strategy: String,
    /// The rule that the strategy does without.
    pub without: Option<String>,
}

impl Variant {
    /// `rust, parallel`
    pub fn label(&self) -> String {
        let whole = format!("{}, {}", self.target.name(), self.strategy);
        match &self.without {
            Some(rule) => format!("{whole} without {rule}"),
            None => whole,
        }
    }
}

/// Everything that was measured.
pub struct Measured<'a> {
    pub scheme: &'a Scheme,
    /// The parameters with several values.
    pub swept: &'a [String],
    /// Runs of each variant at each size.
    pub runs: u32,
    pub rows: &'a [Row],
    /// All that took part.
    pub contestants: &'a [Contestant],
    /// Those that gave no times.
    pub failures: &'a [Failure],
    /// Whether variants are a strategy without its rules.
    pub ablated: bool,
}

/// Values of parameters as they are shown: `N = 512, STEPS = 10`.
pub fn shown(values: &[(Symbol, Value)]) -> String {
    let all: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name} = {}", text(*value)))
        .collect();
    all.join(", ")
}

fn text(value: Value) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Real(x) => super::report::shortest(x),
        Value::Bool(b) => b.to_string(),
    }
}

impl Measured<'_> {
    /// What was measured; `ends` names what shows the ends of the interval.
    fn interval(&self, ends: &str) -> String {
        let confidence = self.rows.first().map_or(0.0, |r| r.body.confidence);
        match self.runs {
            1 => "one run".to_owned(),
            n if n < 6 => format!("median of {n} runs, {ends} the least and the most"),
            n => format!(
                "median of {n} runs, {ends} its {:.1} % interval",
                100.0 * confidence
            ),
        }
    }

    /// Whose time was taken.
    fn clock(&self) -> &'static str {
        let mut clocks = self.rows.iter().map(|r| r.clock);
        let first = clocks.next().unwrap_or_default();
        match clocks.all(|c| c == first) {
            true if first == Clock::Device => "the device's clock",
            true => "the host's clock",
            false => "the device's clock where there is one",
        }
    }

    /// The parameters that all rows share.
    fn fixed(&self) -> Vec<(Symbol, Value)> {
        let Some(first) = self.rows.first() else {
            return Vec::new();
        };
        let swept = |name: Symbol| self.swept.iter().any(|s| s == name.as_str());
        let fixed = first.values.iter().filter(|(name, _)| !swept(*name));
        fixed.copied().collect()
    }

    fn value(row: &Row, name: &str) -> Option<Value> {
        let found = row.values.iter().find(|(n, _)| n.as_str() == name);
        found.map(|&(_, value)| value)
    }
}

/// The table, in Markdown, with what it is about before it.
pub fn table(m: &Measured<'_>) -> String {
    let unit = m
        .rows
        .iter()
        .find_map(|r| Some(r.work.as_ref()?.0.as_str()));
    let compares = m.rows.iter().any(|r| r.compared.is_some());
    let several = m.rows.iter().any(|r| r.variant != m.rows[0].variant);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let mut head: Vec<String> = m.swept.to_vec();
    head.extend(["target", "strategy"].map(str::to_owned));
    head.extend(m.ablated.then(|| "without".to_owned()));
    let words = m.swept.len()..head.len();
    head.extend(["median s", "low", "high"].map(str::to_owned));
    head.extend(unit.map(|u| format!("{u}/s")));
    let relation = match m.ablated {
        true => "time / whole",
        false => "times as fast",
    };
    head.extend(several.then(|| relation.to_owned()));
    head.extend(compares.then(|| "OUTPUT".to_owned()));
    head.extend((!m.failures.is_empty()).then(String::new));
    table.set_header(head.iter().map(Cell::new));
    let aligned = |(i, text): (usize, String)| {
        let outputs = head.iter().position(|h| h == "OUTPUT");
        let last = !m.failures.is_empty() && i + 1 == head.len();
        let word = words.contains(&i) || outputs == Some(i) || last;
        Cell::new(text).set_alignment(match word {
            true => CellAlignment::Left,
            false => CellAlignment::Right,
        })
    };
    for row in m.rows {
        let mut cells: Vec<String> = m
            .swept
            .iter()
            .map(|name| Measured::value(row, name).map_or(String::new(), text))
            .collect();
        cells.push(row.variant.target.name().to_owned());
        cells.push(row.variant.strategy.clone());
        if m.ablated {
            cells.push(row.variant.without.clone().unwrap_or("nothing".to_owned()));
        }
        let s = row.body;
        cells.extend([s.median, s.low, s.high].map(digits));
        if unit.is_some() {
            cells.push(rate(row).map_or("-".to_owned(), |r| format!("{r:.3e}")));
        }
        if several {
            let ratio = match m.ablated {
                true => 1.0 / row.ratio,
                false => row.ratio,
            };
            cells.push(match ratio.is_finite() {
                true => digits(ratio),
                false => "-".to_owned(),
            });
        }
        if compares {
            cells.push(agreement(row));
        }
        cells.resize(head.len(), String::new());
        table.add_row(cells.into_iter().enumerate().map(aligned));
    }
    for failure in m.failures {
        let value = |name: &String| {
            let found = failure.values.iter().find(|(n, _)| n.as_str() == name);
            found.map_or("all".to_owned(), |(_, value)| text(*value))
        };
        let mut cells: Vec<String> = m.swept.iter().map(value).collect();
        let variant = &failure.variant;
        cells.extend([variant.target.name().to_owned(), variant.strategy.clone()]);
        cells.extend(
            m.ablated
                .then(|| variant.without.clone().unwrap_or_default()),
        );
        cells.resize(head.len() - 1, "-".to_owned());
        cells.push(failure.why.clone());
        table.add_row(cells.into_iter().enumerate().map(aligned));
    }
    let mut about = vec![m.scheme.name.to_string()];
    let fixed = m.fixed();
    if !fixed.is_empty() {
        about.push(shown(&fixed));
    }
    let what = m.interval("low and high");
    let clock = m.clock();
    about.push(format!("seconds of the timed part by {clock}: {what}"));
    let mut lines: Vec<String> = table.lines().map(|l| l.trim_end().to_owned()).collect();
    let counted = m.contestants.iter().filter_map(|c| {
        let line = c.instructions.as_ref()?.line();
        Some(format!("{}: {line}", c.variant.label()))
    });
    let counted: Vec<String> = counted.collect();
    if !counted.is_empty() {
        lines.push(String::new());
        lines.extend(counted);
    }
    format!("{}\n\n{}", about.join("\n"), lines.join("\n"))
}

/// Four significant digits.
pub fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let magnitude = x.abs().log10().floor() as i32;
    match magnitude {
        -6..=3 => format!("{x:.*}", (3 - magnitude) as usize),
        4..=6 => format!("{x:.0}"),
        _ => format!("{x:.3e}"),
    }
}

/// Work per second.
fn rate(row: &Row) -> Option<f64> {
    let (_, amount) = row.work.as_ref()?;
    let rate = amount / row.body.median;
    rate.is_finite().then_some(rate)
}

/// How the OUTPUT arrays compare with the first variant's.
fn agreement(row: &Row) -> String {
    let Some(compared) = &row.compared else {
        return String::new();
    };
    if compared.arrays.iter().all(|a| a.3) {
        return "same bits".to_owned();
    }
    let worst = compared.arrays.iter().map(|a| a.2).fold(0.0, f64::max);
    match compared.passed {
        true => format!("within {worst:.0e}"),
        false => format!("DIFFERS by {worst:.0e}"),
    }
}

/// A list of objects as those of `run --json`, with the samples of `body` and what they say.
pub fn json_text(m: &Measured<'_>) -> String {
    let rows: Vec<Json> = m
        .rows
        .iter()
        .map(|row| {
            let outcome = Outcome {
                scheme: m.scheme.name.as_str(),
                target: row.variant.target.name(),
                strategy: &row.variant.strategy,
                parameters: &row.values,
                json: &row.json,
                seconds: row.seconds,
                work: row.work.clone(),
                outputs: row.outputs.clone(),
                folder: None,
                compared: row.compared.as_ref(),
            };
            let mut all = object(&outcome, Some(row.body.median), rate(row));
            all["samples"] = json!(row.samples);
            all["median"] = json!(row.body.median);
            all["low"] = json!(row.body.low);
            all["high"] = json!(row.body.high);
            all["confidence"] = json!(row.body.confidence);
            all["clock"] = json!(row.clock.name());
            all["without"] = json!(row.variant.without);
            let mut contestants = m.contestants.iter();
            let of = contestants.find(|c| c.variant == row.variant);
            if let Some(instructions) = of.and_then(|c| c.instructions.as_ref()) {
                all["instructions"] = instructions.json();
            }
            all
        })
        .collect();
    let failures = m.failures.iter().map(|failure| {
        json!({
            "scheme": m.scheme.name.as_str(),
            "target": failure.variant.target.name(),
            "strategy": failure.variant.strategy,
            "without": failure.variant.without,
            "parameters": parameters_object(&failure.values),
            "fails": failure.why,
        })
    });
    let rows: Vec<String> = rows
        .iter()
        .cloned()
        .chain(failures)
        .map(|r| format!("  {r}"))
        .collect();
    visible_json(&format!("[\n{}\n]\n", rows.join(",\n"))).into_owned()
}

/// Refuses sizes that have no place on a logarithmic axis.
pub fn expect_plottable(name: &str, sizes: &[Vec<(Symbol, Value)>]) -> Done {
    for values in sizes {
        let value = values.iter().find(|(n, _)| n.as_str() == name);
        if value.is_none_or(|(_, v)| number(*v).is_none()) {
            return Err(Diagnostic::error(
                "E0006",
                format!("--plot has a logarithmic axis, and {name} is not always above zero"),
            )
            .into());
        }
    }
    Ok(())
}

fn number(value: Value) -> Option<f64> {
    let x = match value {
        Value::Int(i) => i as f64,
        Value::Real(x) => x,
        Value::Bool(_) => return None,
    };
    (x > 0.0).then_some(x)
}

/// The picture: the first swept size across, one line for each variant and each combination of the
/// other swept sizes.
pub fn plot_text(m: &Measured<'_>) -> Result<String, Stop> {
    let (across, others) = m
        .swept
        .split_first()
        .ok_or_else(|| Diagnostic::error("E0006", "--plot needs a size with several values"))?;
    let mut lines: Vec<Line> = Vec::new();
    for row in m.rows {
        let mut label = row.variant.label();
        for name in others {
            let value = Measured::value(row, name).map_or(String::new(), text);
            label.push_str(&format!(", {name} = {value}"));
        }
        let Some(x) = Measured::value(row, across).and_then(number) else {
            continue;
        };
        let point = Point {
            x,
            seconds: [row.body.low, row.body.median, row.body.high],
            work: row.work.as_ref().map(|(_, amount)| *amount),
        };
        match lines.iter_mut().find(|l| l.label == label) {
            Some(line) => line.points.push(point),
            None => lines.push(Line {
                label,
                points: vec![point],
            }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let fixed = shown(&m.fixed());
    let about = match fixed.is_empty() {
        true => m.interval("bars"),
        false => format!("{fixed}; {}", m.interval("bars")),
    };
    let plot = Plot {
        title: m.scheme.name.to_string(),
        about,
        across: across.clone(),
        unit: m.rows.iter().find_map(|r| Some(r.work.as_ref()?.0.clone())),
        lines,
    };
    draw(&plot).map_err(|why| Diagnostic::error("E0001", format!("nothing is drawn: {why}")).into())
}
