//! Graphs: made from operators, written as terms, read from terms.

use crate::algebra::{Construct, Operator, bodies_of, operator};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// Where an edge leads: a node by number, or the end.
pub type Target = Option<u32>;

/// A node.
#[derive(Clone, Debug)]
pub enum Node {
    /// It acts, and the next node follows.
    Act {
        /// The operator. Operators inside of it are not looked at: `bodies` stand for them.
        operator: Id,
        /// What stands for the operators inside, in order.
        bodies: Vec<Flow>,
        /// The node after it.
        next: Target,
    },
    /// It asks.
    Ask {
        /// The predicate.
        condition: Id,
        /// The node where it holds.
        yes: Target,
        /// The node where it does not.
        no: Target,
    },
}

impl Node {
    /// Where its edges lead.
    pub fn targets(&self) -> impl Iterator<Item = Target> + use<> {
        let (first, second) = match *self {
            Node::Act { next, .. } => (next, None),
            Node::Ask { yes, no, .. } => (yes, Some(no)),
        };
        std::iter::once(first).chain(second)
    }
}

/// Nodes and edges between them.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The nodes, in the order of the text.
    pub nodes: Vec<Node>,
    /// Where it begins.
    pub entry: Target,
}

impl Flow {
    /// The graph of an operator: choices and WHILE loops are nodes that ask, all else are nodes that
    /// act, with graphs for what stands inside.
    pub fn of(terms: &Terms, root: Id) -> Flow {
        let mut sizes = FxHashMap::default();
        size(terms, root, &mut sizes);
        let mut flow = Flow::default();
        let mut maker = Maker { terms, sizes };
        flow.entry = maker.add(root, None, &mut flow.nodes);
        flow
    }

    /// How many nodes it has, those inside of others among them.
    pub fn size(&self) -> usize {
        let inside = |node: &Node| match node {
            Node::Act { bodies, .. } => bodies.iter().map(Flow::size).sum(),
            Node::Ask { .. } => 0,
        };
        self.nodes.iter().map(|n| 1 + inside(n)).sum()
    }

    /// The term that stands for it, with nodes labelled by numbers from `number` on, which is
    /// advanced.
    pub fn term(&self, terms: &mut Terms, number: &mut i64) -> Id {
        // Those inside of a node are numbered after it.
        let mut labels = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            labels.push(*number);
            *number += match node {
                Node::Act { bodies, .. } => 1 + bodies.iter().map(Flow::size).sum::<usize>() as i64,
                Node::Ask { .. } => 1,
            };
        }
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for (node, &label) in self.nodes.iter().zip(&labels) {
            let made = terms.int(label);
            let edge = |terms: &mut Terms, target: Target| match target {
                Some(to) => terms.int(labels[to as usize]),
                None => terms.atom(Construct::Stop.symbol()),
            };
            nodes.push(match node {
                Node::Act {
                    operator,
                    bodies,
                    next,
                } => {
                    let mut inside = label + 1;
                    let bodies: Vec<Id> =
                        bodies.iter().map(|b| b.term(terms, &mut inside)).collect();
                    let operator = with_bodies(terms, *operator, &bodies);
                    let next = edge(terms, *next);
                    terms.apply(Construct::Node.symbol(), &[made, operator, next])
                }
                Node::Ask { condition, yes, no } => {
                    let (yes, no) = (edge(terms, *yes), edge(terms, *no));
                    terms.apply(Construct::Choice.symbol(), &[made, *condition, yes, no])
                }
            });
        }
        // The first node is where it begins.
        if let Some(entry) = self.entry {
            let first = nodes.remove(entry as usize);
            nodes.insert(0, first);
        }
        terms.apply(Construct::Flow.symbol(), &nodes)
    }

    /// The graph that a term stands for; an operator that is not a graph is made one.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with its nodes and edges.
    pub fn read(terms: &Terms, id: Id) -> Result<Flow, Vec<Diagnostic>> {
        if terms.functor(id) != Some(Construct::Flow.symbol()) {
            return Ok(Flow::of(terms, id));
        }
        let mut reader = Reader {
            terms,
            errors: Vec::new(),
            around: Vec::new(),
        };
        let flow = reader.flow(id);
        match reader.errors.is_empty() {
            true => Ok(flow),
            false => Err(reader.errors),
        }
    }
}

/// An operator with other operators inside.
pub fn with_bodies(terms: &mut Terms, id: Id, bodies: &[Id]) -> Id {
    if bodies.is_empty() {
        return id;
    }
    let mut arguments = terms.args(id).to_vec();
    for (place, &body) in bodies_of(terms, id).zip(bodies) {
        arguments[place] = body;
    }
    terms.with_args(id, &arguments)
}

/// How many nodes an operator is, those inside of a node left out.
fn size(terms: &Terms, id: Id, known: &mut FxHashMap<Id, u32>) -> u32 {
    let size = match operator(terms, id) {
        Some(Operator::Then(parts)) => parts.iter().map(|&p| size(terms, p, known)).sum(),
        Some(Operator::If { yes, no, .. }) => 1 + size(terms, yes, known) + size(terms, no, known),
        Some(Operator::While { body, .. }) => 1 + size(terms, body, known),
        Some(Operator::Empty) => 0,
        _ => 1,
    };
    known.insert(id, size);
    size
}

struct Maker<'a> {
    terms: &'a Terms,
    sizes: FxHashMap<Id, u32>,
}

