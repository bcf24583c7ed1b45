//! Giving a checked scheme's binders the author's names back.

use super::scheme::author_name;
use crate::algebra::{Construct, Role};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A copy of a term of a checked scheme in which binders have the author's names wherever those
/// do not clash, and numbered ones elsewhere.
pub fn author_names(terms: &mut Terms, root: Id) -> Id {
    let mut restorer = Restorer {
        names: FxHashMap::default(),
        numbers: FxHashMap::default(),
        in_scope: FxHashSet::default(),
    };
    // Names that are free in the term keep their meaning.
    for id in terms.subterms(root) {
        if let Some(name) = terms.as_atom(id)
            && author_name(name) == name.as_str()
        {
            restorer.in_scope.insert(name);
        }
    }
    let binders: Vec<Symbol> = terms
        .subterms(root)
        .filter_map(|id| binder(terms, id))
        .collect();
    for name in &binders {
        restorer.in_scope.remove(name);
    }
    restorer.term(terms, root)
}

/// The name that a term binds.
fn binder(terms: &Terms, id: Id) -> Option<Symbol> {
    let info = Construct::of(terms.functor(id)?)?.info();
    info.binds().filter(|_| info.takes(terms.arity(id)))?;
    terms.as_atom(terms.arg(id, 0))
}

/// Whether the name that a term binds, if any, is bound for what follows it in its sequence.
fn binds_what_follows(terms: &Terms, id: Id) -> bool {
    let construct = terms.functor(id).and_then(Construct::of);
    construct.and_then(|c| c.info().binds()) == Some(Role::Declared)
}

struct Restorer {
    names: FxHashMap<Symbol, Symbol>,
    /// The last number given to each name.
    numbers: FxHashMap<Symbol, u32>,
    in_scope: FxHashSet<Symbol>,
}

impl Restorer {
    fn bind(&mut self, name: Symbol) {
        let base = author_name(name);
        let mut candidate = Symbol::new(base);
        if self.in_scope.contains(&candidate) {
            // Numbers go on from the last one of this name that is in scope.
            let number = self.numbers.entry(candidate).or_insert(1);
            loop {
                *number += 1;
                candidate = Symbol::new(&format!("{base}_{number}"));
                if !self.in_scope.contains(&candidate) {
                    break;
                }
            }
        }
        self.in_scope.insert(candidate);
        self.names.insert(name, candidate);
    }

    fn unbind(&mut self, name: Symbol) {
        if let Some(given) = self.names.remove(&name) {
            self.in_scope.remove(&given);
            let base = author_name(name);
            let number = given.as_str()[base.len()..]
                .strip_prefix('_')
                .and_then(|n| n.parse::<u32>().ok());
            if let (Some(number), Some(last)) = (number, self.numbers.get_mut(&base.into())) {
                *last = (*last).min(number.saturating_sub(1));
            }
        }
    }

    fn term(&mut self, terms: &mut Terms, id: Id) -> Id {
        if terms.arity(id) == 0 {
            return match terms.head(id) {
                Head::Functor(name) => match self.names.get(&name) {
                    Some(&given) if given != name => {
                        let new = terms.atom(given);
                        terms.copy_origin(id, new);
                        new
                    }
                    _ => id,
                },
                _ => id,
            };
        }
        let mut bound = Vec::new();
        let sequence = terms.functor(id) == Some(Construct::Then.symbol());
        if !sequence
            && !binds_what_follows(terms, id)
            && let Some(name) = binder(terms, id)
        {
            self.bind(name);
            bound.push(name);
        }
        let arguments = terms.args(id).to_vec();
        let mut new = Vec::with_capacity(arguments.len());
        for argument in arguments {
            // A LOCAL's name is bound for what follows it in the sequence.
            if binds_what_follows(terms, argument)
                && let Some(name) = binder(terms, argument)
            {
                self.bind(name);
                bound.push(name);
            }
            new.push(self.term(terms, argument));
        }
        for name in bound {
            self.unbind(name);
        }
        if new == terms.args(id) {
            id
        } else {
            terms.with_args(id, &new)
        }
    }
}
