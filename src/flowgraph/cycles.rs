//! Cycles of a graph → loops.

use super::blocks::{Block, Edge, End, Set};
use super::graph::Target;
use super::regular::{Maker, NODES_OF_DECLARATION, NODES_OF_VARIABLE, Policy, copy};
use super::structure::made;
use crate::algebra::{Construct, then};
use crate::term::Id;

impl Maker<'_> {
    /// A loop that begins at a block; where it goes on after it.
    pub fn circle(&mut self, head: u32, circle: &Set, exit: Target, out: &mut Vec<Id>) -> Target {
        let (mut out_edges, mut backs) = (Vec::new(), Vec::new());
        for &block in &circle.list {
            for (edge, target) in self.blocks.edges(block) {
                match target {
                    t if t == Some(head) => backs.push(edge),
                    t if t == exit || !circle.holds(t) => out_edges.push((edge, t)),
                    _ => {}
                }
            }
        }
        let bare = self.blocks.all[head as usize].code.is_empty();
        if let (true, [(edge, after)], End::Ask(condition, yes, no)) =
            (bare, &out_edges[..], self.blocks.end(head))
            && edge.from == head
        {
            let (condition, inside) = match edge.is_no {
                true => (condition, yes),
                false => (self.not(condition), no),
            };
            let body = self.block(inside, Some(head));
            out.push(made(self.terms, Construct::While, condition, &[body]));
            return *after;
        }
        if let ([(edge, after)], [back]) = (&out_edges[..], &backs[..])
            && edge.from == back.from
        {
            self.asked_at_the_end(head, *edge, out);
            return *after;
        }
        self.left_by_variable(head, &backs, &out_edges, out)
    }

    /// A loop whose last block asks whether to go on, and that is left nowhere else.
    fn asked_at_the_end(&mut self, head: u32, leaves: Edge, out: &mut Vec<Id>) {
        let last = leaves.from as usize;
        let end = self.blocks.all[last].end;
        let End::Ask(condition, ..) = end else {
            return;
        };
        // The question is a block of its own, up to which the body goes.
        let asks = self.blocks.add(Block {
            code: Vec::new(),
            end,
        });
        self.blocks.all[last].end = End::Go(Some(asks));
        let body = self.region(Some(head), Some(asks));
        let size: usize = body.iter().map(|&o| self.terms.size(o)).sum();
        let twice = match self.policy {
            Policy::Less => size <= NODES_OF_DECLARATION + 3 * NODES_OF_VARIABLE,
            Policy::Twice => self.afford(size),
            Policy::Variable => body.is_empty(),
        };
        if twice {
            let condition = match leaves.is_no {
                true => condition,
                false => self.not(condition),
            };
            let again: Vec<Id> = body.iter().map(|&o| copy(self.terms, o)).collect();
            let again = then(self.terms, &again);
            out.extend(body);
            out.push(made(self.terms, Construct::While, condition, &[again]));
            return;
        }
        let variable = self.variable();
        out.push(self.set(variable, 0));
        let goes_on = self.is(variable, 0);
        let ends = self.set(variable, 1);
        let empty = self.terms.atom(Construct::Empty.symbol());
        let branches = match leaves.is_no {
            true => [empty, ends],
            false => [ends, empty],
        };
        let mut body = body;
        body.push(made(self.terms, Construct::If, condition, &branches));
        let body = then(self.terms, &body);
        out.push(
            self.terms
                .apply(Construct::While.symbol(), &[goes_on, body]),
        );
    }

    /// A loop that goes on until a variable says which way out was taken.
    fn left_by_variable(
        &mut self,
        head: u32,
        backs: &[Edge],
        out_edges: &[(Edge, Target)],
        out: &mut Vec<Id>,
    ) -> Target {
        let again = self.blocks.add(Block {
            code: Vec::new(),
            end: End::Go(None),
        });
        for &back in backs {
            self.blocks.lead(back, Some(again));
        }
        // A head that only asks, and is left on one side, is asked with the variable.
        let bare = self.blocks.all[head as usize].code.is_empty();
        let at_head = out_edges.iter().filter(|(e, _)| e.from == head);
        let at_head: Vec<(Edge, Target)> = at_head.copied().collect();
        if let (true, [(edge, after)], End::Ask(condition, yes, no)) =
            (bare, &at_head[..], self.blocks.end(head))
        {
            let (condition, inside) = match edge.is_no {
                true => (condition, yes),
                false => (self.not(condition), no),
            };
            let others: Vec<(Edge, Target)> = out_edges
                .iter()
                .copied()
                .filter(|(e, _)| e != edge)
                .collect();
            return self.asked_at_head(condition, inside, again, *after, &others, out);
        }
        let mut targets: Vec<Target> = Vec::new();
        for &(_, target) in out_edges {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        if targets.is_empty() {
            // Nothing leaves it, and nothing follows.
            let condition = self.terms.atom(Construct::True.symbol());
            let body = self.block(Some(head), Some(again));
            out.push(
                self.terms
                    .apply(Construct::While.symbol(), &[condition, body]),
            );
            return None;
        }
        let targets = self.in_order(targets);
        let variable = self.variable();
        for &(edge, target) in out_edges {
            let number = 1 + targets.iter().position(|&t| t == target).unwrap_or(0);
            self.by_way_of(edge, variable, number as i64, Some(again));
        }
        out.push(self.set(variable, 0));
        let condition = self.is(variable, 0);
        let body = self.block(Some(head), Some(again));
        out.push(
            self.terms
                .apply(Construct::While.symbol(), &[condition, body]),
        );
        self.asking(variable, &targets)
    }

    /// A loop whose head asks a predicate, and that is left elsewhere, too.
    fn asked_at_head(
        &mut self,
        condition: Id,
        inside: Target,
        again: u32,
        after: Target,
        others: &[(Edge, Target)],
        out: &mut Vec<Id>,
    ) -> Target {
        let mut targets: Vec<Target> = Vec::new();
        for &(_, target) in others {
            if target != after && !targets.contains(&target) {
                targets.push(target);
            }
        }
        let mut targets = self.in_order(targets);
        targets.push(after);
        let variable = self.variable();
        for &(edge, target) in others {
            let number = 1 + targets.iter().position(|&t| t == target).unwrap_or(0);
            self.by_way_of(edge, variable, number as i64, Some(again));
        }
        out.push(self.set(variable, 0));
        let goes_on = self.is(variable, 0);
        let both = [goes_on, condition];
        let condition = self.terms.apply(Construct::And.symbol(), &both);
        let body = self.block(inside, Some(again));
        out.push(made(self.terms, Construct::While, condition, &[body]));
        self.asking(variable, &targets)
    }

    /// Where several of the places are on one circle, leaves one of them; whether there were.
    pub fn one_way_in(
        &mut self,
        places: &[Target],
        exit: Target,
        meeting: &[(Edge, Target)],
    ) -> bool {
        for &place in places.iter().filter(|&&p| p != exit).flatten() {
            let circle = self.blocks.component(place, exit);
            let entries: Vec<u32> = places
                .iter()
                .filter(|&&p| p != exit && circle.holds(p))
                .flatten()
                .copied()
                .collect();
            if entries.len() < 2 {
                continue;
            }
            // What is written twice if one of the entries stays: all from the others up to it.
            let copied = |head: u32| {
                let mut all = Set::new(self.blocks.all.len());
                for &entry in entries.iter().filter(|&&e| e != head) {
                    for &block in &self.blocks.reached(Some(entry), Some(head)).list {
                        if circle.has(block) {
                            all.add(block);
                        }
                    }
                }
                let size: usize = all
                    .list
                    .iter()
                    .map(|&b| self.blocks.size(self.terms, b))
                    .sum();
                (size, all)
            };
            let best = entries.iter().map(|&e| (copied(e), e));
            let Some(((size, set), head)) = best.min_by_key(|((size, _), _)| *size) else {
                continue;
            };
            let mut rerouted: Vec<(Edge, Target)> = meeting
                .iter()
                .copied()
                .filter(|(_, t)| t.is_some_and(|t| entries.contains(&t)))
                .collect();
            let variable_cost = NODES_OF_DECLARATION * entries.len()
                + NODES_OF_VARIABLE * (rerouted.len() + entries.len());
            let twice = match self.policy {
                Policy::Less => size <= variable_cost && self.afford(size),
                Policy::Twice => self.afford(size),
                Policy::Variable => false,
            };
            if twice {
                let copies = self.copies(&set);
                for (edge, target) in rerouted {
                    if target != Some(head) {
                        self.blocks.lead(edge, target.map(|t| copies[&t]));
                    }
                }
                return true;
            }
            for &block in &circle.list {
                for (edge, target) in self.blocks.edges(block) {
                    let known = rerouted.iter().any(|(e, _)| *e == edge);
                    if target.is_some_and(|t| entries.contains(&t)) && !known {
                        rerouted.push((edge, target));
                    }
                }
            }
            let variable = self.variable();
            let targets: Vec<Target> = entries.iter().map(|&e| Some(e)).collect();
            let asking = self.asking(variable, &targets);
            for (edge, target) in rerouted {
                let number = 1 + targets.iter().position(|&t| t == target).unwrap_or(0);
                self.by_way_of(edge, variable, number as i64, asking);
            }
            return true;
        }
        false
    }
}
