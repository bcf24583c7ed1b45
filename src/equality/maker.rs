//! Random regular operators, and identities applied to them.

use crate::algebra::{Construct, build, operator};
use crate::term::{Id, Symbol, Terms};
use rand::Rng;
use rand_pcg::Pcg64;

/// Makes random regular operators.
pub struct Maker {
    pub random: Pcg64,
    /// How many predicates there are.
    pub predicates: u64,
    /// How many actions there are.
    pub names: u64,
    /// Whether filters and UNDEFINED are made.
    pub partial: bool,
    /// How many actions may still be made.
    pub actions: usize,
}

impl Maker {
    pub fn below(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    pub fn named(&mut self, terms: &mut Terms, construct: Construct, name: String) -> Id {
        let text = terms.text(Symbol::new(&name));
        terms.apply(construct.symbol(), &[text])
    }

    pub fn predicate(&mut self, terms: &mut Terms, depth: usize) -> Id {
        let kind = if depth == 0 { 9 } else { self.below(12) };
        let construct = match kind {
            0 => Construct::True,
            1 => Construct::False,
            2 | 3 => Construct::Not,
            4 | 5 => Construct::And,
            6 | 7 => Construct::Or,
            _ => {
                let number = self.below(self.predicates);
                return self.named(terms, Construct::Test, format!("p{number}"));
            }
        };
        let arity = construct.info().arguments.len();
        let parts: Vec<Id> = (0..arity)
            .map(|_| self.predicate(terms, depth - 1))
            .collect();
        terms.apply(construct.symbol(), &parts)
    }

    pub fn operator(&mut self, terms: &mut Terms, depth: usize) -> Id {
        let kind = if depth == 0 { 13 } else { self.below(16) };
        match kind {
            0..=3 => {
                let parts: Vec<Id> = (0..2 + self.below(2))
                    .map(|_| self.operator(terms, depth - 1))
                    .collect();
                build(terms, Construct::Then.symbol(), &parts)
            }
            4..=6 => {
                let test = self.predicate(terms, 2);
                let (a, b) = (
                    self.operator(terms, depth - 1),
                    self.operator(terms, depth - 1),
                );
                terms.apply(Construct::If.symbol(), &[test, a, b])
            }
            7..=8 => {
                // A loop that never ends would leave nothing to compare.
                let levels = if self.partial { 2 } else { 0 };
                let test = self.predicate(terms, levels);
                let a = self.operator(terms, depth - 1);
                terms.apply(Construct::While.symbol(), &[test, a])
            }
            9 if self.partial => {
                let test = self.predicate(terms, 2);
                terms.apply(Construct::Filter.symbol(), &[test])
            }
            10 => terms.atom(Construct::Empty.symbol()),
            11 if self.partial && self.below(3) == 0 => terms.atom(Construct::Undefined.symbol()),
            _ if self.actions == 0 => terms.atom(Construct::Empty.symbol()),
            _ => {
                self.actions -= 1;
                let number = self.below(self.names);
                self.named(terms, Construct::Call, format!("a{number}"))
            }
        }
    }

    /// The operator with one identity applied somewhere, in either direction.
    pub fn changed(&mut self, terms: &mut Terms, id: Id) -> Id {
        let args = terms.args(id).to_vec();
        let is = |c: Construct| terms.functor(id) == Some(c.symbol());
        let inner: Vec<usize> = (0..args.len())
            .filter(|&i| operator(terms, args[i]).is_some())
            .collect();
        if !inner.is_empty() && self.below(3) > 0 {
            let i = inner[self.below(inner.len() as u64) as usize];
            let mut new = args;
            new[i] = self.changed(terms, new[i]);
            return build(terms, terms.functor(id).expect("it has arguments"), &new);
        }
        let then = |terms: &mut Terms, parts: &[Id]| build(terms, Construct::Then.symbol(), parts);
        let choice = |terms: &mut Terms, parts: &[Id]| terms.apply(Construct::If.symbol(), parts);
        let not = |terms: &mut Terms, u: Id| terms.apply(Construct::Not.symbol(), &[u]);
        let [is_then, is_if, is_while] = [Construct::Then, Construct::If, Construct::While].map(is);
        let kind = self.below(3);
        if is_if && kind == 0 {
            let negated = not(terms, args[0]);
            return choice(terms, &[negated, args[2], args[1]]);
        }
        if is_if && kind == 1 {
            let filter = terms.apply(Construct::Filter.symbol(), &[args[0]]);
            let yes = then(terms, &[filter, args[1]]);
            return choice(terms, &[args[0], yes, args[2]]);
        }
        if is_while && kind == 0 {
            let body = then(terms, &[args[1], id]);
            let empty = terms.atom(Construct::Empty.symbol());
            return choice(terms, &[args[0], body, empty]);
        }
        if is_while && kind == 1 {
            // Twice in each round, if it may go on.
            let empty = terms.atom(Construct::Empty.symbol());
            let again = choice(terms, &[args[0], args[1], empty]);
            let body = then(terms, &[args[1], again]);
            return terms.apply(Construct::While.symbol(), &[args[0], body]);
        }
        if is_then && kind < 2 && operator_is_if(terms, args[0]) {
            // What follows a choice goes into its branches.
            let [u, a, b] = *terms.args(args[0]) else {
                return id;
            };
            let yes = then(terms, &[&[a], &args[1..]].concat());
            let no = then(terms, &[&[b], &args[1..]].concat());
            return choice(terms, &[u, yes, no]);
        }
        match kind {
            0 => {
                let u = self.predicate(terms, 2);
                choice(terms, &[u, id, id])
            }
            1 => {
                // A predicate that decides once has decided for good.
                let u = self.predicate(terms, 2);
                let other = self.operator(terms, 1);
                let inner = choice(terms, &[u, id, other]);
                choice(terms, &[u, inner, id])
            }
            _ => id,
        }
    }
}

fn operator_is_if(terms: &Terms, id: Id) -> bool {
    terms.functor(id) == Some(Construct::If.symbol())
}
