//! Graphs that are drawn without gotos → the operators that they are the graphs of.

use super::graph::{Flow, Node, Target, with_bodies};
use crate::algebra::{Construct, then};
use crate::term::{Id, Terms};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// Where ways from a node meet again, and the nodes that begin loops.
pub(super) struct Shape {
    /// For each node, the first one after it that every way to the end passes; nothing where that
    /// is the end or there is no way.
    meet: Vec<Target>,
    /// Nodes to which an edge leads back.
    pub heads: Vec<bool>,
}

impl Shape {
    pub fn of(flow: &Flow) -> Shape {
        let count = flow.nodes.len();
        // Edges turned round, from the end.
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count + 1, count * 2);
        for _ in 0..=count {
            graph.add_node(());
        }
        let index = |target: Target| NodeIndex::new(target.map_or(count, |t| t as usize));
        for (i, node) in flow.nodes.iter().enumerate() {
            for target in node.targets() {
                graph.add_edge(index(target), NodeIndex::new(i), ());
            }
        }
        let dominators = simple_fast(&graph, NodeIndex::new(count));
        let meet = (0..count).map(|i| {
            let meet = dominators.immediate_dominator(NodeIndex::new(i))?;
            (meet.index() < count).then_some(meet.index() as u32)
        });
        Shape {
            meet: meet.collect(),
            heads: heads(flow),
        }
    }
}

/// The nodes to which an edge leads back, on a walk in depth.
fn heads(flow: &Flow) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        On,
        Done,
    }
    let mut seen = vec![Seen::No; flow.nodes.len()];
    let mut heads = vec![false; flow.nodes.len()];
    let mut work: Vec<(u32, bool)> = flow.entry.map(|e| (e, true)).into_iter().collect();
    while let Some((node, enters)) = work.pop() {
        let at = node as usize;
        if !enters {
            seen[at] = Seen::Done;
            continue;
        }
        if seen[at] != Seen::No {
            continue;
        }
        seen[at] = Seen::On;
        work.push((node, false));
        for next in flow.nodes[at].targets().flatten() {
            match seen[next as usize] {
                Seen::No => work.push((next, true)),
                Seen::On => heads[next as usize] = true,
                Seen::Done => {}
            }
        }
    }
    heads
}

/// The operator that a graph is the graph of; nothing if it is the graph of none.
pub fn structured(flow: &Flow, terms: &mut Terms) -> Option<Id> {
    let shape = Shape::of(flow);
    let mut reader = Structured {
        flow,
        shape,
        done: vec![false; flow.nodes.len()],
    };
    let operators = reader.sequence(flow.entry, None, terms)?;
    reader
        .done
        .iter()
        .all(|&d| d)
        .then(|| then(terms, &operators))
}

struct Structured<'a> {
    flow: &'a Flow,
    shape: Shape,
    /// Nodes that stand somewhere in the operator already.
    done: Vec<bool>,
}

impl Structured<'_> {
    /// The operators from a node up to another one.
    fn sequence(&mut self, from: Target, to: Target, terms: &mut Terms) -> Option<Vec<Id>> {
        let mut operators = Vec::new();
        let mut at = from;
        while at != to {
            let node = at?;
            if std::mem::replace(&mut self.done[node as usize], true) {
                return None;
            }
            let flow = self.flow;
            match &flow.nodes[node as usize] {
                Node::Act {
                    operator,
                    bodies,
                    next,
                } => {
                    let mut inside = Vec::with_capacity(bodies.len());
                    for body in bodies {
                        inside.push(structured(body, terms)?);
                    }
                    operators.push(with_bodies(terms, *operator, &inside));
                    at = *next;
                }
                Node::Ask { condition, yes, no } if self.shape.heads[node as usize] => {
                    let body = self.sequence(*yes, Some(node), terms)?;
                    let body = then(terms, &body);
                    operators.push(made(terms, Construct::While, *condition, &[body]));
                    at = *no;
                }
                Node::Ask { condition, yes, no } => {
                    let meet = self.shape.meet[node as usize];
                    let yes = self.sequence(*yes, meet, terms)?;
                    let no = self.sequence(*no, meet, terms)?;
                    let branches = [then(terms, &yes), then(terms, &no)];
                    operators.push(made(terms, Construct::If, *condition, &branches));
                    at = meet;
                }
            }
        }
        Some(operators)
    }
}

/// A choice or a loop, which comes from where its predicate stands.
pub(super) fn made(terms: &mut Terms, construct: Construct, condition: Id, inside: &[Id]) -> Id {
    let mut arguments = vec![condition];
    arguments.extend_from_slice(inside);
    let id = terms.apply(construct.symbol(), &arguments);
    terms.copy_origin(condition, id);
    id
}
