//! A rule's pattern → random well-typed schemes in which it stands: its variables are filled with
//! random operators, bounds and expressions over what is in scope.
//!
//! Every choice is taken from a tape of numbers, 0 where it has ended, so that a shorter tape or
//! smaller numbers make a smaller scheme: what proptest shrinks is the tape.

use super::wishes::{BASICS, FURTHER_DATA, Wishes};
use crate::algebra::{Construct, Language, Sort, build};
use crate::rewrite::Rule;
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Head, Id, Symbol, Terms};
use std::collections::HashMap;

/// What the schemes work on.
const DATA: &str = "DATA\n  K : INTEGER := 5\n  extent : BOOLEAN [K]\n  a, b : REAL [80] INPUT OUTPUT\n  \
    c : REAL [12, 12] INPUT OUTPUT\n  n : INTEGER [80] INPUT OUTPUT\n  \
    s, t : REAL INPUT OUTPUT\n";

/// A scheme in which a rule's pattern stands; `asks` is the rule's text.
pub fn scheme(rules: &Terms, rule: &Rule, asks: &str, tape: &[u32]) -> String {
    let pattern = rule.pattern;
    let wishes = Wishes::new(rules, pattern, asks);
    let mut maker = Maker {
        rules,
        tape,
        at: 0,
        terms: Terms::new(),
        loops: Vec::new(),
        locals: Vec::new(),
        arrays: Vec::new(),
        bound: HashMap::new(),
        made: 0,
        counter: None,
        wishes,
        repeated: None,
        vectors: Vec::new(),
        of_vector: false,
    };
    let mut parts = Vec::new();
    if wishes.vectors && rules.functor(pattern) == Some(Construct::Assign.symbol()) {
        parts.push(maker.vector_local());
    }
    let functors = rules.subterms(pattern).filter_map(|id| rules.functor(id));
    if functors.into_iter().any(|f| f == Construct::While.symbol()) {
        // The condition of a WHILE counts its rounds.
        let counter = maker.fresh("w");
        let zero = maker.terms.int(0);
        let local = maker.local(counter, "INTEGER", zero);
        parts.push(local);
        maker.counter = Some(counter);
    }
    // A pattern that wants nothing beside it stands alone half of the time.
    let around = maker.below(4);
    if around == 1 {
        parts.extend(maker.operators(2));
    }
    let instance = match (wishes.expression, wishes.terms) {
        (true, _) => maker.around(pattern),
        (_, true) => maker.added(pattern),
        _ if wishes.own_places => maker.on_local(pattern),
        _ if wishes.shared_records => maker.sharing_launch(),
        _ => {
            let instance = maker.fill(pattern, Sort::Operator);
            maker.one(&instance)
        }
    };
    parts.push(instance);
    if around >= 2 {
        parts.extend(maker.operators(2));
    }
    parts.extend(maker.vector_left());
    let body = build(&mut maker.terms, Construct::Then.symbol(), &parts);
    let style = Style {
        notation: Notation::Text,
        language: Language::English,
        comments: false,
    };
    let body = print(&maker.terms, body, style);
    let asked = wishes.sums
        || wishes.exchanged
        || wishes.expression
        || wishes.vectors
        || wishes.records
        || wishes.shared_records
        || wishes.spaces;
    let further = ["", FURTHER_DATA][usize::from(asked)];
    let basics = ["", BASICS][usize::from(wishes.basic)];
    format!(
        "SCHEME \"random\" ====\n{DATA}{further}END OF DATA\n{body}\n{basics}END OF SCHEME \"random\"\n"
    )
}

pub(super) struct Maker<'a> {
    pub(super) rules: &'a Terms,
    pub(super) tape: &'a [u32],
    pub(super) at: usize,
    pub(super) terms: Terms,
    /// Variables of loops around, with values from 0 to 5.
    pub(super) loops: Vec<Symbol>,
    /// REAL LOCALs in scope.
    pub(super) locals: Vec<Symbol>,
    /// Arrays of an ARRAY … IN around, with their sizes.
    pub(super) arrays: Vec<(Symbol, i64)>,
    /// What the rule's variables stand for.
    pub(super) bound: HashMap<Symbol, Vec<Id>>,
    pub(super) made: usize,
    /// The variable that the next operator must count up.
    pub(super) counter: Option<Symbol>,
    pub(super) wishes: Wishes,
    /// An expression that may stand again.
    pub(super) repeated: Option<Id>,
    /// VECTOR LOCALs in scope.
    pub(super) vectors: Vec<Symbol>,
    /// Whether what is filled in is a part of a vector of which a component is taken.
    pub(super) of_vector: bool,
}

