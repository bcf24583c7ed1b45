//! Rules that match modulo the laws of a system's operators.

use super::Operators;
use crate::rewrite::pattern::Pattern;
use crate::rewrite::rule::Rule;
use crate::syntax::rules::Outcome;
use crate::term::{Head, Symbol, Terms};

/// The variable for the arguments of an operator that a rule leaves as they are; no text has it.
const REST: &str = "_rest of the arguments";
/// Likewise for `$_`.
const UNNAMED: &str = "_any of the arguments";

impl Operators {
    /// A rule that matches modulo the operators; none where it is as it was, or is so already. With a
    /// rest, it fires on some arguments of an operator, and what it makes stands beside the others.
    pub(in crate::rewrite) fn rule(
        &self,
        terms: &mut Terms,
        rule: &Rule,
        with_rest: bool,
    ) -> Option<Rule> {
        let is_operator = |terms: &Terms, id| {
            let functor = terms.functor(id).filter(|_| terms.arity(id) > 0);
            functor.is_some_and(|f| self.laws(f).is_some())
        };
        if rule.is_modulo
            || !terms
                .subterms(rule.pattern)
                .any(|id| is_operator(terms, id))
        {
            return None;
        }
        let pattern = self.canonical(terms, rule.pattern);
        let mut names = rule.names.clone();
        let mut matcher = Pattern::modulo(terms, pattern, self, &mut |name| {
            let known = names.iter().position(|&n| n == name);
            known.unwrap_or_else(|| {
                // Each `$_` is a variable of its own; all others have their slots.
                names.push(Symbol::new(UNNAMED));
                names.len() - 1
            })
        });
        let mut new = rule.clone();
        let functor = terms.functor(pattern);
        if let Some(functor) = functor
            && with_rest
            && matcher.with_rest(names.len() as u32)
        {
            let rest = Symbol::new(REST);
            names.push(rest);
            let mut beside = |outcome: &mut Outcome| {
                let others = terms.make(Head::Sequence(rest), &[]);
                let origin = terms.origin(outcome.result);
                outcome.result = terms.apply(functor, &[outcome.result, others]);
                terms.set_origin(outcome.result, origin);
            };
            let outcomes = new.alternatives.iter_mut().map(|a| &mut a.outcome);
            outcomes.chain(&mut new.otherwise).for_each(&mut beside);
        }
        Some(Rule {
            pattern,
            matcher,
            names,
            is_modulo: true,
            ..new
        })
    }
}
