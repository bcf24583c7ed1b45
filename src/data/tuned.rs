//! What tuning found: the settings of a strategy that are fast, up to which size, on one device.

use crate::algebra::Precision;
use crate::rewrite::FloatClass;
use serde::{Deserialize, Serialize};

/// What `format` says in every file.
const FORMAT: &str = "glushkov tuned";
/// The version of files that are written, and the only one that is read.
const VERSION: u32 = 2;

/// What a tuning is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TunedFor {
    /// The SHA-256 of the scheme's checked form.
    pub checked: String,
    /// The strategy.
    pub strategy: String,
    /// The target, as at the command line.
    pub target: String,
    /// What REAL means.
    pub precision: Precision,
    /// The device, or the processor.
    pub device: String,
}

/// A file of tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    format: String,
    version: u32,
    /// The scheme's name, for people.
    pub scheme: String,
    /// What it is for.
    #[serde(flatten)]
    pub of: TunedFor,
    /// The whole parameter of the scheme that was tuned over; none where there was one size.
    pub parameter: Option<String>,
    /// What to take, in order of size; the last is for all larger ones.
    pub ranges: Vec<TunedRange>,
}

/// What to take for a range of sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedRange {
    /// The largest value of the parameter; none in the last range.
    pub up_to: Option<i64>,
    /// The settings, as `--with` takes them; none of those that have their defaults.
    pub with: Vec<String>,
    /// The weakest float class of the derivation with them.
    pub float: FloatClass,
    /// What was measured.
    pub measured: Vec<Measurement>,
}

/// What was measured at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The size: `N = 1024, STEPS = 10`.
    pub size: String,
    /// The median of the timed part's seconds with the chosen settings.
    pub seconds: f64,
    /// The same with the defaults; none where they do not run.
    pub default_seconds: Option<f64>,
}

impl Tuned {
    /// A file's content.
    pub fn new(
        scheme: String,
        of: TunedFor,
        parameter: Option<String>,
        ranges: Vec<TunedRange>,
    ) -> Tuned {
        Tuned {
            format: FORMAT.to_owned(),
            version: VERSION,
            scheme,
            of,
            parameter,
            ranges,
        }
    }

    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// Says in a sentence why the text is not such a file.
    pub fn read(text: &str) -> Result<Tuned, String> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|e| format!("it is not JSON ({e})"))?;
        let is = |key: &str, wanted: serde_json::Value| value.get(key) == Some(&wanted);
        if !is("format", FORMAT.into()) {
            return Err(format!("its \"format\" is not \"{FORMAT}\""));
        }
        if !is("version", VERSION.into()) {
            return Err(format!("its version is not {VERSION}"));
        }
        let tuned: Tuned =
            serde_json::from_value(value).map_err(|e| format!("a part of it is wrong ({e})"))?;
        let Some((last, others)) = tuned.ranges.split_last() else {
            return Err("it has no ranges".into());
        };
        let limits: Vec<Option<i64>> = others.iter().map(|r| r.up_to).collect();
        let ascend = limits.iter().all(Option::is_some) && limits.windows(2).all(|w| w[0] < w[1]);
        if !ascend || last.up_to.is_some() {
            return Err("its ranges do not ascend to an open one".into());
        }
        if tuned.parameter.is_none() && !others.is_empty() {
            return Err("it has several ranges of no parameter".into());
        }
        Ok(tuned)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("it is plain data");
        format!("{}\n", crate::term::visible_json(&text))
    }
}

/// Sizes with what is best at each, in ascending order → the ranges: neighbours that agree share
/// one, and two that do not part at the geometric mean of their sizes.
pub fn ranges(best: Vec<(i64, TunedRange)>) -> Vec<TunedRange> {
    let mut all: Vec<TunedRange> = Vec::new();
    let mut before: Option<i64> = None;
    for (size, range) in best {
        match all.last_mut() {
            Some(last) if last.with == range.with => last.measured.extend(range.measured),
            last => {
                if let (Some(last), Some(before)) = (last, before) {
                    last.up_to = Some(between(before, size));
                }
                all.push(TunedRange {
                    up_to: None,
                    ..range
                });
            }
        }
        before = Some(size);
    }
    all
}

/// A limit between two sizes: at least the smaller, below the larger.
fn between(small: i64, large: i64) -> i64 {
    let mean = match small > 0 {
        true => (small as f64).sqrt() * (large as f64).sqrt(),
        false => small as f64 / 2.0 + large as f64 / 2.0,
    };
    (mean as i64).clamp(small, large - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(with: &str) -> TunedRange {
        TunedRange {
            up_to: None,
            with: vec![with.to_owned()],
            float: FloatClass::Exact,
            measured: vec![Measurement {
                size: "N = 1".into(),
                seconds: 0.5,
                default_seconds: None,
            }],
        }
    }

    #[test]
    fn neighbours_that_agree_share_a_range() {
        let sizes = [(256, "a"), (512, "a"), (2048, "b"), (8192, "a")];
        let all = ranges(sizes.map(|(n, with)| (n, range(with))).to_vec());
        let limits: Vec<Option<i64>> = all.iter().map(|r| r.up_to).collect();
        assert_eq!(limits, [Some(1024), Some(4096), None]);
        assert_eq!(all[0].measured.len(), 2);
        assert_eq!((between(1, 2), between(-5, 5), between(7, 8)), (1, 0, 7));
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let of = TunedFor {
            checked: "00".into(),
            strategy: "gpu".into(),
            target: "cuda".into(),
            precision: Precision::F32,
            device: "D".into(),
        };
        let all = ranges(vec![(1, range("a")), (2, range("b"))]);
        let tuned = Tuned::new("s".into(), of, Some("N".into()), all);
        assert_eq!(Tuned::read(&tuned.text()), Ok(tuned.clone()));
        for (from, to) in [
            ("\"version\": 2", "\"version\": 1"),
            ("glushkov tuned", "tuned"),
            ("\"up_to\": 1", "\"up_to\": null"),
            ("\"up_to\": null", "\"up_to\": 1"),
            ("\"parameter\": \"N\"", "\"parameter\": null"),
            ("\"target\"", "\"targets\""),
        ] {
            let text = tuned.text();
            assert!(text.contains(from), "{from}\n{text}");
            assert!(Tuned::read(&text.replace(from, to)).is_err(), "{from}");
        }
    }
}
