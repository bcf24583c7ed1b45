//! The terms that a bench reached, each with the facts that held then.

use crate::rewrite::fact_base::{FactBase, Knowledge};
use crate::term::Id;
use std::cell::RefCell;
use std::rc::Rc;

struct State {
    root: Id,
    facts: Rc<FactBase>,
}

/// The terms that were reached, and which of them is looked at.
#[derive(Default)]
pub(super) struct States {
    list: Vec<State>,
    now: usize,
}

impl States {
    /// The term that is looked at, if there is one.
    pub(super) fn root(&self) -> Option<Id> {
        self.list.get(self.now).map(|state| state.root)
    }

    /// Begins anew with a term.
    pub(super) fn begin(&mut self, root: Id, known: &RefCell<Knowledge>) {
        self.list.clear();
        self.now = 0;
        self.reach(root, known);
    }

    /// A term was reached from the one that is looked at, and is looked at now.
    pub(super) fn reach(&mut self, root: Id, known: &RefCell<Knowledge>) {
        let held = &known.borrow().facts;
        let facts = match self.list.get(self.now) {
            Some(state) if state.facts.changes() == held.changes() => Rc::clone(&state.facts),
            _ => Rc::new(held.clone()),
        };
        self.list.truncate(self.now + 1);
        self.list.push(State { root, facts });
        self.now = self.list.len() - 1;
    }

    /// Other facts hold, for what was reached before, too: they come with other rules.
    pub(super) fn learn(&mut self, facts: &FactBase) {
        self.list.truncate(self.now + 1);
        let facts = Rc::new(facts.clone());
        for state in &mut self.list {
            state.facts = Rc::clone(&facts);
        }
    }

    /// Goes back to the term before and to its facts; false if there is none.
    pub(super) fn undo(&mut self, known: &mut Knowledge) -> bool {
        let can = self.now > 0;
        self.now -= usize::from(can);
        self.restore(known);
        can
    }

    /// Takes back what [`States::undo`] did; false if there is nothing.
    pub(super) fn redo(&mut self, known: &mut Knowledge) -> bool {
        let can = self.now + 1 < self.list.len();
        self.now += usize::from(can);
        self.restore(known);
        can
    }

    fn restore(&self, known: &mut Knowledge) {
        if let Some(state) = self.list.get(self.now)
            && state.facts.changes() != known.facts.changes()
        {
            known.facts = (*state.facts).clone();
        }
    }
}
