//! Checking a scheme that is being built: places that are still open take any value, and what can be named at each
//! of them is noted.
//!
//! An open place is an atom, or a text, that begins with a character that no reader takes: `…1`. In a check of a
//! whole scheme it is an error, as any other name that is not declared.

use super::elaborate::{Checker, Meaning};
use super::scheme::{Role, Variable, author_name};
use super::unfounded;
use crate::algebra::{Precision, Type};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol, Terms};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// What the name of an open place begins with.
pub const OPEN: char = '…';

/// Whether a name, or a text, is an open place.
pub fn is_open(name: Symbol) -> bool {
    name.as_str().starts_with(OPEN)
}

/// A name that can be used at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name, as its author has it.
    pub name: Symbol,
    /// The type of its value, or of the elements of an array.
    pub ty: Type,
    /// How many subscripts it has: none, if it is a single value.
    pub rank: usize,
    /// Whether it may be assigned.
    pub is_assignable: bool,
    /// Whether it is the variable of a loop.
    pub is_loop: bool,
}

/// What holds at an open place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// What can be named there, nearest first.
    pub names: Vec<Named>,
    /// Whether it stands in a kernel.
    pub in_kernel: bool,
    /// Whether it stands in a PARALLEL.
    pub in_parallel: bool,
    /// The phrase in whose definition it stands, if it was met by a call of it.
    pub phrase: Option<Symbol>,
    /// The type that what is put there must have, or be converted to, where that is known.
    pub wanted: Option<&'static str>,
    /// Whether the place was met itself; else what is known is that of the term around.
    is_met: bool,
}

/// The open places that a check has met.
#[derive(Debug, Default)]
pub(super) struct Opens {
    seen: IndexMap<Symbol, Seen, FxBuildHasher>,
}

/// What a check finds of a scheme that is being built.
#[derive(Debug)]
pub struct Opened {
    /// What holds at each open place, by its name.
    pub places: IndexMap<Symbol, Seen, FxBuildHasher>,
    /// What is wrong, whatever is put there.
    pub errors: Vec<Diagnostic>,
}

/// Checks a scheme with open places.
pub fn check_open(source: &Terms, root: Id, precision: Precision) -> Opened {
    let mut checker = Checker::new(source, precision);
    checker.opens = Some(Opens::default());
    for id in source.subterms(root) {
        if let Some(name) = source.as_atom(id).filter(|&n| is_open(n)) {
            checker.variables.insert(name, unknown());
        }
    }
    let scheme = checker.whole(root);
    let mut errors: Vec<Diagnostic> = std::mem::take(&mut checker.errors)
        .into_iter()
        .filter(Diagnostic::is_error)
        .collect();
    errors.extend(scheme.iter().flat_map(unfounded));
    Opened {
        places: checker.opens.take().unwrap_or_default().seen,
        errors,
    }
}

/// What stands for anything.
fn unknown() -> Variable {
    Variable {
        ty: Type::Unknown,
        dims: Vec::new(),
        role: Role::Unknown,
        span: None,
    }
}

impl Checker<'_> {
    /// Whether a name is that of an open place, and such are let pass.
    pub(super) fn lets_open(&self, name: Symbol) -> bool {
        self.opens.is_some() && is_open(name)
    }

    /// The same for a term of the source.
    pub(super) fn is_open_source(&self, id: Id) -> bool {
        self.opens.is_some() && self.source.as_atom(id).is_some_and(is_open)
    }

    /// The same for a term of the new tree.
    pub(super) fn is_open_term(&self, id: Id) -> bool {
        self.opens.is_some() && self.terms.as_atom(id).is_some_and(is_open)
    }

    /// Notes what holds at a term of the source, if it is an open place.
    pub(super) fn meet(&mut self, id: Id) {
        if self.is_open_source(id) {
            self.note_open(id, true);
        }
    }

    /// Notes what holds around a term of the source for the open places right below it.
    pub(super) fn meet_below(&mut self, id: Id) {
        if self.opens.is_none() {
            return;
        }
        for &argument in self.source.args(id) {
            let is_open_text = self.source.as_text(argument).is_some_and(is_open);
            if is_open_text || self.is_open_source(argument) {
                self.note_open(argument, false);
            }
        }
    }

    fn note_open(&mut self, id: Id, is_met: bool) {
        let source = self.source;
        let Some(name) = source.as_atom(id).or_else(|| source.as_text(id)) else {
            return;
        };
        let known = self.opens.as_ref().and_then(|opens| opens.seen.get(&name));
        if known.is_some_and(|seen| seen.is_met || !is_met) {
            return;
        }
        let seen = Seen {
            names: self.visible(),
            in_kernel: self.context.kernel,
            in_parallel: self.context.parallel,
            phrase: self.expanding.last().copied(),
            wanted: None,
            is_met,
        };
        if let Some(opens) = &mut self.opens {
            opens.seen.insert(name, seen);
        }
    }

    /// Notes the type that is wanted of a term of the new tree, if it is an open place.
    pub(super) fn want(&mut self, new: Id, wanted: &'static str) {
        if !self.is_open_term(new) || wanted == "?" {
            return;
        }
        let name = self.terms.as_atom(new);
        let opens = self.opens.as_mut();
        if let Some(seen) = name.and_then(|n| opens?.seen.get_mut(&n)) {
            seen.wanted.get_or_insert(wanted);
        }
    }

    /// What can be named here: in the scope of the phrase, then in DATA.
    fn visible(&self) -> Vec<Named> {
        let mut names: Vec<Named> = Vec::new();
        let frame = self.frames.last().expect("there is always a frame");
        let in_frame: Vec<Symbol> = frame.names().collect();
        for name in in_frame.into_iter().rev() {
            if is_open(name) || names.iter().any(|n| n.name == name) {
                continue;
            }
            let found = match frame.get(name) {
                Some(Meaning::Variable(unique)) => self.named_variable(name, unique),
                Some(Meaning::Stands(actual)) => self.standing(name, actual),
                None => None,
            };
            names.extend(found);
        }
        for (&name, variable) in &self.variables {
            if variable.is_data() && !is_open(name) && !names.iter().any(|n| n.name == name) {
                names.extend(self.named_variable(name, name));
            }
        }
        names
    }

    fn named_variable(&self, name: Symbol, unique: Symbol) -> Option<Named> {
        let variable = self.variables.get(&unique)?;
        Some(Named {
            name: author_name(name).into(),
            ty: variable.ty,
            rank: variable.dims.len(),
            is_assignable: !variable.is_constant(),
            is_loop: variable.role == Role::Loop,
        })
    }

    /// The name of an argument, which stands for a place or a value of the caller.
    fn standing(&self, name: Symbol, actual: Id) -> Option<Named> {
        let variable = self.terms.as_atom(actual);
        match variable.filter(|v| self.variables.contains_key(v)) {
            Some(unique) => self.named_variable(name, unique),
            None => Some(Named {
                name,
                ty: self.type_of(actual),
                rank: 0,
                is_assignable: true,
                is_loop: false,
            }),
        }
    }
}
