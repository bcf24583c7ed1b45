//! What a run gave → a report for people.

use super::options::shown;
use super::reference::changed;
use super::{Compared, Outcome, Target};
use crate::term::visible_line;
use serde_json::Value as Json;

/// Times that differ by less than this factor are called equal.
const EQUAL: f64 = 1.1;

/// Seconds below which a run is too short for advice: most of it may be what does not grow with sizes.
const SHORT: f64 = 0.01;

impl Outcome {
    /// The report for people: what ran where, parameters, times, the scheme's own reports, the
    /// comparison.
    pub fn text(&self) -> String {
        let [derive, emit, build, run] = self.seconds;
        let mut lines = vec![self.title()];
        if !self.parameters.is_empty() {
            lines.push(format!("  parameters  {}", shown(&self.parameters)));
        }
        lines.push(format!(
            "  seconds     derive {derive:.3}, emit {emit:.3}, build {build:.3}, run {run:.3}"
        ));
        if let Some(body) = self.body() {
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
            let about = self.place(compared).into_iter();
            let about = about.chain(compared_lines(compared));
            lines.extend(about.enumerate().map(|(number, line)| match number {
                0 => format!("  compared    {line}"),
                _ => format!("              {line}"),
            }));
            lines.extend(self.speed(compared));
        }
        if let Some(why) = &self.not_compared {
            lines.push(format!("  not compared: {why}"));
        }
        if let Some(faster) = self.faster {
            lines.push(format!(
                "  exact       sums were kept in order: `--strategy {faster}` allows another order, and is usually faster"
            ));
        }
        if let Some(folder) = &self.folder {
            let outputs = self.outputs.join(", ");
            lines.push(format!("  outputs     {outputs} in {}", folder.display()));
        }
        if let Some(stages) = self.stages() {
            lines.push(format!("\n{}", stages.trim_end()));
        }
        lines.join("\n")
    }

    /// The scheme, and what ran it.
    fn title(&self) -> String {
        let scheme = visible_line(&self.scheme);
        let (precision, target) = (self.precision.name(), self.target.name());
        let strategy = self.strategy.replace('_', "-");
        let on = match (self.target, self.machine.as_str()) {
            (Target::Interpreter, _) => "on the reference machine".to_owned(),
            (_, "") => format!("target {target}"),
            (_, machine) => format!("target {target} on {}", visible_line(machine)),
        };
        format!("{scheme}: {precision}, {on}, strategy {strategy}")
    }

    /// The sizes of the comparison, where they are not those of the run.
    fn place(&self, compared: &Compared) -> Option<String> {
        let at = compared.elsewhere.as_ref()?;
        let why = &at.why;
        Some(match &changed(&self.parameters, &at.parameters)[..] {
            [] => why.clone(),
            sizes => format!("at {} ({why})", shown(sizes)),
        })
    }

    /// How much faster or slower than the sequential program it was, and what to do about the latter.
    fn speed(&self, compared: &Compared) -> Option<String> {
        let (ours, at) = match &compared.elsewhere {
            Some(at) => {
                let sizes = changed(&self.parameters, &at.parameters);
                (at.body?, format!("at {}, ", shown(&sizes)))
            }
            None => (self.body()?, String::new()),
        };
        // The reference machine is there to check programs, not to be fast.
        let sequential = compared
            .seconds
            .filter(|_| self.target.emitted().is_some())?;
        let said = speed(ours, sequential, self.target, !at.is_empty())?;
        Some(format!("  speed       {at}{said}"))
    }
}

/// The times of a program and of the sequential one, in words. Where these were taken at `small` sizes,
/// they say little of larger ones.
fn speed(ours: f64, sequential: f64, target: Target, small: bool) -> Option<String> {
    if !(ours > 0.0 && sequential > 0.0 && ours.is_finite() && sequential.is_finite()) {
        return None;
    }
    let than = format!(
        "the sequential program on one core ({} s)",
        digits(sequential)
    );
    let ratio = sequential / ours;
    Some(if ratio >= EQUAL {
        format!("{} times faster than {than}", digits_of_ratio(ratio))
    } else if ratio > 1.0 / EQUAL {
        format!("as fast as {than}")
    } else {
        let slower = format!("{} times slower than {than}", digits_of_ratio(1.0 / ratio));
        let target = match target.on_device() {
            true => "--target rust ",
            false => "",
        };
        match small || sequential < SHORT {
            true => format!("{slower}; this may be different at larger sizes"),
            false => format!("{slower}: use `{target}--strategy sequential`"),
        }
    })
}

/// A ratio with as many digits as are of use.
fn digits_of_ratio(ratio: f64) -> String {
    match ratio < 9.95 {
        true => format!("{ratio:.1}"),
        false => format!("{ratio:.0}"),
    }
}

/// Seconds with three digits that count.
fn digits(seconds: f64) -> String {
    let before = seconds.abs().log10().floor() as i32;
    let after = usize::try_from(2 - before).unwrap_or(0).min(12);
    format!("{seconds:.after$}")
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

fn compared_lines(c: &Compared) -> Vec<String> {
    let mut lines = Vec::new();
    if c.is_identical() {
        lines.push("every OUTPUT has the same bits as the sequential scheme's".to_owned());
    } else {
        for (name, d) in &c.arrays {
            let same = if d.identical { ", same bits" } else { "" };
            let (max, norm) = (d.max_relative, d.norm_relative);
            lines.push(format!(
                "{name}: norm_relative {norm:.3e}, max_relative {max:.3e}{same}"
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
        lines.push(format!("{said} ({asked})"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_compared_in_words() {
        let said = |ours, sequential| speed(ours, sequential, Target::Rust, false).expect("times");
        assert_eq!(
            said(0.0427, 1.177551),
            "28 times faster than the sequential program on one core (1.18 s)"
        );
        assert_eq!(
            said(0.1, 0.34),
            "3.4 times faster than the sequential program on one core (0.340 s)"
        );
        assert_eq!(
            said(0.4, 0.02),
            "20 times slower than the sequential program on one core (0.0200 s): use `--strategy sequential`"
        );
        let device = speed(0.4, 0.02, Target::Cuda, false).expect("times");
        assert!(device.ends_with(": use `--target rust --strategy sequential`"));
        for near in [0.95, 1.0, 1.05] {
            assert!(said(1.0, near).starts_with("as fast as "), "{near}");
        }
    }

    #[test]
    fn short_times_give_no_advice() {
        let tiny = speed(0.001, 0.0001, Target::Rust, false).expect("times");
        assert_eq!(
            tiny,
            "10 times slower than the sequential program on one core (0.000100 s); \
             this may be different at larger sizes"
        );
        let small = speed(4.0, 1.0, Target::Rust, true).expect("times");
        assert!(!small.contains("--strategy"), "{small}");
        for none in [(0.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0)] {
            assert_eq!(speed(none.0, none.1, Target::Rust, false), None);
        }
    }
}
