//! Terms ↔ cells.

use super::cells::{INT, REAL, SET, TEXT};
use super::engine::Engine;
use crate::rewrite::evaluate::{literal, value};
use crate::syntax::rules::SET as SET_NAME;
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// The terms of cells that have been copied: by their addresses, where most of the heap may be, or of the few there are.
enum Copied {
    /// The number of the term and one more. Memory that is never written costs nothing.
    All(Vec<u32>),
    Some(FxHashMap<u32, Id>),
}

impl Copied {
    fn of(&self, at: u32) -> Option<Id> {
        match self {
            Copied::All(terms) => terms[at as usize].checked_sub(1).map(Id),
            Copied::Some(terms) => terms.get(&at).copied(),
        }
    }

    fn set(&mut self, at: u32, term: Id) {
        match self {
            Copied::All(terms) => terms[at as usize] = term.0 + 1,
            Copied::Some(terms) => {
                terms.insert(at, term);
            }
        }
    }
}

impl Engine<'_> {
    /// Copies a term into cells, each occurrence once.
    pub(super) fn import(&mut self, terms: &Terms, root: Id) -> u32 {
        let mut done: FxHashMap<Id, u32> = FxHashMap::default();
        let mut work = vec![(root, false)];
        while let Some((id, visited)) = work.pop() {
            if done.contains_key(&id) {
                continue;
            }
            let head = terms.head(id);
            let args = terms.args(id);
            if !visited && !args.is_empty() {
                work.push((id, true));
                work.extend(args.iter().map(|&a| (a, false)));
                continue;
            }
            let args: Vec<u32> = args.iter().map(|a| done[a]).collect();
            let cell = match head {
                Head::Functor(f) if f.as_str() == SET_NAME => {
                    let tree = self.cells.tree(&args);
                    self.cells.set(tree)
                }
                Head::Int(_) | Head::Real(_) | Head::Text(_) => match value(terms, id) {
                    Some(value) => self.cells.literal(value),
                    None => super::cells::NOTHING,
                },
                _ => {
                    let functor = self.functors.number(&mut self.cells, head, args.len());
                    self.cells.make(functor, &args)
                }
            };
            done.insert(id, cell);
        }
        done[&root]
    }

    /// Copies a cell into an arena, shared parts once: one that may reach most of the heap.
    pub(super) fn export(&self, root: u32, terms: &mut Terms) -> Id {
        self.copy_to(root, terms, Copied::All(vec![0; self.cells.words.len()]))
    }

    /// The same of a small part of the heap.
    pub(super) fn export_part(&self, root: u32, terms: &mut Terms) -> Id {
        self.copy_to(root, terms, Copied::Some(FxHashMap::default()))
    }

    fn copy_to(&self, root: u32, terms: &mut Terms, mut done: Copied) -> Id {
        let mut work = vec![root];
        let (mut elements, mut args) = (Vec::new(), Vec::new());
        while let Some(&at) = work.last() {
            if done.of(at).is_some() {
                work.pop();
                continue;
            }
            let functor = self.cells.functor(at);
            if let (INT | REAL | TEXT, Some(value)) = (functor, self.cells.value(at)) {
                done.set(at, literal(terms, value));
                continue;
            }
            elements.clear();
            let parts = match functor {
                SET => {
                    (self.cells).elements(self.cells.argument(at, 0), &mut elements);
                    &elements[..]
                }
                _ => self.cells.arguments(at),
            };
            args.clear();
            let waiting = work.len();
            for &part in parts {
                match done.of(part) {
                    Some(term) => args.push(term),
                    None => work.push(part),
                }
            }
            if work.len() > waiting {
                continue;
            }
            let head = match functor {
                SET => Head::Functor(Symbol::new(SET_NAME)),
                _ => self.functors.list[functor as usize].head,
            };
            done.set(at, terms.make(head, &args));
            work.pop();
        }
        done.of(root).unwrap_or(Id(0))
    }
}
