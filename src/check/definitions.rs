//! Definitions of phrases: collected, without recursion, all used.

use super::elaborate::{CYCLIC, Checker, Definition};
use super::scheme::{Role, Variable};
use super::scope::Frame;
use crate::algebra::{Construct, Type};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

impl Checker<'_> {
    /// Notes the definitions of WHERE, and reports doubles and recursion.
    pub(super) fn collect_definitions(&mut self, definitions: Id) {
        let source = self.source;
        for &definition in source.args(definitions) {
            let construct = source.functor(definition).and_then(Construct::of);
            let is_test = match construct {
                Some(Construct::Define) => false,
                Some(Construct::DefineTest) => true,
                Some(Construct::Entry | Construct::EntryTest) => continue,
                Some(Construct::Basic | Construct::BasicTest) => {
                    self.collect_basic(definition);
                    continue;
                }
                _ => {
                    self.report(
                        Diagnostic::error("E0214", "this is not a definition")
                            .at(source.span(definition)),
                    );
                    continue;
                }
            };
            let [name, formals, body] = *source.args(definition) else {
                continue;
            };
            let Some(name_text) = source.as_text(name) else {
                continue;
            };
            let new = Definition {
                formals,
                body,
                is_test,
                span: source.span(name),
            };
            let old = self.definitions.get(&name_text).map(|d| d.span);
            let old = old.or_else(|| self.basics.get(&name_text).map(|b| b.definition.span));
            if let Some(old) = old {
                self.report(
                    Diagnostic::error("E0215", format!("\"{name_text}\" is defined twice"))
                        .at(source.span(name))
                        .also(old, "defined here before")
                        .hint("delete one of the definitions, or change its words"),
                );
                continue;
            }
            self.definitions.insert(name_text, new);
        }
        self.check_wordings();
        self.check_recursion();
    }

    /// The phrases and predicates that a definition's body calls.
    pub(super) fn calls(&self, body: Id) -> Vec<Symbol> {
        self.source
            .subterms(body)
            .filter(|&id| {
                matches!(
                    self.source.functor(id).and_then(Construct::of),
                    Some(Construct::Call | Construct::Test)
                ) && self.source.arity(id) > 0
            })
            .filter_map(|id| self.source.as_text(self.source.arg(id, 0)))
            // A basic operator may be called in other words.
            .map(|name| match self.basics.contains_key(&name) {
                true => name,
                false => self.wordings.get(&name).map_or(name, |(of, _)| *of),
            })
            .filter(|name| {
                self.definitions.contains_key(name)
                    || self.basics.get(name).is_some_and(|b| b.has_meaning)
            })
            .collect()
    }

    /// Reports each cycle of definitions, and forgets the definitions in it.
    pub(super) fn check_recursion(&mut self) {
        let mut graph = petgraph::graph::DiGraph::<Symbol, ()>::new();
        let bodies: IndexMap<Symbol, Definition, FxBuildHasher> = self
            .definitions
            .iter()
            .map(|(&name, &definition)| (name, definition))
            .chain(
                self.basics
                    .iter()
                    .filter(|(_, basic)| basic.has_meaning)
                    .map(|(&name, basic)| (name, basic.definition)),
            )
            .collect();
        let nodes: Vec<_> = bodies.keys().map(|&k| graph.add_node(k)).collect();
        for (i, definition) in bodies.values().enumerate() {
            for call in self.calls(definition.body) {
                let j = bodies
                    .get_index_of(&call)
                    .expect("calls are of definitions");
                graph.update_edge(nodes[i], nodes[j], ());
            }
        }
        for component in petgraph::algo::kosaraju_scc(&graph) {
            let cyclic = component.len() > 1 || graph.contains_edge(component[0], component[0]);
            if !cyclic {
                continue;
            }
            let mut members: Vec<usize> = component.iter().map(|n| n.index()).collect();
            members.sort_unstable();
            let names: Vec<String> = members
                .iter()
                .map(|&i| format!("\"{}\"", bodies.get_index(i).expect("an index of it").0))
                .collect();
            let first = members[0];
            let span = bodies[first].span;
            let cycle = format!("{} → {}", names.join(" → "), names[0]);
            self.report(
                Diagnostic::error(
                    "E0206",
                    format!("phrases are defined by themselves: {cycle}"),
                )
                .at(span)
                .hint("a definition is expanded in place, so it cannot contain itself; use a loop"),
            );
            for i in members {
                let (&name, _) = bodies.get_index(i).expect("an index of it");
                match self.definitions.get_mut(&name) {
                    Some(definition) => definition.body = CYCLIC,
                    None => self.basics[&name].has_meaning = false,
                }
            }
        }
    }

    /// Checks definitions that nothing uses: at least their names must be known.
    pub(super) fn check_unused_definitions(&mut self) {
        let source = self.source;
        let used: FxHashSet<Symbol> = {
            let mut used = FxHashSet::default();
            for (name, definition) in &self.definitions {
                if !definition.is_cyclic() {
                    for call in self.calls(definition.body) {
                        if call != *name {
                            used.insert(call);
                        }
                    }
                }
            }
            used.extend(self.expanded.iter().copied());
            used
        };
        let unused: Vec<(Symbol, Definition)> = self
            .definitions
            .iter()
            .filter(|(name, d)| !used.contains(*name) && !d.is_cyclic())
            .map(|(&name, &d)| (name, d))
            .collect();
        for (_, definition) in unused {
            // Its arguments' types come from calls; without one they are unknown.
            let formals: Vec<Symbol> = source
                .args(definition.formals)
                .iter()
                .filter_map(|&f| source.as_atom(f))
                .collect();
            self.frames.push(Frame::default());
            for formal in formals {
                let variable = Variable {
                    ty: Type::Unknown,
                    dims: Vec::new(),
                    role: Role::Unknown,
                    span: None,
                };
                self.declare(formal, variable);
            }
            if definition.is_test {
                self.condition(definition.body);
            } else {
                self.operator(definition.body);
            }
            self.frames.pop();
        }
        self.variables.retain(|_, v| v.role != Role::Unknown);
    }
}
