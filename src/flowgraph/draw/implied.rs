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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Kind;
    use rand::Rng;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::SeedableRng;

    const OPERATORS: usize = 7;

    /// Whether an operator of one iteration comes before one of the same or of the next one but one, by edges.
    fn ordered(edges: &[Edge]) -> Vec<bool> {
        let count = 3 * OPERATORS;
        let mut before = vec![false; count * count];
        for edge in edges {
            for iteration in 0..3 {
                let later = iteration + usize::from(edge.carried);
                if later < 3 {
                    let from = iteration * OPERATORS + edge.from;
                    before[from * count + later * OPERATORS + edge.to] = true;
                }
            }
        }
        for by in 0..count {
            for from in 0..count {
                for to in 0..count {
                    before[from * count + to] |=
                        before[from * count + by] && before[by * count + to];
                }
            }
        }
        before
    }

    #[test]
    fn what_is_left_out_follows_from_what_stays() {
        let mut random = Pcg64::seed_from_u64(1);
        let mut below = |n: usize| random.next_u32() as usize % n;
        let mut left_out = 0;
        for _ in 0..500 {
            let mut edges: Vec<Edge> = Vec::new();
            for _ in 0..below(40) {
                let carried = below(2) == 0;
                let ends = [below(OPERATORS), below(OPERATORS)];
                let (from, to) = match carried {
                    true => (ends[0], ends[1]),
                    false => (ends[0].min(ends[1]), ends[0].max(ends[1])),
                };
                if carried || from < to {
                    edges.push(Edge {
                        from,
                        to,
                        kind: [Kind::Flow, Kind::Anti, Kind::Output][below(3)],
                        carried,
                        shown: below(2) == 0,
                        names: vec![Symbol::new("x")],
                    });
                }
            }
            let (all, count) = (ordered(&edges), edges.len());
            leave_out_implied(&mut edges);
            assert!(ordered(&edges) == all);
            left_out += count - edges.len();
        }
        assert!(left_out > 1_000, "{left_out}");
    }

    #[test]
    fn what_another_variable_orders_stays() {
        let edge = |from: usize, to: usize, name: &str| Edge {
            from,
            to,
            kind: Kind::Flow,
            carried: false,
            shown: true,
            names: vec![Symbol::new(name)],
        };
        let mut edges = vec![edge(0, 1, "x"), edge(1, 2, "y"), edge(0, 2, "x")];
        leave_out_implied(&mut edges);
        assert_eq!(edges.len(), 3);
    }
}
