//! Where the parts of a plan come from: the terms of the scheme that they were made of.

use crate::algebra::{Construct, Sort, operator};
use crate::check::Scheme;
use crate::term::{Id, Span, Symbol};
use rustc_hash::FxHashMap;

/// Where a statement comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The text that it was read from.
    pub span: Option<Span>,
    /// The phrase that it was expanded from.
    pub phrase: Option<Symbol>,
    /// Where it comes from no phrase: the first one in it or, if there is none, in what it stands in.
    pub near: Option<Symbol>,
    /// The steps of the derivation that made it, or parts of its expressions; in order.
    pub steps: Vec<u32>,
    /// The statement that it stands in.
    pub within: Option<u32>,
}

/// The origins of a plan, each once.
pub(super) struct Origins {
    pub all: Vec<Origin>,
    numbers: FxHashMap<Origin, u32>,
    around: Vec<u32>,
    /// For each term of the scheme the first phrase and the first place in it.
    inside: Vec<(Option<Symbol>, Option<Span>)>,
}

impl Origins {
    /// No origins yet.
    pub fn new(scheme: &Scheme) -> Origins {
        let terms = &scheme.terms;
        let mut inside: Vec<(Option<Symbol>, Option<Span>)> = Vec::with_capacity(terms.len());
        // Arguments are older than what they are arguments of.
        for id in (0..terms.len() as u32).map(Id) {
            let (mut phrase, mut span) = (terms.origin(id).phrase, terms.span(id));
            for argument in terms.args(id) {
                let (p, s) = inside[argument.index()];
                (phrase, span) = (phrase.or(p), span.or(s));
            }
            inside.push((phrase, span));
        }
        Origins {
            all: Vec::new(),
            numbers: FxHashMap::default(),
            around: Vec::new(),
            inside,
        }
    }

    /// The number of an origin.
    pub fn number(&mut self, origin: Origin) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(origin.clone()).or_insert(next);
        if number == next {
            self.all.push(origin);
        }
        number
    }

    /// Enters an operator of a scheme; what is made until it is left stands in it.
    pub fn enter(&mut self, scheme: &Scheme, id: Id) -> u32 {
        let terms = &scheme.terms;
        let origin = terms.origin(id);
        let mut steps: Vec<u32> = Vec::new();
        let mut work = vec![id];
        while let Some(part) = work.pop() {
            steps.extend(terms.origin(part).step);
            let inner = terms.args(part).iter().copied();
            work.extend(inner.filter(|&a| !is_operator(scheme, a)));
        }
        steps.sort_unstable();
        steps.dedup();
        let within = self.around.last().copied();
        // What a rule made where nothing was written stands for what is in it, or around it.
        let outside = within.map(|n| &self.all[n as usize]);
        let (phrase, span) = self.inside[id.index()];
        let near = phrase.or_else(|| outside.and_then(|o| o.phrase.or(o.near)));
        let span = span.or_else(|| outside.and_then(|o| o.span));
        let number = self.number(Origin {
            span,
            phrase: origin.phrase,
            near: near.filter(|_| origin.phrase.is_none()),
            steps,
            within,
        });
        self.around.push(number);
        number
    }

    /// Leaves the operator that was entered last.
    pub fn leave(&mut self) {
        self.around.pop();
    }

    /// The operator that was entered last.
    pub fn around(&self) -> u32 {
        self.around.last().copied().unwrap_or_default()
    }
}

fn is_operator(scheme: &Scheme, id: Id) -> bool {
    let construct = scheme.terms.functor(id).and_then(Construct::of);
    construct.is_some_and(|c| c.info().sort == Sort::Operator)
        && operator(&scheme.terms, id).is_some()
}
