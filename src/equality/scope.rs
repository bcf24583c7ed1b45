//! Names that do not depend on how an author chose or a checker numbered them.

use crate::check::author_name;
use crate::term::{Id, Symbol};
use rustc_hash::FxHashMap;

/// How LOCAL and SHARED variables are named. Both ways are sound, and each finds some schemes equal
/// that the other does not, so both are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// By the author's name, numbered among those of that name that are in use.
    ByName,
    /// By number among all those in use.
    ByPosition,
}

/// What makes a name that no author can write.
const MARK: char = '′';

/// The variables in use, with the names that they are compared by.
///
/// A name may be given again where the variable that had it is not used any more: what is compared
/// is the same scheme over cells, in which a LOCAL is the cell's first value. That way two copies of
/// a phrase have the same names, one after the other as well as in two branches. Loop variables and
/// arrays of their own have the number of such scopes around them.
pub(super) struct Scope {
    naming: Naming,
    given: FxHashMap<Symbol, Vec<Symbol>>,
    /// Which numbers are taken, for each name.
    taken: FxHashMap<&'static str, Vec<bool>>,
    /// The last place where each name stands; places are in order of the text.
    last: FxHashMap<Symbol, Id>,
    around: usize,
}

impl Scope {
    /// No variables. `last` says where each name stands last.
    pub fn new(naming: Naming, last: FxHashMap<Symbol, Id>) -> Scope {
        Scope {
            naming,
            given: FxHashMap::default(),
            taken: FxHashMap::default(),
            last,
            around: 0,
        }
    }

    /// The name of a variable in use.
    pub fn get(&self, name: Symbol) -> Option<Symbol> {
        self.given.get(&name)?.last().copied()
    }

    /// Whether a name stands nowhere after a place.
    pub fn is_over(&self, name: Symbol, at: Id) -> bool {
        self.last.get(&name).is_none_or(|&last| last <= at)
    }

    /// Declares a LOCAL or SHARED variable.
    pub fn declare(&mut self, name: Symbol) -> Symbol {
        let base = match self.naming {
            Naming::ByName => author_name(name),
            Naming::ByPosition => "",
        };
        let taken = self.taken.entry(base).or_default();
        let number = taken.iter().position(|t| !t).unwrap_or(taken.len());
        if number == taken.len() {
            taken.push(false);
        }
        taken[number] = true;
        let given = Symbol::new(&format!("{base}{MARK}{number}"));
        self.given.entry(name).or_default().push(given);
        given
    }

    /// Declares a variable that goes by several names.
    pub fn declare_all(&mut self, names: &[Symbol]) {
        let Some((&first, others)) = names.split_first() else {
            return;
        };
        let given = self.declare(first);
        for &other in others.iter().filter(|&&o| o != first) {
            self.given.entry(other).or_default().push(given);
        }
    }

    /// Ends the use of a variable that goes by several names.
    pub fn end_all(&mut self, names: &[Symbol]) {
        for &other in names.iter().skip(1).filter(|&&o| o != names[0]) {
            self.given.get_mut(&other).and_then(Vec::pop);
        }
        if let Some(&first) = names.first() {
            self.end(first);
        }
    }

    /// Ends the use of a variable that was declared.
    pub fn end(&mut self, name: Symbol) {
        let Some(given) = self.given.get_mut(&name).and_then(Vec::pop) else {
            return;
        };
        let Some((base, number)) = given.as_str().split_once(MARK) else {
            return;
        };
        let taken = self.taken.get_mut(base);
        if let (Some(taken), Ok(number)) = (taken, number.parse::<usize>()) {
            taken[number] = false;
        }
    }

    /// Enters the scope of a loop variable or of an array of its own.
    pub fn enter(&mut self, name: Symbol) -> Symbol {
        let given = Symbol::new(&format!("{MARK}around{MARK}{}", self.around));
        self.around += 1;
        self.given.entry(name).or_default().push(given);
        given
    }

    /// Leaves such a scope.
    pub fn leave(&mut self, name: Symbol) {
        self.around -= 1;
        self.given.get_mut(&name).and_then(Vec::pop);
    }
}

/// A name for what has none.
pub(super) fn made_name(what: &str, number: usize) -> Symbol {
    Symbol::new(&format!("{MARK}{what}{MARK}{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_again() {
        let mut scope = Scope::new(Naming::ByName, FxHashMap::default());
        let [a, a2, b] = ["a", "a′2", "b"].map(Symbol::new);
        let first = scope.declare(a);
        let second = scope.declare(a2);
        assert_ne!(first, second);
        scope.end(a);
        assert_eq!((scope.get(a), scope.get(a2)), (None, Some(second)));
        assert_eq!(scope.declare(a), first);
        assert!(scope.get(b).is_none());
        let mut scope = Scope::new(Naming::ByPosition, FxHashMap::default());
        let first = scope.declare(a);
        scope.end(a);
        assert_eq!(scope.declare(b), first);
        let outer = scope.enter(a2);
        assert_ne!(scope.enter(a), outer);
        scope.leave(a);
        scope.leave(a2);
        assert_eq!(scope.enter(b), outer);
    }
}
