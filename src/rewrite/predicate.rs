//! Predicates that rule files define: clauses → an answer to a question of a condition.
//!
//! The clauses of a predicate are tried from the top. One whose pattern matches the arguments and whose
//! condition holds answers, by its result, which is a condition too. Where a condition is unknown, the
//! answer counts only if what comes after would say the same: a predicate is never known by way of what
//! nobody knows. What no clause answers is unknown.

use super::build::{Build, Nested};
use super::condition::{Finding, Truth, counted_arguments};
use super::fact_base::Choices;
use super::fire::bind;
use super::host::{Evidence, Status};
use super::matching::Matches;
use super::rule::Rule;
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Sources, Span, Symbol, Terms};

/// Predicates ask each other no deeper than this.
pub(super) const MOST_NESTED: usize = 100;
/// One question of a rule leads to no more questions to predicates than this.
pub(super) const MOST_CALLS: usize = 1_000;
/// A clause is tried on its arguments in no more ways than this.
const MOST_MATCHES: usize = 1_000;
/// Sentences about an answer are cut at so many characters.
const MOST_TEXT: usize = 400;

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Symbol,
    /// Where its first clause stands.
    pub span: Span,
    /// The comments before its clauses.
    pub doc: String,
    /// The least number of arguments that a clause takes.
    pub least: usize,
    /// The most; none where a clause takes a sequence.
    pub most: Option<usize>,
    /// Its clauses, in the order in which they are tried.
    pub clauses: Vec<Rule>,
}

impl Predicate {
    /// How many arguments it takes, in words.
    pub fn arguments(&self) -> String {
        match self.most {
            Some(most) => counted_arguments(most),
            None => format!("{} or more", counted_arguments(self.least)),
        }
    }

    /// The predicate as it stands in its file, without comments.
    pub fn text(&self, sources: &Sources) -> String {
        let texts: Vec<String> = self.clauses.iter().map(|c| c.text(sources)).collect();
        texts.join("\n")
    }

    /// Whether it can be asked about so many arguments.
    pub fn takes(&self, arguments: usize) -> bool {
        arguments >= self.least && self.most.is_none_or(|most| arguments <= most)
    }
}

/// The predicates of a rule base.
#[derive(Clone, Debug, Default)]
pub struct Predicates(pub(super) Vec<Predicate>);

impl Predicates {
    /// All of them, in the order of the files.
    pub fn iter(&self) -> impl Iterator<Item = &Predicate> {
        self.0.iter()
    }

    /// The predicate with a name.
    pub fn get(&self, name: Symbol) -> Option<&Predicate> {
        self.0.iter().find(|p| p.name == name)
    }

    /// The predicates that a rule asks, directly or through others, in the order of the files.
    pub fn asked_by(&self, rules: &Terms, rule: &Rule) -> Vec<&Predicate> {
        let mut found = vec![false; self.0.len()];
        let mut work = rule.questions_asked(rules);
        while let Some(id) = work.pop() {
            let asked = self
                .0
                .iter()
                .position(|p| Some(p.name) == rules.functor(id));
            if let Some(at) = asked.filter(|&at| !found[at]) {
                found[at] = true;
                let clauses = self.0[at].clauses.iter();
                work.extend(clauses.flat_map(|c| c.questions_of_clause(rules)));
            }
        }
        let found = self.0.iter().zip(found).filter(|(_, found)| *found);
        found.map(|(predicate, _)| predicate).collect()
    }
}

/// What an answer comes from: its truth, and the place among the findings of what settled it.
#[derive(Clone, Copy)]
struct Said {
    truth: Truth,
    by: Option<usize>,
}

