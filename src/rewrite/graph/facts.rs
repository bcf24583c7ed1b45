//! Facts in a run: what they say of a question, what they give variables, and what changes them.

use super::cells::{FALSE, NOTHING, TRUE};
use super::engine::Engine;
use crate::rewrite::Known;
use crate::rewrite::fact_base::{Choices, Knowledge, MOST_CHOICES, is_ground};
use crate::rewrite::system::STOP;
use crate::term::{Head, Id, Terms};
use std::cell::RefCell;

/// Nodes beyond which the arena of questions begins anew.
const MUCH: usize = 1 << 12;

/// What a run knows beside its rules.
pub(super) struct Facts<'b> {
    knowledge: Option<&'b RefCell<Knowledge>>,
    /// Where questions are put together.
    terms: Terms,
    /// What the version of the knowledge is.
    pub(super) version: u64,
    /// Whether a rule has actions, so that facts may change.
    pub(super) change: bool,
}

/// A condition that takes facts.
#[derive(Default)]
pub(super) struct Judging {
    choices: Choices<()>,
    /// Whether no choice of facts so far left it open; none before the first one.
    is_false: Option<bool>,
    /// How often it was judged again.
    count: usize,
    /// Whether there are variables in a value that the question at work has in it.
    is_open: bool,
}

impl<'b> Facts<'b> {
    pub(super) fn new(knowledge: Option<&'b RefCell<Knowledge>>, change: bool) -> Facts<'b> {
        Facts {
            knowledge,
            terms: Terms::new(),
            version: knowledge.map_or(0, |known| known.borrow().version()),
            change,
        }
    }

    /// Why the run is to be given up, if it is.
    pub(super) fn trouble(&self) -> Option<String> {
        let known = self.knowledge?.borrow();
        known
            .trouble
            .as_ref()
            .map(|trouble| trouble.message.clone())
    }
}

impl Engine<'_> {
    /// Begins to judge a condition that takes facts.
    pub(super) fn choose(&mut self) {
        if let Some(work) = self.tries.last_mut() {
            work.judging = Some(Box::default());
        }
        self.take_back();
    }

    /// Takes the values back that questions gave variables.
    fn take_back(&mut self) {
        let Some(work) = self.tries.last() else {
            return;
        };
        for &variable in &self.program.rules[work.rule as usize].given {
            self.variables[work.variables + variable as usize] = NOTHING;
        }
    }

    /// What came of a condition: its truth, or nothing where it is to be judged again.
    pub(super) fn settled_condition(&mut self, truth: u32) -> Option<u32> {
        let is_false = self.cells.functor(truth) == FALSE;
        let judging = self.tries.last_mut()?.judging.as_mut()?;
        if self.cells.functor(truth) == TRUE {
            return Some(truth);
        }
        judging.is_false = Some(judging.is_false.unwrap_or(true) && is_false);
        judging.count += 1;
        let goes_on = judging.choices.again().is_some();
        if goes_on && judging.count <= MOST_CHOICES {
            self.take_back();
            return None;
        }
        let is_false = judging.is_false == Some(true) && !goes_on;
        Some(if is_false { self.truth(false) } else { NOTHING })
    }

    /// Enters a negation or leaves it.
    pub(super) fn negate(&mut self, enters: bool) {
        if let Some(judging) = self.judging() {
            judging.choices.negate(enters);
        }
    }

    fn judging(&mut self) -> Option<&mut Judging> {
        self.tries.last_mut()?.judging.as_deref_mut()
    }

    /// Notes that a question has a value in it, in which there may be variables.
    pub(super) fn note_value(&mut self, cell: u32) {
        if self.has_variables(cell)
            && let Some(judging) = self.judging()
        {
            judging.is_open = true;
        }
    }

    /// Whether a fact is matched by a pattern, whose variables get their values: the cell of that truth.
    pub(super) fn ask_fact(&mut self, pattern: u32) -> u32 {
        let Some(judging) = self.judging() else {
            return NOTHING;
        };
        if std::mem::take(&mut judging.is_open) {
            return NOTHING;
        }
        let mut terms = self.questions();
        let root = self.export_part(pattern, &mut terms);
        let truth = self.answer(&mut terms, root);
        self.facts.terms = terms;
        truth
    }

