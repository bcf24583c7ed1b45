//! What is known of the loops of a scheme: `check --facts`.

use crate::algebra::Extreme;
use crate::algebra::{Operator, operator};
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
    if let Some(Operator::For {
        var,
        from,
        to,
        step,
        body,
    }) = operator(&scheme.terms, id)
    {
        let this = Loop {
            var,
            from,
            to,
            step,
        };
        let context = Context::at(scheme, path);
        let place = scheme
            .terms
            .span(id)
            .map(|s| {
                let (line, column) = sources.line_column(s.file, s.from);
                format!(
                    "{}:{line}:{column}",
                    sources.get(s.file).map_or("", |f| f.name.as_str())
                )
            })
            .unwrap_or_default();
        lines.push(format!("loop over {} ({place})", author_name(var)));
        let answer = match independent(scheme, &context, this, body) {
            Answer::Yes(why, Basis::Proved) => format!("independent: yes, proved: {why}"),
            Answer::Yes(why, Basis::Assumed) => format!("independent: yes, assumed: {why}"),
            Answer::No(why, _) => format!("independent: no: {why}"),
            Answer::Unknown(why, _) => format!("independent: unknown: {why}"),
        };
        lines.push(format!("  {answer}"));
        for (name, gather) in reductions(scheme, body) {
            let how = match gather {
                Gather::Sum => "a sum",
                Gather::Product => "a product",
                Gather::Extreme(Extreme::Min) => "a minimum",
                Gather::Extreme(Extreme::Max) => "a maximum",
                Gather::All => "whether all are TRUE",
                Gather::Any => "whether one is TRUE",
                Gather::Constant(_) => "a constant",
            };
            lines.push(format!("  reduction: {} gathers {how}", author_name(name)));
        }
        for name in private_scalars(scheme, body) {
            lines.push(format!(
                "  private: {} is written before it is read",
                author_name(name)
            ));
        }
        let graph = dependence_graph(scheme, &context, this, body);
        let mut told: Vec<String> = Vec::new();
        for edge in graph.edge_weights() {
            let kind = match edge.kind {
                Kind::Flow => "flow",
                Kind::Anti => "anti",
                Kind::Output => "output",
            };
            let vector: Vec<&str> = edge
                .directions
                .iter()
                .map(|d| match d.1 {
                    Order::Less => "<",
                    Order::Equal => "=",
                    Order::Greater => ">",
                })
                .collect();
            let sure = if edge.shown { "" } else { ", not excluded" };
            let line = format!(
                "  {kind} dependence on {} ({}){sure}",
                author_name(edge.name),
                vector.join(", ")
            );
            if !told.contains(&line) {
                told.push(line);
            }
        }
        lines.extend(told);
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
