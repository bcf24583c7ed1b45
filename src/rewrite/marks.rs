//! Marks on nodes of an arena, for walks that must know where they were: kept from walk to walk, as an arena is larger
//! than most of what is walked.

use crate::term::Id;

/// For each node the last walk that marked it.
#[derive(Default)]
pub(super) struct Marks {
    last: Vec<u32>,
    walk: u32,
}

impl Marks {
    /// Begins a walk over an arena of so many nodes; its number.
    pub(super) fn begin(&mut self, nodes: usize) -> u32 {
        if self.walk == u32::MAX {
            *self = Marks::default();
        }
        self.walk += 1;
        self.last.resize(nodes.max(self.last.len()), 0);
        self.walk
    }

    /// Marks a node. Whether this walk had not marked it.
    pub(super) fn mark(&mut self, id: Id) -> bool {
        std::mem::replace(&mut self.last[id.index()], self.walk) != self.walk
    }

    /// Whether a walk marked a node, and none did after it.
    pub(super) fn is_of(&self, id: Id, walk: u32) -> bool {
        self.last[id.index()] == walk
    }
}