    fn answer(&mut self, terms: &mut Terms, pattern: Id) -> u32 {
        let is_open = !is_ground(terms, pattern);
        let knowledge = self.facts.knowledge;
        let Some(judging) = self.judging() else {
            return NOTHING;
        };
        let choices = &mut judging.choices;
        let from = if is_open { choices.from() } else { Some(0) };
        let known = from.zip(knowledge);
        let found = match known.map(|(from, known)| known.borrow_mut().next(terms, pattern, from)) {
            Some(Known::Fact(number, fact)) => Some((number, fact)),
            Some(Known::Nothing) | None => None,
            Some(Known::Unknown) => return NOTHING,
        };
        if is_open {
            choices.note(found.map(|(number, _)| number), &());
        }
        let binds = is_open && choices.binds();
        let Some((_, fact)) = found else {
            return self.truth(false);
        };
        if binds {
            self.take(terms, pattern, fact);
        }
        self.truth(true)
    }

    /// Gives the variables of a pattern the values that they have in a fact that it matches.
    fn take(&mut self, terms: &Terms, pattern: Id, fact: Id) {
        let Some(work) = self.tries.last() else {
            return;
        };
        let rule = self.program.rules[work.rule as usize].rule;
        let (names, first) = (&self.base.rules[rule as usize].names, work.variables);
        let mut parts = vec![(pattern, fact)];
        while let Some((pattern, fact)) = parts.pop() {
            if let Head::Variable(name) = terms.head(pattern) {
                if let Some(slot) = names.iter().position(|&n| n == name) {
                    self.variables[first + slot] = self.import(terms, fact);
                }
                continue;
            }
            let args = terms.args(pattern).iter().copied();
            parts.extend(args.zip(terms.args(fact).iter().copied()));
        }
    }

    /// Whether facts or an oracle may know of a functor.
    pub(super) fn may_know(&self, functor: u32) -> bool {
        let functor = &self.functors.list[functor as usize];
        let Head::Functor(name) = functor.head else {
            return false;
        };
        let known = self.facts.knowledge.map(RefCell::borrow);
        known.is_some_and(|known| known.knows(name, functor.arity))
    }

    /// What the facts say of a question: nothing where rules are to be asked.
    pub(super) fn known(&mut self, question: u32) -> Option<u32> {
        let mut terms = self.questions();
        let root = self.export_part(question, &mut terms);
        let truth = self
            .facts
            .knowledge
            .and_then(|known| known.borrow_mut().truth(&terms, root));
        let has_rules = terms
            .functor(root)
            .is_some_and(|name| self.functors.has_rules(name));
        self.facts.terms = terms;
        match truth? {
            Some(true) => Some(self.truth(true)),
            _ if has_rules => None,
            Some(false) => Some(self.truth(false)),
            None => Some(NOTHING),
        }
    }

    /// Does an action whose arguments are rewritten.
    pub(super) fn act(&mut self, action: u32) {
        let mut terms = self.questions();
        let root = self.export_part(action, &mut terms);
        if terms.functor(root).is_some_and(|f| f.as_str() == STOP) {
            let holds = self.cells.arguments(action).first();
            let holds = holds.is_some_and(|&holds| self.cells.functor(holds) == TRUE);
            if let Some(work) = self.tries.last_mut() {
                work.ends |= holds;
            }
        } else if let Some(knowledge) = self.facts.knowledge {
            let mut knowledge = knowledge.borrow_mut();
            knowledge.act(&terms, root);
            let version = knowledge.version();
            drop(knowledge);
            if version != self.facts.version {
                self.facts.version = version;
                self.forget();
            }
        }
        self.facts.terms = terms;
    }

    /// Forgets what was found out about terms, which may be redexes by facts that are new, and has
    /// every run look at its whole term again.
    fn forget(&mut self) {
        self.cells.begin_epoch();
        self.reduced.clear();
        for frame in &mut self.frames {
            frame.became.clear();
            frame.normal.clear();
            frame.watch = Some(frame.base);
        }
    }

    fn questions(&mut self) -> Terms {
        let terms = std::mem::take(&mut self.facts.terms);
        if terms.len() > MUCH {
            Terms::new()
        } else {
            terms
        }
    }
}