impl Maker<'_> {
    pub(super) fn below(&mut self, n: u32) -> u32 {
        let choice = self.tape.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        choice % n
    }

    pub(super) fn fresh(&mut self, letter: &str) -> Symbol {
        self.made += 1;
        Symbol::new(&format!("{letter}{}", self.made))
    }

    pub(super) fn call(&mut self, construct: Construct, parts: &[Id]) -> Id {
        build(&mut self.terms, construct.symbol(), parts)
    }

    pub(super) fn atom(&mut self, name: &str) -> Id {
        self.terms.atom(Symbol::new(name))
    }

    pub(super) fn local(&mut self, name: Symbol, ty: &str, value: Id) -> Id {
        let parts = [self.terms.atom(name), self.atom(ty), value];
        self.call(Construct::Local, &parts)
    }

    fn one(&mut self, operators: &[Id]) -> Id {
        match operators {
            [one] => *one,
            several => self.call(Construct::Then, several),
        }
    }

    /// The terms that a part of the pattern becomes.
    pub(super) fn fill(&mut self, id: Id, sort: Sort) -> Vec<Id> {
        let (name, sequence) = match self.rules.head(id) {
            Head::Variable(name) => (name, false),
            Head::Sequence(name) => (name, true),
            Head::Int(i) => return vec![self.terms.int(i)],
            Head::Functor(functor) if Construct::of(functor).is_none() => {
                return vec![self.terms.atom(functor)];
            }
            Head::Functor(functor) => return vec![self.construct(id, functor)],
            Head::Real(_) | Head::Text(_) => unreachable!("no rule has these in its pattern"),
        };
        if let Some(known) = self.bound.get(&name) {
            return known.clone();
        }
        let made = match sort {
            Sort::Operator if self.wishes.basic => vec![self.basic()],
            Sort::Operator if sequence && self.wishes.scalar_sums && self.locals.is_empty() => {
                self.zeros()
            }
            Sort::Operator if self.wishes.sums && !self.loops.is_empty() => {
                let sums = self.sums();
                vec![self.one(&sums)]
            }
            Sort::Operator if sequence => {
                let most = self.below(3) as usize;
                self.operators(most)
            }
            Sort::Operator => {
                let mut operators = self.operators(2);
                if let Some(counter) = self.counter.take() {
                    let (to, one) = (self.terms.atom(counter), self.terms.int(1));
                    let sum = self.call(Construct::Plus, &[to, one]);
                    operators.push(self.call(Construct::Assign, &[to, sum]));
                }
                vec![self.one(&operators)]
            }
            Sort::Condition => vec![self.condition()],
            Sort::Type if self.wishes.vectors => vec![self.atom("VECTOR")],
            Sort::Type => vec![self.atom("REAL")],
            Sort::Name => {
                let name = self.fresh("x");
                vec![self.terms.atom(name)]
            }
            _ if self.wishes.vectors => vec![self.vector()],
            _ if self.wishes.expression => vec![self.number_or_vector()],
            _ => vec![self.real()],
        };
        self.bound.insert(name, made.clone());
        made
    }

    /// Binds a variable of the rule, or gives what it stands for already.
    fn given(&mut self, variable: Id, make: impl FnOnce(&mut Self) -> Vec<Id>) -> Vec<Id> {
        let (Head::Variable(name) | Head::Sequence(name)) = self.rules.head(variable) else {
            return self.fill(variable, Sort::Expression);
        };
        if let Some(known) = self.bound.get(&name) {
            return known.clone();
        }
        let made = make(self);
        self.bound.insert(name, made.clone());
        made
    }

    /// Whether a pattern is the smaller of two variables of the rule.
    fn is_smaller(&self, pattern: Id) -> bool {
        let is_variable = |&part: &Id| matches!(self.rules.head(part), Head::Variable(_));
        match self.rules.args(pattern) {
            [min, both @ ..] if both.len() == 2 => {
                self.rules.as_atom(*min) == Some("min".into()) && both.iter().all(is_variable)
            }
            _ => false,
        }
    }

    /// The smaller of a number and a bound.
    fn smaller(&mut self, pattern: Id, bound: Id) -> Id {
        let args = self.rules.args(pattern).to_vec();
        let number = i64::from(2 + self.below(4));
        let mut parts = vec![self.atom("min")];
        parts.extend(self.given(args[1], |m| vec![m.terms.int(number)]));
        parts.extend(self.given(args[2], |_| vec![bound]));
        self.call(Construct::Apply, &parts)
    }

    /// The name that stands where something is bound; patterns of users may have anything there.
    pub(super) fn name_of(&self, bound: Id) -> Symbol {
        self.terms.as_atom(bound).unwrap_or("i".into())
    }

    fn construct(&mut self, id: Id, functor: Symbol) -> Id {
        let args = self.rules.args(id).to_vec();
        let Some(construct) = Construct::of(functor) else {
            // A functor of no scheme: what it makes does not check.
            return self.terms.apply(functor, &[]);
        };
        let mut parts = Vec::new();
        match construct {
            Construct::ForLoop | Construct::ForStep | Construct::Parallel | Construct::Lanes => {
                let var = self.given(args[0], |m| {
                    let name = m.fresh("i");
                    vec![m.terms.atom(name)]
                });
                let mut bounds = self.bounds(construct == Construct::ForStep);
                if construct == Construct::Lanes {
                    bounds.push(self.terms.int(4));
                }
                parts.extend(&var);
                for (&argument, bound) in args[1..args.len() - 1].iter().zip(bounds) {
                    parts.extend(match self.is_smaller(argument) {
                        true => vec![self.smaller(argument, bound)],
                        false => self.given(argument, |_| vec![bound]),
                    });
                }
                self.loops.push(self.name_of(var[0]));
                parts.extend(self.fill(args[args.len() - 1], Sort::Operator));
                self.loops.pop();
            }
            Construct::Local => {
                let var = self.fill(args[0], Sort::Name);
                let ty = self.fill(args[1], Sort::Type);
                let value = self.fill(args[2], Sort::Expression);
                let name = self.name_of(var[0]);
                match self.wishes.vectors {
                    true => self.vectors.push(name),
                    false => self.locals.push(name),
                }
                parts = [var, ty, value].concat();
            }
            Construct::Array => {
                let var = self.fill(args[0], Sort::Name);
                let ty = self.fill(args[1], Sort::Type);
                let size = 4 + i64::from(self.below(3));
                let sizes = self.rules.args(args[2]).to_vec();
                let number = self.terms.int(size);
                let dims = match sizes.first() {
                    Some(&n) => {
                        let sizes = self.given(n, |_| vec![number]);
                        self.call(Construct::Dims, &sizes)
                    }
                    None => {
                        let dims = self.call(Construct::Dims, &[number]);
                        self.given(args[2], |_| vec![dims])[0]
                    }
                };
                let name = self.name_of(var[0]);
                self.arrays.push((name, size));
                let body = self.fill(args[3], Sort::Operator);
                self.arrays.pop();
                parts = [var, ty, vec![dims], body].concat();
            }
            Construct::Index if self.wishes.counts && args.len() == 2 => {
                parts.extend(self.given(args[0], |m| vec![m.atom("n")]));
                parts.extend(self.given(args[1], |m| {
                    let name = m.loops.last().copied().unwrap_or("i".into());
                    vec![m.terms.atom(name)]
                }));
            }
            Construct::Launch if self.wishes.records => parts = self.reading_launch(),
            Construct::Assign if self.wishes.own_places => {
                parts.extend(self.given(args[0], |m| {
                    let name = m.locals.last().copied().unwrap_or("s".into());
                    vec![m.terms.atom(name)]
                }));
                parts.extend(self.given(args[1], |m| vec![m.real()]));
            }
            Construct::Assign if self.wishes.vectors => {
                parts.extend(self.given(args[0], |m| {
                    let name = m.vectors.last().copied().unwrap_or("v".into());
                    vec![m.terms.atom(name)]
                }));
                parts.extend(self.given(args[1], |m| vec![m.vector()]));
            }
            Construct::Field => {
                let outer = std::mem::replace(&mut self.of_vector, true);
                parts.extend(self.fill(args[0], Sort::Expression));
                self.of_vector = outer;
                let field = ["x", "y", "z"][self.below(3) as usize];
                parts.extend(self.given(args[1], |m| vec![m.atom(field)]));
            }
            Construct::Apply if self.wishes.expression => {
                let function = self.rules.functor(args[0]).map_or("", |f| f.as_str());
                parts.extend(match self.rules.head(args[0]) {
                    // Any function of a number that has a quick form, and one that has none.
                    Head::Variable(_) => self.given(args[0], |m| {
                        let all = ["exp", "log", "sin", "cos", "erfc", "abs"];
                        let function = all[m.below(6) as usize];
                        vec![m.atom(function)]
                    }),
                    _ => self.fill(args[0], Sort::Name),
                });
                for (i, &argument) in args[1..].iter().enumerate() {
                    parts.extend(match (function, i) {
                        ("vector", _) => {
                            let several = matches!(self.rules.head(argument), Head::Sequence(_));
                            self.given(argument, |m| m.numbers(several))
                        }
                        ("select", 0) => self.given(argument, |m| vec![m.condition()]),
                        _ => self.fill(argument, Sort::Expression),
                    });
                }
            }
            Construct::Index if args.len() == 3 => {
                let array = ["e", "e", "r", "c"][self.below(4) as usize];
                parts.extend(self.given(args[0], |m| vec![m.atom(array)]));
                for (k, &argument) in args[1..].iter().enumerate() {
                    parts.extend(self.given(argument, |m| vec![m.column(array == "r" && k == 1)]));
                }
            }
            Construct::Index => {
                let flat = self.below(3) > 0;
                let array = ["c", ["a", "b"][self.below(2) as usize]][usize::from(flat)];
                parts.extend(self.given(args[0], |m| vec![m.atom(array)]));
                for &argument in &args[1..] {
                    parts.extend(self.given(argument, |m| match flat {
                        true => vec![m.subscript()],
                        false => vec![m.small(), m.small()],
                    }));
                }
            }
            Construct::Wait => {
                parts.extend(self.given(args[0], |m| vec![m.terms.text(Symbol::new("done"))]));
            }
            Construct::While => {
                let condition = match self.counter {
                    Some(counter) => {
                        let parts = [self.terms.atom(counter), self.terms.int(3)];
                        self.call(Construct::Less, &parts)
                    }
                    None => self.condition(),
                };
                parts.extend(self.given(args[0], |_| vec![condition]));
                parts.extend(self.fill(args[1], Sort::Operator));
            }
            _ => {
                let scope = self.locals.len();
                for (i, &argument) in args.iter().enumerate() {
                    let sort = construct.info().argument(i).unwrap_or(Sort::Part);
                    parts.extend(self.fill(argument, sort));
                }
                self.locals.truncate(scope);
            }
        }
        self.call(construct, &parts)
    }

    fn operators(&mut self, most: usize) -> Vec<Id> {
        let count = most.min(1 + self.below(2) as usize);
        let mut made = Vec::new();
        if let Some((array, size)) = self.arrays.last().copied() {
            // What is not initialized is written before it is read.
            let at = i64::from(self.below(size as u32));
            let parts = [self.terms.atom(array), self.terms.int(at)];
            let cell = self.call(Construct::Index, &parts);
            let value = self.real();
            made.push(self.call(Construct::Assign, &[cell, value]));
            let to = self.cell();
            made.push(self.call(Construct::Assign, &[to, cell]));
        }
        made.extend((0..count).map(|_| self.operator(2)));
        made
    }

    fn operator(&mut self, depth: u32) -> Id {
        if let Some(wanted) = self.wanted_operator() {
            return wanted;
        }
        match (self.below(10), self.locals.last().copied()) {
            (0 | 1, Some(local)) => {
                let (to, value) = (self.terms.atom(local), self.cell());
                let value = match self.below(2) {
                    0 => self.call(Construct::Plus, &[to, value]),
                    _ => value,
                };
                self.call(Construct::Assign, &[to, value])
            }
            (2, _) if depth > 0 => {
                let test = self.condition();
                let yes = self.operator(depth - 1);
                let no = match self.below(2) {
                    0 => self.call(Construct::Empty, &[]),
                    _ => self.operator(depth - 1),
                };
                self.call(Construct::If, &[test, yes, no])
            }
            (3, _) if depth > 0 => {
                let var = self.fresh("j");
                let bounds = self.bounds(false);
                self.loops.push(var);
                let body = self.operator(depth - 1);
                self.loops.pop();
                let parts = [self.terms.atom(var), bounds[0], bounds[1], body];
                self.call(Construct::ForLoop, &parts)
            }
            (4, _) => {
                // A sum, of what is read only.
                let (to, at) = (self.atom("t"), self.subscript());
                let parts = [self.atom("a"), at];
                let cell = self.call(Construct::Index, &parts);
                let sum = self.call(Construct::Plus, &[to, cell]);
                self.call(Construct::Assign, &[to, sum])
            }
            (5, _) => {
                let parts = [self.atom("n"), self.subscript()];
                let to = self.call(Construct::Index, &parts);
                let value = i64::from(self.below(6));
                let value = self.terms.int(value);
                self.call(Construct::Assign, &[to, value])
            }
            (6, _) if self.below(4) == 0 => {
                let label = self.terms.text(Symbol::new("r"));
                let value = self.real();
                self.call(Construct::Report, &[label, value])
            }
            _ => {
                let (to, value) = (self.cell(), self.real());
                self.call(Construct::Assign, &[to, value])
            }
        }
    }
}
