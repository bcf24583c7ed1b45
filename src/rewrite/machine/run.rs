//! Code → normal form.

use super::code::{Called, Op, Program};
use super::heap::{FALSE, Heap, TRUE};
use crate::rewrite::evaluate::Value;
use crate::rewrite::system::{Limits, Trace};

/// Calls that wait for their arguments, at most.
const MOST_FRAMES: usize = 1 << 25;
/// Standard functors take no more arguments.
pub(super) const MOST_ARGUMENTS: usize = 2;

/// A run of a program.
pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) heap: Heap,
    pub(super) constants: Vec<u32>,
    pub(super) values: Vec<u32>,
    /// The variables of the rules at work: what is behind the first `top` is free.
    pub(super) variables: Vec<u32>,
    pub(super) top: usize,
    /// Where callers go on, and where their variables begin; of a chain of cells, which argument is open.
    pub(super) frames: Vec<(u32, u32)>,
    pub(super) registers: Vec<u32>,
    pub(super) trace: Trace,
    pub(super) limits: Limits<'p>,
    /// How often the rules had fired or, once a value is kept, fired for it: so many numbers for each note as there are
    /// rules.
    noted: Vec<u64>,
    /// Whether a value stood for what was not computed again.
    pub(super) shared: bool,
    /// Whether a limit is reached: what is left of the code only builds.
    pub(super) stopped: bool,
    /// The address of the normal form; where a limit was reached, of the term that was.
    pub(super) result: u32,
}

