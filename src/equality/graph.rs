//! Reading the nodes of a graph.

use super::read::Reader;
use crate::algebra::{Operator, operator};
use crate::check::author_name;
use crate::term::{Id, Symbol};

/// A variable that nodes of a graph declare.
struct Declared {
    names: Vec<Symbol>,
    first: usize,
    last: usize,
}

impl Reader<'_> {
    /// The nodes of a graph. A variable that several of its nodes declare is one variable, in use
    /// from the first place to the last.
    pub fn graph(&mut self, id: Id) {
        let terms = self.terms;
        let mut all: Vec<(&str, Declared)> = Vec::new();
        for &node in terms.args(id) {
            let operator = terms.args(node).get(1).and_then(|&o| operator(terms, o));
            let Some(
                Operator::Local { name, .. }
                | Operator::Shared { name, .. }
                | Operator::Registers { name, .. },
            ) = operator
            else {
                continue;
            };
            if self.controls.contains_key(&name) {
                continue;
            }
            let base = author_name(name);
            match all.iter_mut().find(|(b, _)| *b == base) {
                Some((_, declared)) => declared.names.push(name),
                None => all.push((
                    base,
                    Declared {
                        names: vec![name],
                        first: usize::MAX,
                        last: 0,
                    },
                )),
            }
        }
        if !all.is_empty() {
            for inner in terms.subterms(id) {
                let Some(name) = terms.as_atom(inner) else {
                    continue;
                };
                for (_, declared) in all.iter_mut().filter(|(_, d)| d.names.contains(&name)) {
                    declared.first = declared.first.min(inner.index());
                    declared.last = declared.last.max(inner.index());
                }
            }
        }
        let mut in_use = vec![false; all.len()];
        let mut before = 0;
        for &node in terms.args(id) {
            for ((_, declared), in_use) in all.iter().zip(&mut in_use) {
                if !*in_use && declared.first <= node.index() && declared.last > before {
                    *in_use = true;
                    self.scope.declare_all(&declared.names);
                    self.of_graphs.extend(declared.names.iter().copied());
                }
            }
            match *terms.args(node) {
                [_, condition, _, _] => self.predicate(condition),
                [_, operator, _] => self.operator(operator),
                _ => {}
            }
            for ((_, declared), in_use) in all.iter().zip(&mut in_use) {
                if *in_use && declared.last <= node.index() {
                    *in_use = false;
                    self.scope.end_all(&declared.names);
                    for name in &declared.names {
                        self.of_graphs.remove(name);
                    }
                }
            }
            before = node.index();
        }
    }
}
