//! A scheme under construction, with what was before and what was taken back.

use super::definitions::with_definitions;
use super::offers::Choice;
use super::place::{Place, open_name, open_places};
use crate::algebra::{Construct, Precision};
use crate::check::{Opened, check, check_open, unfounded};
use crate::diagnostic::Diagnostic;
use crate::syntax::text::read_operators;
use crate::term::{Head, Id, Sources, Symbol, Terms};

/// A scheme as it stands.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) root: Id,
    /// The number of the next open place.
    pub(super) next: u32,
    /// Phrases that are left as basic operators, without a definition.
    pub(super) basic: Vec<Symbol>,
}

/// A scheme under construction.
pub struct Constructor {
    pub(super) terms: Terms,
    /// Declarations of basic operators and predicates that may be used.
    pub(super) operators: Vec<Id>,
    pub(super) now: State,
    past: Vec<State>,
    future: Vec<State>,
    places: Vec<Place>,
}

impl Constructor {
    /// A scheme with a name, whose DATA and body are open. `operators` are texts of basic operators, with the names of
    /// their files; what cannot be read of them is left out.
    pub fn new(name: &str, operators: &[(String, String)]) -> Constructor {
        let mut terms = Terms::new();
        let mut declared = Vec::new();
        for (file, text) in operators {
            let mut sources = Sources::default();
            let file = sources.add(file.clone(), text.clone());
            let mut own = Terms::new();
            let (read, wrong) = read_operators(&sources, file, &mut own);
            if wrong.is_empty() {
                declared.extend(read.into_iter().map(|id| terms.import(&own, id)));
            }
        }
        let title = terms.text(Symbol::new(name));
        let item = terms.atom(open_name(1));
        let data = terms.apply(Construct::Data.symbol(), &[item]);
        let body = terms.atom(open_name(2));
        let root = terms.apply(Construct::Scheme.symbol(), &[title, data, body]);
        let now = State {
            root,
            next: 3,
            basic: Vec::new(),
        };
        let mut new = Constructor {
            terms,
            operators: declared,
            now,
            past: Vec::new(),
            future: Vec::new(),
            places: Vec::new(),
        };
        new.look();
        new
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        let name = self.terms.as_text(self.terms.arg(self.now.root, 0));
        name.map_or("", |name| name.as_str())
    }

    /// The open places, in the order of the scheme.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The open place of a number.
    pub fn place(&self, number: u32) -> Option<&Place> {
        self.places.iter().find(|place| place.number == number)
    }

    /// Whether no place is open.
    pub fn is_finished(&self) -> bool {
        self.places.is_empty()
    }

    /// The scheme as a term, in its arena. With open places it is one that no check accepts.
    pub fn term(&self) -> (&Terms, Id) {
        (&self.terms, self.now.root)
    }

    /// Puts something at an open place.
    ///
    /// # Errors
    ///
    /// E0366: the place is not open, or nothing may not be put there; else what the check says of it.
    pub fn apply(&mut self, place: u32, choice: &Choice) -> Result<(), Vec<Diagnostic>> {
        let (new, found) = self.applied(place, choice)?;
        self.move_to(new, found);
        Ok(())
    }

    /// Opens the place of a number again, and takes out what was put there.
    ///
    /// # Errors
    ///
    /// E0366: nothing was put there; else what the rest of the scheme needs of it.
    pub fn remove(&mut self, place: u32) -> Result<(), Vec<Diagnostic>> {
        let new = self.removed(place)?;
        let found = self.held(&new)?;
        self.move_to(new, found);
        Ok(())
    }

    /// Takes the last change back; whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.past.pop() else {
            return false;
        };
        let after = std::mem::replace(&mut self.now, before);
        self.future.push(after);
        self.look();
        true
    }

    /// Makes the change again that was taken back last; whether there is one.
    pub fn redo(&mut self) -> bool {
        let Some(after) = self.future.pop() else {
            return false;
        };
        let before = std::mem::replace(&mut self.now, after);
        self.past.push(before);
        self.look();
        true
    }

    /// What the scheme becomes with something put at a place, and what the check finds there.
    pub(super) fn applied(
        &mut self,
        place: u32,
        choice: &Choice,
    ) -> Result<(State, Opened), Vec<Diagnostic>> {
        let Some(place) = self.place(place).cloned() else {
            let message = format!("{} is no open place", open_name(place));
            return Err(vec![Diagnostic::error("E0366", message)]);
        };
        let new = self.with(&place, choice)?;
        let new = with_definitions(&mut self.terms, &self.operators, new);
        let found = self.held(&new)?;
        Ok((new, found))
    }

    /// What the check finds of a scheme; what is wrong, if something is.
    fn held(&mut self, state: &State) -> Result<Opened, Vec<Diagnostic>> {
        let found = self.opened(state);
        if !found.errors.is_empty() {
            return Err(found.errors);
        }
        if !open_places(&self.terms, state.root).is_empty() {
            return Ok(found);
        }
        // The check of finished schemes has the last word.
        let root = self.with_operators(state.root);
        match unfounded(&check(&self.terms, root, Precision::F32)?) {
            wrong if wrong.is_empty() => Ok(found),
            wrong => Err(wrong),
        }
    }

    fn opened(&mut self, state: &State) -> Opened {
        let root = self.with_operators(state.root);
        check_open(&self.terms, root, Precision::F32)
    }

    fn move_to(&mut self, new: State, found: Opened) {
        let before = std::mem::replace(&mut self.now, new);
        self.past.push(before);
        self.future.clear();
        self.note_places(found);
    }

    /// Finds the open places.
    fn look(&mut self) {
        let now = self.now.clone();
        let found = self.opened(&now);
        self.note_places(found);
    }

    fn note_places(&mut self, found: Opened) {
        let mut seen = found.places;
        self.places = open_places(&self.terms, self.now.root);
        for place in &mut self.places {
            place.seen = seen
                .swap_remove(&open_name(place.number))
                .unwrap_or_default();
        }
    }

    /// The atom, or text, of an open place.
    pub(super) fn open_term(&mut self, number: u32, is_text: bool) -> Id {
        let name = open_name(number);
        let head = match is_text {
            true => Head::Text(name),
            false => Head::Functor(name),
        };
        self.terms.make(head, &[])
    }
}
