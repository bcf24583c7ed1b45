//! The record of a derivation: what was done, where, why it was allowed, and what was not.

use super::host::Status;
use super::rule::FloatClass;
use crate::term::Span;
use serde::{Deserialize, Serialize};

/// A place in a source text: the number of the source, first byte, one past the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The source's number.
    pub file: u32,
    /// First byte.
    pub from: u32,
    /// One past the last byte.
    pub to: u32,
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        Place {
            file: span.file,
            from: span.from,
            to: span.to,
        }
    }
}

impl From<Place> for Span {
    fn from(place: Place) -> Span {
        Span {
            file: place.file,
            from: place.from,
            to: place.to,
        }
    }
}

/// A derivation: the steps from a scheme to another one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Derivation {
    /// The strategy that was followed.
    pub strategy: String,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// Rules whose pattern matched somewhere but whose condition did not hold there.
    pub near_misses: Vec<NearMiss>,
}

impl Derivation {
    /// The weakest float class of the steps.
    pub fn float(&self) -> FloatClass {
        let classes = self.steps.iter().map(|step| step.float);
        classes.max().unwrap_or(FloatClass::Exact)
    }

    /// The weakest float class of the steps that change more than what reports tell: that of the results.
    pub fn float_of_results(&self) -> FloatClass {
        let steps = self.steps.iter().filter(|step| !step.only_reported);
        let classes = steps.map(|step| step.float);
        classes.max().unwrap_or(FloatClass::Exact)
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1; the origins of the nodes that it made hold it.
    pub number: u32,
    /// The rule.
    pub rule: String,
    /// The rule's file.
    pub file: String,
    /// What it may do to floating-point results.
    pub float: FloatClass,
    /// Whether that can be seen in reports only, and all other results keep their bits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_reported: bool,
    /// Whether the rule is one of the user's that was not tested.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untested: bool,
    /// The position of the redex in the term before the step.
    pub path: Vec<u32>,
    /// The text that the redex came from.
    pub place: Option<Place>,
    /// The phrase that the redex was expanded from.
    pub phrase: Option<String>,
    /// Values of the rule's parameters.
    pub parameters: Vec<(String, i64)>,
    /// Which match of the pattern at this position, from 0, sequences shorter first.
    pub matched: usize,
    /// Which alternative fired, from 0; none for the one after `!->`.
    pub alternative: Option<usize>,
    /// What the variables stood for, long texts cut.
    pub bindings: Vec<(String, String)>,
    /// The questions of the condition with their answers.
    pub evidence: Vec<Asked>,
    /// Nodes of the whole term before the step.
    pub size_before: usize,
    /// Nodes of the whole term after it.
    pub size_after: usize,
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
    /// Places that matter.
    pub places: Vec<(Option<Place>, String)>,
}

/// A rule that matched and did not fire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearMiss {
    /// The rule.
    pub rule: String,
    /// The position where it matched, in the term of that time.
    pub path: Vec<u32>,
    /// The text that stands there.
    pub place: Option<Place>,
    /// What stopped it; its question is empty where it was not a question of the condition.
    pub stopped_by: Asked,
}

impl NearMiss {
    /// Why the rule did not fire, in a sentence.
    pub fn reason(&self) -> String {
        let Asked {
            question,
            answer,
            sentence,
            ..
        } = &self.stopped_by;
        if question.is_empty() {
            return format!("`{}` was stopped: {sentence}", self.rule);
        }
        format!("`{}` wants `{question}`: {answer}, {sentence}", self.rule)
    }
}
