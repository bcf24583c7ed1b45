//! The states of a scheme that a derivation may return to, and what was found of each while it stood.

use crate::analysis::{Context, Copies, Recurring, Tile};
use crate::check::{Known, Scheme, Undo};
use crate::term::{Id, Path, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// What was found of a scheme as it stands, as many rules ask the same.
#[derive(Default)]
pub(super) struct Found {
    /// Where the values of arrays are.
    pub copies: Copies,
    /// The tiles of the loops that were asked about, by body and variable.
    pub tiles: FxHashMap<(Id, Symbol), Rc<[Tile]>>,
    /// What is known at the places that were asked about.
    pub contexts: RefCell<FxHashMap<Path, Rc<Context>>>,
    /// The cells to which loops come back that were asked about, by body and variable.
    pub recurring: FxHashMap<(Id, Symbol), Rc<[Recurring]>>,
    /// What launches in operators that were asked about reach.
    pub launched: FxHashMap<Id, Rc<FxHashSet<Symbol>>>,
    /// How many of some operators a kernel could do from the first on, by their nodes.
    pub runs: FxHashMap<Vec<Id>, usize>,
    /// Loops of which nothing is to be asked when the program runs, by variable, bounds and body.
    pub untested: FxHashSet<[Id; 4]>,
}

/// What a step left of the scheme before.
pub(super) enum Before {
    /// All of it, without its arena.
    Whole(Box<Scheme>),
    /// What is different.
    Part(Undo),
}

/// A state before a step, by the engine's root for it.
struct State {
    root: Id,
    before: Before,
    /// What was found of it, as long as it may be returned to.
    found: Option<Found>,
}

/// The states before the steps so far.
#[derive(Default)]
pub(super) struct States {
    all: Vec<State>,
    /// Those of which something found is kept, by their places, so that not all states are gone through after each step.
    with_findings: Vec<usize>,
}

impl States {
    pub fn clear(&mut self) {
        *self = States::default();
    }

    /// Keeps what a step left of the state before, as long as a state that is saved needs it: to return to that, what
    /// followed it is undone.
    pub fn keep(&mut self, root: Id, before: Before, found: Found, saved: &[Id]) {
        if saved.is_empty() {
            return self.clear();
        }
        let is_whole = matches!(before, Before::Whole(_));
        self.all.push(State {
            root,
            before,
            found: Some(found),
        });
        self.with_findings.push(self.all.len() - 1);
        self.with_findings.retain(|&place| {
            let state = &mut self.all[place];
            let is_saved = saved.contains(&state.root);
            state.found.take_if(|_| !is_saved);
            is_saved
        });
        if is_whole {
            let mut is_needed = false;
            self.all.retain(|state| {
                is_needed |= saved.contains(&state.root);
                let is_kept = is_needed;
                is_needed &= matches!(state.before, Before::Part(_));
                is_kept
            });
            let places = self.all.iter().enumerate();
            let places = places.filter(|(_, state)| state.found.is_some());
            self.with_findings = places.map(|(place, _)| place).collect();
        }
    }

    /// Makes a scheme what it was at a root; what was found of it then. Nothing if that is not known any more.
    pub fn return_to(
        &mut self,
        root: Id,
        scheme: &mut Scheme,
        checked: &mut Known,
    ) -> Option<Found> {
        let first = self.all.iter().rposition(|state| state.root == root)?;
        self.with_findings.retain(|&place| place < first);
        let mut found = None;
        for state in self.all.drain(first..).rev() {
            match state.before {
                Before::Whole(before) => {
                    scheme.return_to(*before);
                    checked.body_changed();
                }
                Before::Part(undo) => undo.undo(scheme, checked),
            }
            found = state.found;
        }
        Some(found.unwrap_or_default())
    }
}
