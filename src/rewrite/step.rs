//! One step of a derivation: the rule's result is put in place, checked and recorded.

use super::command::{bound_reached, goes_round};
use super::condition::{Finding, Truth};
use super::derivation::{Asked, Step};
use super::derive::{Engine, Run};
use super::fire::Fired;
use super::look::Seen;
use super::marks::Marks;
use super::needs::Standing;
use super::pattern::Slots;
use super::rule::{FloatClass, Rule};
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Path, Span, Symbol, Terms, Way};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Bindings are recorded up to so many bytes.
const BINDING_TEXT: usize = 200;
/// Garbage in the arena beyond which it is compacted, in nodes.
pub(super) const GARBAGE: usize = 1 << 21;

impl Engine<'_> {
    /// Puts a rule's result in place, checks the whole and records the step.
    pub(super) fn commit(
        &mut self,
        rule: &Rule,
        values: &[i64],
        path: &Path,
        redex: Id,
        fired: Fired,
        older: usize,
    ) -> Run<()> {
        if self.applied.len() as u64 >= self.most_steps {
            return Err(vec![bound_reached(self.most_steps, &self.last_applied())]);
        }
        let size_before = self.terms.size(self.root);
        self.work += size_before as u64;
        if self.work > self.work_bound {
            return Err(vec![goes_round(self.applied.len(), &self.last_applied())]);
        }
        self.applied.push(rule.name);
        let number = self.steps.len() as u32 + 1;
        let mut step = self.record(number, rule, values, path, redex, &fired);
        step.size_before = size_before;
        if let Some(seen) = &mut self.seen {
            let by = Some((number.into(), rule, &fired));
            let terms = &mut self.terms;
            seen.push(Seen::new(terms, self.root, path, redex, fired.result, by));
        }
        self.mark(fired.result, redex, number, older);
        let Engine { marks, terms, .. } = self;
        let result = match marks.is_separate(terms, redex, fired.result, older) {
            true => fired.result,
            false => marks.separate(terms, redex, fired.result, older),
        };
        self.root = self.place(path, redex, result);
        debug_assert!(self.marks.are_distinct(&self.terms, self.root));
        // What the redex assigns is asked for if results may differ, which the check may tell; then its node may be gone.
        let is_asked_for = rule.float > FloatClass::Exact || self.is_full();
        let assigned = is_asked_for.then(|| self.host.assigned(&self.terms, redex));
        let checked = match self.compact() {
            true => self.host.recheck(&mut self.terms, self.root),
            false => self
                .host
                .recheck_after_step(&mut self.terms, self.root, &self.saved),
        };
        self.root = checked.map_err(|found| {
            let message = format!(
                "the rule `{}`, step {number} of the derivation, made a term that does not check",
                rule.name
            );
            let blame = Diagnostic::error("E0330", message)
                .at(rule.span)
                .also(step.place.map(Span::from), "it was applied here")
                .hint("the rule is wrong, or asks too little in its condition");
            std::iter::once(blame).chain(found).collect::<Vec<_>>()
        })?;
        step.float = step.float.max(self.host.float_class());
        if step.float > FloatClass::Exact {
            let assigned = assigned.unwrap_or_else(|| self.host.assigned(&self.terms, redex));
            step.only_reported = self.host.are_only_reported(&assigned);
        }
        step.size_after = self.terms.size(self.root);
        self.steps.push(step);
        Ok(())
    }

    pub(super) fn last_applied(&self) -> Vec<(Symbol, u64)> {
        let mut counts: Vec<(Symbol, u64)> = Vec::new();
        for &name in self.applied.iter().rev().take(1000) {
            match counts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.as_str().cmp(b.0.as_str())));
        counts
    }

    fn record(
        &mut self,
        number: u32,
        rule: &Rule,
        values: &[i64],
        path: &Path,
        redex: Id,
        fired: &Fired,
    ) -> Step {
        let origin = self.terms.origin(redex);
        let names = rule.parameters.iter().map(|p| p.name.to_string());
        Step {
            number,
            rule: rule.name.to_string(),
            file: self.base.file(rule.span).to_string(),
            float: rule.float,
            only_reported: false,
            untested: self.base.is_untested(rule.name),
            path: path.0.clone(),
            place: origin.span.map(Into::into),
            phrase: origin.phrase.map(|p| p.to_string()),
            parameters: names.zip(values.iter().copied()).collect(),
            matched: fired.matched,
            alternative: fired.alternative,
            bindings: bindings(&self.terms, rule, &fired.slots, &mut self.texts),
            evidence: fired.findings.iter().map(asked).collect(),
            size_before: 0,
            size_after: 0,
        }
    }

    /// Gives the nodes that a step made, those not older than it, their origins.
    fn mark(&mut self, result: Id, redex: Id, number: u32, older: usize) {
        let of_redex = self.terms.origin(redex);
        let mut work = vec![result];
        while let Some(id) = work.pop() {
            if id.index() < older {
                continue;
            }
            work.extend_from_slice(self.terms.args(id));
            let mut origin = self.terms.origin(id);
            if origin.step.is_none() {
                origin.step = Some(number);
                origin.span = origin.span.or(of_redex.span);
                origin.phrase = origin.phrase.or(of_redex.phrase);
                self.terms.set_origin(id, origin);
            }
        }
    }

    /// The root with a redex replaced. Where a functor below changes, the host builds what
    /// stands above, so that it can put sequences into sequences.
    fn place(&mut self, path: &Path, redex: Id, new: Id) -> Id {
        let Some(spine) = path.spine(&self.terms, self.root) else {
            return self.root;
        };
        let (mut old, mut new) = (redex, new);
        for (&parent, &step) in spine.iter().rev().skip(1).zip(path.0.iter().rev()) {
            let mut args = self.terms.args(parent).to_vec();
            args[step as usize] = new;
            let changed = self.terms.functor(old) != self.terms.functor(new);
            new = match self.terms.functor(parent) {
                Some(functor) if changed => {
                    let older = self.terms.len();
                    let made = self.host.build(&mut self.terms, functor, &args);
                    if made.index() >= older {
                        self.terms.copy_origin(parent, made);
                    }
                    made
                }
                _ => self.terms.with_args(parent, &args),
            };
            old = parent;
        }
        new
    }

    /// Whether there is so much in the arena that what no root reaches is dropped.
    fn is_full(&self) -> bool {
        self.terms.weight() >= self.limit
    }

    /// Drops what no root reaches, when there is much of it. Whether that gave the nodes other ids.
    pub(super) fn compact(&mut self) -> bool {
        if !self.is_full() {
            return false;
        }
        let mut new = Terms::new();
        for saved in &mut self.saved {
            *saved = new.import(&self.terms, *saved);
        }
        self.root = new.import(&self.terms, self.root);
        self.limit = GARBAGE.max(4 * new.weight());
        self.terms = new;
        self.way = Way::default();
        self.marks = Marks::default();
        self.standing = Standing::default();
        self.texts = Texts::default();
        true
    }
}

