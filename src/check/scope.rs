//! The scope of a scheme's body or of a phrase.

use super::elaborate::Meaning;
use crate::term::Symbol;
use rustc_hash::FxHashMap;

/// Names and what they mean, later ones hiding earlier ones. Looking one up takes the same time
/// however many there are.
#[derive(Debug, Default)]
pub(super) struct Frame {
    entries: Vec<Entry>,
    last: FxHashMap<Symbol, u32>,
}

#[derive(Debug)]
struct Entry {
    name: Symbol,
    meaning: Meaning,
    /// The entry of the same name that this one hides.
    hides: Option<u32>,
}

impl Frame {
    /// Adds a name.
    pub fn push(&mut self, name: Symbol, meaning: Meaning) {
        let hides = self.last.insert(name, self.entries.len() as u32);
        self.entries.push(Entry {
            name,
            meaning,
            hides,
        });
    }

    /// Number of names, to come back to by [`Frame::truncate`].
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets all names but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        while self.entries.len() > length {
            if let Some(entry) = self.entries.pop() {
                match entry.hides {
                    Some(hidden) => self.last.insert(entry.name, hidden),
                    None => self.last.remove(&entry.name),
                };
            }
        }
    }

    /// What a name means.
    pub fn get(&self, name: Symbol) -> Option<Meaning> {
        let &at = self.last.get(&name)?;
        Some(self.entries[at as usize].meaning)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = Symbol> {
        self.entries.iter().map(|e| e.name)
    }
}
