//! A scheme's nodes and their copies in the engine's arena.

use crate::term::{Id, Terms};

/// Which nodes of a scheme and of the engine are copies of each other.
#[derive(Default)]
pub(super) struct Mirror {
    /// The scheme's nodes, by the engine's.
    own: Vec<Option<Id>>,
    /// The engine's nodes, by the scheme's.
    theirs: Vec<Option<Id>>,
}

impl Mirror {
    /// The scheme's node for a node of the engine, if it stands in the scheme.
    pub fn own(&self, id: Id) -> Option<Id> {
        self.own.get(id.index()).copied().flatten()
    }

    /// The scheme's nodes, by the engine's.
    pub fn all_own(&self) -> &[Option<Id>] {
        &self.own
    }

    /// Forgets all copies.
    pub fn clear(&mut self) {
        self.own.clear();
        self.theirs.clear();
    }

    /// Copies into the engine's arena what of a term of the scheme has no copy there; the engine's node for
    /// the term.
    pub fn copy(&mut self, terms: &mut Terms, own: &Terms, root: Id) -> Id {
        self.theirs.resize(own.len(), None);
        let mut work = vec![(root, false)];
        while let Some((id, are_parts_copied)) = work.pop() {
            if self.theirs[id.index()].is_some() {
                continue;
            }
            if !are_parts_copied && !own.args(id).is_empty() {
                work.push((id, true));
                work.extend(own.args(id).iter().rev().map(|&part| (part, false)));
                continue;
            }
            let parts = own.args(id).iter();
            let parts: Vec<Id> = parts.filter_map(|part| self.theirs[part.index()]).collect();
            let new = terms.make(own.head(id), &parts);
            terms.set_origin(new, own.origin(id));
            self.theirs[id.index()] = Some(new);
            if self.own.len() <= new.index() {
                self.own.resize(new.index() + 1, None);
            }
            self.own[new.index()] = Some(id);
        }
        self.theirs[root.index()].unwrap_or(root)
    }
}
