//! Whether every occurrence in a term is a node of its own, as a check after a step asks: what stands once can be taken
//! over by its id.

use crate::term::{Id, Terms};

/// For each node of an arena the last walk that met it. Kept from walk to walk, as an arena is larger than most of what
/// is walked.
#[derive(Default)]
pub(super) struct Marks {
    last: Vec<u32>,
    walk: u32,
}

impl Marks {
    /// Begins a walk over an arena of so many nodes; its number.
    fn begin(&mut self, nodes: usize) -> u32 {
        if self.walk == u32::MAX {
            *self = Marks::default();
        }
        self.walk += 1;
        self.last.resize(nodes.max(self.last.len()), 0);
        self.walk
    }

    /// Marks a node. Whether this walk had not marked it.
    fn mark(&mut self, id: Id) -> bool {
        std::mem::replace(&mut self.last[id.index()], self.walk) != self.walk
    }

    /// Whether a walk marked a node, and none did after it.
    fn is_of(&self, id: Id, walk: u32) -> bool {
        self.last[id.index()] == walk
    }

    /// Whether every occurrence in a result is a node of its own, and none stands outside of the redex that it
    /// replaces. Nodes from `older` on are the result's own.
    pub(super) fn is_separate(
        &mut self,
        terms: &Terms,
        redex: Id,
        result: Id,
        older: usize,
    ) -> bool {
        let free = self.begin(terms.len());
        for id in terms.subterms(redex) {
            self.mark(id);
        }
        self.begin(terms.len());
        let mut nodes = terms.subterms(result);
        nodes.all(|id| {
            let is_own = id.index() >= older || self.is_of(id, free);
            // What was met before is no longer free.
            is_own && self.mark(id)
        })
    }

    /// Whether every occurrence in a term is a node of its own.
    pub(super) fn are_distinct(&mut self, terms: &Terms, root: Id) -> bool {
        self.begin(terms.len());
        terms.subterms(root).all(|id| self.mark(id))
    }

    /// A term in which every occurrence is a node of its own.
    pub(super) fn separate(&mut self, terms: &mut Terms, root: Id) -> Id {
        self.begin(terms.len());
        enum Work {
            Visit(Id),
            Make(Id),
        }
        let mut work = vec![Work::Visit(root)];
        let mut done: Vec<Id> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id) => {
                    work.push(Work::Make(id));
                    work.extend(terms.args(id).iter().rev().map(|&a| Work::Visit(a)));
                }
                Work::Make(id) => {
                    let args = done.split_off(done.len() - terms.arity(id));
                    let is_first = self.mark(id);
                    let keep = is_first && args == terms.args(id);
                    done.push(if keep { id } else { terms.with_args(id, &args) });
                }
            }
        }
        done.pop().unwrap_or(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Symbol;

    /// `f(g(x), y)`, with the ids of `f`, `g`, `x` and `y`.
    fn term() -> (Terms, [Id; 4]) {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.atom(Symbol::new(name)));
        let g = terms.apply(Symbol::new("g"), &[x]);
        let f = terms.apply(Symbol::new("f"), &[g, y]);
        (terms, [f, g, x, y])
    }

    #[test]
    fn results_share_nothing_if_each_part_of_the_redex_stands_in_them_once() {
        let (mut terms, [f, g, x, y]) = term();
        let mut marks = Marks::default();
        let older = terms.len();
        let h = Symbol::new("h");
        let mut is_separate = |redex: Id, args: &[Id]| {
            let result = terms.apply(h, args);
            marks.is_separate(&terms, redex, result, older)
        };
        assert!(is_separate(f, &[y, g]));
        assert!(is_separate(g, &[x]));
        // A variable of the rule that stands twice, a part beside what it is a part of, and a part of another term.
        assert!(!is_separate(f, &[g, g]));
        assert!(!is_separate(f, &[g, x]));
        assert!(!is_separate(g, &[y]));
        // A result that is no new node.
        assert!(marks.is_separate(&terms, f, g, older));
        assert!(!marks.is_separate(&terms, g, y, older));
    }

    #[test]
    fn what_occurs_twice_gets_nodes_of_its_own() {
        let (mut terms, [f, g, ..]) = term();
        let twice = terms.apply(Symbol::new("h"), &[f, g, g]);
        let mut marks = Marks::default();
        assert!(marks.are_distinct(&terms, f));
        assert!(!marks.are_distinct(&terms, twice));
        let parted = marks.separate(&mut terms, twice);
        assert!(marks.are_distinct(&terms, parted));
        assert!(terms.equal(parted, twice));
        assert_eq!(marks.separate(&mut terms, f), f);
        assert_eq!(marks.separate(&mut terms, parted), parted);
    }
}
