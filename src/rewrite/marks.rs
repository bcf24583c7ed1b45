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
    /// replaces. Nodes from `older` on are the result's own. What of the redex stands in the result is not gone into.
    pub(super) fn is_separate(
        &mut self,
        terms: &Terms,
        redex: Id,
        result: Id,
        older: usize,
    ) -> bool {
        let walk = self.begin(terms.len());
        let (mut kept, mut found) = (0, 0);
        let mut work = vec![result];
        while let Some(id) = work.pop() {
            if !self.mark(id) {
                return false;
            }
            match id.index() < older {
                true => kept += 1,
                false => work.extend(terms.args(id)),
            }
        }
        // A part that stands within another one is not met.
        work.push(redex);
        while found < kept
            && let Some(id) = work.pop()
        {
            match self.is_of(id, walk) {
                true => found += 1,
                false => work.extend(terms.args(id)),
            }
        }
        found == kept
    }

    /// Whether every occurrence in a term is a node of its own.
    pub(super) fn are_distinct(&mut self, terms: &Terms, root: Id) -> bool {
        self.begin(terms.len());
        terms.subterms(root).all(|id| self.mark(id))
    }

    /// A result in which every occurrence is a node of its own, and none stands outside of the redex that it
    /// replaces: the first occurrence of a part of the redex stays that, and the others are copied.
    pub(super) fn separate(
        &mut self,
        terms: &mut Terms,
        redex: Id,
        result: Id,
        older: usize,
    ) -> Id {
        let walk = self.begin(terms.len());
        let mut parts = vec![result];
        while let Some(id) = parts.pop() {
            if self.mark(id) && id.index() >= older {
                parts.extend(terms.args(id));
            }
        }
        let free = self.begin(terms.len());
        parts.push(redex);
        while let Some(id) = parts.pop() {
            match self.is_of(id, walk) {
                true => _ = self.mark(id),
                false => parts.extend(terms.args(id)),
            }
        }
        let met = self.begin(terms.len());
        enum Work {
            /// A term that may stay as it is, or one that is copied as a whole.
            Visit(Id, bool),
            Make(Id, bool),
        }
        let mut work = vec![Work::Visit(result, true)];
        let mut done: Vec<Id> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id, may_stay) => {
                    let is_old = id.index() < older;
                    let may_stay = may_stay
                        && match is_old {
                            true => self.is_of(id, free),
                            false => !self.is_of(id, met),
                        };
                    if may_stay {
                        self.mark(id);
                    }
                    if may_stay && is_old {
                        done.push(id);
                        continue;
                    }
                    work.push(Work::Make(id, may_stay));
                    let parts = terms.args(id).iter().rev();
                    work.extend(parts.map(|&part| Work::Visit(part, may_stay)));
                }
                Work::Make(id, may_stay) => {
                    let args = done.split_off(done.len() - terms.arity(id));
                    let keep = may_stay && args == terms.args(id);
                    done.push(if keep { id } else { terms.with_args(id, &args) });
                }
            }
        }
        done.pop().unwrap_or(result)
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
    fn what_occurs_twice_or_elsewhere_gets_nodes_of_its_own() {
        let (mut terms, [f, g, x, y]) = term();
        let mut marks = Marks::default();
        assert!(marks.are_distinct(&terms, f));
        let older = terms.len();
        let new = terms.apply(Symbol::new("k"), &[x]);
        // Of parts within each other the outer one stays, and of equal ones the first.
        for args in [[x, g, g], [new, new, g], [y, g, y]] {
            let result = terms.apply(Symbol::new("h"), &args);
            assert!(!marks.is_separate(&terms, g, result, older));
            let parted = marks.separate(&mut terms, g, result, older);
            assert!(marks.is_separate(&terms, g, parted, older));
            assert!(terms.equal(parted, result));
            assert_eq!(marks.separate(&mut terms, g, parted, older), parted);
            let place = args.iter().position(|&arg| arg == g);
            assert_eq!(terms.arg(parted, place.unwrap_or(0)), g);
        }
    }
}
