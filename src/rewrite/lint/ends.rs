//! Whether rewriting by a set of rules ends.
//!
//! By dependency pairs (Arts and Giesl 2000): a set ends if there is no endless chain of pairs of a
//! rule's left side and a part of its right side that a rule of the set is about. A strongly
//! connected part of their graph has none if one argument of each functor never grows and
//! sometimes shrinks (the subterm criterion, Hirokawa and Middeldorp 2004), where a number also
//! shrinks if it is lowered while it is above a bound; or if all rules descend in one lexicographic
//! path order.

use super::order::descends;
use super::unify::{Unified, renamed, unify};
use super::{Shape, shape};
use crate::rewrite::RuleBase;
use crate::term::{Head, Id, Symbol, Terms};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

/// Most ways to pick an argument of each functor that are tried.
const MOST_PICKS: usize = 20_000;

/// What is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Ends {
    /// It ends, and why.
    Yes(String),
    /// It may not: these rules, as indices into the base's, make what each other applies to.
    Unknown(Vec<usize>),
    /// There are too many rules to look at.
    TooMany,
}

/// A part of a right side that a rule is about.
struct Pair {
    rule: usize,
    left: Id,
    right: Id,
}

/// Whether rewriting by these rules ends, whatever is rewritten.
pub(super) fn ends(base: &RuleBase, rules: &[usize]) -> Ends {
    let mut terms = base.terms.clone();
    let shapes: Vec<Shape> = rules.iter().map(|&r| shape(base, r, &mut terms)).collect();
    let about = |id: Id, terms: &Terms| {
        let functor = terms.functor(id);
        functor.filter(|f| shapes.iter().any(|s| terms.functor(s.left) == Some(*f)))
    };
    // A pattern without a functor, or a result that is computed, may be anything; and a pattern of a
    // commutative operator matches more than what unifies with it.
    let is_open =
        |s: &&Shape| terms.functor(s.left).is_none() || s.computes || base.rules[s.rule].is_modulo;
    let open = shapes.iter().find(is_open);
    if let Some(open) = open {
        return Ends::Unknown(vec![open.rule]);
    }
    let mut pairs = Vec::new();
    for shape in &shapes {
        for &right in &shape.rights {
            let inside: Vec<Id> = terms.subterms(right).collect();
            for part in inside {
                let own = terms
                    .subterms(shape.left)
                    .skip(1)
                    .any(|l| terms.equal(l, part));
                if about(part, &terms).is_some() && !own {
                    pairs.push(Pair {
                        rule: shape.rule,
                        left: shape.left,
                        right: part,
                    });
                }
            }
        }
    }
    let edges = edges(&mut terms, &pairs, &shapes);
    let all: Vec<usize> = (0..pairs.len()).collect();
    let search = Search {
        base,
        terms: &terms,
        pairs: &pairs,
        edges: &edges,
    };
    match search.cycle(&all) {
        None if pairs.is_empty() => Ends::Yes("no rule makes what a rule is about".to_owned()),
        None => Ends::Yes("an argument shrinks in each cycle".to_owned()),
        Some(cycle) => {
            let down = |s: &Shape| {
                s.rights
                    .iter()
                    .all(|&r| descends(&terms, &shapes, s.left, r))
            };
            if shapes.iter().all(down) {
                return Ends::Yes("all rules descend in a lexicographic path order".to_owned());
            }
            let mut rules: Vec<usize> = Vec::new();
            for pair in cycle {
                if !rules.contains(&pairs[pair].rule) {
                    rules.push(pairs[pair].rule);
                }
            }
            Ends::Unknown(rules)
        }
    }
}

/// Which pair may follow which: what stands below in the first one may have been rewritten, so that
/// only its functors that no rule is about are compared.
fn edges(terms: &mut Terms, pairs: &[Pair], shapes: &[Shape]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    let mut number = 0;
    for (i, pair) in pairs.iter().enumerate() {
        let args = terms.args(pair.right).to_vec();
        let capped: Vec<Id> = args
            .iter()
            .map(|&a| cap(terms, a, shapes, &mut number))
            .collect();
        let capped = terms.with_args(pair.right, &capped);
        for (j, next) in pairs.iter().enumerate() {
            let left = renamed(terms, next.left, "'");
            if !matches!(unify(terms, capped, left), Unified::No) {
                edges.push((i, j));
            }
        }
    }
    edges
}

/// A term with variables, each a new one, for variables and what rules are about.
fn cap(terms: &mut Terms, id: Id, shapes: &[Shape], number: &mut usize) -> Id {
    let functor = terms.functor(id);
    let defined = functor.is_some() && shapes.iter().any(|s| terms.functor(s.left) == functor);
    if defined || matches!(terms.head(id), Head::Variable(_)) {
        *number += 1;
        let name = Symbol::new(&format!("any{number}"));
        return terms.make(Head::Variable(name), &[]);
    }
    let args = terms.args(id).to_vec();
    let args: Vec<Id> = args
        .iter()
        .map(|&a| cap(terms, a, shapes, number))
        .collect();
    terms.with_args(id, &args)
}

