//! What was measured → a table, JSON, a picture.

use super::{Clock, Measured, Row, Variant};
use crate::data::{Line, Plot, Point, draw};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::pipeline::options::{shown, text};
use crate::pipeline::outcome::parameters_object;
use crate::pipeline::{Failure, Values};
use crate::term::{Symbol, visible_json};
use comfy_table::{Cell, CellAlignment, Table, presets};
use serde_json::json;

impl Measured {
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
    fn fixed(&self) -> Values {
        let first = self.rows.first().into_iter();
        let all = first.flat_map(|row| &row.outcome.parameters);
        let swept = |name: Symbol| self.swept.iter().any(|s| s == name.as_str());
        all.filter(|(name, _)| !swept(*name)).copied().collect()
    }

    /// The table, in Markdown, with what it is about before it.
    pub fn table(&self) -> String {
        let mut works = self.rows.iter().filter_map(|r| r.outcome.work.as_ref());
        let unit = works.next().map(|(unit, _)| unit.as_str());
        let compares = self.rows.iter().any(|r| r.outcome.compared.is_some());
        let several = self.rows.iter().any(|r| r.variant != self.rows[0].variant);
        let mut head: Vec<String> = self.swept.to_vec();
        head.extend(["target", "strategy"].map(str::to_owned));
        head.extend(self.ablated.then(|| "without".to_owned()));
        let words = self.swept.len()..head.len();
        head.extend(["median s", "low", "high"].map(str::to_owned));
        head.extend(unit.map(|u| format!("{u}/s")));
        let relation = match self.ablated {
            true => "time / whole",
            false => "times as fast",
        };
        head.extend(several.then(|| relation.to_owned()));
        head.extend(compares.then(|| "OUTPUT".to_owned()));
        head.extend((!self.missing.is_empty()).then(String::new));
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(head.iter().map(Cell::new));
        let aligned = |(i, text): (usize, String)| {
            let outputs = head.iter().position(|h| h == "OUTPUT");
            let last = !self.missing.is_empty() && i + 1 == head.len();
            let word = words.contains(&i) || outputs == Some(i) || last;
            Cell::new(text).set_alignment(match word {
                true => CellAlignment::Left,
                false => CellAlignment::Right,
            })
        };
        // What a row begins with: its sizes and its variant.
        let named = |values: &[(Symbol, Value)], variant: &Variant, [size, rule]: [&str; 2]| {
            let size = |name| value(values, name).map_or(size.to_owned(), text);
            let mut cells: Vec<String> = self.swept.iter().map(|name| size(name)).collect();
            cells.extend([variant.target.name().to_owned(), variant.strategy.clone()]);
            let rule = || variant.without.clone().unwrap_or(rule.to_owned());
            cells.extend(self.ablated.then(rule));
            cells
        };
        for row in &self.rows {
            let mut cells = named(&row.outcome.parameters, &row.variant, ["", "nothing"]);
            let s = row.body;
            cells.extend([s.median, s.low, s.high].map(digits));
            if unit.is_some() {
                let rate = row.outcome.rate(Some(s.median)).filter(|r| r.is_finite());
                cells.push(rate.map_or("-".to_owned(), |r| format!("{r:.3e}")));
            }
            if several {
                let ratio = match self.ablated {
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
        for missing in &self.missing {
            let mut cells = named(&missing.values, &missing.variant, ["all", ""]);
            cells.resize(head.len() - 1, "-".to_owned());
            cells.push(missing.why.clone());
            table.add_row(cells.into_iter().enumerate().map(aligned));
        }
        let mut about = vec![self.scheme.name.to_string()];
        let fixed = self.fixed();
        if !fixed.is_empty() {
            about.push(shown(&fixed));
        }
        let what = self.interval("low and high");
        let clock = self.clock();
        about.push(format!("seconds of the timed part by {clock}: {what}"));
        let counted = self.contestants.iter().filter_map(|c| {
            let line = c.instructions.as_ref()?.line();
            Some(format!("{}: {line}", c.variant.label()))
        });
        let counted: Vec<String> = counted.collect();
        let mut parts = vec![about.join("\n"), lines(&table)];
        parts.extend((!counted.is_empty()).then(|| counted.join("\n")));
        for row in &self.rows {
            let values = &row.outcome.parameters;
            let swept = values
                .iter()
                .filter(|(name, _)| self.swept.iter().any(|s| s == name.as_str()));
            let swept: Values = swept.copied().collect();
            let at = match shown(&swept) {
                sizes if sizes.is_empty() => String::new(),
                sizes => format!(", {sizes}"),
            };
            let stages = row.outcome.stages();
            parts.extend(stages.map(|s| {
                format!(
                    "{}{at}, the first run:\n{}",
                    row.variant.label(),
                    s.trim_end()
                )
            }));
        }
        parts.join("\n\n")
    }

    /// The times as comma-separated values: a column for each parameter, and a line for each variant and size.
    pub fn csv(&self) -> String {
        let parameters = self.rows.first().map(|r| &r.outcome.parameters[..]);
        let names = parameters.unwrap_or_default().iter();
        let mut head: Vec<String> = names.map(|(name, _)| name.to_string()).collect();
        let columns = [
            "target",
            "strategy",
            "without",
            "median_s",
            "low_s",
            "high_s",
            "work",
            "work_per_s",
        ];
        head.extend(columns.map(str::to_owned));
        let mut lines = vec![head.join(",")];
        for row in &self.rows {
            let values = row.outcome.parameters.iter();
            let mut cells: Vec<String> = values.map(|&(_, value)| text(value)).collect();
            let without = row.variant.without.clone().unwrap_or_default();
            cells.extend([
                row.variant.target.name().to_owned(),
                row.variant.strategy.clone(),
                without,
            ]);
            let s = row.body;
            cells.extend([s.median, s.low, s.high].map(|x| format!("{x:e}")));
            let work = row.outcome.work.as_ref().map(|(_, amount)| amount);
            cells.push(work.map_or(String::new(), |amount| format!("{amount:e}")));
            let rate = row.outcome.rate(Some(s.median)).filter(|r| r.is_finite());
            cells.push(rate.map_or(String::new(), |r| format!("{r:e}")));
            lines.push(cells.join(","));
        }
        lines.join("\n") + "\n"
    }

    /// A list of objects as those of `run --json`, with the samples of `body` and what they say.
    pub fn json(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let mut all = row.outcome.object(Some(row.body.median));
            all["samples"] = json!(row.samples);
            all["median"] = json!(row.body.median);
            all["low"] = json!(row.body.low);
            all["high"] = json!(row.body.high);
            all["confidence"] = json!(row.body.confidence);
            all["clock"] = json!(row.clock.name());
            all["without"] = json!(row.variant.without);
            let mut contestants = self.contestants.iter();
            let of = contestants.find(|c| c.variant == row.variant);
            if let Some(instructions) = of.and_then(|c| c.instructions.as_ref()) {
                all["instructions"] = instructions.json();
            }
            all
        });
        let missing = self.missing.iter().map(|missing| {
            json!({
                "scheme": self.scheme.name.as_str(),
                "target": missing.variant.target.name(),
                "strategy": missing.variant.strategy,
                "without": missing.variant.without,
                "parameters": parameters_object(&missing.values),
                "fails": missing.why,
            })
        });
        let rows: Vec<String> = rows.chain(missing).map(|r| format!("  {r}")).collect();
        visible_json(&format!("[\n{}\n]\n", rows.join(",\n"))).into_owned()
    }

    /// The picture: the first swept size across, one line for each variant and each combination of the
    /// other swept sizes.
    ///
    /// # Errors
    ///
    /// E0006 where no size is swept, E0001 where nothing can be drawn.
    pub fn plot(&self) -> Result<String, Failure> {
        let (across, others) = self
            .swept
            .split_first()
            .ok_or_else(|| Diagnostic::error("E0006", "--plot needs a size with several values"))?;
        let mut lines: Vec<Line> = Vec::new();
        for row in &self.rows {
            let mut label = row.variant.label();
            for name in others {
                let size = value(&row.outcome.parameters, name).map_or(String::new(), text);
                label.push_str(&format!(", {name} = {size}"));
            }
            let Some(x) = value(&row.outcome.parameters, across).and_then(number) else {
                continue;
            };
            let point = Point {
                x,
                seconds: [row.body.low, row.body.median, row.body.high],
                work: row.outcome.work.as_ref().map(|(_, amount)| *amount),
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
        let fixed = shown(&self.fixed());
        let about = match fixed.is_empty() {
            true => self.interval("bars"),
            false => format!("{fixed}; {}", self.interval("bars")),
        };
        let plot = Plot {
            title: self.scheme.name.to_string(),
            about,
            across: across.clone(),
            unit: self
                .rows
                .iter()
                .find_map(|r| Some(r.outcome.work.as_ref()?.0.clone())),
            lines,
        };
        draw(&plot)
            .map_err(|why| Diagnostic::error("E0001", format!("nothing is drawn: {why}")).into())
    }

    /// What is told of variants that do not agree with the first.
    pub fn differences(&self) -> Vec<Diagnostic> {
        // That results differ without a rule is told in the table, and is not an error.
        let whole = self.rows.iter().filter(|r| r.variant.without.is_none());
        let differs = |row: &Row| {
            let compared = row.outcome.compared.as_ref().filter(|c| !c.passed)?;
            let arrays = compared
                .differing()
                .map(|(name, d)| format!("{name}: norm_relative {:.3e}", d.norm_relative));
            let message = format!(
                "{} differs from the first variant at {}: {}",
                row.variant.label(),
                shown(&row.outcome.parameters),
                arrays.collect::<Vec<_>>().join(", ")
            );
            let hint = "--tolerance allows more; exact rules on the host are to give the same bits";
            Some(Diagnostic::error("E0335", message).hint(hint))
        };
        whole.filter_map(differs).collect()
    }
}

/// The value of a parameter.
fn value(values: &[(Symbol, Value)], name: &str) -> Option<Value> {
    let found = values.iter().find(|(n, _)| n.as_str() == name);
    found.map(|&(_, value)| value)
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

/// How the OUTPUT arrays compare with the first variant's.
fn agreement(row: &Row) -> String {
    let Some(compared) = &row.outcome.compared else {
        return String::new();
    };
    let norms = compared.arrays.iter().map(|(_, d)| d.norm_relative);
    let worst = norms.fold(0.0, f64::max);
    match compared.passed {
        _ if compared.is_identical() => "same bits".to_owned(),
        true => format!("within {worst:.0e}"),
        false => format!("DIFFERS by {worst:.0e}"),
    }
}

/// The lines of a table, without blanks at their ends.
pub fn lines(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|l| l.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// Refuses sizes that have no place on a logarithmic axis.
pub fn expect_plottable(name: &str, sizes: &[Values]) -> Result<(), Failure> {
    let fits = |values: &Values| value(values, name).and_then(number).is_some();
    match sizes.iter().all(fits) {
        true => Ok(()),
        false => {
            let message =
                format!("--plot has a logarithmic axis, and {name} is not always above zero");
            Err(Diagnostic::error("E0006", message).into())
        }
    }
}

/// A value that has a place on a logarithmic axis.
fn number(value: Value) -> Option<f64> {
    let x = match value {
        Value::Int(i) => i as f64,
        Value::Real(x) => x,
        Value::Bool(_) => return None,
    };
    (x > 0.0).then_some(x)
}
