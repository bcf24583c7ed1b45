//! Positions in a term.

use super::{Id, Terms};

/// A position: the argument numbers (from 0) that lead from a root to a subterm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(pub Vec<u32>);

impl Path {
    /// The subterm of `root` at this position, if there is one.
    pub fn get(&self, terms: &Terms, root: Id) -> Option<Id> {
        let mut id = root;
        for &step in &self.0 {
            id = *terms.args(id).get(step as usize)?;
        }
        Some(id)
    }

    /// The terms from `root` down to the subterm at this position, both included.
    pub fn spine(&self, terms: &Terms, root: Id) -> Option<Vec<Id>> {
        let mut spine = vec![root];
        let mut id = root;
        for &step in &self.0 {
            id = *terms.args(id).get(step as usize)?;
            spine.push(id);
        }
        Some(spine)
    }

    /// `root` with the subterm at this position replaced.
    ///
    /// Only the terms above the position are made anew. Returns nothing if there is no such
    /// position.
    pub fn replace(&self, terms: &mut Terms, root: Id, new: Id) -> Option<Id> {
        let spine = self.spine(terms, root)?;
        let mut new = new;
        for (depth, &step) in self.0.iter().enumerate().rev() {
            let parent = spine[depth];
            let mut arguments = terms.args(parent).to_vec();
            arguments[step as usize] = new;
            new = terms.with_args(parent, &arguments);
        }
        Some(new)
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            return f.write_str("root");
        }
        for (i, step) in self.0.iter().enumerate() {
            write!(f, "{}{step}", if i == 0 { "" } else { "." })?;
        }
        Ok(())
    }
}