impl<'p> Machine<'p> {
    /// A run within limits; there are `rules` rules in the base.
    pub(super) fn new(program: &'p Program, rules: usize, limits: Limits<'p>) -> Machine<'p> {
        let mut heap = Heap::new();
        let constants = program
            .constants
            .iter()
            .map(|constant| match *constant {
                Ok(value) => heap.literal(value),
                Err(functor) => heap.make(functor, &[]),
            })
            .collect();
        Machine {
            program,
            heap,
            constants,
            values: Vec::new(),
            variables: Vec::new(),
            top: 0,
            frames: Vec::new(),
            registers: vec![0; program.registers.max(MOST_ARGUMENTS)],
            trace: Trace::new(rules),
            limits,
            noted: Vec::new(),
            shared: false,
            stopped: false,
            result: 0,
        }
    }

    /// Runs to the end, or until a limit is reached (then false). From there on calls only make
    /// cells, conditions are unknown, and so the rest of the code puts the term together that was
    /// reached.
    pub(super) fn run(&mut self) -> Result<bool, String> {
        let code = &self.program.code[..];
        let mut pc = self.program.start as usize;
        let mut base = 0;
        loop {
            match code[pc] {
                Op::Variable(i) => self.values.push(self.variables[base + i as usize]),
                Op::Constant(i) => self.values.push(self.constants[i as usize]),
                Op::Make { functor, arguments } => self.make(functor, arguments, base),
                Op::Open {
                    functor,
                    arguments,
                    hole,
                } => self.open(functor, arguments, hole, base),
                Op::Fill => {
                    // The frame of a chain has its hole where others have the variables of the caller.
                    self.close(base as u32);
                    match self.frames.pop() {
                        Some((to, caller)) => {
                            base = caller as usize;
                            pc = to as usize;
                            continue;
                        }
                        None => return Err("a rule ended outside of any call".to_string()),
                    }
                }
                Op::Call { functor, arguments } | Op::Defer { functor, arguments } => {
                    if self.heap.words.len() > self.heap.generations.limit {
                        self.compact()?;
                    }
                    self.load(functor, arguments, base);
                    let last = matches!(code[pc + 1], Op::Return);
                    let under = if last { base } else { self.top };
                    // A last call does not need the variables of its caller any more, but they
                    // must stay in place until its own are known.
                    match self.call(functor, 0, under) {
                        Called::Code(to) => {
                            if !last {
                                self.frames.push((pc as u32 + 1, base as u32));
                                if self.frames.len() > MOST_FRAMES {
                                    return Err(too_nested());
                                }
                                base = under;
                            }
                            pc = to as usize;
                            continue;
                        }
                        Called::Value => {}
                    }
                }
                Op::Next { functor, candidate } => {
                    let arity = self.program.functors[functor as usize].arity;
                    let kept = &self.variables[self.top - arity..self.top];
                    self.registers[..arity].copy_from_slice(kept);
                    match self.call(functor, candidate as usize + 1, base) {
                        Called::Code(to) => {
                            pc = to as usize;
                            continue;
                        }
                        Called::Value => match self.leave(&mut base) {
                            Some(to) => {
                                pc = to;
                                continue;
                            }
                            None => return Err("a rule ended outside of any call".to_string()),
                        },
                    }
                }
                Op::Return => match self.leave(&mut base) {
                    Some(to) => {
                        pc = to;
                        continue;
                    }
                    None => return Err("a rule ended outside of any call".to_string()),
                },
                Op::Halt => {
                    self.result = self.pop();
                    return Ok(!self.stopped);
                }
                Op::Bind(i) => {
                    let value = self.pop();
                    self.variables[base + i as usize] = value;
                }
                Op::JumpUnless { variable, is, to } => {
                    let value = self.variables[base + variable as usize];
                    if self.heap.functor(value) != is {
                        pc = to as usize;
                        continue;
                    }
                }
                Op::JumpUnlike { a, b, to } => {
                    let value = |i: u32| self.variables[base + i as usize];
                    if !self.heap.equal(self.program, value(a), value(b)) {
                        pc = to as usize;
                        continue;
                    }
                }
                Op::JumpIf { is, to } => {
                    let value = self.values.last().copied().unwrap_or(0);
                    if self.heap.functor(value) == is {
                        pc = to as usize;
                        continue;
                    }
                }
                Op::Jump(to) => {
                    pc = to as usize;
                    continue;
                }
                Op::Drop => {
                    self.values.pop();
                }
                Op::And => self.join(TRUE, FALSE),
                Op::Or => self.join(FALSE, TRUE),
                Op::Not => {
                    let value = self.pop();
                    let turned = match self.heap.functor(value) {
                        TRUE => self.heap.make(FALSE, &[]),
                        FALSE => self.heap.make(TRUE, &[]),
                        _ => value,
                    };
                    self.values.push(turned);
                }
                Op::Equal if self.stopped => {
                    // What would be compared is not normal.
                    self.pop();
                    self.pop();
                    let unknown = self.heap.literal(Value::Int(0));
                    self.values.push(unknown);
                }
                Op::Equal => {
                    let (b, a) = (self.pop(), self.pop());
                    let equal = self.same(a, b);
                    let truth = self.heap.make(if equal { TRUE } else { FALSE }, &[]);
                    self.values.push(truth);
                }
                Op::Fire(rule) => {
                    if self.is_over() {
                        // The candidate is left: its redex is what was reached.
                        while !matches!(code[pc], Op::Next { .. }) {
                            pc += 1;
                        }
                        continue;
                    }
                    self.trace.fired(rule as usize);
                }
                Op::Note => {
                    let counts = self
                        .program
                        .rules
                        .iter()
                        .map(|&r| self.trace.count(r as usize));
                    self.noted.extend(counts);
                }
                Op::Keep(i) => {
                    let first = self.noted.len() - self.program.rules.len();
                    for (note, &rule) in self.noted[first..].iter_mut().zip(&self.program.rules) {
                        *note = self.trace.count(rule as usize) - *note;
                    }
                    let value = self.values.last().copied().unwrap_or(0);
                    self.variables[base + i as usize] = value;
                }
                Op::Again { variable, back, to } => {
                    if self.count_again(back as usize) {
                        self.values.push(self.variables[base + variable as usize]);
                        pc = to as usize;
                        continue;
                    }
                }
                Op::Forget(count) => {
                    let dropped = count as usize * self.program.rules.len();
                    self.noted.truncate(self.noted.len() - dropped);
                }
            }
            pc += 1;
        }
    }

    /// Counts the rewrites of a note once more; false where that is beyond the bound.
    fn count_again(&mut self, back: usize) -> bool {
        let rules = &self.program.rules[..];
        let end = self.noted.len() - back * rules.len();
        let note = &self.noted[end - rules.len()..end];
        let mut counts = note.iter();
        let all = counts.try_fold(self.trace.rewrites, |a, &b| a.checked_add(b));
        if self.stopped || all.is_none_or(|all| all > self.limits.steps) {
            return false;
        }
        for (&rule, &count) in rules.iter().zip(note) {
            self.trace.again(rule as usize, count);
        }
        self.shared = true;
        true
    }

    pub(super) fn pop(&mut self) -> u32 {
        self.values.pop().unwrap_or(0)
    }

    /// Leaves a rule: drops its variables and goes back to its caller.
    #[inline]
    fn leave(&mut self, base: &mut usize) -> Option<usize> {
        self.top = *base;
        let (pc, caller) = self.frames.pop()?;
        *base = caller as usize;
        Some(pc as usize)
    }

    /// Two truth values into one: `weak` gives way, `strong` wins, else it is unknown.
    fn join(&mut self, weak: u32, strong: u32) {
        let (b, a) = (self.pop(), self.pop());
        let (x, y) = (self.heap.functor(a), self.heap.functor(b));
        let winner = if x == strong || y == weak { a } else { b };
        self.values.push(if y == strong { b } else { winner });
    }

    pub(super) fn same(&self, a: u32, b: u32) -> bool {
        use crate::rewrite::evaluate::order;
        if self.heap.equal(self.program, a, b) {
            return true;
        }
        match (self.heap.value(a), self.heap.value(b)) {
            (Some(a), Some(b)) => order(&[a, b]).is_some_and(|o| o.is_eq()),
            _ => false,
        }
    }

    fn compact(&mut self) -> Result<(), String> {
        self.variables.truncate(self.top);
        let mut roots = [&mut self.constants, &mut self.values, &mut self.variables];
        self.heap.compact(self.program, &mut roots)
    }
}

fn too_nested() -> String {
    format!("more than {MOST_FRAMES} calls wait for their arguments: the rules do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_rewrites_than_can_be_counted_are_beyond_any_bound() {
        let program = Program {
            functors: Vec::new(),
            code: Vec::new(),
            operands: Vec::new(),
            constants: Vec::new(),
            start: 0,
            rules: vec![0],
            registers: 0,
            due: u32::MAX,
        };
        let mut machine = Machine::new(&program, 1, Limits::default());
        machine.trace.fired(0);
        machine.noted = vec![u64::MAX - 1];
        assert!(machine.count_again(0));
        assert_eq!(machine.trace.rewrites, u64::MAX);
        assert!(!machine.count_again(0));
        assert_eq!(machine.trace.count(0), u64::MAX);
    }
}
