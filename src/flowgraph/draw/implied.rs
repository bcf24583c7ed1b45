//! Dependences that follow from others of the same variable: n operators that all write one cell have n² of them,
//! and n - 1 say the same.

use super::dependences::Edge;
use crate::term::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// Leaves out what others imply: between two operators what goes by way of one between them, to a later iteration what
/// goes on, there or before, to a nearer one. Each of those that are left out spans more of the text than those
/// that imply it, so that nothing implies itself.
pub(super) fn leave_out_implied(edges: &mut Vec<Edge>) {
    let mut by_name: FxHashMap<Symbol, Order> = FxHashMap::default();
    for edge in edges.iter() {
        for &name in &edge.names {
            by_name.entry(name).or_default().add(edge);
        }
    }
    by_name.values_mut().for_each(Order::sort);
    for edge in edges.iter_mut() {
        let (from, to, carried) = (edge.from, edge.to, edge.carried);
        edge.names
            .retain(|name| !by_name[name].implies(from, to, carried));
    }
    edges.retain(|edge| !edge.names.is_empty());
}

/// What is ordered by one variable.
#[derive(Default)]
struct Order {
    after: FxHashMap<usize, Vec<usize>>,
    before: FxHashMap<usize, Vec<usize>>,
    within: FxHashSet<(usize, usize)>,
    carried: FxHashSet<(usize, usize)>,
}

impl Order {
    fn add(&mut self, edge: &Edge) {
        let pair = (edge.from, edge.to);
        if edge.carried {
            self.carried.insert(pair);
        } else if self.within.insert(pair) {
            self.after.entry(edge.from).or_default().push(edge.to);
            self.before.entry(edge.to).or_default().push(edge.from);
        }
    }

    /// Nearest operators first, which imply most.
    fn sort(&mut self) {
        self.after.values_mut().for_each(|all| all.sort_unstable());
        let before = self.before.values_mut();
        before.for_each(|all| all.sort_unstable_by(|a, b| b.cmp(a)));
    }

    /// Whether others order two operators as an edge between them does.
    fn implies(&self, from: usize, to: usize, carried: bool) -> bool {
        let mut after = self.after.get(&from).into_iter().flatten();
        let mut before = self.before.get(&to).into_iter().flatten();
        match carried {
            false => after.any(|&between| self.within.contains(&(between, to))),
            true => {
                after.any(|&later| self.carried.contains(&(later, to)))
                    || before.any(|&earlier| self.carried.contains(&(from, earlier)))
            }
        }
    }
}
