//! Graphs → the language of Graphviz. What stands inside of a node is a cluster.

use super::graph::{Flow, Node, Target};
use crate::algebra::{Construct, Language, bodies_of, is_loop};
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Id, Terms};
use std::fmt::Write;

/// A graph or a scheme, `Graph` or `Scheme` terms, for `dot`. Its definitions are clusters.
pub fn dot(terms: &mut Terms, root: Id, language: Language) -> String {
    let parts = terms.args(root).to_vec();
    let name = terms.as_text(parts[0]).map_or("", |n| n.as_str());
    let mut writer = Writer {
        terms,
        language,
        out: format!("digraph {} {{\n", quoted(name)),
        clusters: 0,
        nodes: 0,
    };
    writer.out.push_str(
        "  compound=true;\n  node [shape=box, style=\"filled,rounded\", fillcolor=\"#f7f9fc\", fontname=\"DejaVu Sans\", fontsize=11];\n  edge [fontname=\"DejaVu Sans\", fontsize=9];\n",
    );
    writer.graph(parts[2]);
    let definitions = parts
        .get(3)
        .map_or(&[][..], |&w| writer.terms.args(w))
        .to_vec();
    for definition in definitions {
        let [name, _, body] = *writer.terms.args(definition) else {
            continue;
        };
        if writer.terms.functor(definition) != Some(Construct::Define.symbol()) {
            continue;
        }
        let title = writer.terms.as_text(name).map_or("", |n| n.as_str());
        writer.begin(title);
        writer.graph(body);
        writer.out.push_str("  }\n");
    }
    writer.out.push_str("}\n");
    writer.out
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Writer<'a> {
    terms: &'a mut Terms,
    language: Language,
    out: String,
    clusters: usize,
    nodes: usize,
}

impl Writer<'_> {
    fn begin(&mut self, title: &str) {
        self.clusters += 1;
        let _ = writeln!(
            self.out,
            "  subgraph cluster{} {{ label={}; style=\"rounded,dashed\"; fontname=\"DejaVu Sans\"; fontsize=11;",
            self.clusters,
            quoted(title)
        );
    }

    fn node(&mut self, attributes: &str) -> String {
        self.nodes += 1;
        let name = format!("n{}", self.nodes);
        let _ = writeln!(self.out, "  {name} [{attributes}];");
        name
    }

    fn edge(&mut self, from: &str, to: &str, label: &str) {
        let label = match label {
            "" => String::new(),
            label => format!(" [label={}]", quoted(label)),
        };
        let _ = writeln!(self.out, "  {from} -> {to}{label};");
    }

    fn graph(&mut self, id: Id) {
        let Ok(flow) = Flow::read(self.terms, id) else {
            return;
        };
        let start = self.node("shape=circle, label=\"\", width=0.15, fillcolor=\"#3b4252\"");
        let end = self.node("shape=doublecircle, label=\"\", width=0.1, fillcolor=\"#3b4252\"");
        self.flow(&flow, &start, &end);
    }

    /// The nodes of a graph between two others.
    fn flow(&mut self, flow: &Flow, start: &str, end: &str) {
        // For each node: where it is entered and where it is left.
        let mut names: Vec<(String, String)> = Vec::new();
        for node in &flow.nodes {
            names.push(match node {
                Node::Ask { condition, .. } => {
                    let label = quoted(&self.text(*condition));
                    let name = self.node(&format!(
                        "shape=diamond, style=filled, fillcolor=\"#fff6df\", label={label}"
                    ));
                    (name.clone(), name)
                }
                Node::Act {
                    operator, bodies, ..
                } => self.act(*operator, bodies),
            });
        }
        let words = super::draw::words(self.language);
        let enter = |target: Target| {
            target
                .map_or(end, |t| names[t as usize].0.as_str())
                .to_owned()
        };
        self.edge(start, &enter(flow.entry), "");
        for (node, (_, from)) in flow.nodes.iter().zip(&names) {
            match *node {
                Node::Act { next, .. } => self.edge(from, &enter(next), ""),
                Node::Ask { yes, no, .. } => {
                    self.edge(from, &enter(yes), &words.0);
                    self.edge(from, &enter(no), &words.1);
                }
            }
        }
    }

    /// A node that acts; with what stands inside of it, a cluster.
    fn act(&mut self, operator: Id, bodies: &[Flow]) -> (String, String) {
        if bodies.is_empty() {
            let label = quoted(&self.text(operator));
            let name = self.node(&format!("label={label}"));
            return (name.clone(), name);
        }
        let empty = self.terms.atom(Construct::Empty.symbol());
        let mut arguments = self.terms.args(operator).to_vec();
        for place in bodies_of(self.terms, operator) {
            arguments[place] = empty;
        }
        let header = self.terms.with_args(operator, &arguments);
        let title = super::draw::header_text(&self.text(header), self.language);
        self.begin(&title);
        let small = "shape=point, width=0.08";
        let (start, end) = (self.node(small), self.node(small));
        for body in bodies {
            self.flow(body, &start, &end);
        }
        if is_loop(self.terms, operator) {
            let _ = writeln!(self.out, "  {end} -> {start} [style=dashed];");
        }
        self.out.push_str("  }\n");
        (start, end)
    }

    fn text(&self, id: Id) -> String {
        print(
            self.terms,
            id,
            Style {
                notation: Notation::Text,
                language: self.language,
                comments: false,
            },
        )
    }
}