struct Search<'a> {
    base: &'a RuleBase,
    terms: &'a Terms,
    pairs: &'a [Pair],
    edges: &'a [(usize, usize)],
}

impl Search<'_> {
    /// A cycle of some pairs in which nothing is known to shrink.
    fn cycle(&self, among: &[usize]) -> Option<Vec<usize>> {
        let mut graph: DiGraph<usize, ()> = DiGraph::new();
        let nodes: FxHashMap<usize, _> = among.iter().map(|&i| (i, graph.add_node(i))).collect();
        for (a, b) in self.edges {
            if let (Some(&a), Some(&b)) = (nodes.get(a), nodes.get(b)) {
                graph.add_edge(a, b, ());
            }
        }
        for part in kosaraju_scc(&graph) {
            if part.len() == 1 && !graph.contains_edge(part[0], part[0]) {
                continue;
            }
            let mut part: Vec<usize> = part.into_iter().map(|n| graph[n]).collect();
            part.sort_unstable();
            let Some(rest) = self.without_shrinking(&part) else {
                return Some(part);
            };
            if let Some(cycle) = self.cycle(&rest) {
                return Some(cycle);
            }
        }
        None
    }

    /// The pairs of a part in which the picked arguments only stay as they are, for arguments of
    /// which none grows and one shrinks; nothing if there are no such arguments.
    fn without_shrinking(&self, part: &[usize]) -> Option<Vec<usize>> {
        let mut functors: Vec<(Symbol, usize)> = Vec::new();
        for &i in part {
            for id in [self.pairs[i].left, self.pairs[i].right] {
                let functor = self.terms.functor(id)?;
                let arity = self.terms.arity(id);
                match functors.iter_mut().find(|(f, _)| *f == functor) {
                    Some((_, least)) => *least = arity.min(*least),
                    None => functors.push((functor, arity)),
                }
            }
        }
        let picks: usize = functors.iter().map(|f| f.1).product();
        (0..picks.min(MOST_PICKS)).find_map(|mut number| {
            let picked: Vec<(Symbol, usize)> = functors
                .iter()
                .map(|&(functor, arity)| {
                    let at = number % arity;
                    number /= arity;
                    (functor, at)
                })
                .collect();
            let mut rest = Vec::new();
            for &i in part {
                match self.shrinks(&self.pairs[i], &picked)? {
                    true => {}
                    false => rest.push(i),
                }
            }
            (rest.len() < part.len()).then_some(rest)
        })
    }

    /// Whether the picked argument becomes smaller; nothing if it may grow.
    fn shrinks(&self, pair: &Pair, picked: &[(Symbol, usize)]) -> Option<bool> {
        let argument = |id: Id| {
            let functor = self.terms.functor(id)?;
            let &(_, at) = picked.iter().find(|(f, _)| *f == functor)?;
            let argument = self.terms.arg(id, at);
            (!matches!(self.terms.head(argument), Head::Sequence(_))).then_some(argument)
        };
        let (from, to) = (argument(pair.left)?, argument(pair.right)?);
        if self.terms.equal(from, to) {
            return Some(false);
        }
        let inside = self
            .terms
            .subterms(from)
            .skip(1)
            .any(|t| self.terms.equal(t, to));
        (inside || self.lowered(pair.rule, from, to)).then_some(true)
    }

    /// Whether `$n` becomes `$n - k` in a rule that asks `$n > m`.
    fn lowered(&self, rule: usize, from: Id, to: Id) -> bool {
        let terms = self.terms;
        let name = |id: Id| terms.functor(id).map_or("", |f| f.as_str());
        let number = |id: Id| terms.as_int(id);
        let less = name(to) == "Minus"
            && terms.equal(terms.arg(to, 0), from)
            && number(terms.arg(to, 1)).is_some_and(|k| k > 0)
            && matches!(terms.head(from), Head::Variable(_));
        // All alternatives must ask, as it is not told which one the part is from.
        let rule = &self.base.rules[rule];
        let asks = |condition: Id| {
            let mut work = vec![condition];
            while let Some(id) = work.pop() {
                match name(id) {
                    "And" => work.extend_from_slice(terms.args(id)),
                    "Greater" | "GreaterOrEqual" => {
                        let [left, right] = terms.args(id) else {
                            continue;
                        };
                        if terms.equal(*left, from) && number(*right).is_some() {
                            return true;
                        }
                    }
                    _ => {}
                }
            }
            false
        };
        let mut conditions = rule.alternatives.iter().map(|a| a.condition);
        less && rule.otherwise.is_none() && conditions.all(|c| c.is_some_and(asks))
    }
}
