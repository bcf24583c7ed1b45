//! Terms → actions and predicates: what is not taken apart, numbered, equal terms alike.

use super::automaton::controls;
use super::bisimulation::differ;
use super::flow::Flow;
use super::scope::{Naming, Scope, made_name};
use super::trace::Place;
use crate::algebra::{Comparison, Construct, Expr, Kind, Operator, expr, operator};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the operators and predicates of one side are that are not taken apart, by occurrence.
#[derive(Default)]
pub(super) struct Reading {
    /// The number of each action.
    pub actions: FxHashMap<Id, u32>,
    /// The number of each predicate, and whether the occurrence holds where it does.
    pub predicates: FxHashMap<Id, (u32, bool)>,
    /// What gives a control variable a value.
    pub sets: FxHashMap<Id, (u32, i64)>,
    /// What compares one with a value.
    pub asks: FxHashMap<Id, (u32, i64)>,
}

/// A numbering of terms by structure.
#[derive(Default)]
struct Numbers {
    by_hash: FxHashMap<u64, Vec<(Id, u32)>>,
    /// Where each stands first.
    places: Vec<Place>,
}

impl Numbers {
    fn number(&mut self, terms: &Terms, id: Id, place: Place) -> u32 {
        let next = self.places.len() as u32;
        let alike = self.by_hash.entry(terms.hash(id)).or_default();
        if let Some(&(_, number)) = alike.iter().find(|&&(other, _)| terms.equal(other, id)) {
            return number;
        }
        alike.push((id, next));
        self.places.push(place);
        next
    }
}

/// The actions and predicates of both sides.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// Their terms, with names that do not depend on the author's.
    terms: Terms,
    actions: Numbers,
    predicates: Numbers,
    /// For each predicate: whether it stands first as it is, not as its opposite.
    as_written: Vec<bool>,
    headers: Numbers,
    /// Bodies of loops with equal headers: a point for each that differs from the others.
    bodies: FxHashMap<u32, Vec<(u32, usize)>>,
    kinds_of_bodies: usize,
    anonymous: usize,
    /// Where those stand that mean more than their names say: assignments, comparisons and such.
    pub meaning: Vec<Place>,
}

impl Vocabulary {
    /// Where an action stands first.
    pub fn action(&self, number: u32) -> Place {
        self.actions.places[number as usize]
    }

    /// Where a predicate stands first, and whether it stands there as it is, not as its opposite.
    pub fn predicate(&self, number: u32) -> (Place, bool) {
        let number = number as usize;
        (self.predicates.places[number], self.as_written[number])
    }
}

/// Reads one side. Its arena holds nothing but the side, every occurrence a node of its own, in
/// order of the text: what [`Terms::compact`] gives.
pub(super) struct Reader<'a> {
    pub terms: &'a Terms,
    pub vocabulary: &'a mut Vocabulary,
    pub flow: &'a mut Flow,
    pub place: fn(Id) -> Place,
    /// Names that mean something else than on the other side.
    pub other: &'a FxHashSet<Symbol>,
    reading: Reading,
    pub scope: Scope,
    pub controls: FxHashMap<Symbol, u32>,
    /// Variables that the graphs around declare.
    pub of_graphs: FxHashSet<Symbol>,
}

