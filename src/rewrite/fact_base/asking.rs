//! Conditions `ask(p)`, which give variables the values that a fact has.

use super::{Choices, asked_pattern};
use crate::rewrite::build::Build;
use crate::rewrite::condition::{Finding, Truth};
use crate::rewrite::pattern::Bound;
use crate::rewrite::{Known, Rule};
use crate::term::{Head, Id};

/// After so many choices of facts nobody knows whether a condition holds.
pub(in crate::rewrite) const MOST_CHOICES: usize = 100_000;

impl Build<'_> {
    /// Judges a condition with each choice of the facts that its questions take, until it holds, and
    /// adds what was asked to `findings`. With the truth comes which of the findings decided it.
    pub(in crate::rewrite) fn settle(
        &mut self,
        rule: &Rule,
        condition: Id,
        findings: &mut Vec<Finding>,
    ) -> Result<(Truth, Option<usize>), String> {
        self.choices = Choices::default();
        let before = findings.len();
        let mut verdict = self.judge(rule, condition, findings)?;
        let mut count = 0;
        while verdict.0 != Truth::Yes {
            let Some(slots) = self.choices.again() else {
                break;
            };
            self.slots = slots;
            count += 1;
            if count > MOST_CHOICES {
                return Ok((Truth::Unknown, verdict.1));
            }
            let mut asked = Vec::new();
            let again = self.judge(rule, condition, &mut asked)?;
            // The first choice that leads to the worst is told of.
            if again.0 == Truth::Yes || again.0 == Truth::Unknown && verdict.0 == Truth::No {
                findings.truncate(before);
                findings.extend(asked);
                verdict = (again.0, again.1.map(|cause| before + cause));
            }
        }
        Ok(verdict)
    }

    /// The truth of a condition `ask(p)`; none of another one.
    pub(in crate::rewrite) fn asked_of_facts(
        &mut self,
        condition: Id,
    ) -> Result<Option<Truth>, String> {
        let Some(template) = asked_pattern(self.rules, condition) else {
            return Ok(None);
        };
        if self.has_free_values(template) {
            return Ok(Some(Truth::Unknown));
        }
        let pattern = self.open(template)?;
        let args = self.terms.args(pattern).to_vec();
        let args: Vec<Id> = args
            .into_iter()
            .map(|arg| self.host.simplify(self.terms, self.at, arg))
            .collect();
        let pattern = self.terms.with_args(pattern, &args);
        let is_open = self.is_open(pattern);
        let from = if is_open {
            self.choices.from()
        } else {
            Some(0)
        };
        let known = from.map(|from| self.host.fact(self.terms, pattern, from));
        let found = match known {
            Some(Known::Fact(number, fact)) => Some((number, fact)),
            Some(Known::Nothing) | None => None,
            Some(Known::Unknown) => return Ok(Some(Truth::Unknown)),
        };
        if is_open {
            let number = found.map(|(number, _)| number);
            self.choices.note(number, &self.slots);
        }
        let Some((_, fact)) = found else {
            return Ok(Some(Truth::No));
        };
        if is_open && self.choices.binds() {
            self.take(pattern, fact);
        }
        Ok(Some(Truth::Yes))
    }

    /// Whether there are variables in the term that is rewritten, where the question has its parts:
    /// what they stand for is not known.
    fn has_free_values(&self, template: Id) -> bool {
        self.rules.subterms(template).any(|id| {
            let (Head::Variable(name) | Head::Sequence(name)) = self.rules.head(id) else {
                return false;
            };
            let bound = self.slot(name).and_then(|slot| self.slots[slot].as_ref());
            bound.is_some_and(|bound| {
                let mut values = bound.elements(self.terms).iter();
                values.any(|&value| self.is_open(value))
            })
        })
    }

    fn is_open(&self, id: Id) -> bool {
        let mut heads = self.terms.subterms(id).map(|part| self.terms.head(part));
        heads.any(|head| matches!(head, Head::Variable(_) | Head::Sequence(_)))
    }

    /// Gives the variables of a pattern the values that they have in a fact that it matches.
    fn take(&mut self, pattern: Id, fact: Id) {
        let mut work = vec![(pattern, fact)];
        while let Some((pattern, fact)) = work.pop() {
            if let Head::Variable(name) = self.terms.head(pattern) {
                if let Some(slot) = self.slot(name) {
                    self.slots[slot] = Some(Bound::Term(fact));
                }
                continue;
            }
            let args = self.terms.args(pattern).iter().copied();
            work.extend(args.zip(self.terms.args(fact).iter().copied()));
        }
    }
}
