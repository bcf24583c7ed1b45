//! Code at work: its instructions, one by one.

use super::at_work::Outcome;
use super::cells::{FALSE, NOTHING, SET, TRUE};
use super::code::Op;
use super::engine::Engine;
use super::place::{Place, sequence};
use super::root::Reached;
use std::cmp::Ordering;

impl Engine<'_> {
    /// Follows code to its end, or to a term that must be reduced first.
    pub(super) fn execute(&mut self) -> Outcome {
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
                    if self.asking.open() as u64 > self.most_open {
                        return Outcome::Stopped;
                    }
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
}
