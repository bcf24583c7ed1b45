//! A term with an open place, and what is put there → the term with it.

use super::definitions::with_definitions;
use super::offers::Choice;
use super::place::{Place, least, open_name, open_number};
use super::state::{Constructor, State};
use crate::algebra::{Construct, Role, Sort, declares};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Origin, Symbol, Terms};

impl Constructor {
    /// The scheme with something put at a place, whether or not it fits.
    pub(super) fn with(
        &mut self,
        place: &Place,
        choice: &Choice,
    ) -> Result<State, Vec<Diagnostic>> {
        let mut new = self.now.clone();
        let is_here = |terms: &Terms, id: Id| open_number(terms, id) == Some(place.number);
        let path = path_to(&self.terms, new.root, is_here).unwrap_or_default();
        match choice {
            Choice::Put(parts) => {
                if place.parent == Construct::Formals {
                    self.expect_other_name(&path, parts)?;
                }
                let mut numbered = Vec::new();
                for &part in parts {
                    let part = self.numbered(part, &mut new.next);
                    numbered.extend(self.members(place, part));
                }
                let numbered: Vec<Id> = numbered
                    .into_iter()
                    .map(|part| self.marked(part, place.number))
                    .collect();
                let numbered = self.going_on(place, &path, numbered, &mut new);
                new.root = replaced(&mut self.terms, new.root, &path, &numbered);
            }
            Choice::Nothing if place.is_optional => {
                new.root = replaced(&mut self.terms, new.root, &path, &[]);
            }
            Choice::Nothing => {
                let message = format!("{} may not be left out", open_name(place.number));
                let hint = format!("it takes {}", place.text());
                return Err(vec![Diagnostic::error("E0366", message).hint(hint)]);
            }
            &Choice::Declared(declaration) if is_definition(place.parent) => {
                let of_definition = &path[..path.len().saturating_sub(1)];
                let declaration = self.marked(declaration, place.number);
                new.root = replaced(&mut self.terms, new.root, of_definition, &[declaration]);
            }
            Choice::Basic if is_definition(place.parent) => {
                let of_definition = &path[..path.len().saturating_sub(1)];
                let definition = at(&self.terms, new.root, of_definition);
                let phrase = self.terms.as_text(self.terms.arg(definition, 0));
                new.basic.extend(phrase);
                new.root = replaced(&mut self.terms, new.root, of_definition, &[]);
            }
            Choice::Basic | Choice::Declared(_) => {
                let message = "only the definition of a phrase can be left to others";
                return Err(vec![Diagnostic::error("E0366", message)]);
            }
        }
        Ok(new)
    }

    /// Refuses a name that another argument of the same phrase has.
    fn expect_other_name(&self, path: &[usize], parts: &[Id]) -> Result<(), Vec<Diagnostic>> {
        let around = &path[..path.len().saturating_sub(1)];
        let others = self.terms.args(at(&self.terms, self.now.root, around));
        let twice = |&&part: &&Id| others.iter().any(|&other| self.terms.equal(part, other));
        match parts
            .iter()
            .find(twice)
            .and_then(|&p| self.terms.as_atom(p))
        {
            Some(name) => {
                let message = format!("`{name}` stands twice in this definition's parentheses");
                let hint = "give each argument its own name";
                Err(vec![Diagnostic::error("E0109", message).hint(hint)])
            }
            None => Ok(()),
        }
    }

    /// The scheme without what was put at a place, which is open again.
    pub(super) fn removed(&mut self, number: u32) -> Result<State, Vec<Diagnostic>> {
        let mut new = self.now.clone();
        let was_put = |terms: &Terms, id: Id| terms.origin(id).step == Some(number);
        let Some(path) = path_to(&self.terms, new.root, was_put) else {
            let message = format!("nothing was put at {}", open_name(number));
            return Err(vec![Diagnostic::error("E0366", message)]);
        };
        let is_text = self
            .terms
            .as_text(at(&self.terms, new.root, &path))
            .is_some();
        let around = at(&self.terms, new.root, &path[..path.len().saturating_sub(1)]);
        let parts = match self.terms.functor(around) == Some(Construct::Where.symbol()) {
            // The phrase that was declared gets a place for its definition again.
            true => Vec::new(),
            false => vec![self.open_term(number, is_text)],
        };
        new.root = replaced(&mut self.terms, new.root, &path, &parts);
        // What stood beside it came with it.
        while let Some(path) = path_to(&self.terms, new.root, was_put) {
            new.root = replaced(&mut self.terms, new.root, &path, &[]);
        }
        Ok(with_definitions(&mut self.terms, &self.operators, new))
    }

    /// A copy of a term whose open places have numbers, in the order of reading.
    fn numbered(&mut self, id: Id, next: &mut u32) -> Id {
        if open_number(&self.terms, id) == Some(0) {
            let open = self.open_term(*next, self.terms.as_text(id).is_some());
            *next += 1;
            return open;
        }
        let arguments = self.terms.args(id).to_vec();
        let new: Vec<Id> = arguments.iter().map(|&a| self.numbered(a, next)).collect();
        self.terms.with_args(id, &new)
    }