impl Maker<'_> {
    fn size(&self, id: Id) -> u32 {
        self.sizes.get(&id).copied().unwrap_or(0)
    }

    /// Adds the nodes of an operator, which `next` follows; where it begins.
    fn add(&mut self, id: Id, next: Target, nodes: &mut Vec<Node>) -> Target {
        let terms = self.terms;
        let here = nodes.len() as u32;
        match operator(terms, id) {
            Some(Operator::Empty) => return next,
            Some(Operator::Then(parts)) => {
                // Where each part begins is known from the sizes of those before it.
                let mut starts = Vec::with_capacity(parts.len());
                let mut at = here;
                for &part in parts {
                    starts.push(at);
                    at += self.size(part);
                }
                let mut follows = vec![next; parts.len()];
                for i in (1..parts.len()).rev() {
                    follows[i - 1] = match self.size(parts[i]) {
                        0 => follows[i],
                        _ => Some(starts[i]),
                    };
                }
                for (&part, &next) in parts.iter().zip(&follows) {
                    self.add(part, next, nodes);
                }
                return if self.size(id) == 0 { next } else { Some(here) };
            }
            Some(Operator::If { condition, yes, no }) => {
                nodes.push(Node::Ask {
                    condition,
                    yes: None,
                    no: None,
                });
                let yes = self.add(yes, next, nodes);
                let no = self.add(no, next, nodes);
                nodes[here as usize] = Node::Ask { condition, yes, no };
            }
            Some(Operator::While { condition, body }) => {
                nodes.push(Node::Ask {
                    condition,
                    yes: None,
                    no: None,
                });
                let yes = self.add(body, Some(here), nodes);
                nodes[here as usize] = Node::Ask {
                    condition,
                    yes,
                    no: next,
                };
            }
            _ => {
                let bodies = bodies_of(terms, id)
                    .map(|i| Flow::of(terms, terms.arg(id, i)))
                    .collect();
                nodes.push(Node::Act {
                    operator: id,
                    bodies,
                    next,
                });
            }
        }
        Some(here)
    }
}

/// A label, to be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Label {
    Number(i64),
    Name(Symbol),
}

fn label(terms: &Terms, id: Id) -> Option<Label> {
    match terms.head(id) {
        Head::Int(i) => Some(Label::Number(i)),
        _ => terms.as_atom(id).map(Label::Name),
    }
}

struct Reader<'a> {
    terms: &'a Terms,
    errors: Vec<Diagnostic>,
    /// The labels of the graphs around.
    around: Vec<FxHashMap<Label, u32>>,
}

impl Reader<'_> {
    fn flow(&mut self, id: Id) -> Flow {
        let terms = self.terms;
        let mut labels: FxHashMap<Label, u32> = FxHashMap::default();
        for (number, &node) in terms.args(id).iter().enumerate() {
            let Some(name) = terms.args(node).first().and_then(|&l| label(terms, l)) else {
                continue;
            };
            let first = *labels.entry(name).or_insert(number as u32);
            if first as usize != number {
                let before = terms.arg(terms.arg(id, first as usize), 0);
                let diagnostic = Diagnostic::error("E0111", "two nodes have the same label")
                    .at(terms.span(terms.arg(node, 0)))
                    .also(terms.span(before), "the first of them")
                    .hint("give each node its own number or name");
                self.errors.push(diagnostic);
            }
        }
        self.around.push(labels);
        let mut flow = Flow {
            nodes: Vec::new(),
            entry: (terms.arity(id) > 0).then_some(0),
        };
        for &node in terms.args(id) {
            flow.nodes.push(self.node(node));
        }
        self.around.pop();
        self.reached(id, &flow);
        flow
    }

    fn node(&mut self, id: Id) -> Node {
        let terms = self.terms;
        let args = terms.args(id);
        if terms.functor(id) == Some(Construct::Choice.symbol()) && args.len() == 4 {
            return Node::Ask {
                condition: args[1],
                yes: self.target(args[2]),
                no: self.target(args[3]),
            };
        }
        let [_, operator, next] = *args else {
            return Node::Act {
                operator: id,
                bodies: Vec::new(),
                next: None,
            };
        };
        let mut bodies = Vec::new();
        for place in bodies_of(terms, operator) {
            let body = terms.arg(operator, place);
            bodies.push(match terms.functor(body) {
                Some(f) if f == Construct::Flow.symbol() => self.flow(body),
                _ => Flow::of(terms, body),
            });
        }
        Node::Act {
            operator,
            bodies,
            next: self.target(next),
        }
    }

    fn target(&mut self, id: Id) -> Target {
        let terms = self.terms;
        if terms.as_atom(id) == Some(Construct::Stop.symbol()) {
            return None;
        }
        let name = label(terms, id)?;
        if let Some(&number) = self.around.last().and_then(|l| l.get(&name)) {
            return Some(number);
        }
        let outside = self.around.iter().any(|l| l.contains_key(&name));
        let diagnostic = match outside {
            true => Diagnostic::error("E0112", "this edge leads out of the node that it is in")
                .hint("inside of a node, NEXT STOP leads to its end; a loop or a kernel is left only there"),
            false => Diagnostic::error("E0112", "no node has this label")
                .hint("an edge names a node of the same graph, or STOP"),
        };
        self.errors.push(diagnostic.at(terms.span(id)));
        None
    }

    /// Reports nodes to which no edge leads.
    fn reached(&mut self, id: Id, flow: &Flow) {
        let reached = flow.reached();
        for (number, _) in reached.iter().enumerate().filter(|(_, r)| !**r) {
            let node = self.terms.arg(id, number);
            let diagnostic = Diagnostic::error("E0113", "unreachable node")
                .at(self.terms.span(node))
                .hint("a graph begins at its first node; delete this one, or add an edge to it");
            self.errors.push(diagnostic);
        }
    }
}

impl Flow {
    /// For each node, whether a way leads there.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut work: Vec<u32> = self.entry.into_iter().collect();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut reached[node as usize], true) {
                work.extend(self.nodes[node as usize].targets().flatten());
            }
        }
        reached
    }
}
