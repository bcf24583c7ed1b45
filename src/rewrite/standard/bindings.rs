//! Conditions that give variables their values: `unify($x, p)` and `matches($s, "…", $group…)`.

use super::strings::groups;
use crate::rewrite::build::Build;
use crate::rewrite::condition::Truth;
use crate::rewrite::fact_base::ASK;
use crate::rewrite::matching::Matches;
use crate::rewrite::pattern::{Bound, Pattern, Slots};
use crate::syntax::rules::CALL;
use crate::term::{Head, Id, Symbol, Terms};

/// The question itself where a condition asks it of the system `String`.
fn asked(rules: &Terms, condition: Id) -> Id {
    match (
        rules.functor(condition).map(Symbol::as_str),
        rules.args(condition),
    ) {
        (Some(CALL), &[system, question])
            if rules
                .as_atom(system)
                .is_some_and(|s| s.as_str() == "String") =>
        {
            question
        }
        _ => condition,
    }
}

/// The parts of a condition's question that may give variables their values.
pub(in crate::rewrite) fn binds(rules: &Terms, condition: Id) -> &[Id] {
    let question = asked(rules, condition);
    let args = rules.args(question);
    match rules.functor(question).map(Symbol::as_str) {
        Some("unify") if args.len() == 2 => args,
        Some("matches") if args.len() > 2 => &args[2..],
        Some(ASK) if args.len() == 1 => args,
        _ => &[],
    }
}

fn truth(holds: bool) -> Truth {
    match holds {
        true => Truth::Yes,
        false => Truth::No,
    }
}

impl Build<'_> {
    /// The truth of a question that gives variables their values; none where it gives none.
    pub(in crate::rewrite) fn binding_truth(
        &mut self,
        condition: Id,
    ) -> Result<Option<Truth>, String> {
        if binds(self.rules, condition).is_empty() {
            return Ok(None);
        }
        let question = asked(self.rules, condition);
        let args = self.rules.args(question).to_vec();
        // Facts are asked by `asked_of_facts`.
        if args.len() == 1 {
            return Ok(None);
        }
        let free = |build: &Self, id: Id| {
            let has_none = |id: Id| match build.rules.head(id) {
                Head::Variable(name) => build.slot(name).is_some_and(|s| build.slots[s].is_none()),
                _ => false,
            };
            build.rules.subterms(id).any(has_none)
        };
        match *args.as_slice() {
            [a, b] => {
                let (pattern, other) = match (free(self, a), free(self, b)) {
                    (false, true) => (b, a),
                    (true, false) => (a, b),
                    // Nothing to bind, or no side that is a term.
                    _ => return Ok(None),
                };
                let value = self.value_of(other)?;
                Ok(Some(truth(self.matched(pattern, value))))
            }
            [string, expression, ref variables @ ..] => {
                let string = self.value_of(string)?;
                let expression = self.value_of(expression)?;
                let texts = self
                    .terms
                    .as_text(string)
                    .zip(self.terms.as_text(expression));
                let Some(found) = texts.and_then(|(s, e)| groups(s.as_str(), e.as_str())) else {
                    return Ok(Some(Truth::Unknown));
                };
                let Some(found) = found else {
                    return Ok(Some(Truth::No));
                };
                for (&variable, group) in variables.iter().zip(found) {
                    let group = self.terms.text(Symbol::new(&group));
                    if !self.matched(variable, group) {
                        return Ok(Some(Truth::No));
                    }
                }
                Ok(Some(Truth::Yes))
            }
            _ => Ok(None),
        }
    }

    fn value_of(&mut self, template: Id) -> Result<Id, String> {
        let built = self.one(template)?;
        Ok(self.host.simplify(self.terms, self.at, built))
    }

    /// Matches a term with a pattern of the rule and keeps the values of its variables.
    fn matched(&mut self, pattern: Id, value: Id) -> bool {
        let names = self.names;
        let mut unknown = false;
        let pattern = Pattern::new(self.rules, pattern, &mut |name| {
            let slot = names.iter().position(|&n| n == name);
            unknown |= slot.is_none();
            slot.unwrap_or(0)
        });
        let slots: Slots = self.slots.clone();
        let mut matches = Matches::new(&pattern, value, slots);
        if unknown || !matches.advance(self.terms) {
            return false;
        }
        for (slot, found) in self.slots.iter_mut().zip(matches.slots) {
            // Parts of other terms are kept as terms of their own.
            *slot = found.map(|bound| match bound {
                Bound::Slice { .. } => Bound::List(bound.elements(self.terms).into()),
                bound => bound,
            });
        }
        true
    }
}
