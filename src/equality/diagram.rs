//! Decision diagrams of tests: functions of the predicates, each held once.
//!
//! Ordered and reduced (Bryant 1986, IEEE Trans. Comput. C-35:677), so that equal functions are one
//! diagram. Predicates that appear later are asked first: what holds deep in nested choices is what
//! holds around them and one predicate more, which is one node more in this order.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A test; equal functions have equal numbers.
pub(super) type Diagram = u32;

/// The test that never holds.
pub(super) const FALSE: Diagram = 0;
/// The test that always holds.
pub(super) const TRUE: Diagram = 1;

/// In place of a predicate: the node is a constant.
const CONSTANT: u32 = u32::MAX;
/// The predicate that appears first.
const LAST: u32 = CONSTANT - 1;
/// Results of operations are forgotten beyond so many.
const MOST_KEPT: usize = 1 << 22;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The predicate asked first, counted from [`LAST`] down.
    predicate: u32,
    /// Where it does not hold.
    low: Diagram,
    /// Where it holds.
    high: Diagram,
}

/// All diagrams of a comparison.
pub(super) struct Diagrams {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Diagram>,
    choices: FxHashMap<(Diagram, Diagram, Diagram), Diagram>,
    most: usize,
    /// Whether more nodes were needed than allowed; diagrams mean nothing then.
    pub full: bool,
}

impl Diagrams {
    /// No diagrams but the two constants, and room for so many nodes.
    pub fn new(most: usize) -> Diagrams {
        let constant = |number| Node {
            predicate: CONSTANT,
            low: number,
            high: number,
        };
        Diagrams {
            nodes: vec![constant(FALSE), constant(TRUE)],
            unique: FxHashMap::default(),
            choices: FxHashMap::default(),
            most,
            full: false,
        }
    }

    /// The test of one predicate.
    pub fn predicate(&mut self, predicate: u32) -> Diagram {
        self.node(LAST - predicate, FALSE, TRUE)
    }

    fn node(&mut self, predicate: u32, low: Diagram, high: Diagram) -> Diagram {
        if low == high {
            return low;
        }
        let node = Node {
            predicate,
            low,
            high,
        };
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        if self.nodes.len() >= self.most {
            self.full = true;
            return FALSE;
        }
        let number = self.nodes.len() as Diagram;
        self.nodes.push(node);
        self.unique.insert(node, number);
        number
    }

    /// `yes` where a test holds, `no` where it does not.
    pub fn decide(&mut self, test: Diagram, yes: Diagram, no: Diagram) -> Diagram {
        // Where the test itself stands in a branch, its value there is known.
        let yes = if yes == test { TRUE } else { yes };
        let no = if no == test { FALSE } else { no };
        match test {
            TRUE => return yes,
            FALSE => return no,
            _ if yes == no => return yes,
            _ if yes == TRUE && no == FALSE => return test,
            _ => {}
        }
        if let Some(&known) = self.choices.get(&(test, yes, no)) {
            return known;
        }
        if self.full {
            return FALSE;
        }
        let first = |d: Diagram| self.nodes[d as usize].predicate;
        let predicate = first(test).min(first(yes)).min(first(no));
        let [t, y, n] = [test, yes, no].map(|d| self.parts(d, predicate));
        let low = self.decide(t.0, y.0, n.0);
        let high = self.decide(t.1, y.1, n.1);
        let made = self.node(predicate, low, high);
        if self.choices.len() >= MOST_KEPT {
            self.choices.clear();
        }
        self.choices.insert((test, yes, no), made);
        made
    }

    /// What a diagram is where a predicate, none after its first, does not hold and where it does.
    fn parts(&self, diagram: Diagram, predicate: u32) -> (Diagram, Diagram) {
        let node = self.nodes[diagram as usize];
        if node.predicate == predicate {
            (node.low, node.high)
        } else {
            (diagram, diagram)
        }
    }

    /// Where a test does not hold.
    pub fn not(&mut self, a: Diagram) -> Diagram {
        self.decide(a, FALSE, TRUE)
    }

    /// Where both hold.
    pub fn and(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.decide(a.min(b), a.max(b), FALSE)
    }

    /// Where one of two holds.
    pub fn or(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.decide(a.min(b), TRUE, a.max(b))
    }

    /// Where the first holds and the second does not.
    pub fn without(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.decide(b, FALSE, a)
    }

    /// Values of predicates under which a test holds, whatever the others are: as few as the diagram
    /// asks for on a shortest way, in order of the predicates. Nothing holds of [`FALSE`].
    pub fn values(&self, test: Diagram) -> Vec<(u32, bool)> {
        let mut from: FxHashMap<Diagram, (Diagram, bool)> = FxHashMap::default();
        let mut work = VecDeque::from([test]);
        while let Some(diagram) = work.pop_front() {
            if diagram == TRUE {
                break;
            }
            let node = self.nodes[diagram as usize];
            for (next, holds) in [(node.high, true), (node.low, false)] {
                if next != FALSE && next != test && !from.contains_key(&next) {
                    from.insert(next, (diagram, holds));
                    work.push_back(next);
                }
            }
        }
        let mut values = Vec::new();
        let mut at = TRUE;
        while let Some(&(before, holds)) = from.get(&at) {
            values.push((LAST - self.nodes[before as usize].predicate, holds));
            at = before;
        }
        // From the constant up, the order is that of first appearance.
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates a diagram; predicate `i` holds where bit `i` is set.
    fn at(diagrams: &Diagrams, mut diagram: Diagram, bits: u32) -> bool {
        while diagram > TRUE {
            let node = diagrams.nodes[diagram as usize];
            diagram = match bits >> (LAST - node.predicate) & 1 {
                1 => node.high,
                _ => node.low,
            };
        }
        diagram == TRUE
    }

    #[test]
    fn equal_functions_are_one_diagram() {
        let mut d = Diagrams::new(1000);
        let [p, q, r] = [0, 1, 2].map(|i| d.predicate(i));
        let and = d.and(p, q);
        assert_eq!(and, d.and(q, p));
        let not_p = d.not(p);
        assert_eq!(d.not(not_p), p);
        assert_eq!(d.and(p, not_p), FALSE);
        assert_eq!(d.or(p, not_p), TRUE);
        assert_eq!(d.without(p, q), d.decide(q, FALSE, p));
        let mixed = d.decide(r, and, not_p);
        for bits in 0..8 {
            let (p, q, r) = (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4);
            assert_eq!(at(&d, mixed, bits), if r { p && q } else { !p });
        }
        assert_eq!(d.values(and), [(0, true), (1, true)]);
        assert_eq!(d.values(not_p), [(0, false)]);
        assert_eq!(d.values(TRUE), []);
    }

    #[test]
    fn too_many_nodes_are_noticed() {
        let mut d = Diagrams::new(6);
        let mut all = TRUE;
        for i in 0..10 {
            let p = d.predicate(i);
            all = d.and(p, all);
        }
        assert!(d.full && d.nodes.len() <= 6);
    }
}
