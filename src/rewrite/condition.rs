//! Conditions of rules: three-valued, with evidence for every question asked.

use super::build::{Build, Builder};
use super::evaluate::{order, value};
use super::host::{Answer, Evidence, Status};
use super::rule::Rule;
use crate::syntax::rules::print_term_short;
use crate::term::Id;

/// The answer of a predicate that says that it does not know.
pub(super) const UNKNOWN: &str = "unknown";

/// A truth value: Kleene's third one is for what nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    Unknown,
}

/// The answer to one question of a condition.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The question as written in the rule.
    pub(super) question: String,
    pub(super) truth: Truth,
    pub(super) evidence: Evidence,
}

/// A condition's truth, and which of the findings decided it.
type Verdict = (Truth, Option<usize>);

impl Build<'_> {
    /// Judges a condition, adding what was asked to `findings`.
    pub(super) fn judge(
        &mut self,
        rule: &Rule,
        condition: Id,
        findings: &mut Vec<Finding>,
    ) -> Result<Verdict, String> {
        let name = self.rules.functor(condition).map_or("", |f| f.as_str());
        match name {
            "True" => return Ok((Truth::Yes, None)),
            "False" => return Ok((Truth::No, None)),
            UNKNOWN if self.nested.within.is_some() => return Ok((Truth::Unknown, None)),
            "And" | "Or" => {
                // One truth value settles it at once; otherwise an unknown part outweighs.
                let settles = if name == "And" { Truth::No } else { Truth::Yes };
                let mut verdict = None;
                for i in 0..self.rules.arity(condition) {
                    let part = self.rules.arg(condition, i);
                    let (truth, cause) = self.judge(rule, part, findings)?;
                    if truth == settles {
                        return Ok((truth, cause));
                    }
                    let known = !matches!(verdict, Some((Truth::Unknown, _)));
                    if verdict.is_none() || (truth == Truth::Unknown && known) {
                        verdict = Some((truth, cause));
                    }
                }
                return Ok(verdict.unwrap_or((Truth::Yes, None)));
            }
            "Not" if self.rules.arity(condition) == 1 => {
                let part = self.rules.arg(condition, 0);
                self.choices.negate(true);
                let judged = self.judge(rule, part, findings);
                self.choices.negate(false);
                let (truth, cause) = judged?;
                let turned = match truth {
                    Truth::Yes => Truth::No,
                    Truth::No => Truth::Yes,
                    Truth::Unknown => Truth::Unknown,
                };
                return Ok((turned, cause));
            }
            _ => {}
        }
        let predicates = self.predicates;
        let asked = self
            .rules
            .functor(condition)
            .and_then(|f| predicates.get(f));
        let (truth, evidence) = match asked {
            Some(predicate) => {
                let args = self.arguments(condition)?;
                self.ask_predicate(predicate, &args, findings)
            }
            None => match self.ask(condition, name)? {
                Answer::Yes(evidence) => (Truth::Yes, evidence),
                Answer::No(evidence) => (Truth::No, evidence),
                Answer::Unknown(evidence) => (Truth::Unknown, evidence),
            },
        };
        let question = rule.question(self.rules, condition);
        findings.push(Finding {
            question: match self.nested.within {
                Some(predicate) => format!("{predicate}: {question}"),
                None => question,
            },
            truth,
            evidence,
        });
        Ok((truth, Some(findings.len() - 1)))
    }

    fn ask(&mut self, condition: Id, name: &str) -> Result<Answer, String> {
        let bound = match self.asked_of_facts(condition)? {
            Some(truth) => Some((truth, "the facts say so")),
            None => self
                .binding_truth(condition)?
                .map(|truth| (truth, "by matching")),
        };
        if let Some((truth, why)) = bound {
            let evidence = Evidence::new(Status::Decided, why);
            return Ok(match truth {
                Truth::Yes => Answer::Yes(evidence),
                Truth::No => Answer::No(evidence),
                Truth::Unknown => Answer::Unknown(evidence),
            });
        }
        let mut args = self.arguments(condition)?;
        let decided = |holds: bool, text: String| {
            let evidence = Evidence::new(Status::Decided, text);
            if holds {
                Answer::Yes(evidence)
            } else {
                Answer::No(evidence)
            }
        };
        let builder = self.rules.functor(condition).and_then(|functor| {
            let arity = self.rules.arity(condition);
            self.shadows.builder(functor, arity)
        });
        if builder == Some(Builder::Nonempty) {
            let text = match args.len() {
                1 => "the sequence has one element".to_owned(),
                count => format!("the sequence has {count} elements"),
            };
            return Ok(decided(!args.is_empty(), text));
        }
        let holds: Option<fn(std::cmp::Ordering) -> bool> = match name {
            "Equal" | "NotEqual" => Some(|_| false),
            "Less" => Some(std::cmp::Ordering::is_lt),
            "LessOrEqual" => Some(std::cmp::Ordering::is_le),
            "Greater" => Some(std::cmp::Ordering::is_gt),
            "GreaterOrEqual" => Some(std::cmp::Ordering::is_ge),
            _ => None,
        };
        if let (Some(holds), &[a, b]) = (holds, &args[..]) {
            let a = self.host.simplify(self.terms, self.at, a);
            let b = self.host.simplify(self.terms, self.at, b);
            let show = |id| print_term_short(self.terms, id, 80);
            let values = value(self.terms, a).zip(value(self.terms, b));
            if matches!(name, "Equal" | "NotEqual") {
                let equal = self.terms.equal(a, b)
                    || values.is_some_and(|(a, b)| order(&[a, b]).is_some_and(|o| o.is_eq()));
                let relation = if equal {
                    "is the same as"
                } else {
                    "differs from"
                };
                let text = format!("`{}` {relation} `{}`", show(a), show(b));
                return Ok(decided(equal == (name == "Equal"), text));
            }
            if let Some(order) = values.and_then(|(a, b)| order(&[a, b])) {
                let relation = match order {
                    std::cmp::Ordering::Less => "less than",
                    std::cmp::Ordering::Equal => "equal to",
                    std::cmp::Ordering::Greater => "greater than",
                };
                let text = format!("{} is {relation} {}", show(a), show(b));
                return Ok(decided(holds(order), text));
            }
            args = vec![a, b];
        }
        let Some(functor) = self.rules.functor(condition) else {
            // A variable stands for a condition that was matched: it must be a truth value.
            let text = "a term of the scheme is not a condition that can be asked here";
            return Ok(
                match self
                    .one(condition)
                    .ok()
                    .and_then(|id| value(self.terms, id))
                {
                    Some(super::evaluate::Value::Bool(holds)) => {
                        decided(holds, "it is a truth value".to_string())
                    }
                    _ => Answer::Unknown(Evidence::new(Status::Decided, text)),
                },
            );
        };
        let answer = self.host.ask(self.terms, self.at, functor, &args);
        Ok(answer.unwrap_or_else(|| {
            let known = if holds.is_some() {
                format!(
                    "how `{}` compares with `{}` is not known",
                    print_term_short(self.terms, args[0], 80),
                    print_term_short(self.terms, args[1], 80)
                )
            } else {
                let taking = counted_arguments(args.len());
                format!("unknown fact `{functor}` taking {taking}")
            };
            Answer::Unknown(Evidence::new(Status::Decided, known))
        }))
    }
}

/// A number of arguments in words.
pub fn counted_arguments(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}