impl<'a> Reader<'a> {
    /// A reader for a side.
    pub fn new(
        terms: &'a Terms,
        vocabulary: &'a mut Vocabulary,
        flow: &'a mut Flow,
        place: fn(Id) -> Place,
        other: &'a FxHashSet<Symbol>,
        naming: Naming,
    ) -> Reader<'a> {
        let mut last = FxHashMap::default();
        for number in 0..terms.len() {
            let id = Id(number as u32);
            if let Some(name) = terms.as_atom(id) {
                last.insert(name, id);
            }
        }
        Reader {
            terms,
            vocabulary,
            flow,
            place,
            other,
            reading: Reading::default(),
            scope: Scope::new(naming, last),
            controls: controls(terms),
            of_graphs: FxHashSet::default(),
        }
    }

    /// Reads the whole side, an operator or a predicate.
    pub fn read(mut self, root: Id, is_predicate: bool) -> Reading {
        if is_predicate {
            self.predicate(root);
        } else {
            self.sequence(&[root], &mut |reader, part| reader.operator(part));
        }
        self.reading
    }

    /// Goes through the operators of a sequence; what they declare is known to those after them.
    fn sequence(&mut self, parts: &[Id], visit: &mut dyn FnMut(&mut Self, Id)) {
        let mut declared: Vec<Symbol> = Vec::new();
        for &part in parts {
            visit(self, part);
            if let Some(
                Operator::Local { name, .. }
                | Operator::Shared { name, .. }
                | Operator::Registers { name, .. },
            ) = operator(self.terms, part)
            {
                declared.push(name);
            }
            let scope = &mut self.scope;
            declared.retain(|&name| {
                let over = scope.is_over(name, part);
                if over {
                    scope.end(name);
                }
                !over
            });
        }
        for name in declared {
            self.scope.end(name);
        }
    }

    fn block(&mut self, id: Id) {
        self.sequence(&[id], &mut |reader, part| reader.operator(part));
    }

    pub fn operator(&mut self, id: Id) {
        match operator(self.terms, id) {
            Some(Operator::Then(parts)) => {
                self.sequence(parts, &mut |reader, part| reader.operator(part));
            }
            Some(Operator::If { condition, yes, no }) => {
                self.predicate(condition);
                self.block(yes);
                self.block(no);
            }
            Some(Operator::While { condition, body }) => {
                self.predicate(condition);
                self.block(body);
            }
            Some(Operator::Filter(condition)) => self.predicate(condition),
            Some(Operator::Timed(body) | Operator::Recorded(body)) => self.block(body),
            Some(Operator::Empty | Operator::Undefined) => {}
            Some(Operator::For { var, body, .. }) => self.with_body(id, var, body),
            Some(Operator::Array { name, body, .. }) => self.with_body(id, name, body),
            None if self.terms.functor(id) == Some(Construct::Flow.symbol()) => self.graph(id),
            Some(Operator::Local { name, value, .. }) if self.controls.contains_key(&name) => {
                self.set(id, name, value);
            }
            Some(Operator::Assign { target, value })
                if self
                    .terms
                    .as_atom(target)
                    .is_some_and(|name| self.controls.contains_key(&name)) =>
            {
                let name = self.terms.as_atom(target).unwrap_or("".into());
                self.set(id, name, value);
            }
            _ => {
                let term = self.canonical(id);
                self.action(id, term);
            }
        }
    }

    fn set(&mut self, id: Id, name: Symbol, value: Id) {
        let value = self.terms.as_int(value).unwrap_or(0);
        self.reading.sets.insert(id, (self.controls[&name], value));
    }

    /// An operator with a body that runs in order: an action of its own, the same as others whose
    /// headers are the same and whose bodies are equal.
    fn with_body(&mut self, id: Id, name: Symbol, body: Id) {
        let mut parts: Vec<Id> = Vec::new();
        for &argument in &self.terms.args(id)[1..] {
            if argument != body {
                parts.push(self.canonical(argument));
            }
        }
        let given = self.scope.enter(name);
        self.block(body);
        self.scope.leave(name);
        let functor = self.terms.functor(id).expect("an operator has a functor");
        parts.insert(0, self.vocabulary.terms.atom(given));
        let header = self.vocabulary.terms.apply(functor, &parts);
        let place = (self.place)(id);
        let Vocabulary { headers, terms, .. } = &mut *self.vocabulary;
        let number = headers.number(terms, header, place);
        let point = self.flow.whole(self.terms, &self.reading, body);
        self.flow.search();
        let flow = &mut *self.flow;
        let alike = self.vocabulary.bodies.entry(number).or_default();
        let known = alike
            .iter()
            .find(|&&(other, _)| !differ(flow, other, point));
        let kind = match known {
            Some(&(_, kind)) => kind,
            None => {
                let kind = self.vocabulary.kinds_of_bodies;
                self.vocabulary.kinds_of_bodies += 1;
                alike.push((point, kind));
                kind
            }
        };
        let kind = self.vocabulary.terms.atom(made_name("body", kind));
        let whole = self.vocabulary.terms.apply(functor, &[header, kind]);
        self.action(id, whole);
    }

    fn action(&mut self, id: Id, term: Id) {
        let place = (self.place)(id);
        let Vocabulary { actions, terms, .. } = &mut *self.vocabulary;
        let known = actions.places.len();
        let number = actions.number(terms, term, place);
        if number as usize == known && !self.is_free(id, Construct::Call) {
            self.vocabulary.meaning.push(place);
        }
        self.reading.actions.insert(id, number);
    }

    /// Whether nothing is known of an action or a predicate but its name: a phrase without
    /// arguments other than names and integers, or a variable of a rule.
    fn is_free(&self, id: Id, phrase: Construct) -> bool {
        match self.terms.head(id) {
            Head::Variable(_) | Head::Sequence(_) => true,
            Head::Functor(f) if f == phrase.symbol() && self.terms.arity(id) > 0 => {
                let plain = |&a: &Id| self.terms.arity(a) == 0;
                self.terms.args(id).iter().all(plain)
            }
            _ => false,
        }
    }

    pub fn predicate(&mut self, id: Id) {
        let (functor, swapped, holds) = match expr(self.terms, id) {
            Some(Expr::True | Expr::False) => return,
            Some(Expr::Not(inner)) => return self.predicate(inner),
            Some(Expr::Binary { left, right, .. })
                if self
                    .terms
                    .as_atom(left)
                    .is_some_and(|name| self.controls.contains_key(&name)) =>
            {
                let name = self.terms.as_atom(left).unwrap_or("".into());
                let value = self.terms.as_int(right).unwrap_or(0);
                self.reading.asks.insert(id, (self.controls[&name], value));
                return;
            }
            Some(Expr::Binary { op, left, right }) => match op.kind() {
                Kind::Logic(_) => {
                    self.predicate(left);
                    return self.predicate(right);
                }
                // True of all values, not-a-number among them; that a > b is the opposite of
                // a <= b is not.
                Kind::Comparison(Comparison::NotEqual) => (Construct::Equal, false, false),
                Kind::Comparison(Comparison::Greater) => (Construct::Less, true, true),
                Kind::Comparison(Comparison::GreaterOrEqual) => {
                    (Construct::LessOrEqual, true, true)
                }
                Kind::Comparison(_) | Kind::Arithmetic(_) => (op.construct(), false, true),
            },
            _ => {
                let term = self.canonical(id);
                return self.named(id, term, true);
            }
        };
        let mut sides: Vec<Id> = Vec::new();
        for &argument in self.terms.args(id) {
            sides.push(self.canonical(argument));
        }
        if swapped {
            sides.reverse();
        }
        let term = self.vocabulary.terms.apply(functor.symbol(), &sides);
        self.named(id, term, holds);
    }

    fn named(&mut self, id: Id, term: Id, holds: bool) {
        let place = (self.place)(id);
        let Vocabulary {
            predicates, terms, ..
        } = &mut *self.vocabulary;
        let known = predicates.places.len();
        let number = predicates.number(terms, term, place);
        if number as usize == known {
            self.vocabulary.as_written.push(holds);
            if !self.is_free(id, Construct::Test) {
                self.vocabulary.meaning.push(place);
            }
        }
        self.reading.predicates.insert(id, (number, holds));
    }

    /// A copy of a term with names that do not depend on the author's.
    fn canonical(&mut self, id: Id) -> Id {
        let head = self.terms.head(id);
        let args = self.terms.args(id);
        let Head::Functor(functor) = head else {
            let head = match head {
                // Each `$_` of a rule stands for a term of its own.
                Head::Variable(name) if name.as_str() == "_" => {
                    self.vocabulary.anonymous += 1;
                    Head::Functor(made_name("any", self.vocabulary.anonymous))
                }
                head => head,
            };
            return self.vocabulary.terms.make(head, &[]);
        };
        if args.is_empty() {
            let name = match self.scope.get(functor) {
                Some(given) => given,
                None if self.other.contains(&functor) => {
                    Symbol::new(&format!("{functor}{}", made_name("other", 0)))
                }
                None => functor,
            };
            return self.vocabulary.terms.atom(name);
        }
        let new = match operator(self.terms, id) {
            Some(Operator::Then(parts)) => {
                let mut new = Vec::new();
                self.sequence(parts, &mut |reader, part| new.push(reader.canonical(part)));
                new
            }
            Some(
                Operator::Local { name, .. }
                | Operator::Shared { name, .. }
                | Operator::Registers { name, .. },
            ) => {
                // The name, the type, and the value or the size, which does not see the name.
                let last = self.canonical(args[2]);
                let ty = self.vocabulary.terms.import(self.terms, args[1]);
                let given = match self.of_graphs.contains(&name) {
                    true => self.scope.get(name).unwrap_or(name),
                    false => self.scope.declare(name),
                };
                vec![self.vocabulary.terms.atom(given), ty, last]
            }
            Some(
                Operator::For { var: name, .. }
                | Operator::Parallel { var: name, .. }
                | Operator::Array { name, .. },
            ) => {
                let (&body, header) = args[1..].split_last().expect("a body");
                let mut new = Vec::new();
                for &part in header {
                    new.push(self.canonical(part));
                }
                let given = self.scope.enter(name);
                new.insert(0, self.vocabulary.terms.atom(given));
                new.push(self.canonical_block(body));
                self.scope.leave(name);
                new
            }
            Some(_) => {
                let mut new = Vec::new();
                for &argument in args {
                    new.push(self.canonical_block(argument));
                }
                new
            }
            None => {
                // A component and a function are not variables of the same name.
                let fixed = match Construct::of(functor) {
                    Some(Construct::Field) => 1,
                    Some(Construct::Apply) => 0,
                    _ => usize::MAX,
                };
                let mut new = Vec::new();
                for (i, &argument) in args.iter().enumerate() {
                    new.push(if i == fixed {
                        self.vocabulary.terms.import(self.terms, argument)
                    } else {
                        self.canonical(argument)
                    });
                }
                new
            }
        };
        self.vocabulary.terms.apply(functor, &new)
    }

    fn canonical_block(&mut self, id: Id) -> Id {
        let mut new = None;
        self.sequence(&[id], &mut |reader, part| {
            new = Some(reader.canonical(part))
        });
        new.expect("a sequence of one part")
    }
}
