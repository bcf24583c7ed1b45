//! The order NFirstTops: a step at the root, else one in each of its arguments.

use super::run::Run;
use crate::term::{Id, Terms};

impl Run<'_> {
    /// Rewrites at the root as long as that goes; then takes one step in each argument, the first from the top
    /// and the left, and begins anew. So an argument that never ends does not keep the others from
    /// theirs.
    pub(super) fn several_first_tops(&mut self, terms: &mut Terms, root: Id) -> Id {
        let mut root = root;
        while !self.halted() {
            if self.is_full(terms) {
                root = self.collect(terms, &[root])[&root];
            }
            if let Some(new) = self.step(terms, root) {
                root = new;
                continue;
            }
            let args = terms.args(root).to_vec();
            let mut new = Vec::with_capacity(args.len());
            for &arg in &args {
                new.push(self.first_step(terms, arg).unwrap_or(arg));
            }
            if new != args {
                root = self.index.operators.with_args(terms, root, &new);
                continue;
            }
            match self.settled(terms, root) {
                Some(given) => root = given,
                None => break,
            }
        }
        root
    }

    /// One step at the first redex of a term from the top and the left, if there is one.
    fn first_step(&mut self, terms: &mut Terms, id: Id) -> Option<Id> {
        if self.normal.contains(&id) || self.halted() {
            return None;
        }
        // The terms down to where the search is, each with the argument to go to next.
        let mut spine: Vec<(Id, usize)> = vec![(id, 0)];
        while let Some(&(id, next)) = spine.last() {
            let stepped = match next {
                0 => self.step(terms, id),
                _ => None,
            };
            let open = (next..terms.arity(id)).find(|&i| !self.normal.contains(&terms.arg(id, i)));
            let done = match (stepped, open) {
                (Some(new), _) => Some(new),
                (None, Some(i)) if !self.halted() => {
                    let child = terms.arg(id, i);
                    spine.pop();
                    spine.extend([(id, i + 1), (child, 0)]);
                    continue;
                }
                _ => self.settled(terms, id),
            };
            spine.pop();
            match done {
                Some(new) => return Some(self.close(terms, &mut spine, 0, new)),
                None if self.halted() => return None,
                None => self.normal.insert(id),
            };
        }
        None
    }
}