impl Build<'_> {
    /// Answers a question by a predicate. What its clauses ask is added to `findings`.
    pub(super) fn ask_predicate(
        &mut self,
        predicate: &Predicate,
        args: &[Id],
        findings: &mut Vec<Finding>,
    ) -> (Truth, Evidence) {
        let name = predicate.name;
        let unknown = |why: String| (Truth::Unknown, Evidence::new(Status::Decided, why));
        if self.nested.depth == 0 {
            self.nested.calls = 0;
        }
        self.nested.calls += 1;
        if self.nested.depth >= MOST_NESTED || self.nested.calls > MOST_CALLS {
            return unknown(format!(
                "`{name}` asks on and on: {MOST_NESTED} questions within each other, or {MOST_CALLS} in all, \
                 are the most"
            ));
        }
        if !predicate.takes(args.len()) {
            return unknown(format!("`{name}` does not take {} arguments", args.len()));
        }
        // Not as the host builds it: the arguments stay the parts of the scheme that they are.
        let term = self.terms.apply(name, args);
        let around = self.nested;
        self.nested.depth += 1;
        self.nested.within = Some(name);
        let mut failed = None;
        let said = self.clauses(predicate, term, findings, &mut failed);
        self.nested = Nested {
            calls: self.nested.calls,
            ..around
        };
        let (said, clause) = match said {
            Ok(Some(said)) => said,
            Ok(None) => return unknown(format!("no clause of `{name}` answers")),
            Err(why) => return unknown(why),
        };
        let by = said.by.or(failed).filter(|_| said.truth != Truth::Yes);
        let text = match by.map(|by| &findings[by]) {
            Some(found) => format!("`{}`: {}", found.question, found.evidence.text),
            None => {
                let pattern = print_term_short(self.rules, clause.pattern, 80);
                format!("its clause `{pattern}` says so")
            }
        };
        let mut evidence = Evidence::new(Status::Decided, cut(text));
        if let Some(by) = by {
            evidence.places = findings[by].evidence.places.clone();
        }
        (said.truth, evidence)
    }

    /// What the clauses say, with the clause that says it; nothing where none does. `failed` becomes the
    /// place of the first question that kept a clause from answering.
    fn clauses<'p>(
        &mut self,
        predicate: &'p Predicate,
        term: Id,
        findings: &mut Vec<Finding>,
        failed: &mut Option<usize>,
    ) -> Result<Option<(Said, &'p Rule)>, String> {
        // What a clause would answer whose condition is unknown.
        let mut open: Option<(Said, &Rule)> = None;
        for clause in &predicate.clauses {
            let slots = vec![None; clause.names.len()];
            let mut matches = Matches::new(&clause.matcher, term, slots);
            let mut ways = 0;
            while ways < MOST_MATCHES && matches.advance(self.terms) {
                ways += 1;
                let mut build = Build {
                    rules: self.rules,
                    predicates: self.predicates,
                    terms: &mut *self.terms,
                    host: &mut *self.host,
                    at: self.at,
                    names: &clause.names,
                    shadows: clause.shadows,
                    slots: matches.slots.clone(),
                    nested: self.nested,
                    choices: Choices::default(),
                };
                let settled = build.clause(clause, findings, failed, &mut open);
                self.nested.calls = build.nested.calls;
                if settled? {
                    return Ok(open);
                }
            }
            if ways == MOST_MATCHES {
                let name = predicate.name;
                return Err(format!("a clause of `{name}` matches in too many ways"));
            }
        }
        Ok(open.map(|(said, clause)| {
            let truth = Truth::Unknown;
            (Said { truth, ..said }, clause)
        }))
    }

    /// Goes on from a match of a clause: true if what is `open` now is what the predicate answers.
    fn clause<'p>(
        &mut self,
        clause: &'p Rule,
        findings: &mut Vec<Finding>,
        failed: &mut Option<usize>,
        open: &mut Option<(Said, &'p Rule)>,
    ) -> Result<bool, String> {
        for &binding in &clause.lets {
            bind(self, binding)?;
        }
        let alternatives = clause.alternatives.iter();
        let alternatives = alternatives.map(|a| (a.condition, a.outcome.result));
        let otherwise = clause.otherwise.map(|o| (None, o.result));
        for (condition, answer) in alternatives.chain(otherwise) {
            let (holds, by) = match condition {
                Some(condition) => self.settle(clause, condition, findings)?,
                None => (Truth::Yes, None),
            };
            if holds != Truth::Yes {
                *failed = failed.or(by);
            }
            if holds == Truth::No {
                continue;
            }
            let (truth, why) = self.settle(clause, answer, findings)?;
            if let Some((said, _)) = *open
                && said.truth != truth
            {
                // It depends on what is unknown.
                let truth = Truth::Unknown;
                *open = Some((Said { truth, ..said }, clause));
                return Ok(true);
            }
            let by = if holds == Truth::Yes { why } else { by };
            *open = Some((Said { truth, by }, clause));
            if holds == Truth::Yes || truth == Truth::Unknown {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn cut(mut text: String) -> String {
    if let Some((at, _)) = text.char_indices().nth(MOST_TEXT) {
        text.truncate(at);
        text.push('…');
    }
    text
}