    /// What is put into a list: the members of a list of the same kind.
    fn members(&self, place: &Place, part: Id) -> Vec<Id> {
        let then = Construct::Then;
        match place.parent == then && self.terms.functor(part) == Some(then.symbol()) {
            true => self.terms.args(part).to_vec(),
            false => vec![part],
        }
    }

    /// A copy of a term that tells where it was put.
    fn marked(&mut self, id: Id, number: u32) -> Id {
        let arguments = self.terms.args(id).to_vec();
        let new = self.terms.with_args(id, &arguments);
        if open_number(&self.terms, id).is_none() {
            let origin = Origin {
                step: Some(number),
                ..self.terms.origin(id)
            };
            self.terms.set_origin(new, origin);
        }
        new
    }

    /// With an open place for what follows: the next member of a list, or the operators that see a variable.
    fn going_on(
        &mut self,
        place: &Place,
        path: &[usize],
        mut parts: Vec<Id>,
        state: &mut State,
    ) -> Vec<Id> {
        let parent = at(
            &self.terms,
            state.root,
            &path[..path.len().saturating_sub(1)],
        );
        let is_last = place.index + 1 == self.terms.arity(parent);
        if place.is_list() {
            // In order, EMPTY is nothing.
            let empty = Construct::Empty.symbol();
            parts.retain(|&part| {
                place.parent != Construct::Then || self.terms.as_atom(part) != Some(empty)
            });
            let ends_open = parts
                .last()
                .is_some_and(|&last| open_number(&self.terms, last).is_some());
            if is_last && !ends_open {
                parts.push(self.open_term(state.next, false));
                state.next += 1;
            }
            return parts;
        }
        match parts[..] {
            [one] if place.sort == Sort::Operator && declares(&self.terms, one) => {
                let open = self.open_term(state.next, false);
                state.next += 1;
                vec![self.terms.apply(Construct::Then.symbol(), &[one, open])]
            }
            _ => parts,
        }
    }
}

/// Whether a construct says what a phrase means.
fn is_definition(construct: Construct) -> bool {
    matches!(construct, Construct::Define | Construct::DefineTest)
}

/// The way to the first term, in the order of reading, of which something holds.
pub(super) fn path_to(
    terms: &Terms,
    root: Id,
    holds: impl Fn(&Terms, Id) -> bool,
) -> Option<Vec<usize>> {
    let mut path: Vec<usize> = Vec::new();
    let mut around = vec![root];
    if holds(terms, root) {
        return Some(path);
    }
    let mut next = 0;
    loop {
        let here = *around.last()?;
        match terms.args(here).get(next) {
            Some(&argument) => {
                path.push(next);
                if holds(terms, argument) {
                    return Some(path);
                }
                around.push(argument);
                next = 0;
            }
            None => {
                around.pop();
                next = path.pop()? + 1;
            }
        }
    }
}

/// The term at a place.
pub(super) fn at(terms: &Terms, root: Id, path: &[usize]) -> Id {
    path.iter().fold(root, |id, &step| terms.arg(id, step))
}

/// A term with others in the place of one; without any, that one is left out, and with it what has too few arguments
/// then.
pub(super) fn replaced(terms: &mut Terms, root: Id, path: &[usize], parts: &[Id]) -> Id {
    let mut parts = parts.to_vec();
    for length in (0..path.len()).rev() {
        let parent = at(terms, root, &path[..length]);
        let mut arguments = terms.args(parent).to_vec();
        arguments.splice(path[length]..=path[length], parts);
        let construct = terms.functor(parent).and_then(Construct::of);
        parts = match (construct, &arguments[..]) {
            (Some(Construct::Then | Construct::Where), []) => Vec::new(),
            (Some(Construct::Then), &[one]) => vec![one],
            _ => vec![terms.with_args(parent, &arguments)],
        };
    }
    parts.first().copied().unwrap_or(root)
}

/// A term without a number of its own for a blank: what is put somewhere.
pub(super) fn blank(terms: &mut Terms, role: Role) -> Id {
    let name = Symbol::new("…");
    match role.sort() {
        Sort::Text => terms.text(name),
        _ => terms.atom(name),
    }
}

/// A term of a construct with blanks for its fixed arguments, and one more if it takes any number.
pub(super) fn blank_term(terms: &mut Terms, construct: Construct) -> Id {
    let info = construct.info();
    let mut arguments: Vec<Id> = info
        .arguments
        .iter()
        .map(|&role| match (construct, role) {
            // Sizes of an array.
            (Construct::Array, Role::Part) => {
                let size = blank(terms, Role::Expression);
                terms.apply(Construct::Dims.symbol(), &[size])
            }
            _ => blank(terms, role),
        })
        .collect();
    if let Some(rest) = info.rest {
        let many = match construct {
            Construct::Then | Construct::Async => 2,
            _ => usize::from(least(construct) != Some(0) || construct == Construct::DefaultInput),
        };
        arguments.extend((0..many).map(|_| blank(terms, rest)));
    }
    terms.make(Head::Functor(construct.symbol()), &arguments)
}
