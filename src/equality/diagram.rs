//! Decision diagrams: what an operator does first, as a function of the predicates.
//!
//! Ordered and reduced (Bryant 1986, IEEE Trans. Comput. C-35:677), with more than two kinds of
//! leaves: a diagram over the leaves [`Leaf::Accept`] and [`Leaf::Fail`] is a test, one with other
//! leaves the first action under each assignment. Predicates are ordered by first appearance.

use rustc_hash::FxHashMap;

/// A diagram; equal functions have equal numbers.
pub(super) type Diagram = u32;

/// What is done under an assignment of the predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    /// Nothing, and there is a result. As a test: it holds.
    Accept,
    /// There is no result. As a test: it does not hold.
    Fail,
    /// An action; what comes then is a state's.
    Step { action: u32, state: u32 },
    /// The loop of that number begins again.
    Jump(u32),
}

/// The diagram of [`Leaf::Accept`].
pub(super) const ACCEPT: Diagram = 0;
/// The diagram of [`Leaf::Fail`].
pub(super) const FAIL: Diagram = 1;

/// In place of a predicate: the node is a leaf.
const LEAF: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The predicate asked first.
    predicate: u32,
    /// Where it does not hold; for a leaf, its number.
    low: Diagram,
    /// Where it holds.
    high: Diagram,
}

/// A node, taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum View {
    Leaf(Leaf),
    Choice {
        predicate: u32,
        low: Diagram,
        high: Diagram,
    },
}

/// All diagrams of a comparison.
pub(super) struct Diagrams {
    nodes: Vec<Node>,
    /// For each node: one more than the greatest number of a loop it jumps to; 0 if there is none.
    jumps: Vec<u32>,
    unique: FxHashMap<Node, Diagram>,
    leaves: Vec<Leaf>,
    leaf_numbers: FxHashMap<Leaf, u32>,
    choices: FxHashMap<(Diagram, Diagram, Diagram), Diagram>,
    most: usize,
    /// Whether more nodes were needed than allowed; diagrams mean nothing then.
    pub full: bool,
}

impl Diagrams {
    /// No diagrams but the two of the constants, and room for so many nodes.
    pub fn new(most: usize) -> Diagrams {
        let mut diagrams = Diagrams {
            nodes: Vec::new(),
            jumps: Vec::new(),
            unique: FxHashMap::default(),
            leaves: Vec::new(),
            leaf_numbers: FxHashMap::default(),
            choices: FxHashMap::default(),
            most,
            full: false,
        };
        diagrams.leaf(Leaf::Accept);
        diagrams.leaf(Leaf::Fail);
        diagrams
    }

    /// The diagram of a leaf.
    pub fn leaf(&mut self, leaf: Leaf) -> Diagram {
        let next = self.leaves.len() as u32;
        let number = *self.leaf_numbers.entry(leaf).or_insert(next);
        if number == next {
            self.leaves.push(leaf);
        }
        self.node(Node {
            predicate: LEAF,
            low: number,
            high: number,
        })
    }

    /// The test of one predicate.
    pub fn predicate(&mut self, predicate: u32) -> Diagram {
        self.choice(predicate, FAIL, ACCEPT)
    }

    fn choice(&mut self, predicate: u32, low: Diagram, high: Diagram) -> Diagram {
        if low == high {
            return low;
        }
        self.node(Node {
            predicate,
            low,
            high,
        })
    }

    fn node(&mut self, node: Node) -> Diagram {
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        if self.nodes.len() >= self.most {
            self.full = true;
            return FAIL;
        }
        let jump = match (node.predicate, node.low) {
            (LEAF, number) => match self.leaves[number as usize] {
                Leaf::Jump(number) => number + 1,
                _ => 0,
            },
            (_, low) => self.jumps[low as usize].max(self.jumps[node.high as usize]),
        };
        let number = self.nodes.len() as Diagram;
        self.nodes.push(node);
        self.jumps.push(jump);
        self.unique.insert(node, number);
        number
    }

    /// A diagram, taken apart.
    pub fn view(&self, diagram: Diagram) -> View {
        let node = self.nodes[diagram as usize];
        if node.predicate == LEAF {
            return View::Leaf(self.leaves[node.low as usize]);
        }
        View::Choice {
            predicate: node.predicate,
            low: node.low,
            high: node.high,
        }
    }

    /// Whether a diagram jumps anywhere.
    pub fn jumps(&self, diagram: Diagram) -> bool {
        self.jumps[diagram as usize] > 0
    }

