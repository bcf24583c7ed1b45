//! An emitted project + the derivation behind it → `trace.json`: where each line comes from.
//!
//! A line that a printer made has an origin: the text and phrase of the scheme that it stands for,
//! and the steps that made it, itself or what it stands in. All other lines are a template's.

mod lookup;
mod make;

pub use lookup::{Answer, Found, Lost, look_up};
pub use make::trace;

use crate::derive::json_rows;
use crate::rewrite::{FloatClass, Status};
use serde::{Deserialize, Serialize};

/// The file's name, in the project's folder.
pub const FILE: &str = "trace.json";
/// What `format` says in every trace.
pub const FORMAT: &str = "glushkov trace";
/// The version of traces that are written, and the only one that is read.
pub const VERSION: u32 = 1;

/// Where the lines of a project come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The scheme's name.
    pub scheme: String,
    /// The strategy.
    pub strategy: String,
    /// The weakest float class of the steps.
    pub float: FloatClass,
    /// The texts that origins refer to by number.
    pub sources: Vec<Source>,
    /// The steps of the derivation.
    pub steps: Vec<Step>,
    /// The origins that lines refer to by number.
    pub origins: Vec<Origin>,
    /// The project's files.
    pub files: Vec<File>,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// A line of a text that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The text.
    pub source: u32,
    /// The line, from 1.
    pub line: usize,
}

/// A step of the derivation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1.
    pub number: u32,
    /// The rule.
    pub rule: String,
    /// The rule's file.
    pub file: String,
    /// What it may do to floating-point results.
    pub float: FloatClass,
    /// Whether the rule is one of the user's that was not tested.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untested: bool,
    /// Values of the rule's parameters.
    pub parameters: Vec<(String, i64)>,
    /// Where it was applied.
    pub place: Option<Place>,
    /// The phrase that it was applied in.
    pub phrase: Option<String>,
    /// What its condition asked.
    pub asked: Vec<Asked>,
}

/// A question of a condition with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The question as written in the rule.
    pub question: String,
    /// `yes`, `no` or `unknown`.
    pub answer: String,
    /// How sure the answer is.
    pub status: Status,
    /// Why, in a sentence.
    pub sentence: String,
}

/// Where lines come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The line of the scheme.
    pub place: Option<Place>,
    /// The phrase that they were expanded from.
    pub phrase: Option<String>,
    /// Where they come from no phrase: the first one in them or, if there is none, around them.
    pub near: Option<String>,
    /// The steps that made them, or parts of them.
    pub steps: Vec<u32>,
    /// The origin of what they stand in.
    pub within: Option<u32>,
}

/// A file of the project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// Its path in the project's folder.
    pub path: String,
    /// The SHA-256 of its text, in hexadecimal.
    pub sha256: String,
    /// The template that it was made of, if it was made of one.
    pub template: Option<String>,
    /// Runs of lines that do not come from the template: the first, the last, their origin.
    pub lines: Vec<(usize, usize, u32)>,
    /// The first six digits of each line's SHA-256, in a file that has such lines.
    pub digests: String,
}

impl Trace {
    /// Reads a trace.
    ///
    /// # Errors
    ///
    /// Says in a sentence why the text is not a trace.
    pub fn read(text: &str) -> Result<Trace, String> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|e| format!("it is not JSON ({e})"))?;
        let is = |key: &str, wanted: serde_json::Value| value.get(key) == Some(&wanted);
        if !is("format", FORMAT.into()) {
            return Err(format!("its \"format\" is not \"{FORMAT}\""));
        }
        if !is("version", VERSION.into()) {
            return Err(format!("its version is not {VERSION}"));
        }
        serde_json::from_value(value).map_err(|e| format!("a part of it is wrong ({e})"))
    }

    /// The text of the trace: JSON, one row of a list a line.
    pub fn text(&self) -> String {
        json_rows(&serde_json::to_value(self).expect("a trace is plain data"))
    }
}
