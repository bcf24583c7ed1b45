//! Any graph → an operator that does the same.
//!
//! What is entered once and left once is a choice or a loop as it stands. Elsewhere there are two
//! ways, and the one that makes the smaller operator is taken: parts are written twice (node
//! splitting), or a variable tells where to go on (Böhm, Jacopini 1966; the scheme is that of
//! Bahmann, Reissmann, Jahre, Meyer 2015, "Perfect reconstructability of control flow from demand
//! dependence graphs", section 4, with loops that are asked at their head):
//!
//! - a circle with several ways in gets a head that asks where to begin, or the part before one of
//!   the ways in is written twice;
//! - a circle with several ways out, or one that is not left at its head, goes on until a variable
//!   says which way out was taken;
//! - where the two sides of a choice meet at several places, a variable says at which, or what
//!   stands there is written twice.

use super::blocks::{Block, Blocks, Edge, End, Set};
use super::graph::{Flow, Target, with_bodies};
use super::structure::{made, structured};
use crate::algebra::{Construct, then};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// What is preferred where there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// What makes less at the place.
    Less,
    /// Writing twice.
    Twice,
    /// A variable.
    Variable,
}

/// Nodes of `v := 1` or `v = 1`.
pub(super) const NODES_OF_VARIABLE: usize = 3;
/// Nodes that a variable costs once: its declaration, and a choice.
pub(super) const NODES_OF_DECLARATION: usize = 7;

/// The operator that does what a graph does. `names` are not given to variables.
pub fn regular(flow: &Flow, terms: &mut Terms, names: &mut FxHashSet<Symbol>) -> Id {
    if let Some(operator) = structured(flow, terms) {
        return operator;
    }
    let inside = |operator, bodies: &[Flow]| {
        let bodies: Vec<Id> = bodies.iter().map(|b| regular(b, terms, names)).collect();
        with_bodies(terms, operator, &bodies)
    };
    let (blocks, entry) = Blocks::of(flow, inside);
    let mut best: Option<(usize, Id, FxHashSet<Symbol>)> = None;
    for policy in [Policy::Less, Policy::Twice, Policy::Variable] {
        let budget = 200
            + 8 * (0..blocks.all.len() as u32)
                .map(|b| blocks.size(terms, b))
                .sum::<usize>();
        let mut own = names.clone();
        let mut maker = Maker {
            terms,
            blocks: blocks.clone(),
            policy,
            names: &mut own,
            variables: Vec::new(),
            budget,
        };
        let operators = maker.region(entry, None);
        let variables = maker.variables;
        let mut all: Vec<Id> = variables.iter().map(|&v| declaration(terms, v)).collect();
        all.extend(operators);
        let made = then(terms, &all);
        let size = terms.size(made);
        if best.as_ref().is_none_or(|(least, ..)| size < *least) {
            best = Some((size, made, own));
        }
    }
    match best {
        Some((_, made, own)) => {
            *names = own;
            made
        }
        None => terms.atom(Construct::Empty.symbol()),
    }
}

/// `LOCAL v : INTEGER := 0`
fn declaration(terms: &mut Terms, variable: Symbol) -> Id {
    let arguments = [
        terms.atom(variable),
        terms.atom(Symbol::new("INTEGER")),
        terms.int(0),
    ];
    terms.apply(Construct::Local.symbol(), &arguments)
}

/// A copy, every occurrence a node of its own.
pub(super) fn copy(terms: &mut Terms, id: Id) -> Id {
    let arguments: Vec<Id> = terms.args(id).to_vec();
    let arguments: Vec<Id> = arguments.into_iter().map(|a| copy(terms, a)).collect();
    terms.with_args(id, &arguments)
}

pub(super) struct Maker<'a> {
    pub terms: &'a mut Terms,
    pub blocks: Blocks,
    pub policy: Policy,
    names: &'a mut FxHashSet<Symbol>,
    variables: Vec<Symbol>,
    /// Nodes that may still be written twice.
    budget: usize,
}

