//! A system looked at one step at a time: what it does to a term at its root, by the general matcher.

use super::run::Run;
use super::{Inner, Limits, Order, RuleBase, System, Trace};
use crate::rewrite::condition::Finding;
use crate::rewrite::evaluate::evaluate_here;
use crate::rewrite::fact_base::Knowledge;
use crate::rewrite::fire::{Call, Fired};
use crate::rewrite::operators::Operators;
use crate::rewrite::{Host, Redex};
use crate::term::{Id, Path, Terms};
use std::cell::RefCell;
use std::rc::Rc;

/// What became of a term.
pub(in crate::rewrite) struct Taken {
    pub(in crate::rewrite) result: Id,
    /// The rule with its match; none where a standard functor has its value.
    pub(in crate::rewrite) rule: Option<(usize, Fired)>,
}

/// A system at work on terms that its caller chooses.
pub(in crate::rewrite) struct Looking<'a> {
    run: Run<'a>,
}

impl<'a> Looking<'a> {
    pub(in crate::rewrite) fn new(
        base: &'a RuleBase,
        system: &System,
        order: Order,
        limits: Limits<'a>,
        knowledge: Option<&'a RefCell<Knowledge>>,
    ) -> Looking<'a> {
        Looking {
            run: Run::new(Inner::outermost(base, system, order, limits, knowledge)),
        }
    }

    /// The step that a run would take at the root of a term.
    pub(in crate::rewrite) fn step(&mut self, terms: &mut Terms, id: Id) -> Option<Taken> {
        self.run.taken = None;
        let result = self.run.step(terms, id)?;
        Some(Taken {
            result,
            rule: self.run.taken.take(),
        })
    }

    /// What a term gives whose arguments are normal forms.
    pub(in crate::rewrite) fn settled(&mut self, terms: &mut Terms, id: Id) -> Option<Taken> {
        let result = self.run.settled(terms, id)?;
        Some(Taken { result, rule: None })
    }

    /// What standard functors give before the arguments are normal forms.
    pub(in crate::rewrite) fn early(&mut self, terms: &mut Terms, id: Id) -> Option<Id> {
        evaluate_here(terms, id).or_else(|| self.run.inner.active.gives_early(terms, id))
    }

    /// The rules that may fire on a term, in the order in which they are tried.
    pub(in crate::rewrite) fn rules(&self, terms: &Terms, id: Id) -> Vec<usize> {
        self.run.index.of(terms, id).to_vec()
    }

    /// Tries a rule on a term, all its matches or the first that fires. Gives how many matches of
    /// the pattern there were; what stopped the rule goes to `misses`.
    pub(in crate::rewrite) fn fired(
        &mut self,
        terms: &mut Terms,
        id: Id,
        rule: usize,
        misses: &mut Vec<Finding>,
        goes_on: &mut dyn FnMut(Fired) -> bool,
    ) -> usize {
        let index = Rc::clone(&self.run.index);
        let inner = &mut self.run.inner;
        let call = Call {
            rules: &inner.base.terms,
            predicates: &inner.base.predicates,
            rule: &inner.base.rules[rule],
            values: index.values.get(&rule).map_or(&[], |values| values),
        };
        let path = Path::default();
        let at = Redex {
            root: id,
            path: &path,
        };
        inner.asking.push((rule, id));
        let matches = call.each(terms, inner, at, id, misses, goes_on);
        inner.asking.pop();
        self.run.trouble = self.run.trouble.take().or(self.run.inner.trouble.take());
        self.run.stopped |= self.run.inner.stopped;
        matches
    }

    /// Which functors are commutative.
    pub(in crate::rewrite) fn operators(&self) -> &Operators {
        &self.run.index.operators
    }

    /// Counts a rule as fired by the caller; false where the bound is reached.
    pub(in crate::rewrite) fn count(&mut self, rule: usize) -> bool {
        if self.run.inner.spent >= self.run.inner.limits.steps || self.run.inner.limits.is_over() {
            self.run.stopped = true;
            return false;
        }
        self.run.trace.fired(rule);
        self.run.inner.spent += 1;
        true
    }

    /// What answers questions of conditions: the system itself.
    pub(in crate::rewrite) fn host(&mut self) -> &mut dyn Host {
        &mut self.run.inner
    }

    /// Does an action, for a caller who takes the step.
    pub(in crate::rewrite) fn act(&mut self, terms: &mut Terms, action: Id) {
        self.run.act(terms, action);
        self.run.keep_up();
    }

    /// Whether no rule is about `if`, so that it is the standard one.
    pub(in crate::rewrite) fn standard_if(&self) -> bool {
        self.run.index.standard_if
    }

    /// Whether a limit was reached.
    pub(in crate::rewrite) fn stopped(&self) -> bool {
        self.run.stopped || self.run.inner.stopped
    }

    /// Whether the run is over before the term is normal.
    pub(in crate::rewrite) fn halted(&self) -> bool {
        self.run.halted() || self.run.inner.stopped
    }

    /// Why the run was given up, if it was.
    pub(in crate::rewrite) fn trouble(&mut self) -> Option<String> {
        self.run.trouble.take().or(self.run.inner.trouble.take())
    }

    /// How often rules fired.
    pub(in crate::rewrite) fn trace(&self) -> &Trace {
        &self.run.trace
    }
}
