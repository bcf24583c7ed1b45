//! Conditions `ask(p)`, which give variables the values that a fact has.

use super::ASK;
use crate::rewrite::build::Build;
use crate::rewrite::condition::Truth;
use crate::rewrite::pattern::Bound;
use crate::term::{Head, Id};

impl Build<'_> {
    /// The truth of a condition `ask(p)`; none of another one.
    pub(in crate::rewrite) fn asked_of_facts(
        &mut self,
        condition: Id,
    ) -> Result<Option<Truth>, String> {
        let functor = self.rules.functor(condition);
        let (true, &[template]) = (
            functor.is_some_and(|f| f.as_str() == ASK),
            self.rules.args(condition),
        ) else {
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
        let from = if is_open { self.choices.from() } else { 0 };
        let Ok(found) = self.host.fact(self.terms, pattern, from) else {
            return Ok(Some(Truth::Unknown));
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
