//! What is known of the loops of a scheme: `check --facts`.

use crate::algebra::{Bits, Extreme, Operator, operator};
use crate::analysis::{
    Answer, Basis, Context, Gather, Kind, Loop, Order, dependence_graph, independent,
    private_scalars, reductions,
};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Path, Sources};

/// The facts of each loop, in the order of the text.
pub fn facts(scheme: &Scheme, sources: &Sources) -> String {
    let mut lines = Vec::new();
    let mut path = Path(vec![2]);
    visit(scheme, sources, scheme.body, &mut path, &mut lines);
    if lines.is_empty() {
        lines.push("the scheme has no loops".to_owned());
    }
    lines.join("\n")
}

fn visit(scheme: &Scheme, sources: &Sources, id: Id, path: &mut Path, lines: &mut Vec<String>) {
    if let Some(known) = of_loop(scheme, id, path) {
        let place = scheme.terms.span(id).map(|s| {
            let (line, column) = sources.line_column(s.file, s.from);
            let name = sources.get(s.file).map_or("", |f| f.name.as_str());
            format!("{name}:{line}:{column}")
        });
        let (var, place) = (known.variable, place.unwrap_or_default());
        lines.push(format!("loop over {var} ({place})"));
        lines.extend(known.told.iter().map(|line| format!("  {line}")));
        let edges = known.dependences.iter();
        lines.extend(edges.map(|edge| format!("  {}", edge.shown())));
    }
    let arguments = scheme.terms.args(id).to_vec();
    for (i, argument) in arguments.into_iter().enumerate() {
        if operator(&scheme.terms, argument).is_some() {
            path.0.push(i as u32);
            visit(scheme, sources, argument, path, lines);
            path.0.pop();
        }
    }
}

/// What is known of a loop.
pub(super) struct LoopFacts {
    /// Its variable, as its author calls it.
    pub(super) variable: &'static str,
    /// Whether its iterations are independent, its reductions and its private scalars, in lines.
    pub(super) told: Vec<String>,
    /// Its dependences, each once.
    pub(super) dependences: Vec<Dependence>,
}

/// A dependence between iterations.
#[derive(PartialEq)]
pub(super) struct Dependence {
    pub(super) kind: &'static str,
    /// The array or scalar, as its author calls it.
    pub(super) name: &'static str,
    /// For each loop from this one inwards, whether the earlier access stands in an earlier iteration, the same,
    /// or a later one.
    orders: Vec<Order>,
    is_shown: bool,
}

impl Dependence {
    /// Whether it leads from one iteration of the loop to another.
    pub(super) fn is_carried(&self) -> bool {
        self.orders.first() != Some(&Order::Equal)
    }

    fn shown(&self) -> String {
        let orders = self.orders.iter().map(|order| match order {
            Order::Less => "<",
            Order::Equal => "=",
            Order::Greater => ">",
        });
        let vector = orders.collect::<Vec<_>>().join(", ");
        let sure = if self.is_shown { "" } else { ", not excluded" };
        format!("{} dependence on {} ({vector}){sure}", self.kind, self.name)
    }
}

/// What is known of a loop; none where no loop stands.
pub(super) fn of_loop(scheme: &Scheme, id: Id, path: &Path) -> Option<LoopFacts> {
    let Some(Operator::For {
        var,
        from,
        to,
        step,
        body,
    }) = operator(&scheme.terms, id)
    else {
        return None;
    };
    let this = Loop {
        var,
        from,
        to,
        step,
    };
    let context = Context::at(scheme, path);
    let mut lines = vec![match independent(scheme, &context, this, body) {
        Answer::Yes(why, Basis::Proved) => format!("independent: yes, proved: {why}"),
        Answer::Yes(why, Basis::Assumed) => format!("independent: yes, assumed: {why}"),
        Answer::No(why, _) => format!("independent: no: {why}"),
        Answer::Unknown(why, _) => format!("independent: unknown: {why}"),
    }];
    for (name, gather) in reductions(scheme, body) {
        let how = match gather {
            Gather::Sum => "a sum",
            Gather::Product => "a product",
            Gather::Extreme(Extreme::Min) => "a minimum",
            Gather::Extreme(Extreme::Max) => "a maximum",
            Gather::All => "whether all are TRUE",
            Gather::Any => "whether one is TRUE",
            Gather::Bits(Bits::Or) => "the bits that one has",
            Gather::Bits(Bits::Xor) => "the bits that an odd number have",
            Gather::Bits(_) => "the bits that all have",
            Gather::Constant(_) => "a constant",
        };
        lines.push(format!("reduction: {} gathers {how}", author_name(name)));
    }
    for name in private_scalars(scheme, body) {
        let name = author_name(name);
        lines.push(format!("private: {name} is written before it is read"));
    }
    let graph = dependence_graph(scheme, &context, this, body);
    let mut dependences: Vec<Dependence> = Vec::new();
    for edge in graph.edge_weights() {
        let dependence = Dependence {
            kind: match edge.kind {
                Kind::Flow => "flow",
                Kind::Anti => "anti",
                Kind::Output => "output",
            },
            name: author_name(edge.name),
            orders: edge.directions.iter().map(|d| d.1).collect(),
            is_shown: edge.shown,
        };
        if !dependences.contains(&dependence) {
            dependences.push(dependence);
        }
    }
    Some(LoopFacts {
        variable: author_name(var),
        told: lines,
        dependences,
    })
}
