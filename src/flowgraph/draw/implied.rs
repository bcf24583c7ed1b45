//! Dependences that follow from others of the same variable: of n operators that all write one cell each two depend on each
//! other, and n - 1 dependences say the same.

use super::dependences::Edge;
use crate::analysis::Kind;
use crate::term::Symbol;
use rustc_hash::FxHashMap;

/// Leaves out what others imply: between two operators what goes by way of one between them and, for scalars, which all
/// iterations share, what goes to a later iteration by way of one in between. Cells of arrays may be reached again
/// after different numbers of iterations, so that one such dependence does not imply another one.
///
/// What was shown is implied by what was shown only, and a value that is read by one that is read. Each of those that are
/// left out spans more of the text than those that imply it, so that nothing implies itself.
pub(super) fn leave_out_implied(edges: &mut Vec<Edge>, is_scalar: impl Fn(Symbol) -> bool) {
    let mut by_name: FxHashMap<Symbol, Order> = FxHashMap::default();
    for edge in edges.iter() {
        for &name in &edge.names {
            by_name.entry(name).or_default().add(edge);
        }
    }
    by_name.values_mut().for_each(Order::sort);
    let mut kept = Vec::new();
    for edge in edges.iter() {
        let stays = |&name: &Symbol| {
            let is_asked = !edge.carried || is_scalar(name);
            !is_asked || !by_name[&name].implies(edge)
        };
        let names: Vec<Symbol> = edge.names.iter().copied().filter(stays).collect();
        if !names.is_empty() {
            kept.push(Edge { names, ..*edge });
        }
    }
    *edges = kept;
}

/// What is ordered by one variable.
#[derive(Default)]
struct Order {
    after: FxHashMap<usize, Vec<usize>>,
    before: FxHashMap<usize, Vec<usize>>,
    /// How two operators are ordered: in which ways, and whether that was shown.
    within: FxHashMap<(usize, usize), Vec<(Kind, bool)>>,
    carried: FxHashMap<(usize, usize), Vec<(Kind, bool)>>,
}

impl Order {
    fn add(&mut self, edge: &Edge) {
        let pair = (edge.from, edge.to);
        let all = match edge.carried {
            true => &mut self.carried,
            false => &mut self.within,
        };
        let ways = all.entry(pair).or_default();
        if ways.is_empty() && !edge.carried {
            self.after.entry(edge.from).or_default().push(edge.to);
            self.before.entry(edge.to).or_default().push(edge.from);
        }
        ways.push((edge.kind, edge.shown));
    }

    /// Nearest operators first, which imply most.
    fn sort(&mut self) {
        self.after.values_mut().for_each(|all| all.sort_unstable());
        let before = self.before.values_mut();
        before.for_each(|all| all.sort_unstable_by(|a, b| b.cmp(a)));
    }

    /// Whether others order two operators as an edge between them does.
    fn implies(&self, edge: &Edge) -> bool {
        let (from, to) = (edge.from, edge.to);
        let fits = |ways: Option<&Vec<(Kind, bool)>>, last: bool| {
            ways.into_iter().flatten().any(|&(kind, shown)| {
                (shown || !edge.shown) && (!last || kind == Kind::Flow || edge.kind != Kind::Flow)
            })
        };
        let within = |from, to, last| fits(self.within.get(&(from, to)), last);
        let carried = |from, to, last| fits(self.carried.get(&(from, to)), last);
        let mut after = self.after.get(&from).into_iter().flatten();
        let mut before = self.before.get(&to).into_iter().flatten();
        match edge.carried {
            false => after.any(|&by| within(from, by, false) && within(by, to, true)),
            true => {
                after.any(|&by| within(from, by, false) && carried(by, to, true))
                    || before.any(|&by| carried(from, by, false) && within(by, to, true))
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

    /// An edge of `x`.
    fn of_x(from: usize, to: usize, kind: Kind, carried: bool, shown: bool) -> Edge {
        Edge {
            from,
            to,
            kind,
            carried,
            shown,
            names: vec![Symbol::new("x")],
        }
    }

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
                    let kind = [Kind::Flow, Kind::Anti, Kind::Output][below(3)];
                    edges.push(of_x(from, to, kind, carried, below(2) == 0));
                }
            }
            let shown = |edges: &[Edge]| {
                let shown: Vec<Edge> = edges.iter().filter(|e| e.shown).cloned().collect();
                ordered(&shown)
            };
            let (all, surely, count) = (ordered(&edges), shown(&edges), edges.len());
            leave_out_implied(&mut edges, |_| true);
            assert!(ordered(&edges) == all);
            assert!(shown(&edges) == surely);
            left_out += count - edges.len();
        }
        assert!(left_out > 1_000, "{left_out}");
    }

    #[test]
    fn what_another_variable_orders_stays() {
        let edge = |from, to, name| Edge {
            names: vec![Symbol::new(name)],
            ..of_x(from, to, Kind::Flow, false, true)
        };
        let mut edges = vec![edge(0, 1, "x"), edge(1, 2, "y"), edge(0, 2, "x")];
        leave_out_implied(&mut edges, |_| true);
        assert_eq!(edges.len(), 3);
    }

    #[test]
    fn doubtful_ones_imply_nothing_that_is_shown_and_no_value_is_lost() {
        use Kind::{Anti, Flow, Output};
        for (edges, left) in [
            // What may be does not imply what is.
            (
                [
                    of_x(0, 1, Output, false, false),
                    of_x(1, 2, Flow, false, false),
                    of_x(0, 2, Flow, false, true),
                ],
                3,
            ),
            (
                [
                    of_x(0, 1, Output, false, true),
                    of_x(1, 2, Flow, false, true),
                    of_x(0, 2, Flow, false, true),
                ],
                2,
            ),
            (
                [
                    of_x(0, 1, Output, false, true),
                    of_x(1, 2, Flow, false, true),
                    of_x(0, 2, Flow, false, false),
                ],
                2,
            ),
            // A value that is read is not lost behind an order.
            (
                [
                    of_x(0, 1, Output, false, true),
                    of_x(1, 2, Anti, false, true),
                    of_x(0, 2, Flow, false, true),
                ],
                3,
            ),
        ] {
            let mut edges = edges.to_vec();
            leave_out_implied(&mut edges, |_| true);
            assert_eq!(edges.len(), left);
        }
        // Cells of arrays are reached again after any number of iterations.
        let carried = [
            of_x(0, 1, Flow, false, true),
            of_x(1, 2, Flow, true, true),
            of_x(0, 2, Flow, true, true),
        ];
        for (scalar, left) in [(true, 2), (false, 3)] {
            let mut edges = carried.to_vec();
            leave_out_implied(&mut edges, |_| scalar);
            assert_eq!(edges.len(), left);
        }
    }
}
