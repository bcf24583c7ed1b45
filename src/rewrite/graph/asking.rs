//! The rules whose conditions are being asked, each with its redex: a condition that leads to
//! itself is asked only once.

use super::ages::Collection;
use super::cells::{Cells, SET};
use super::engine::Engine;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

struct Asked {
    rule: u32,
    cell: u32,
    /// The number of the run in which it is asked.
    run: usize,
    hash: u64,
}

/// What is being asked, innermost last.
pub(super) struct Asking {
    list: Vec<Asked>,
    /// How often each rule is in the list.
    counts: Vec<u32>,
    /// The places in the list, up to the `indexed`-th, by rule and hash.
    places: FxHashMap<(u32, u64), Vec<u32>>,
    indexed: usize,
    /// Hashes of cells, until they are moved.
    hashes: FxHashMap<u32, u64>,
}

impl Asking {
    pub(super) fn new(rules: usize) -> Asking {
        Asking {
            list: Vec::new(),
            counts: vec![0; rules],
            places: FxHashMap::default(),
            indexed: 0,
            hashes: FxHashMap::default(),
        }
    }

    pub(super) fn begin(&mut self, rule: u32, cell: u32, run: usize) {
        self.counts[rule as usize] += 1;
        self.list.push(Asked {
            rule,
            cell,
            run,
            hash: 0,
        });
    }

    pub(super) fn end(&mut self) {
        let Some(asked) = self.list.pop() else {
            return;
        };
        self.counts[asked.rule as usize] -= 1;
        if self.indexed > self.list.len() {
            self.indexed = self.list.len();
            let key = (asked.rule, asked.hash);
            if let Some(places) = self.places.get_mut(&key) {
                places.pop();
                if places.is_empty() {
                    self.places.remove(&key);
                }
            }
        }
    }

    /// How many rules are being asked, each within the conditions of the one before.
    #[inline]
    pub(super) fn open(&self) -> usize {
        self.list.len()
    }

    /// How many cells a collection makes forget their hashes.
    pub(super) fn hashed(&self) -> usize {
        self.hashes.len()
    }

    pub(super) fn collect(&mut self, collection: &mut Collection<'_>) {
        self.hashes.clear();
        for asked in &mut self.list {
            asked.cell = collection.forward(asked.cell);
        }
    }

    /// The run in which a rule is being asked about an equal term.
    fn find(&mut self, cells: &Cells, rule: u32, cell: u32) -> Option<usize> {
        if self.counts[rule as usize] == 0 {
            return None;
        }
        while let Some(asked) = self.list.get_mut(self.indexed) {
            asked.hash = hash(cells, &mut self.hashes, asked.cell);
            let places = self.places.entry((asked.rule, asked.hash)).or_default();
            places.push(self.indexed as u32);
            self.indexed += 1;
        }
        let places = self
            .places
            .get(&(rule, hash(cells, &mut self.hashes, cell)))?;
        let mut asked = places.iter().map(|&i| &self.list[i as usize]);
        let found = asked.find(|asked| cells.equal(asked.cell, cell));
        found.map(|asked| asked.run)
    }
}

/// A hash of a cell as a tree.
fn hash(cells: &Cells, known: &mut FxHashMap<u32, u64>, root: u32) -> u64 {
    let mut work = vec![(root, false)];
    let mut elements = Vec::new();
    while let Some((cell, visited)) = work.pop() {
        if known.contains_key(&cell) {
            continue;
        }
        let args = match cells.functor(cell) {
            SET => {
                elements.clear();
                cells.elements(cells.argument(cell, 0), &mut elements);
                &elements[..]
            }
            _ => cells.arguments(cell),
        };
        if !visited && !args.is_empty() {
            work.push((cell, true));
            for &argument in args {
                work.push((argument, false));
            }
            continue;
        }
        let mut hasher = FxHasher::default();
        hasher.write_u32(cells.functor(cell));
        for &word in cells.raw(cell) {
            hasher.write_u32(word);
        }
        for argument in args {
            hasher.write_u64(known.get(argument).copied().unwrap_or(0));
        }
        known.insert(cell, hasher.finish());
    }
    known.get(&root).copied().unwrap_or(0)
}

impl Engine<'_> {
    /// Whether a rule is being asked about a term, further out. Runs that meet this know less
    /// than those around them.
    pub(super) fn is_asked(&mut self, rule: u32, cell: u32) -> bool {
        let Some(run) = self.asking.find(&self.cells, rule, cell) else {
            return false;
        };
        for frame in &mut self.frames[run + 1..] {
            frame.is_tainted = true;
        }
        true
    }
}
