//! Code at work: conditions are asked, results are made.

use super::cells::{FALSE, NOTHING, SET, TRUE};
use super::code::Op;
use super::engine::{Engine, Stepped};
use super::place::{Place, sequence};
use super::root::Reached;
use crate::rewrite::evaluate::order;
use crate::syntax::rules::{CONS, NIL};
use crate::term::{Head, Symbol};
use std::cmp::Ordering;

/// After so many ways to match a pattern at one place, the rule is left.
const MOST_MATCHES: usize = 100_000;
/// Where a rule waits for its next match.
pub(super) const NEXT_MATCH: u32 = u32::MAX;

/// What code comes to.
enum Outcome {
    Result(u32),
    Fails,
    Waits,
    /// The rule has fired and done what it does besides.
    Acted(u32),
    Stopped,
}

impl Engine<'_> {
    #[inline]
    fn make(&mut self, functor: u32) {
        let count = self.cells.shapes[functor as usize].arguments as usize;
        let first = self.values.len() - count;
        let cell = self.cells.make(functor, &self.values[first..]);
        self.values.truncate(first);
        self.values.push(cell);
    }

    #[inline]
    fn pop(&mut self) -> u32 {
        self.values.pop().unwrap_or(0)
    }

    /// Goes on with the rule at work. Nothing where it does not fire: then it is not at work any
    /// more, and the next one is to be tried.
    pub(super) fn go_on(&mut self) -> Option<Stepped> {
        loop {
            let pc = self.tries.last()?.pc;
            if pc == NEXT_MATCH && !self.next_match() {
                self.leave();
                return None;
            }
            match self.execute() {
                Outcome::Waits => {
                    let looked = self.looked;
                    if let Some(work) = self.tries.last_mut() {
                        work.looked = looked;
                    }
                    return Some(match self.limits.is_over() {
                        true => Stepped::Stopped,
                        false => Stepped::Waits,
                    });
                }
                Outcome::Stopped => return Some(Stepped::Stopped),
                Outcome::Acted(result) => {
                    if self.tries.last()?.ends {
                        self.ended = Some(self.frames.len());
                    }
                    self.leave();
                    return Some(Stepped::Became(result));
                }
                Outcome::Result(result) => {
                    let work = self.tries.last()?;
                    let (redex, rule) = (work.redex, work.rule);
                    self.leave();
                    let rule = &self.program.rules[rule as usize];
                    let (index, repeats) = (rule.rule, rule.repeats);
                    if repeats && self.cells.equal(result, redex) {
                        self.looked = true;
                        return None;
                    }
                    return Some(self.fired(index, result));
                }
                Outcome::Fails => {
                    let work = self.tries.last_mut()?;
                    if work.search.is_none() {
                        self.leave();
                        return None;
                    }
                    work.pc = NEXT_MATCH;
                    let (values, marks) = (work.values, work.marks);
                    self.values.truncate(values);
                    self.marks.truncate(marks);
                }
            }
        }
    }

    /// Goes on to the next match of the rule at work.
    fn next_match(&mut self) -> bool {
        let Some(work) = self.tries.last_mut() else {
            return false;
        };
        let Some(search) = &mut work.search else {
            return false;
        };
        let mut place = Place {
            cells: &mut self.cells,
            functors: &mut self.functors,
        };
        if search.found >= MOST_MATCHES || !search.advance(&mut place) {
            return false;
        }
        search.write(&mut place, &mut self.variables[work.variables..]);
        work.pc = self.program.rules[work.rule as usize].code;
        true
    }

    /// Leaves the rule at work.
    fn leave(&mut self) {
        if let Some(work) = self.tries.pop() {
            self.variables.truncate(work.variables);
            self.values.truncate(work.values);
            self.marks.truncate(work.marks);
            if work.asks {
                self.asking.end();
            }
        }
    }

    /// Follows code to its end, or to a term that must be reduced first.
    fn execute(&mut self) -> Outcome {
        let Some(work) = self.tries.last() else {
            return Outcome::Fails;
        };
        let base = work.variables;
        let mut pc = work.pc as usize;
        loop {
            let op = self.program.code[pc];
            pc += 1;
            match op {
                Op::Found(at) => self.values.push(self.cells.found(at, &self.passed)),
                Op::Variable(i) => {
                    // What is asked about normal terms is answered alike after any change.
                    let cell = self.variables[base + i as usize];
                    self.looked |= !self.cells.is_normal(cell);
                    self.values.push(cell);
                }
                Op::Constant(i) => self.values.push(self.program.constants[i as usize]),
                Op::Fresh(i) => {
                    let cell = self.cells.copy(self.program.constants[i as usize]);
                    self.values.push(cell);
                }
                Op::Make(functor) => self.make(functor),
                Op::Mark => self.marks.push(self.values.len()),
                Op::Spread(i) => {
                    self.looked = true;
                    let terms = self.cells.arguments(self.variables[base + i as usize]);
                    self.values.extend_from_slice(terms);
                }
                Op::MakeMarked(name) => {
                    let terms = self.marked();
                    let cell = self.apply(name, &terms);
                    self.values.push(cell);
                }
                Op::Set(count) => {
                    let elements = self.taken(count);
                    self.push_set(0, &elements);
                }
                Op::SetRest(count) => {
                    let mut elements = self.taken(count.map(|count| count + 1));
                    let rest = elements.pop().unwrap_or(0);
                    if self.cells.functor(rest) == SET {
                        let tree = self.cells.argument(rest, 0);
                        self.push_set(tree, &elements);
                    } else {
                        // What is no set stands for its arguments.
                        elements.extend_from_slice(self.cells.arguments(rest));
                        self.push_set(0, &elements);
                    }
                }
                Op::AnyFunctor => {
                    let (list, name) = (self.pop(), self.pop());
                    match self.listed(name, list) {
                        Some((name, args)) => {
                            let cell = self.apply(name, &args);
                            self.values.push(cell);
                        }
                        None => return Outcome::Fails,
                    }
                }
                Op::Reduce => {
                    let cell = self.values.last().copied().unwrap_or(0);
                    if self.cells.is_normal(cell) {
                        continue;
                    }
                    let value = self.pop();
                    if let Some(&known) = self.reduced.get(&value) {
                        self.values.push(known);
                        continue;
                    }
                    // What was just made for the rule at work is met nowhere else.
                    let is_kept = !matches!(self.program.code[pc - 2], Op::Make(_));
                    match self.steps_at_root(value) {
                        Reached::Normal(normal) => {
                            if is_kept && normal != value {
                                self.reduced.insert(value, normal);
                            }
                            self.values.push(normal);
                        }
                        Reached::Open(reached) => {
                            if let Some(work) = self.tries.last_mut() {
                                work.pc = pc as u32;
                            }
                            self.begin(value, reached, is_kept);
                            return Outcome::Waits;
                        }
                        Reached::Bound => return Outcome::Stopped,
                    }
                }
                Op::Look => {
                    let cell = self.values.last().copied().unwrap_or(0);
                    self.looked |= !self.cells.is_normal(cell);
                }
                Op::Given(i) => match self.variables[base + i as usize] {
                    NOTHING => return Outcome::Fails,
                    cell => {
                        self.looked |= !self.cells.is_normal(cell);
                        self.values.push(cell);
                    }
                },
                Op::Open {
                    variable,
                    constant,
                    asks,
                } => match self.variables[base + variable as usize] {
                    NOTHING => self.values.push(self.program.constants[constant as usize]),
                    cell => {
                        self.looked |= !self.cells.is_normal(cell);
                        if asks {
                            self.note_value(cell);
                        }
                        self.values.push(cell);
                    }
                },
                Op::Choose => self.choose(),
                Op::Settle { from } => {
                    let truth = self.pop();
                    match self.settled_condition(truth) {
                        Some(truth) => self.values.push(truth),
                        None if self.limits.is_over() => return Outcome::Stopped,
                        None => pc = from as usize,
                    }
                }
                Op::Negate(enters) => self.negate(enters),
                Op::AskFact => {
                    let pattern = self.pop();
                    let truth = self.ask_fact(pattern);
                    self.values.push(truth);
                    if self.facts.trouble().is_some() {
                        return Outcome::Stopped;
                    }
                }
                Op::Knows { functor, to } => {
                    if !self.may_know(functor) {
                        pc = to as usize;
                    }
                }
                Op::Known { to } => {
                    let question = self.values.last().copied().unwrap_or(0);
                    if let Some(truth) = self.known(question) {
                        self.pop();
                        self.values.push(truth);
                        pc = to as usize;
                    }
                    if self.facts.trouble().is_some() {
                        return Outcome::Stopped;
                    }
                }
                Op::Jump(to) => pc = to as usize,
                Op::Commit => match self.commit() {
                    Ok(()) => {}
                    Err(outcome) => return outcome,
                },
                Op::Act => {
                    let action = self.pop();
                    self.act(action);
                    if self.facts.trouble().is_some() {
                        return Outcome::Stopped;
                    }
                }
                Op::Acted => {
                    let result = self.tries.last().map_or(NOTHING, |work| work.result);
                    return Outcome::Acted(result);
                }
                Op::Bind(i) => {
                    let value = self.pop();
                    self.variables[base + i as usize] = value;
                }
                Op::BindMarked(i) => {
                    let terms = self.marked();
                    let mut place = Place {
                        cells: &mut self.cells,
                        functors: &mut self.functors,
                    };
                    self.variables[base + i as usize] = sequence(&mut place, &terms);
                }
                Op::Equal { holds } => {
                    let (b, a) = (self.pop(), self.pop());
                    let equal =
                        self.cells.equal(a, b) || self.compared(a, b) == Some(Ordering::Equal);
                    self.values.push(self.truth(equal == holds));
                }
                Op::Order { functor, holds, to } => {
                    let (b, a) = (self.pop(), self.pop());
                    match self.compared(a, b) {
                        Some(order) => {
                            let holds = match order {
                                Ordering::Less => holds[0],
                                Ordering::Equal => holds[1],
                                Ordering::Greater => holds[2],
                            };
                            self.values.push(self.truth(holds));
                            pc = to as usize;
                        }
                        None => {
                            self.values.extend([a, b]);
                            self.make(functor);
                        }
                    }
                }
                Op::And => self.join(TRUE, FALSE),
                Op::Or => self.join(FALSE, TRUE),
                Op::Not => {
                    let value = self.pop();
                    let turned = match self.cells.functor(value) {
                        TRUE => self.truth(false),
                        FALSE => self.truth(true),
                        _ => value,
                    };
                    self.values.push(turned);
                }
                Op::JumpIf { is, to } => {
                    let value = self.values.last().copied().unwrap_or(0);
                    if self.cells.functor(value) == is {
                        pc = to as usize;
                    }
                }
                Op::JumpUnless { variable, is, to } => {
                    let value = self.variables[base + variable as usize];
                    if self.cells.functor(value) != is {
                        pc = to as usize;
                    }
                }
                Op::Fail => return Outcome::Fails,
                Op::Done => return Outcome::Result(self.pop()),
            }
        }
    }

    /// Has the rule at work fire, before it does what it does besides.
    fn commit(&mut self) -> Result<(), Outcome> {
        let result = self.pop();
        let Some(work) = self.tries.last() else {
            return Err(Outcome::Fails);
        };
        let rule = &self.program.rules[work.rule as usize];
        if rule.repeats && self.cells.equal(result, work.redex) {
            return Err(Outcome::Result(result));
        }
        if !self.count(rule.rule) {
            return Err(Outcome::Stopped);
        }
        if let Some(work) = self.tries.last_mut() {
            work.result = result;
            // What the actions compute may ask the rule again.
            if std::mem::take(&mut work.asks) {
                self.asking.end();
            }
        }
        Ok(())
    }

    pub(super) fn truth(&self, holds: bool) -> u32 {
        self.truths[usize::from(!holds)]
    }

    /// Two truth values into one: `weak` gives way, `strong` wins, else it is unknown.
    fn join(&mut self, weak: u32, strong: u32) {
        let (b, a) = (self.pop(), self.pop());
        let (x, y) = (self.cells.functor(a), self.cells.functor(b));
        let winner = if x == strong || y == weak { a } else { b };
        self.values.push(if y == strong { b } else { winner });
    }

    fn compared(&self, a: u32, b: u32) -> Option<Ordering> {
        order(&[self.cells.value(a)?, self.cells.value(b)?])
    }

    /// Takes what was pushed since the mark.
    fn marked(&mut self) -> Vec<u32> {
        let mark = self.marks.pop().unwrap_or(0);
        self.values.split_off(mark)
    }

    fn taken(&mut self, count: Option<u32>) -> Vec<u32> {
        match count {
            Some(count) => self.values.split_off(self.values.len() - count as usize),
            None => self.marked(),
        }
    }

    /// Pushes the set of a tree's elements and some others.
    fn push_set(&mut self, tree: u32, elements: &[u32]) {
        let mut tree = tree;
        for &element in elements {
            tree = self.cells.insert(&self.functors, tree, element);
        }
        let set = self.cells.set(tree);
        self.values.push(set);
    }

    /// A cell of a functor by its name.
    pub(super) fn apply(&mut self, name: Symbol, args: &[u32]) -> u32 {
        let head = Head::Functor(name);
        if name.as_str() == crate::syntax::rules::SET {
            let mut tree = 0;
            for &element in args {
                tree = self.cells.insert(&self.functors, tree, element);
            }
            return self.cells.set(tree);
        }
        let functor = self.functors.number(&mut self.cells, head, args.len());
        self.cells.make(functor, args)
    }

    /// The name in an atom and the elements of a list, if they are that.
    fn listed(&self, name: u32, list: u32) -> Option<(Symbol, Vec<u32>)> {
        let functor = |cell: u32| &self.functors.list[self.cells.functor(cell) as usize];
        let known = functor(name);
        let (Head::Functor(name), 0) = (known.head, self.cells.arguments(name).len()) else {
            return None;
        };
        let mut elements = Vec::new();
        let mut rest = list;
        loop {
            let known = functor(rest);
            match (known.rank, known.name, self.cells.arguments(rest)) {
                (3, NIL, []) => return Some((name, elements)),
                (3, CONS, &[first, others]) => {
                    elements.push(first);
                    rest = others;
                }
                _ => return None,
            }
        }
    }
}
