//! A rule's conditions → yes, no or unknown, with the questions that were asked.

use super::building::Firing;
use crate::rewrite::{Answer, Asked, Evidence, Host, Status};
use crate::term::{Head, Id, Symbol, Terms};
use std::cmp::Ordering;

/// Yes, no, or that nobody knows (Kleene's logic).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    Unknown,
}

impl Truth {
    fn of(holds: bool) -> Truth {
        if holds { Truth::Yes } else { Truth::No }
    }

    fn word(self) -> &'static str {
        match self {
            Truth::Yes => "yes",
            Truth::No => "no",
            Truth::Unknown => "unknown",
        }
    }
}

/// A question with its answer.
pub(super) struct Question {
    text: String,
    truth: Truth,
    /// What the facts say to it; none where it was settled here by looking, without a fact.
    evidence: Option<Evidence>,
}

impl Question {
    /// How a record of the question differs from it, in a sentence.
    pub fn compare(&self, recorded: &Asked) -> Result<(), String> {
        let (text, truth) = (&self.text, self.truth.word());
        if recorded.question != *text {
            let was = &recorded.question;
            return Err(format!("the rule asks `{text}` where `{was}` is recorded"));
        }
        let status = self.evidence.as_ref().map_or(Status::Decided, |e| e.status);
        if recorded.answer != truth || recorded.status != status {
            return Err(format!(
                "the answer to `{text}` is {truth}, {}; recorded is {}, {}",
                status.name(),
                recorded.answer,
                recorded.status.name()
            ));
        }
        let Some(evidence) = &self.evidence else {
            return Ok(());
        };
        let places = evidence.places.iter();
        let places = places.map(|(span, words)| (span.map(Into::into), words.clone()));
        match recorded.sentence == evidence.text && places.eq(recorded.places.iter().cloned()) {
            true => Ok(()),
            false => Err(format!(
                "the evidence for `{text}` is \"{}\"",
                evidence.text
            )),
        }
    }
}

/// The truth of a condition, and the number of the question that settled it.
type Verdict = (Truth, Option<usize>);

