//! Where the parts of a plan come from: the terms of the scheme that they were made of.

use crate::algebra::{Construct, Sort, operator};
use crate::check::Scheme;
use crate::term::{Id, Span, Symbol};
use std::collections::HashMap;

/// Where a statement comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The text that it was read from.
    pub span: Option<Span>,
    /// The phrase that it was expanded from.
    pub phrase: Option<Symbol>,
    /// Where it comes from no phrase: the first phrase that stands in it.
    pub holds: Option<Symbol>,
    /// The steps of the derivation that made it, or parts of its expressions; in order.
    pub steps: Vec<u32>,
    /// The statement that it stands in.
    pub within: Option<u32>,
}

/// The origins of a plan, each once.
#[derive(Default)]
pub(super) struct Origins {
    pub all: Vec<Origin>,
    numbers: HashMap<Origin, u32>,
    around: Vec<u32>,
}

impl Origins {
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
        let phrases = || terms.subterms(id).find_map(|t| terms.origin(t).phrase);
        let number = self.number(Origin {
            span: origin.span,
            phrase: origin.phrase,
            holds: if origin.phrase.is_none() {
                phrases()
            } else {
                None
            },
            steps,
            within: self.around.last().copied(),
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
