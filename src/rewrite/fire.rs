//! One rule at one place: match, compute, ask, build.

use super::build::{Build, Nested};
use super::condition::{Finding, Truth};
use super::fact_base::Choices;
use super::host::{Evidence, Host, Redex, Status};
use super::matching::Matches;
use super::pattern::{Bound, Slots};
use super::predicate::Predicates;
use super::rule::Rule;
use crate::syntax::rules::{Binding, Outcome};
use crate::term::{Head, Id, Symbol, Terms};

/// After so many ways to match a pattern at one place, the rule is left.
pub(super) const MOST_MATCHES: usize = 100_000;

/// What a rule does at a place.
pub(super) struct Fired {
    /// The term that replaces the redex.
    pub(super) result: Id,
    /// Which alternative fired, from 0; none for the one after `!->`.
    pub(super) alternative: Option<usize>,
    /// The number of the match among all matches here, from 0.
    pub(super) matched: usize,
    /// The questions that were asked and led here.
    pub(super) findings: Vec<Finding>,
    /// What the variables stand for.
    pub(super) slots: Slots,
    /// What is done besides.
    pub(super) action: Option<Id>,
}

/// A rule with the values of its parameters.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// The arena of the rules.
    pub(super) rules: &'a Terms,
    /// What its condition may ask besides the host.
    pub(super) predicates: &'a Predicates,
    pub(super) rule: &'a Rule,
    /// Values of the parameters, in order.
    pub(super) values: &'a [i64],
}

impl Call<'_> {
    /// Tries the rule on `id`, which stands at `at`. What stopped it goes to `misses`.
    pub(super) fn fire(
        &self,
        terms: &mut Terms,
        host: &mut dyn Host,
        at: Redex<'_>,
        id: Id,
        misses: &mut Vec<Finding>,
    ) -> Option<Fired> {
        let mut first = None;
        self.each(terms, host, at, id, misses, &mut |fired| {
            first = Some(fired);
            false
        });
        first
    }

    /// Goes through the matches by which the rule fires on `id`, as long as `goes_on` says so, and
    /// gives how many matches of the pattern there were.
    pub(super) fn each(
        &self,
        terms: &mut Terms,
        host: &mut dyn Host,
        at: Redex<'_>,
        id: Id,
        misses: &mut Vec<Finding>,
        goes_on: &mut dyn FnMut(Fired) -> bool,
    ) -> usize {
        let functor = self.rule.matcher.functor();
        if functor.is_some() && functor != terms.functor(id) {
            return 0;
        }
        let mut slots: Slots = vec![None; self.rule.names.len()];
        for (slot, &value) in slots.iter_mut().zip(self.values) {
            *slot = Some(Bound::Term(terms.int(value)));
        }
        let mut matches = Matches::new(&self.rule.matcher, id, slots);
        let mut number = 0;
        while number < MOST_MATCHES && matches.advance(terms) {
            let build = Build {
                rules: self.rules,
                predicates: self.predicates,
                terms: &mut *terms,
                host: &mut *host,
                at,
                names: &self.rule.names,
                shadows: self.rule.shadows,
                slots: matches.slots.clone(),
                choices: Choices::default(),
                nested: Nested::default(),
            };
            let matched = number;
            number += 1;
            match self.matched(build, misses) {
                // Of several groupings, one may make the same term again, and another one not.
                Ok(Some(fired)) if self.rule.is_modulo && terms.equal(fired.result, id) => {}
                Ok(Some(fired)) => {
                    if !goes_on(Fired { matched, ..fired }) {
                        break;
                    }
                }
                Ok(None) => {}
                Err(reason) => misses.push(Finding {
                    question: String::new(),
                    truth: Truth::Unknown,
                    evidence: Evidence::new(Status::Decided, reason),
                }),
            }
        }
        number
    }

    /// Goes on from a match: computes, asks and builds.
    fn matched(
        &self,
        mut build: Build<'_>,
        misses: &mut Vec<Finding>,
    ) -> Result<Option<Fired>, String> {
        for &binding in &self.rule.lets {
            bind(&mut build, binding)?;
        }
        let mut all_false = true;
        let mut stops = Vec::new();
        for (i, alternative) in self.rule.alternatives.iter().enumerate() {
            let mut findings = Vec::new();
            let Some(condition) = alternative.condition else {
                return self.outcome(build, alternative.outcome, Some(i), findings);
            };
            let (truth, cause) = build.settle(self.rule, condition, &mut findings)?;
            if truth == Truth::Yes {
                return self.outcome(build, alternative.outcome, Some(i), findings);
            }
            all_false &= truth == Truth::No;
            stops.extend(cause.map(|cause| findings.swap_remove(cause)));
        }
        if let (true, Some(outcome)) = (all_false, self.rule.otherwise) {
            return self.outcome(build, outcome, None, stops);
        }
        misses.extend(stops);
        Ok(None)
    }

    fn outcome(
        &self,
        mut build: Build<'_>,
        outcome: Outcome,
        alternative: Option<usize>,
        findings: Vec<Finding>,
    ) -> Result<Option<Fired>, String> {
        self.wheres(&mut build, outcome)?;
        let slots = build.slots.clone();
        let result = build.one(outcome.result)?;
        if let Some(why) = build.host.refuses(build.terms, result) {
            return Err(why);
        }
        let action = match outcome.action {
            Some(action) => Some(build.open(action)?),
            None => None,
        };
        Ok(Some(Fired {
            result,
            alternative,
            matched: 0,
            findings,
            slots,
            action,
        }))
    }

    /// Computes the `where`s that an outcome uses, what they use first.
    fn wheres(&self, build: &mut Build<'_>, outcome: Outcome) -> Result<(), String> {
        for i in needed_wheres(self.rules, self.rule, outcome)? {
            bind(build, self.rule.wheres[i])?;
        }
        Ok(())
    }
}