impl Maker<'_> {
    /// The operators from a block up to another one, which all ways from the first lead to.
    pub fn region(&mut self, from: Target, exit: Target) -> Vec<Id> {
        let mut out = Vec::new();
        let mut at = from;
        while at != exit {
            let Some(here) = at else {
                break;
            };
            let circle = self.blocks.component(here, exit);
            if !circle.list.is_empty() {
                at = self.circle(here, &circle, exit, &mut out);
                continue;
            }
            out.extend_from_slice(&self.blocks.all[here as usize].code);
            at = match self.blocks.end(here) {
                End::Go(next) => next,
                End::Ask(condition, ..) => self.choice(here, condition, exit, &mut out),
            };
        }
        out
    }

    pub fn block(&mut self, from: Target, exit: Target) -> Id {
        let operators = self.region(from, exit);
        then(self.terms, &operators)
    }

    pub fn not(&mut self, condition: Id) -> Id {
        if self.terms.functor(condition) == Some(Construct::Not.symbol()) {
            return self.terms.arg(condition, 0);
        }
        let not = self.terms.apply(Construct::Not.symbol(), &[condition]);
        self.terms.copy_origin(condition, not);
        not
    }

    /// A choice; where it goes on after it.
    fn choice(&mut self, here: u32, condition: Id, exit: Target, out: &mut Vec<Id>) -> Target {
        loop {
            let End::Ask(_, yes, no) = self.blocks.end(here) else {
                return exit;
            };
            let sides = [yes, no].map(|side| self.blocks.reached(side, exit));
            let own = |block: u32| sides[0].has(block) != sides[1].has(block);
            // The edges that lead from the two sides to where they meet.
            let mut meeting: Vec<(Edge, Target)> = Vec::new();
            let mut places: Vec<Target> = Vec::new();
            let from = [here].into_iter();
            let inside = sides.iter().flat_map(|s| s.list.iter().copied());
            for block in from.chain(inside.filter(|&b| own(b))) {
                for (edge, target) in self.blocks.edges(block) {
                    if target == exit || !target.is_some_and(own) {
                        meeting.push((edge, target));
                        if !places.contains(&target) {
                            places.push(target);
                        }
                    }
                }
            }
            if places.len() <= 1 {
                let place = places.first().copied().unwrap_or(exit);
                let mut branches = [yes, no].map(|side| self.block(side, place));
                let mut condition = condition;
                let empty = Construct::Empty.symbol();
                if self.terms.functor(branches[0]) == Some(empty) {
                    condition = self.not(condition);
                    branches.reverse();
                }
                out.push(made(self.terms, Construct::If, condition, &branches));
                return place;
            }
            if !self.one_way_in(&places, exit, &meeting)
                && !self.written_twice(&places, exit, &meeting)
            {
                let places = self.in_order(places);
                let variable = self.variable();
                let asking = self.asking(variable, &places);
                for (edge, target) in meeting {
                    let number = 1 + places.iter().position(|&t| t == target).unwrap_or(0);
                    self.by_way_of(edge, variable, number as i64, asking);
                }
            }
        }
    }

    /// Writes a place once for each edge that leads there, if it leads to another of the places and
    /// is small; whether there was one.
    fn written_twice(
        &mut self,
        places: &[Target],
        exit: Target,
        meeting: &[(Edge, Target)],
    ) -> bool {
        for &place in places.iter().filter(|&&p| p != exit).flatten() {
            let End::Go(next) = self.blocks.end(place) else {
                continue;
            };
            if next == Some(place) || !(next == exit || places.contains(&next)) {
                continue;
            }
            let edges: Vec<Edge> = meeting
                .iter()
                .filter(|(_, t)| *t == Some(place))
                .map(|(e, _)| *e)
                .collect();
            let size = self.blocks.size(self.terms, place) * edges.len();
            let variable_cost = NODES_OF_DECLARATION + NODES_OF_VARIABLE * (meeting.len() + 1);
            let twice = match self.policy {
                Policy::Less => size <= variable_cost && self.afford(size),
                Policy::Twice => self.afford(size),
                Policy::Variable => size == 0,
            };
            if !twice || !self.blocks.component(place, exit).list.is_empty() {
                continue;
            }
            for edge in edges {
                let mut only = Set::new(self.blocks.all.len());
                only.add(place);
                let copies = self.copies(&only);
                self.blocks.lead(edge, Some(copies[&place]));
            }
            return true;
        }
        false
    }

    /// Whether so many nodes may be written twice.
    pub fn afford(&mut self, size: usize) -> bool {
        let enough = size <= self.budget;
        if enough {
            self.budget -= size;
        }
        enough
    }

    /// Writes blocks twice, with the edges between them; the second of each.
    pub fn copies(&mut self, set: &Set) -> rustc_hash::FxHashMap<u32, u32> {
        let first = self.blocks.all.len() as u32;
        let numbers: rustc_hash::FxHashMap<u32, u32> = set
            .list
            .iter()
            .zip(first..)
            .map(|(&b, new)| (b, new))
            .collect();
        let lead = |target: Target| target.map(|t| numbers.get(&t).copied().unwrap_or(t));
        for &block in &set.list {
            let Block { code, end } = self.blocks.all[block as usize].clone();
            let code = code.into_iter().map(|c| copy(self.terms, c)).collect();
            let end = match end {
                End::Go(next) => End::Go(lead(next)),
                End::Ask(condition, yes, no) => {
                    End::Ask(copy(self.terms, condition), lead(yes), lead(no))
                }
            };
            self.blocks.add(Block { code, end });
        }
        numbers
    }

    /// Blocks that ask a variable where to go: to the first place if it is 1, and so on.
    pub fn asking(&mut self, variable: Symbol, places: &[Target]) -> Target {
        let (&last, first) = places.split_last()?;
        let mut to = last;
        for (i, &place) in first.iter().enumerate().rev() {
            let condition = self.is(variable, i as i64 + 1);
            to = Some(self.blocks.add(Block {
                code: Vec::new(),
                end: End::Ask(condition, place, to),
            }));
        }
        to
    }

    /// Leads an edge by way of an assignment.
    pub fn by_way_of(&mut self, edge: Edge, variable: Symbol, value: i64, to: Target) {
        let code = vec![self.set(variable, value)];
        let block = self.blocks.add(Block {
            code,
            end: End::Go(to),
        });
        self.blocks.lead(edge, Some(block));
    }

    /// Places in an order in which none leads to an earlier one.
    pub fn in_order(&self, mut places: Vec<Target>) -> Vec<Target> {
        let mut ordered = Vec::with_capacity(places.len());
        while places.len() > 1 {
            let leads = |from: Target, to: Target| {
                to.is_none() || self.blocks.reached(from, None).holds(to)
            };
            let first = places.iter().position(|&place| {
                place.is_some()
                    && !places
                        .iter()
                        .any(|&other| other != place && other.is_some() && leads(other, place))
            });
            let first = first.or_else(|| places.iter().position(Option::is_some));
            ordered.push(places.remove(first.unwrap_or(0)));
        }
        ordered.extend(places);
        ordered
    }

    /// A new variable.
    pub fn variable(&mut self) -> Symbol {
        let mut number = 1;
        let name = loop {
            let name = Symbol::new(&match number {
                1 => "way".to_owned(),
                n => format!("way{n}"),
            });
            if self.names.insert(name) {
                break name;
            }
            number += 1;
        };
        self.variables.push(name);
        name
    }

    pub fn set(&mut self, variable: Symbol, value: i64) -> Id {
        let arguments = [self.terms.atom(variable), self.terms.int(value)];
        self.terms.apply(Construct::Assign.symbol(), &arguments)
    }

    pub fn is(&mut self, variable: Symbol, value: i64) -> Id {
        let arguments = [self.terms.atom(variable), self.terms.int(value)];
        self.terms.apply(Construct::Equal.symbol(), &arguments)
    }
}