/// Texts of terms, long ones cut, by their nodes: from step to step the same parts stand beside what changes.
#[derive(Default)]
pub(super) struct Texts(FxHashMap<Id, Rc<str>>);

impl Texts {
    fn of(&mut self, terms: &Terms, id: Id) -> Rc<str> {
        let text = self.0.entry(id);
        let text = text.or_insert_with(|| print_term_short(terms, id, BINDING_TEXT).into());
        Rc::clone(text)
    }
}

/// What the variables of a rule stand for.
pub(super) fn bindings(
    terms: &Terms,
    rule: &Rule,
    slots: &Slots,
    texts: &mut Texts,
) -> Vec<(String, String)> {
    let bindings = rule.names.iter().zip(slots);
    let bindings = bindings.skip(rule.parameters.len());
    let texts = bindings.filter_map(|(name, bound)| {
        let elements = bound.as_ref()?.elements(terms).iter();
        let all = elements.take(BINDING_TEXT).map(|&id| texts.of(terms, id));
        let all: Vec<Rc<str>> = all.collect();
        (!name.as_str().starts_with('_')).then(|| (name.to_string(), all.join(", ")))
    });
    texts.collect()
}

/// The record of a finding.
pub(super) fn asked(finding: &Finding) -> Asked {
    let answer = match finding.truth {
        Truth::Yes => "yes",
        Truth::No => "no",
        Truth::Unknown => "unknown",
    };
    let evidence = &finding.evidence;
    let places = evidence.places.iter();
    Asked {
        question: finding.question.clone(),
        answer: answer.to_string(),
        status: evidence.status,
        sentence: evidence.text.clone(),
        places: places
            .map(|(s, t)| (s.map(Into::into), t.clone()))
            .collect(),
    }
}
