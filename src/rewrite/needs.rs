//! What parts of strategies need of a term to do anything there, so that traversals need not go where nothing can be done.
//!
//! A rule matches where all functors of its pattern stand, a choice does something where one of its parts does, and a
//! sequence where its first part does.

use super::pattern::{Node, Pattern};
use super::plan::{Combinator, Kind, Plan, Strategy};
use super::rule::Rule;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// A set of functors with arguments, a bit for each: see [`Numbers`].
pub(super) type Functors = u128;

/// Set for each term whose functors are known.
const KNOWN: Functors = 1 << 127;

/// The functors of patterns that have a bit. Those beyond their number have none, and are not asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(FxHashMap<Symbol, Functors>);

impl Numbers {
    fn of(&mut self, functor: Symbol) -> Functors {
        let next = match self.0.len() {
            count @ 0..127 => 1 << count,
            _ => 0,
        };
        *self.0.entry(functor).or_insert(next)
    }

    /// The functors that stand, with arguments, in every term that a rule matches.
    fn of_rule(&mut self, rule: &Rule) -> Functors {
        let Pattern {
            nodes, arguments, ..
        } = &rule.matcher;
        let is_sequence = |&part: &u32| matches!(nodes[part as usize], Node::Sequence(_));
        let mut all = 0;
        for node in nodes {
            match *node {
                Node::Variable(_) | Node::Sequence(_) | Node::Leaf(_) => {}
                Node::Apply {
                    functor, from, to, ..
                } => {
                    let parts = &arguments[from as usize..to as usize];
                    if !parts.iter().all(is_sequence) {
                        all |= self.of(functor);
                    }
                }
                // What these match need not stand in the term as the pattern has it.
                Node::AnyArity { .. } | Node::SetPattern { .. } | Node::Among { .. } => return 0,
            }
        }
        all
    }
}

/// Notes in the parts of strategies what they need, and gives the numbers of functors.
pub(super) fn note(strategies: &mut [Strategy], rules: &[Rule]) -> Numbers {
    let mut noting = Noting {
        rules,
        numbers: Numbers::default(),
        strategies: vec![None; strategies.len()],
    };
    // Strategies call those that are done, or wait for them: none calls itself.
    let mut left: Vec<usize> = (0..strategies.len()).collect();
    while !left.is_empty() {
        let before = left.len();
        left.retain(|&number| {
            let is_ready = noting.is_ready(&strategies[number].body);
            if is_ready {
                let body = noting.plan(&mut strategies[number].body);
                // Values of parameters are noted, and may be refused, whatever the strategy does then.
                let is_silent = strategies[number].parameters.is_empty();
                noting.strategies[number] = Some(body.filter(|_| is_silent));
            }
            !is_ready
        });
        if left.len() == before {
            break;
        }
    }
    noting.numbers
}

/// Sets of functors: where a part of a strategy does not fail silently, one of them stands. Nothing where it may do
/// something anywhere.
type Needs = Option<Vec<Functors>>;

struct Noting<'a> {
    rules: &'a [Rule],
    numbers: Numbers,
    /// What those strategies need that are done.
    strategies: Vec<Option<Needs>>,
}

impl Noting<'_> {
    /// Whether all strategies are done that a part calls.
    fn is_ready(&self, plan: &Plan) -> bool {
        match &plan.kind {
            Kind::Id | Kind::Fail | Kind::Rule(..) => true,
            Kind::Sequence(parts) | Kind::Choice(parts) => parts.iter().all(|p| self.is_ready(p)),
            Kind::Apply(_, inner)
            | Kind::At(_, inner)
            | Kind::Outside(_, inner)
            | Kind::When(_, inner) => self.is_ready(inner),
            Kind::Strategy(number, _) => self.strategies[*number].is_some(),
        }
    }

    fn plan(&mut self, plan: &mut Plan) -> Needs {
        let needs = match &mut plan.kind {
            Kind::Id | Kind::Fail => None,
            Kind::Sequence(parts) => {
                let mut all = parts.iter_mut().map(|part| self.plan(part));
                let first = all.next().flatten();
                all.for_each(drop);
                first
            }
            Kind::Choice(parts) => {
                let all: Vec<Needs> = parts.iter_mut().map(|part| self.plan(part)).collect();
                let all: Option<Vec<Vec<Functors>>> = all.into_iter().collect();
                all.map(|all| all.concat())
            }
            Kind::Apply(combinator, inner) => {
                let needs = self.plan(inner);
                match combinator {
                    Combinator::Once | Combinator::Expressions => needs,
                    Combinator::Not => match &inner.kind {
                        Kind::Apply(Combinator::Not, within) => within.needs.clone(),
                        _ => None,
                    },
                    Combinator::Try
                    | Combinator::Repeat
                    | Combinator::TopDown
                    | Combinator::BottomUp
                    | Combinator::Innermost
                    | Combinator::All => None,
                }
            }
            Kind::At(_, inner) | Kind::Outside(_, inner) => self.plan(inner),
            Kind::When(_, inner) => {
                self.plan(inner);
                None
            }
            Kind::Rule(number, _) => {
                let rule = &self.rules[*number];
                let functors = self.numbers.of_rule(rule);
                (rule.parameters.is_empty() && functors != 0).then(|| vec![functors])
            }
            Kind::Strategy(number, _) => self.strategies[*number].clone().flatten(),
        };
        plan.needs.clone_from(&needs);
        needs
    }
}

/// Which functors stand in the terms of an arena, as far as that was asked for.
#[derive(Default)]
pub(super) struct Standing(Vec<Functors>);

impl Standing {
    /// Whether a part of a strategy may do something at a term.
    pub(super) fn allows(&mut self, plan: &Plan, numbers: &Numbers, terms: &Terms, id: Id) -> bool {
        plan.needs.as_ref().is_none_or(|needs| {
            let standing = self.in_term(numbers, terms, id);
            needs.iter().any(|needed| needed & !standing == 0)
        })
    }

    fn in_term(&mut self, numbers: &Numbers, terms: &Terms, id: Id) -> Functors {
        self.0.resize(terms.len().max(self.0.len()), 0);
        let mut work = vec![id];
        while let Some(&id) = work.last() {
            let args = terms.args(id);
            let waiting = work.len();
            if self.0[id.index()] == 0 {
                work.extend(args.iter().filter(|part| self.0[part.index()] == 0));
            }
            if work.len() > waiting {
                continue;
            }
            work.pop();
            let functor = terms.functor(id).filter(|_| !args.is_empty());
            let own = functor.and_then(|functor| numbers.0.get(&functor));
            let own = own.copied().unwrap_or(0) | KNOWN;
            let all = args
                .iter()
                .fold(own, |all, part| all | self.0[part.index()]);
            self.0[id.index()] = all;
        }
        self.0[id.index()]
    }
}
