//! A rule's pattern and a term → the ways in which they match.

use crate::syntax::rules::{ANY_ARITY, CONS, NIL};
use crate::term::{Head, Id, Symbol, Terms};

/// The variables that have values, in the order in which they got them, with the terms that each
/// stands for: one, or any number for a sequence.
pub(super) type Values = Vec<(Symbol, Vec<Id>)>;

/// The terms that a variable stands for, if it has a value.
pub(super) fn value_of(values: &Values, name: Symbol) -> Option<&[Id]> {
    let found = values.iter().find(|(n, _)| *n == name);
    found.map(|(_, value)| &value[..])
}

/// The first `most` ways in which a pattern matches a term, beginning with values that variables
/// have already. The leftmost sequence is the shortest first.
pub(super) fn matches(
    rules: &Terms,
    pattern: Id,
    terms: &mut Terms,
    term: Id,
    known: Values,
    most: usize,
) -> Vec<Values> {
    let mut search = Search {
        rules,
        terms,
        most,
        found: Vec::new(),
    };
    search.solve(vec![Goal::Term(pattern, term)], known);
    search.found
}

/// What is still to be matched.
#[derive(Clone)]
enum Goal {
    Term(Id, Id),
    /// The patterns of a list from a number on, against terms.
    All(Vec<Id>, Vec<Id>),
}

struct Search<'a> {
    rules: &'a Terms,
    terms: &'a mut Terms,
    most: usize,
    found: Vec<Values>,
}

impl Search<'_> {
    /// Adds all ways to match the goals, the last one first.
    fn solve(&mut self, mut goals: Vec<Goal>, mut values: Values) {
        while let Some(goal) = goals.pop() {
            let matched = match goal {
                Goal::Term(pattern, term) => self.one(pattern, term, &mut goals, &mut values),
                Goal::All(patterns, all) => {
                    let Some((&first, rest)) = patterns.split_first() else {
                        if all.is_empty() {
                            continue;
                        }
                        return;
                    };
                    if let Head::Sequence(name) = self.rules.head(first) {
                        return self.sequence(name, rest, &all, &goals, &values);
                    }
                    match all.split_first() {
                        Some((&term, others)) => {
                            goals.push(Goal::All(rest.to_vec(), others.to_vec()));
                            goals.push(Goal::Term(first, term));
                            true
                        }
                        None => false,
                    }
                }
            };
            if !matched {
                return;
            }
        }
        if self.found.len() < self.most {
            self.found.push(values);
        }
    }

    /// Goes on with each length of a sequence that leaves enough for the patterns after it.
    fn sequence(&mut self, name: Symbol, rest: &[Id], all: &[Id], goals: &[Goal], values: &Values) {
        let takes_one = |&&p: &&Id| !matches!(self.rules.head(p), Head::Sequence(_));
        let needed = rest.iter().filter(takes_one).count();
        for length in 0..=all.len().saturating_sub(needed) {
            if self.found.len() >= self.most {
                return;
            }
            let (taken, others) = all.split_at(length);
            let mut values = values.clone();
            let equal = |(&a, &b): (&Id, &Id)| self.terms.equal(a, b);
            match value_of(&values, name) {
                Some(known) if known.len() != length => continue,
                Some(known) if !known.iter().zip(taken).all(equal) => continue,
                None if name.as_str() != "_" => values.push((name, taken.to_vec())),
                _ => {}
            }
            let mut goals = goals.to_vec();
            goals.push(Goal::All(rest.to_vec(), others.to_vec()));
            self.solve(goals, values);
        }
    }

    /// Matches one pattern with one term as far as the heads go; false if they differ.
    fn one(&mut self, pattern: Id, term: Id, goals: &mut Vec<Goal>, values: &mut Values) -> bool {
        let functor = match self.rules.head(pattern) {
            Head::Variable(name) if name.as_str() == "_" => return true,
            Head::Variable(name) => {
                return match value_of(values, name) {
                    Some(&[known]) => self.terms.equal(known, term),
                    Some(_) => false,
                    None => {
                        values.push((name, vec![term]));
                        true
                    }
                };
            }
            Head::Sequence(_) => return false,
            Head::Real(x) => {
                return matches!(self.terms.head(term), Head::Real(y) if x.to_bits() == y.to_bits());
            }
            Head::Functor(functor) => functor,
            literal => return literal == self.terms.head(term),
        };
        let patterns = self.rules.args(pattern).to_vec();
        let Some(of_term) = self.terms.functor(term) else {
            return false;
        };
        if let (ANY_ARITY, &[name, list]) = (functor.as_str(), &patterns[..]) {
            let atom = self.terms.atom(of_term);
            let arguments = self.terms.args(term).to_vec();
            let arguments = list_of(self.terms, &arguments);
            goals.push(Goal::Term(list, arguments));
            goals.push(Goal::Term(name, atom));
            return true;
        }
        goals.push(Goal::All(patterns, self.terms.args(term).to_vec()));
        functor == of_term
    }
}

/// The list of some terms.
fn list_of(terms: &mut Terms, elements: &[Id]) -> Id {
    let end = terms.atom(NIL.into());
    elements.iter().rev().fold(end, |list, &element| {
        terms.apply(CONS.into(), &[element, list])
    })
}

/// The elements of a list, if a term is one.
pub(super) fn elements_of(terms: &Terms, list: Id) -> Option<Vec<Id>> {
    let mut elements = Vec::new();
    let mut rest = list;
    while let (CONS, &[first, others]) = (terms.functor(rest)?.as_str(), terms.args(rest)) {
        elements.push(first);
        rest = others;
    }
    let ended = terms.as_atom(rest).is_some_and(|f| f.as_str() == NIL);
    ended.then_some(elements)
}
