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

/// The terms on the way to a position, kept for the next one, which as a rule is near: what is asked
/// at every position of a deep term would else take the square of its depth.
#[derive(Debug, Default)]
pub struct Way {
    steps: Vec<u32>,
    /// The root and, for each step, the term that it leads to.
    ids: Vec<Id>,
}

impl Way {
    /// The subterm of `root` at a position, if there is one. The terms are those of the last call,
    /// with others added at most; after another arena, [`Way::default`] begins anew.
    pub fn get(&mut self, terms: &Terms, root: Id, position: &[u32]) -> Option<Id> {
        if self.ids.first() != Some(&root) {
            self.steps.clear();
            self.ids.clear();
            self.ids.push(root);
        }
        let shared = shared_start(&self.steps, position);
        if shared < position.len() {
            self.steps.truncate(shared);
            self.ids.truncate(shared + 1);
        }
        for &step in &position[shared..] {
            let parent = *self.ids.last()?;
            self.ids.push(*terms.args(parent).get(step as usize)?);
            self.steps.push(step);
        }
        self.ids.get(position.len()).copied()
    }
}

/// How many elements two slices share at their start.
pub(crate) fn shared_start(a: &[u32], b: &[u32]) -> usize {
    let most = a.len().min(b.len());
    // Whole slices are compared much faster than elements, and differ at their ends as a rule.
    for length in (most.saturating_sub(2)..=most).rev() {
        if a[..length] == b[..length] {
            return length;
        }
    }
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Symbol;

    #[test]
    fn a_way_leads_where_paths_lead() {
        let mut terms = Terms::new();
        let f = Symbol::new("f");
        // A full binary tree of six levels, and another root with half of it.
        let mut level: Vec<Id> = (0..64).map(|n| terms.int(n)).collect();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| terms.apply(f, pair)).collect();
        }
        let (root, mut way) = (level[0], Way::default());
        let half = terms.args(root)[1];
        let mut state = 1u64;
        for _ in 0..2_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let length = (state >> 40) % 9;
            let steps = (0..length).map(|i| ((state >> (50 + i)) % 5 / 2) as u32);
            let path = Path(steps.collect());
            let from = if state >> 63 == 0 { root } else { half };
            assert_eq!(
                way.get(&terms, from, &path.0),
                path.get(&terms, from),
                "{path}"
            );
        }
    }
}
