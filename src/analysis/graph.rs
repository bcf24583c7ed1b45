//! The dependence graph of a loop's body, with direction vectors.

use super::access::{Access, Around, Loop, effects};
use super::aliasing::{Asked, Directions, Order, Verdict, may_conflict};
use super::alike::Known;
use super::context::Context;
use crate::check::Scheme;
use crate::term::{Id, Symbol};
use petgraph::graph::{DiGraph, NodeIndex};

/// How two accesses to a cell follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A value is written, then read.
    Flow,
    /// A cell is read, then written anew.
    Anti,
    /// A cell is written, then written anew.
    Output,
}

/// A dependence between two accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// Its kind.
    pub kind: Kind,
    /// The variable.
    pub name: Symbol,
    /// The loops that both accesses stand in, outermost first, with how the first iteration is
    /// ordered to the second in each.
    pub directions: Vec<(Symbol, Order)>,
    /// Whether it was shown to be there, by two iterations; else it was not excluded.
    pub shown: bool,
}

/// The dependence graph: nodes are the accesses' terms.
pub type Graph = DiGraph<Id, Dependence>;

/// Loops looked at together; accesses deeper than that count as in the outer ones only.
const MOST_LOOPS: usize = 3;

/// The dependences in the body of a loop: an edge for each direction vector that is not excluded,
/// from the access that comes first to the one that comes after.
pub fn dependence_graph(scheme: &Scheme, context: &Context, this: Loop, body: Id) -> Graph {
    let set = effects(scheme, body);
    let mut graph = Graph::new();
    let asked = Asked::new(scheme, context, this, &set);
    let mut known = Known::new(&asked);
    let nodes: Vec<NodeIndex> = set.all.iter().map(|a| graph.add_node(a.id)).collect();
    for (i, a) in set.all.iter().enumerate() {
        for (j, b) in set.all.iter().enumerate().skip(i) {
            if !may_conflict(&set, a, b) {
                continue;
            }
            let loops = common_loops(this, a, b);
            for vector in vectors(&loops) {
                // The first that is not "=" says which access comes first.
                let lead = vector.iter().map(|v| v.1).find(|o| *o != Order::Equal);
                if i == j && lead != Some(Order::Less) {
                    continue;
                }
                let verdict = known.pair(i, j, std::slice::from_ref(&vector));
                let shown = match verdict {
                    Verdict::Apart(_) => continue,
                    Verdict::Shared(_) => true,
                    Verdict::Unknown(_) => false,
                };
                let forward = lead != Some(Order::Greater);
                let (from, to, first, second) = if forward { (i, j, a, b) } else { (j, i, b, a) };
                let directions = if forward { vector } else { turned(&vector) };
                let dependence = Dependence {
                    kind: kind(first, second),
                    name: a.name,
                    directions,
                    shown,
                };
                graph.add_edge(nodes[from], nodes[to], dependence);
            }
        }
    }
    graph
}

fn kind(first: &Access, second: &Access) -> Kind {
    match (first.write, second.write) {
        (true, true) => Kind::Output,
        (true, false) => Kind::Flow,
        _ => Kind::Anti,
    }
}

fn turned(vector: &[(Symbol, Order)]) -> Vec<(Symbol, Order)> {
    vector
        .iter()
        .map(|&(var, order)| {
            let order = match order {
                Order::Less => Order::Greater,
                Order::Equal => Order::Equal,
                Order::Greater => Order::Less,
            };
            (var, order)
        })
        .collect()
}

/// The variables of the loops that both accesses stand in, the one looked at first.
fn common_loops(this: Loop, a: &Access, b: &Access) -> Vec<Symbol> {
    let loops = |x: &Access| -> Vec<Symbol> {
        x.around
            .iter()
            .filter_map(|around| match around {
                Around::Loop(l) => Some(l.var),
                _ => None,
            })
            .collect()
    };
    let common = loops(a)
        .into_iter()
        .zip(loops(b))
        .take_while(|(x, y)| x == y)
        .map(|(x, _)| x);
    std::iter::once(this.var)
        .chain(common)
        .take(MOST_LOOPS)
        .collect()
}

/// Every vector of directions over some loops.
fn vectors(loops: &[Symbol]) -> Vec<Directions> {
    let mut all = vec![Vec::new()];
    for &var in loops {
        all = all
            .into_iter()
            .flat_map(|prefix: Directions| {
                [Order::Less, Order::Equal, Order::Greater]
                    .into_iter()
                    .map(move |order| {
                        let mut vector = prefix.clone();
                        vector.push((var, order));
                        vector
                    })
            })
            .collect();
    }
    all
}
