//! A predicate of a rule file → what its clauses answer.

use super::building::Firing;
use super::judging::{Question, Truth};
use super::matching::matches;
use super::rules::Rule;
use crate::term::{Head, Id, Symbol};

/// Predicates ask each other no deeper than this.
const MOST_NESTED: usize = 100;
/// One question of a rule leads to no more questions to predicates than this.
const MOST_CALLS: usize = 1_000;
/// A clause is tried on its arguments in no more ways than this.
const MOST_MATCHES: usize = 1_000;

/// How far predicates have asked each other.
#[derive(Clone, Copy, Default)]
pub(super) struct Nested {
    /// The predicate whose clause asks; none for a rule.
    pub within: Option<Symbol>,
    /// How many predicates wait for an answer.
    pub depth: usize,
    /// How many were asked since the rule's question.
    pub calls: usize,
}

impl Firing<'_> {
    /// The truth of a question to a predicate; what its clauses ask is added. It is unknown what no clause
    /// answers, what cannot be computed, and what is asked too often.
    pub(super) fn ask_predicate(
        &mut self,
        clauses: &[Rule],
        name: Symbol,
        args: &[Id],
        asked: &mut Vec<Question>,
    ) -> Truth {
        if self.nested.depth == 0 {
            self.nested.calls = 0;
        }
        self.nested.calls += 1;
        if self.nested.depth >= MOST_NESTED || self.nested.calls > MOST_CALLS {
            return Truth::Unknown;
        }
        if !clauses.iter().any(|clause| self.takes(clause, args.len())) {
            return Truth::Unknown;
        }
        let term = self.terms.apply(name, args);
        let around = self.nested;
        self.nested.depth += 1;
        self.nested.within = Some(name);
        let said = self.clauses(clauses, term, asked);
        let calls = self.nested.calls;
        self.nested = Nested { calls, ..around };
        said.unwrap_or(Truth::Unknown)
    }

    fn takes(&self, clause: &Rule, count: usize) -> bool {
        let terms = &self.rules.terms;
        let args = terms.args(clause.item.pattern);
        let single = |&&a: &&Id| !matches!(terms.head(a), Head::Sequence(_));
        let least = args.iter().filter(single).count();
        least == count || least < args.len() && least <= count
    }

    fn clauses(
        &mut self,
        clauses: &[Rule],
        term: Id,
        asked: &mut Vec<Question>,
    ) -> Result<Truth, String> {
        let mut claimed = None;
        for clause in clauses {
            let rules = &self.rules.terms;
            let pattern = clause.item.pattern;
            let ways = matches(rules, pattern, self.terms, term, Vec::new(), MOST_MATCHES);
            let many = ways.len() == MOST_MATCHES;
            for values in ways {
                let mut firing = Firing {
                    rules: self.rules,
                    rule: clause,
                    terms: &mut *self.terms,
                    host: &mut *self.host,
                    at: self.at,
                    values,
                    nested: self.nested,
                };
                let said = firing.clause(&mut claimed, asked);
                self.nested.calls = firing.nested.calls;
                if let Some(truth) = said? {
                    return Ok(truth);
                }
            }
            if many {
                return Err("a clause matches in too many ways".to_owned());
            }
        }
        Ok(Truth::Unknown)
    }

    /// What a clause settles. Where its condition is unknown, its answer is `claimed`, and what comes after it
    /// must say the same.
    fn clause(
        &mut self,
        claimed: &mut Option<Truth>,
        asked: &mut Vec<Question>,
    ) -> Result<Option<Truth>, String> {
        self.lets()?;
        let item = &self.rule.item;
        let alternatives = item.alternatives.iter();
        let alternatives = alternatives.map(|a| (a.condition, a.outcome.result));
        let otherwise = item.otherwise.map(|o| (None, o.result));
        for (condition, answer) in alternatives.chain(otherwise) {
            let holds = match condition {
                Some(condition) => self.judge(condition, asked)?.0,
                None => Truth::Yes,
            };
            if holds == Truth::No {
                continue;
            }
            let truth = self.judge(answer, asked)?.0;
            let same = claimed.is_none_or(|claim| claim == truth);
            match (holds, truth) {
                _ if !same => return Ok(Some(Truth::Unknown)),
                (Truth::Yes, _) | (_, Truth::Unknown) => return Ok(Some(truth)),
                _ => *claimed = Some(truth),
            }
        }
        Ok(None)
    }
}
