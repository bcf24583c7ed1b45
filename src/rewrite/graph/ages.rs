//! Which cells are still needed: young ones are looked at often, old ones seldom.
//!
//! Cells do not change but for marks and for what they became, so an old cell leads to a young one
//! only where it became that; such cells are noted. Most cells are needed for a short time: a
//! collection ([`Generations`]) of the young ones moves the few that are left behind the old ones, and the rest of the
//! run stays in the processor's cache (Ungar 1984).

use super::cells::{ARGUMENTS, Cells, FUNCTOR, MOVED, NOTHING};
use crate::rewrite::generations::Generations;

/// The ages of cells.
pub(super) struct Ages {
    pub(super) generations: Generations,
    /// Old cells that became young ones.
    changed: Vec<u32>,
    spare: Vec<u32>,
}

impl Ages {
    pub(super) fn new() -> Ages {
        Ages {
            generations: Generations::new(),
            changed: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Notes that a cell became another one.
    #[inline]
    pub(super) fn note(&mut self, at: u32, new: u32) {
        let old = self.generations.old;
        if (at as usize) < old && new as usize >= old {
            self.changed.push(at);
        }
    }
}

impl Cells {
    /// Whether the next collection looks at old cells, too.
    pub(super) fn is_collecting_all(&self) -> bool {
        self.ages.generations.first() == 0
    }

    /// Begins to move what is still needed out of the young cells, or of all (Cheney 1970).
    pub(super) fn collection(&mut self) -> Collection<'_> {
        let from = self.ages.generations.first();
        let mut new = std::mem::take(&mut self.ages.spare);
        new.clear();
        new.reserve(self.words.len() - from);
        let mut changed = std::mem::take(&mut self.ages.changed);
        changed.sort_unstable();
        changed.dedup();
        let mut collection = Collection {
            cells: self,
            new,
            from,
            scanned: 0,
        };
        // The cell of nothing keeps its address.
        collection.forward(NOTHING);
        if from > 0 {
            for at in changed {
                let became = collection.forward(collection.cells.became(at));
                collection.cells.words[at as usize + 1] = became;
            }
        }
        collection
    }
}

/// A collection at work.
pub(super) struct Collection<'c> {
    cells: &'c mut Cells,
    /// What is moved, to stand from `from` on.
    new: Vec<u32>,
    /// Cells before this address stay.
    from: usize,
    scanned: usize,
}

impl Collection<'_> {
    /// The new address of a cell, which is kept.
    #[inline]
    pub(super) fn forward(&mut self, at: u32) -> u32 {
        let start = at as usize;
        if start < self.from {
            return at;
        }
        let word = self.cells.words[start];
        if word & MOVED != 0 {
            return word & !MOVED;
        }
        let shape = self.cells.shapes[(word & FUNCTOR) as usize];
        let count = ARGUMENTS + (shape.raw + shape.arguments) as usize;
        let new = (self.from + self.new.len()) as u32;
        // A loop, no copy of a slice: there are three or four words.
        for &word in &self.cells.words[start..start + count] {
            self.new.push(word);
        }
        self.cells.words[start] = MOVED | new;
        new
    }

    /// The new address of a cell, if it is kept.
    pub(super) fn moved(&self, at: u32) -> Option<u32> {
        if (at as usize) < self.from {
            return Some(at);
        }
        let word = self.cells.words[at as usize];
        (word & MOVED != 0).then_some(word & !MOVED)
    }

    /// Keeps what the kept cells reach.
    pub(super) fn scan(&mut self) {
        while self.scanned < self.new.len() {
            let at = self.scanned;
            let shape = self.cells.shapes[(self.new[at] & FUNCTOR) as usize];
            let first = at + ARGUMENTS + shape.raw as usize;
            self.scanned = first + shape.arguments as usize;
            self.new[at + 1] = self.forward(self.new[at + 1]);
            for i in first..self.scanned {
                self.new[i] = self.forward(self.new[i]);
            }
        }
    }

    /// Ends a collection that looked at so many `roots`.
    pub(super) fn end(self, roots: usize) -> Result<(), String> {
        let Collection {
            cells, new, from, ..
        } = self;
        let live = from + new.len();
        cells.ages.generations.collected(from, live, roots)?;
        cells.ages.spare = match from {
            0 => std::mem::replace(&mut cells.words, new),
            _ => {
                cells.words.truncate(from);
                cells.words.extend_from_slice(&new);
                new
            }
        };
        Ok(())
    }
}