    /// `yes` where a test holds, `no` where it does not.
    pub fn decide(&mut self, test: Diagram, yes: Diagram, no: Diagram) -> Diagram {
        match test {
            ACCEPT => return yes,
            FAIL => return no,
            _ if yes == no => return yes,
            _ if yes == ACCEPT && no == FAIL => return test,
            _ => {}
        }
        if let Some(&known) = self.choices.get(&(test, yes, no)) {
            return known;
        }
        if self.full {
            return FAIL;
        }
        let first = |d: Diagram| self.nodes[d as usize].predicate;
        let predicate = first(test).min(first(yes)).min(first(no));
        let [t, y, n] = [test, yes, no].map(|d| self.parts(d, predicate));
        let low = self.decide(t.0, y.0, n.0);
        let high = self.decide(t.1, y.1, n.1);
        let made = self.choice(predicate, low, high);
        self.choices.insert((test, yes, no), made);
        made
    }

    /// What a diagram is where a predicate, none after its first, does not hold and where it does.
    pub fn parts(&self, diagram: Diagram, predicate: u32) -> (Diagram, Diagram) {
        let node = self.nodes[diagram as usize];
        if node.predicate == predicate {
            (node.low, node.high)
        } else {
            (diagram, diagram)
        }
    }

    /// The predicate that two diagrams ask first; none if both are leaves.
    pub fn first(&self, a: Diagram, b: Diagram) -> Option<u32> {
        let of = |d: Diagram| self.nodes[d as usize].predicate;
        let first = of(a).min(of(b));
        (first != LEAF).then_some(first)
    }

    /// A diagram in which a loop that begins again without an action has no result. The loop's
    /// number is the greatest of those jumped to.
    pub fn without_jump(&mut self, diagram: Diagram, number: u32) -> Diagram {
        let mut done = FxHashMap::default();
        self.without(diagram, number, &mut done)
    }

    fn without(
        &mut self,
        diagram: Diagram,
        number: u32,
        done: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        if self.jumps[diagram as usize] != number + 1 {
            return diagram;
        }
        if let Some(&known) = done.get(&diagram) {
            return known;
        }
        let made = match self.view(diagram) {
            View::Leaf(_) => FAIL,
            View::Choice {
                predicate,
                low,
                high,
            } => {
                let low = self.without(low, number, done);
                let high = self.without(high, number, done);
                self.choice(predicate, low, high)
            }
        };
        done.insert(diagram, made);
        made
    }

    /// A diagram whose leaves are replaced by leaves. `done` is kept between calls for the same
    /// replacement.
    pub fn map(
        &mut self,
        diagram: Diagram,
        replace: &dyn Fn(Leaf) -> Leaf,
        done: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        if let Some(&known) = done.get(&diagram) {
            return known;
        }
        let made = match self.view(diagram) {
            View::Leaf(leaf) => self.leaf(replace(leaf)),
            View::Choice {
                predicate,
                low,
                high,
            } => {
                let low = self.map(low, replace, done);
                let high = self.map(high, replace, done);
                self.choice(predicate, low, high)
            }
        };
        done.insert(diagram, made);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates a diagram; predicate `i` holds where bit `i` is set.
    fn at(diagrams: &Diagrams, mut diagram: Diagram, bits: u32) -> Leaf {
        loop {
            match diagrams.view(diagram) {
                View::Leaf(leaf) => return leaf,
                View::Choice {
                    predicate,
                    low,
                    high,
                } => {
                    diagram = if bits >> predicate & 1 == 1 {
                        high
                    } else {
                        low
                    }
                }
            }
        }
    }

    #[test]
    fn equal_functions_are_one_diagram() {
        let mut d = Diagrams::new(1000);
        let [p, q, r] = [0, 1, 2].map(|i| d.predicate(i));
        let and = d.decide(p, q, FAIL);
        let same = d.decide(q, p, FAIL);
        assert_eq!(and, same);
        let not_p = d.decide(p, FAIL, ACCEPT);
        assert_eq!(d.decide(not_p, FAIL, ACCEPT), p);
        assert_eq!(d.decide(p, q, q), q);
        let mixed = d.decide(r, and, not_p);
        for bits in 0..8 {
            let (p, q, r) = (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4);
            let wanted = if r { p && q } else { !p };
            let wanted = if wanted { Leaf::Accept } else { Leaf::Fail };
            assert_eq!(at(&d, mixed, bits), wanted);
        }
    }

    #[test]
    fn jumps_are_cut() {
        let mut d = Diagrams::new(1000);
        let p = d.predicate(0);
        let outer = d.leaf(Leaf::Jump(0));
        let inner = d.leaf(Leaf::Jump(1));
        let both = d.decide(p, inner, outer);
        let cut = d.without_jump(both, 1);
        assert_eq!(
            (at(&d, cut, 1), at(&d, cut, 0)),
            (Leaf::Fail, Leaf::Jump(0))
        );
        assert!(d.jumps(cut) && !d.jumps(p));
        assert_eq!(d.without_jump(outer, 1), outer);
    }

    #[test]
    fn too_many_nodes_are_noticed() {
        let mut d = Diagrams::new(6);
        let mut all = ACCEPT;
        for i in 0..10 {
            let p = d.predicate(i);
            all = d.decide(p, all, FAIL);
        }
        assert!(d.full && d.nodes.len() <= 6);
    }
}