impl Firing<'_> {
    /// Judges a condition as far as it takes, from the left; adds what was asked.
    pub fn judge(&mut self, condition: Id, asked: &mut Vec<Question>) -> Result<Verdict, String> {
        let rules = &self.rules.terms;
        let parts = rules.args(condition);
        let settled = match rules.functor(condition).map_or("", |f| f.as_str()) {
            "True" => return Ok((Truth::Yes, None)),
            "False" => return Ok((Truth::No, None)),
            "unknown" if self.nested.within.is_some() => return Ok((Truth::Unknown, None)),
            "Not" if parts.len() == 1 => {
                let (truth, by) = self.judge(parts[0], asked)?;
                let turned = match truth {
                    Truth::Yes => Truth::No,
                    Truth::No => Truth::Yes,
                    Truth::Unknown => Truth::Unknown,
                };
                return Ok((turned, by));
            }
            "And" => Truth::No,
            "Or" => Truth::Yes,
            _ => {
                let all = self.rules;
                let clauses = rules.functor(condition).and_then(|name| {
                    let found = all.predicates.iter().find(|(n, _)| *n == name)?;
                    Some((name, &found.1))
                });
                let (truth, evidence) = match clauses {
                    Some((name, clauses)) => {
                        let args = self.arguments(condition)?;
                        (self.ask_predicate(clauses, name, &args, asked), None)
                    }
                    None => self.ask(condition)?,
                };
                let question = all.question(self.rule, condition);
                asked.push(Question {
                    text: match self.nested.within {
                        Some(predicate) => format!("{predicate}: {question}"),
                        None => question,
                    },
                    truth,
                    evidence,
                });
                return Ok((truth, Some(asked.len() - 1)));
            }
        };
        // One part settles it; otherwise the first unknown part does, or the first part.
        let mut whole: Option<Verdict> = None;
        for &part in parts {
            let verdict = self.judge(part, asked)?;
            match (verdict.0, whole) {
                (truth, _) if truth == settled => return Ok(verdict),
                (_, None) => whole = Some(verdict),
                (Truth::Unknown, Some((known, _))) if known != Truth::Unknown => {
                    whole = Some(verdict);
                }
                _ => {}
            }
        }
        Ok(whole.unwrap_or((Truth::Yes, None)))
    }

    /// Answers a question: comparisons and what stands in the term by looking, all else by the facts.
    fn ask(&mut self, condition: Id) -> Result<(Truth, Option<Evidence>), String> {
        let rules = &self.rules.terms;
        let Some(functor) = rules.functor(condition) else {
            // A variable of the rule: a truth value, or a term that means nothing here.
            let value = self.one(condition).ok();
            let value = value.and_then(|id| literal(self.terms, id));
            return Ok(match value {
                Some(Literal::Bool(holds)) => (Truth::of(holds), None),
                _ => (Truth::Unknown, None),
            });
        };
        let mut args = self.arguments(condition)?;
        if self.rules.instruction(condition) == Some("nonempty") {
            return Ok((Truth::of(!args.is_empty()), None));
        }
        if let (Some(holds), &[a, b]) = (comparison(functor), &args[..]) {
            let a = self.host.simplify(self.terms, self.at, a);
            let b = self.host.simplify(self.terms, self.at, b);
            let order = literal(self.terms, a)
                .zip(literal(self.terms, b))
                .and_then(|(a, b)| compare(a, b));
            let is_equality = matches!(functor.as_str(), "Equal" | "NotEqual");
            let order = match self.terms.equal(a, b) {
                true if is_equality => Some(Ordering::Equal),
                _ => order,
            };
            match (order, is_equality) {
                (Some(order), _) => return Ok((Truth::of(holds(order)), None)),
                // Terms that are not the same are told apart as terms.
                (None, true) => return Ok((Truth::of(functor.as_str() == "NotEqual"), None)),
                (None, false) => args = vec![a, b],
            }
        }
        Ok(match self.host.ask(self.terms, self.at, functor, &args) {
            Some(Answer::Yes(evidence)) => (Truth::Yes, Some(evidence)),
            Some(Answer::No(evidence)) => (Truth::No, Some(evidence)),
            Some(Answer::Unknown(evidence)) => (Truth::Unknown, Some(evidence)),
            None => (Truth::Unknown, None),
        })
    }
}

fn comparison(functor: Symbol) -> Option<fn(Ordering) -> bool> {
    Some(match functor.as_str() {
        "Equal" => Ordering::is_eq,
        "NotEqual" => Ordering::is_ne,
        "Less" => Ordering::is_lt,
        "LessOrEqual" => Ordering::is_le,
        "Greater" => Ordering::is_gt,
        "GreaterOrEqual" => Ordering::is_ge,
        _ => return None,
    })
}

enum Literal {
    Int(i64),
    Real(f64),
    Text(Symbol),
    Bool(bool),
}

fn literal(terms: &Terms, id: Id) -> Option<Literal> {
    Some(match terms.head(id) {
        Head::Int(i) => Literal::Int(i),
        Head::Real(x) => Literal::Real(x),
        Head::Text(text) => Literal::Text(text),
        Head::Functor(name) if terms.arity(id) == 0 && name.as_str() == "True" => {
            Literal::Bool(true)
        }
        Head::Functor(name) if terms.arity(id) == 0 && name.as_str() == "False" => {
            Literal::Bool(false)
        }
        _ => return None,
    })
}

fn compare(a: Literal, b: Literal) -> Option<Ordering> {
    use Literal::{Bool, Int, Real, Text};
    match (a, b) {
        (Int(a), Int(b)) => Some(a.cmp(&b)),
        (Real(a), Real(b)) => a.partial_cmp(&b),
        (Int(a), Real(b)) => (a as f64).partial_cmp(&b),
        (Real(a), Int(b)) => a.partial_cmp(&(b as f64)),
        (Text(a), Text(b)) => Some(a.as_str().cmp(b.as_str())),
        (Bool(a), Bool(b)) => Some(a.cmp(&b)),
        _ => None,
    }
}