fn variable(rules: &Terms, id: Id) -> Option<Symbol> {
    match rules.head(id) {
        Head::Variable(name) | Head::Sequence(name) => Some(name),
        _ => None,
    }
}

/// The `where`s that an outcome uses, directly or through others, each after those it uses.
pub(super) fn needed_wheres(
    rules: &Terms,
    rule: &Rule,
    outcome: Outcome,
) -> Result<Vec<usize>, String> {
    if rule.wheres.is_empty() {
        return Ok(Vec::new());
    }
    let binds = |name: Symbol| {
        let found = |w: &Binding| variable(rules, w.variable) == Some(name);
        rule.wheres.iter().position(found)
    };
    let uses = |template: Id| {
        let names = rules
            .subterms(template)
            .filter_map(|id| variable(rules, id));
        names.filter_map(binds)
    };
    let mut waiting: Vec<usize> = Vec::new();
    let mut templates = vec![outcome.result];
    templates.extend(outcome.action);
    while let Some(template) = templates.pop() {
        for i in uses(template) {
            if !waiting.contains(&i) {
                waiting.push(i);
                templates.push(rule.wheres[i].value);
            }
        }
    }
    // In the order of the text, unless one uses a later one.
    waiting.sort_unstable();
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let ready = waiting
            .iter()
            .position(|&i| !uses(rule.wheres[i].value).any(|j| waiting.contains(&j)));
        let Some(ready) = ready else {
            return Err("the values of `where` depend on each other in a circle".to_string());
        };
        order.push(waiting.remove(ready));
    }
    Ok(order)
}

/// Computes a value of `let` or `where`.
pub(super) fn bind(build: &mut Build<'_>, binding: Binding) -> Result<(), String> {
    let (name, sequence) = match build.rules.head(binding.variable) {
        Head::Variable(name) => (name, false),
        Head::Sequence(name) => (name, true),
        _ => return Ok(()),
    };
    let mut values = Vec::new();
    build.all(binding.value, &mut values)?;
    // A sequence holds parts of the scheme, which the rule may look for again as they stand.
    if !sequence {
        for value in &mut values {
            *value = build.host.simplify(build.terms, build.at, *value);
        }
    }
    let bound = match (sequence, &values[..]) {
        (true, _) => Bound::List(values.into()),
        (false, &[value]) => Bound::Term(value),
        (false, _) => {
            return Err(format!("`${name}` wants one term and got {}", values.len()));
        }
    };
    if let Some(slot) = build.slot(name) {
        build.slots[slot] = Some(bound);
    }
    Ok(())
}
