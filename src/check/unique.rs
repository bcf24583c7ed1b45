//! Names of binders: each has one of its own.

use super::again::{Alone, Were};
use super::elaborate::{Checker, Meaning};
use super::scheme::{Variable, author_name, unique_name};
use crate::term::Symbol;

impl Checker<'_> {
    /// A name for a new binder that nothing else has.
    pub fn fresh(&mut self, name: Symbol) -> Symbol {
        if !self.is_bound(name) {
            return self.bind(name);
        }
        if let Some(part) = self.alone() {
            part.shares_names |= !part.declared.contains(&name);
        }
        let base = Symbol::new(author_name(name));
        loop {
            let counter = self.counters.entry(base).or_insert(1);
            *counter += 1;
            let candidate = unique_name(base, *counter);
            if !self.is_taken(candidate) && !self.is_bound(candidate) {
                return self.bind(candidate);
            }
        }
    }

    /// Gives a name to a binder.
    fn bind(&mut self, name: Symbol) -> Symbol {
        self.bound.insert(name);
        if let Some(part) = self.alone() {
            part.declared.push(name);
        }
        name
    }

    /// The part that is looked at alone, if one is.
    pub(super) fn alone(&mut self) -> Option<&mut Alone> {
        match &mut self.before.as_mut()?.variables {
            Were::Alone(part) => Some(part),
            Were::All(_) => None,
        }
    }

    /// Whether a name stands in the source, or in the part that is looked at: what stands around that is bound.
    fn is_taken(&mut self, name: Symbol) -> bool {
        if self.taken.is_none() {
            let roots = match self.alone() {
                Some(part) => part.nodes.clone(),
                None => self.root.into_iter().collect(),
            };
            let mut taken = Vec::new();
            let all = roots.iter().flat_map(|&root| self.source.subterms(root));
            for name in all.filter_map(|id| self.source.as_atom(id)) {
                if taken.len() <= name.index() {
                    taken.resize(name.index() + 1, false);
                }
                taken[name.index()] = true;
            }
            self.taken = Some(taken);
        }
        let taken = self.taken.as_ref();
        taken.is_some_and(|taken| taken.get(name.index()) == Some(&true))
    }

    /// Whether a binder has a name already.
    pub(super) fn is_bound(&self, name: Symbol) -> bool {
        let is_around = |part: &Alone| {
            self.variables.contains_key(&name) && !part.variables.contains_key(&name)
        };
        self.bound.contains(&name)
            || match self.before.as_ref().map(|before| &before.variables) {
                Some(Were::Alone(part)) => is_around(part),
                _ => false,
            }
    }

    /// Declares a variable that the operators after it see, and gives its unique name.
    pub fn declare(&mut self, name: Symbol, variable: Variable) -> Symbol {
        let unique = self.fresh(name);
        self.insert(unique, variable);
        self.frame().push(name, Meaning::Variable(unique));
        unique
    }

    /// Notes a variable by its unique name.
    pub(super) fn insert(&mut self, unique: Symbol, variable: Variable) {
        self.variables.insert(unique, variable);
        if self.context.kernel {
            self.of_kernels.insert(unique);
        }
    }
}
