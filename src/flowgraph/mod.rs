//! The graph form of schemes: build, read, regularize, lay out, draw.
//!
//! A graph holds the same tree as text and formula do: nodes that act and nodes that ask, edges
//! between them. Loops over numbers, kernels, parallel branches and what else has operators inside
//! are nodes with graphs inside. So a graph that nobody edited is read back as the very tree it was
//! made from, without marks in it ([`structured`]). One with gotos is regularized ([`regular`]).

mod blocks;
mod cycles;
mod dot;
mod draw;
mod graph;
mod regular;
mod structure;

pub use dot::dot;
pub use draw::{Kind, Label, Line, Part, Rect, Shape, dependences, draw, svg, width};
pub use graph::{Flow, Node, Target};
pub use regular::regular;
pub use structure::structured;

use crate::algebra::{Construct, bodies_of};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// The graph of a scheme, a `Graph` term, and of its definitions.
pub fn graph_of(terms: &mut Terms, scheme: Id) -> Id {
    let mut parts = terms.args(scheme).to_vec();
    parts[2] = Flow::of(terms, parts[2]).term(terms, &mut 1);
    if let Some(definitions) = parts.get_mut(3) {
        let mut all = terms.args(*definitions).to_vec();
        for definition in &mut all {
            if terms.functor(*definition) == Some(Construct::Define.symbol()) {
                let mut arguments = terms.args(*definition).to_vec();
                arguments[2] = Flow::of(terms, arguments[2]).term(terms, &mut 1);
                *definition = terms.with_args(*definition, &arguments);
            }
        }
        *definitions = terms.with_args(*definitions, &all);
    }
    let graph = terms.apply(Construct::Graph.symbol(), &parts);
    terms.copy_origin(scheme, graph);
    graph
}

/// Whether a scheme is a graph, or has definitions that are.
pub fn has_graphs(terms: &Terms, root: Id) -> bool {
    let is_flow = |&id: &Id| terms.functor(id) == Some(Construct::Flow.symbol());
    let definitions = terms.args(root).get(3).map_or(&[][..], |&w| terms.args(w));
    let mut inside = definitions.iter().filter_map(|&d| terms.args(d).get(2));
    terms.args(root).iter().any(is_flow) || inside.any(is_flow)
}

/// The scheme of a graph: the one whose graph it is, or a regularized one that does the same.
/// Operators and definitions that are not graphs stay as they are.
///
/// # Errors
///
/// Edges that lead nowhere, and graphs that cannot be regularized.
pub fn scheme_of(terms: &mut Terms, graph: Id) -> Result<Id, Vec<Diagnostic>> {
    let mut names: FxHashSet<Symbol> = terms
        .subterms(graph)
        .filter_map(|id| terms.as_atom(id))
        .collect();
    let mut errors = Vec::new();
    let mut operator = |terms: &mut Terms, id: Id| match Flow::read(terms, id) {
        _ if terms.functor(id) != Some(Construct::Flow.symbol()) => id,
        Ok(flow) => {
            let made = regular(&flow, terms, &mut names);
            if terms.span(made).is_none() {
                terms.copy_origin(id, made);
            }
            made
        }
        Err(wrong) => {
            errors.extend(wrong);
            terms.atom(Construct::Empty.symbol())
        }
    };
    let mut parts = terms.args(graph).to_vec();
    parts[2] = operator(terms, parts[2]);
    if let Some(definitions) = parts.get_mut(3) {
        let mut all = terms.args(*definitions).to_vec();
        for definition in &mut all {
            if terms.functor(*definition) == Some(Construct::Define.symbol()) {
                let mut arguments = terms.args(*definition).to_vec();
                arguments[2] = operator(terms, arguments[2]);
                *definition = terms.with_args(*definition, &arguments);
            }
        }
        *definitions = terms.with_args(*definitions, &all);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let scheme = terms.apply(Construct::Scheme.symbol(), &parts);
    terms.copy_origin(graph, scheme);
    Ok(scheme)
}

/// The scheme of a graph for a comparison: the nodes and edges of its body stay, also those inside
/// of loops and of what else runs in order. What runs at once, such as a kernel, is compared as it
/// is written, and so stands there regularized, as in [`scheme_of`].
///
/// # Errors
///
/// As for [`scheme_of`].
pub fn to_compare(terms: &mut Terms, graph: Id) -> Result<Id, Vec<Diagnostic>> {
    let scheme = scheme_of(terms, graph)?;
    let mut names: FxHashSet<Symbol> = terms
        .subterms(graph)
        .filter_map(|id| terms.as_atom(id))
        .collect();
    let body = terms.arg(graph, 2);
    let mut parts = terms.args(scheme).to_vec();
    parts[2] = in_order(terms, body, &mut names)?;
    Ok(terms.with_args(scheme, &parts))
}

fn in_order(
    terms: &mut Terms,
    flow: Id,
    names: &mut FxHashSet<Symbol>,
) -> Result<Id, Vec<Diagnostic>> {
    let mut nodes = Vec::new();
    for node in terms.args(flow).to_vec() {
        let mut parts = terms.args(node).to_vec();
        if parts.len() == 3 {
            let operator = parts[1];
            let runs_in_order = matches!(
                terms.functor(operator).and_then(Construct::of),
                Some(
                    Construct::ForLoop
                        | Construct::ForStep
                        | Construct::Array
                        | Construct::Timed
                        | Construct::Recorded
                )
            );
            let mut inside = Vec::new();
            for place in bodies_of(terms, operator) {
                let body = terms.arg(operator, place);
                inside.push(match runs_in_order {
                    true => in_order(terms, body, names)?,
                    false => {
                        let flow = Flow::read(terms, body)?;
                        regular(&flow, terms, names)
                    }
                });
            }
            parts[1] = graph::with_bodies(terms, operator, &inside);
        }
        nodes.push(terms.with_args(node, &parts));
    }
    Ok(terms.with_args(flow, &nodes))
}
